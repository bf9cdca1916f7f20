//! `tsugi-lab blocks`.

use crate::support::{
    DONE, FAILED, NOTHING_FOUND, PARTLY_FAILED, TestFolder, WRONG_USE, Warc, checked, data, lab, labels,
    names_what_it_shows, paragraphs,
};
use serde_json::{Value, json};
use tsugi_page::Page;

/// Pages of a site with a menu and two advertisements, and what each has alone.
fn site(texts: &[&str]) -> Vec<(String, String)> {
    let page = |(number, text): (usize, &&str)| {
        let html = format!(
            "<!DOCTYPE html><html lang=en><title>Page {number}</title><ul><li><a href=/>Home</a><li>Sport</ul>\
             <div><p>{text}</p><div>Buy</div></div><p>Contact</p><p>Imprint</p>"
        );
        (format!("http://www.a.example/{number}"), html)
    };
    texts.iter().enumerate().map(page).collect()
}

fn archive(folder: &TestFolder, pages: &[(String, String)]) -> String {
    archive_called("pages.warc", folder, pages)
}

fn archive_called(name: &str, folder: &TestFolder, pages: &[(String, String)]) -> String {
    let warc = pages.iter().fold(Warc::default(), |warc, (url, html)| warc.page(url, html));
    folder.file(name, warc.bytes)
}

fn content_label(url: &str, content: &str) -> String {
    json!({"url": url, "site": "a", "content": [content], "labels": ["content"]}).to_string()
}

pub(crate) fn texts(lines: &[Value]) -> Vec<&str> {
    lines.iter().map(|line| checked(line)["content"]["text"].as_str().unwrap()).collect()
}

#[test]
fn what_all_pages_have_is_left_out() {
    let lines = lab(&["blocks", "unique", &data("pages.warc.gz")]).exits(PARTLY_FAILED).json_lines();
    let labels = labels();
    assert_eq!(lines.len(), labels.len());
    for (line, label) in lines.iter().zip(&labels) {
        assert_eq!(checked(line)["url"], label["url"]);
        if label["site"] == "kitchen.example" {
            assert!(line["error"].as_str().unwrap().contains("it has one"), "the only page of its site");
            continue;
        }
        assert_eq!(line["next"], Value::Null);
        let found = line["content"]["text"].as_str().unwrap();
        for paragraph in paragraphs(label["text"].as_str().unwrap()) {
            assert!(found.contains(paragraph), "{}: `{paragraph}` is on this page only", line["url"]);
        }
        assert!(!found.contains("Most read this week"), "what every page of the site holds is left out");
    }
}

#[test]
fn lines_have_the_fields_of_a_scan() {
    let folder = TestFolder::new();
    let pages = site(&["Snow fell in June.", "The bridge is open again.", "Ski races are off."]);
    let archive = archive(&folder, &pages);
    for method in ["unique", "repeated"] {
        let lines = lab(&["blocks", method, &archive]).exits(DONE).json_lines();
        assert_eq!(
            texts(&lines),
            ["Snow fell in June.", "The bridge is open again.", "Ski races are off."],
            "{method}"
        );
        for ((url, html), line) in pages.iter().zip(&lines) {
            assert_eq!((&line["url"], &line["lang"]), (&Value::from(url.as_str()), &Value::from("en")));
            assert!(line["title"].as_str().unwrap().starts_with("Page "));
            names_what_it_shows(&Page::from_text(html, &url.parse().unwrap()), line);
        }
        let out = folder.path("out.jsonl");
        lab(&["blocks", method, &archive, "-o", &out]).exits(DONE).writes_nothing();
        assert_eq!(crate::support::json_lines(&folder.read("out.jsonl")), lines);
    }
}

#[test]
fn near_duplicates_are_set_aside_unless_the_paper_is_followed() {
    let folder = TestFolder::new();
    let article = "Snow fell in June, and nobody had a shovel.";
    let archive =
        archive(&folder, &site(&[article, article, "The bridge is open again.", "Ski races are off."]));
    let lines = lab(&["blocks", "unique", &archive]).exits(DONE).json_lines();
    assert_eq!(texts(&lines)[..2], [article, article]);
    let lines = lab(&["blocks", "unique", "--as-published", &archive]).exits(DONE).json_lines();
    assert_eq!(texts(&lines), ["", "", "The bridge is open again.", "Ski races are off."]);
}

#[test]
fn sites_are_compared_apart() {
    let folder = TestFolder::new();
    let [(_, one), (_, two)] = &site(&["Snow fell in June.", "The bridge is open again."])[..] else {
        panic!("two")
    };
    let warc = Warc::default().page("http://a.example/", one).page("http://b.example/", two);
    // `www.` makes no other host, a port does.
    let warc = warc.page("https://www.a.example/2", two).page("http://a.example:8080/", one);
    let archive = folder.file("pages.warc", warc.bytes);
    let lines = lab(&["blocks", "repeated", &archive]).exits(PARTLY_FAILED).json_lines();
    let compared: Vec<bool> = lines.iter().map(|line| checked(line)["error"].is_null()).collect();
    assert_eq!(compared, [true, false, true, false]);
    assert!(texts(&[lines[0].clone(), lines[2].clone()]).iter().all(|text| !text.contains("Home")));
}

#[test]
fn all_sites_can_be_compared_with_each_other() {
    let folder = TestFolder::new();
    let [(_, one), (_, two)] = &site(&["Snow fell in June.", "The bridge is open again."])[..] else {
        panic!("two")
    };
    let warc = Warc::default().page("http://a.example/", one).page("http://b.example/", two);
    let archive = folder.file("pages.warc", warc.bytes);
    let lines = lab(&["blocks", "unique", "--across-sites", &archive]).exits(DONE).json_lines();
    assert!(texts(&lines).iter().all(|text| !text.contains("Home")));
}

#[test]
fn a_page_that_is_alone_on_its_host_is_not_kept_whole() {
    let folder = TestFolder::new();
    let archive = archive(&folder, &site(&["Snow fell in June."]));
    for method in ["unique", "repeated"] {
        let lines = lab(&["blocks", method, &archive]).exits(FAILED).json_lines();
        let error = checked(&lines[0])["error"].as_str().unwrap().to_owned();
        assert!(error.contains("two pages of a site or more; it has one"), "{method}: {error}");
    }
    lab(&["blocks", "unique", "--across-sites", &archive]).exits(FAILED);
}

#[test]
fn dates_near_the_content_are_kept_on_request() {
    let folder = TestFolder::new();
    let dated = |text: &&str| format!("Snow</p><p>10 December 2008</p><p>{text}");
    let dated: Vec<String> =
        ["It fell in June.", "It is open again.", "They are off."].iter().map(dated).collect();
    let pages = site(&dated.iter().map(String::as_str).collect::<Vec<_>>());
    let archive = archive(&folder, &pages);
    let found = |options: &[&str]| {
        let lines = lab(&[&["blocks", "unique", &archive], options].concat()).exits(DONE).json_lines();
        texts(&lines).iter().map(|text| text.contains("10 December 2008")).collect::<Vec<_>>()
    };
    assert_eq!(
        (found(&[]), found(&["--dates"])),
        (vec![false; 3], vec![true; 3]),
        "each page has the same date"
    );
}

#[test]
fn rules_are_learned_from_plain_blocks_if_the_paper_is_followed() {
    let folder = TestFolder::new();
    let page = |title: &str, text: &str, side: &str| {
        format!(
            "<title>Alder</title><div id=main><h1>{title}</h1><p>{text}</p></div><div id=side>{side}</div>"
        )
    };
    let mill = page(
        "The old mill",
        &"The old mill stood still for sixty years. ".repeat(4),
        "<p>Friends of the mill</p>",
    );
    let fog = page("Fog", "Fog lay on the lower fields until noon.", "");
    let urls = ["https://alder.test/a", "https://alder.test/a?print=1", "https://alder.test/b"];
    let pages: Vec<(String, String)> =
        urls.iter().zip([mill.clone(), mill, fog]).map(|(url, html)| ((*url).to_owned(), html)).collect();
    let archive = archive(&folder, &pages);
    let css = |options: &[&str]| {
        let run = lab(&[&["blocks", "rules", "--print", &archive], options].concat()).exits(DONE);
        run.json()["css"].as_str().unwrap().to_owned()
    };
    // Twins share all their blocks, so that plain unique blocks are those of the third page.
    assert_eq!(css(&["--as-published"]), "#main > h1, #main > p");
    assert_eq!(css(&[]), "#main > h1, #main > p, #side > p");
}

/// An article of a site whose pages have one class for their text.
fn article(number: usize) -> (String, String) {
    let (_, html) = &site(&[&format!("What page {number} alone says, at some length.")])[0];
    (format!("http://www.a.example/{number}"), html.replace("<div><p>", "<div class='md:text'><p>"))
}

#[test]
fn rules_learned_from_the_first_pages_work_on_single_ones() {
    let folder = TestFolder::new();
    let pages: Vec<(String, String)> = (0..5).map(article).collect();
    let several = archive(&folder, &pages);
    let lines = lab(&["blocks", "rules", &several]).exits(DONE).json_lines();
    let expected: Vec<String> =
        (0..5).map(|number| format!("What page {number} alone says, at some length.")).collect();
    assert_eq!(texts(&lines), expected);
    for ((url, html), line) in pages.iter().zip(&lines) {
        names_what_it_shows(&Page::from_text(html, &url.parse().unwrap()), line);
    }
    let rules = folder.path("rules.jsonl");
    lab(&["blocks", "rules", "--print", &several, "-o", &rules]).exits(DONE).writes_nothing();
    let printed: Value = serde_json::from_str(&folder.read("rules.jsonl")).unwrap();
    let class = "contains(concat(' ',normalize-space(@class),' '),' md:text ')";
    let rule = json!({"tag": "p", "near": {"parent": {"class": "md:text"}}});
    assert_eq!(
        printed,
        json!({
            "host": "a.example",
            "css": r".md\:text > p",
            "xpath": format!("//*[{class}]/p"),
            "rules": [rule],
            "from": pages[..3].iter().map(|(url, _)| url).collect::<Vec<_>>(),
        })
    );
    // A page that stands alone, beside one of another site.
    let (url, html) = article(7);
    let warc = Warc::default().page(&url, &html).page("http://b.example/", &html);
    let alone = folder.file("alone.warc", warc.bytes);
    let lines = lab(&["blocks", "rules", "--rules", &rules, &alone]).exits(PARTLY_FAILED).json_lines();
    assert_eq!(texts(&lines[..1]), ["What page 7 alone says, at some length."]);
    assert_eq!(checked(&lines[1])["error"], "there are no rules for `b.example`");
}

#[test]
fn rules_are_learned_from_so_many_pages() {
    let folder = TestFolder::new();
    let mut pages: Vec<(String, String)> = (0..3).map(article).collect();
    pages[2].1 = pages[2].1.replace("class=", "id=");
    let archive = archive(&folder, &pages);
    let css = |arguments: &[&str]| {
        let run = lab(&[&["blocks", "rules", "--print", &archive, "--learn-from"], arguments].concat());
        run.exits(DONE).json()["css"].as_str().unwrap().to_owned()
    };
    assert_eq!([css(&["2"]), css(&["3"])], [r".md\:text > p", "p"], "the third page has no such class");
    assert_eq!(css(&["2", "--spread"]), "p", "the first and the last");
    assert_eq!(css(&["9", "--spread"]), "p", "all");
}

#[test]
fn rules_that_cannot_be_read_are_named() {
    let folder = TestFolder::new();
    let archive = archive(&folder, &[article(0)]);
    let good = r#"{"host": "a.example", "rules": [{"tag": "p"}]}"#;
    for (bad, why) in [
        (r#"{"host": "a.example", "rules": [{"tag": "span"}]}"#.to_owned(), "selects no block"),
        (
            r#"{"host": "a.example", "rules": [{"tag": "p", "near": {"own": {"id": ""}}}]}"#.to_owned(),
            "selects no block",
        ),
        (good.to_owned(), "second line"),
        ("p.text".to_owned(), "expected value"),
    ] {
        let rules = folder.file("rules.jsonl", format!("{good}\n{bad}\n"));
        let run = lab(&["blocks", "rules", "--rules", &rules, &archive]).exits(FAILED).writes_nothing();
        run.says(&["rules.jsonl`, line 2", why]);
    }
    let rules = folder.file("rules.jsonl", format!("\n{good}\n"));
    let lines = lab(&["blocks", "rules", "--rules", &rules, &archive]).exits(DONE).json_lines();
    assert!(texts(&lines)[0].starts_with("What page 0 alone says, at some length."));
    lab(&["blocks", "rules", "--rules", &rules, "--learn-from", "2", &archive]).exits(WRONG_USE);
}

/// The cells of the row of a table that begins with a name.
#[track_caller]
pub(crate) fn row<'a>(table: &'a str, name: &str) -> Vec<&'a str> {
    let line = table.lines().find(|line| line.starts_with(&format!("| {name} |")));
    let line = line.unwrap_or_else(|| panic!("no row `{name}`: {table}"));
    line.split('|').map(str::trim).collect()
}

#[test]
fn what_is_kept_is_measured_by_labels() {
    let folder = TestFolder::new();
    let pages = site(&["Snow fell in June.", "The bridge is open again.", "Ski races are off."]);
    let archive = archive(&folder, &pages);
    // The second page is not labelled; the label of the third takes the advertisement for content.
    let label = |number: usize, content: &str, text: &str| {
        let url = &pages[number].0;
        json!({"url": url, "site": "a|paper", "content": [content], "text": text, "labels": ["content"]})
            .to_string()
    };
    let labels = [label(0, "//div/p", "Snow fell in June."), label(2, "//div", "Ski races are off. Buy")];
    let labels = folder.file("labels.jsonl", labels.join("\n"));
    let run = lab(&["blocks", "unique", &archive, "--evaluate", &labels]).exits(DONE);
    let run = run.says(&["2 pages measured; 1 without labelled content, 0 with labels that cannot be used"]);
    // Of 3 blocks that are content 2 are kept, and no others.
    let all = row(&run.stdout, "*all pages*");
    assert_eq!((all[2], all[6], all[7]), ("2", "1.000", "0.667"), "{}", run.stdout);
    assert_eq!((all[3], all[4], all[5]), ("3", "2", "2"), "C, N, R: {}", run.stdout);
    assert_eq!(all[9], "0.500", "one page is perfect: {}", run.stdout);
    let site = row(&run.stdout, "a paper");
    assert_eq!((site[2], site[7], site[8]), ("2", "0.667", "0.800"), "{}", run.stdout);
    // Characters: 18 + 18 of 18 + 18 + 3; tokens: 1, and 2·4 ÷ (4 + 5).
    assert_eq!((site[11], site[13]), ("0.923", "0.944"), "{}", run.stdout);
    let texts = run.stdout.lines().find(|line| line.starts_with("| site | texts |"));
    assert!(texts.unwrap().ends_with("| BLEU-4 | ROUGE-2 |"), "{}", run.stdout);

    let out = folder.path("out.jsonl");
    let again = lab(&["blocks", "unique", &archive, "--evaluate", &labels, "-o", &out]).exits(DONE);
    assert_eq!(again.stdout, run.stdout, "the lines go to the file");
    let lines = lab(&["blocks", "unique", &archive]).exits(DONE).json_lines();
    assert_eq!(crate::support::json_lines(&folder.read("out.jsonl")), lines);
}

#[test]
fn pages_that_rules_are_learned_from_are_not_measured() {
    let folder = TestFolder::new();
    let pages: Vec<(String, String)> = (0..5).map(article).collect();
    let archive = archive(&folder, &pages);
    let labels: Vec<String> = pages.iter().map(|(url, _)| content_label(url, "//div/p")).collect();
    let labels = folder.file("labels.jsonl", labels.join("\n"));
    let measured = |arguments: &[&str]| {
        let run = lab(&[&["blocks", "rules", &archive, "--evaluate", &labels], arguments].concat());
        run.exits(DONE)
    };
    let run = measured(&[]).says(&["2 pages measured; 0 without", "cannot be used, 3 learned from"]);
    let all = row(&run.stdout, "*all pages*");
    assert_eq!((all[2], all[6], all[7]), ("2", "1.000", "1.000"), "{}", run.stdout);
    assert_eq!(row(&run.stdout, "a")[13], "–", "the text is not known");
    measured(&["--spread", "--learn-from", "4"]).says(&["1 pages measured", "4 learned from"]);
    let rules = folder.path("rules.jsonl");
    lab(&["blocks", "rules", "--print", &archive, "-o", &rules]).exits(DONE);
    measured(&["--rules", &rules]).says(&["2 pages measured", "3 learned from"]);
    lab(&["blocks", "rules", "--print", &archive, "--evaluate", &labels]).exits(WRONG_USE);
}

#[test]
fn labels_that_measure_nothing_are_told() {
    let folder = TestFolder::new();
    let pages = site(&["Snow fell in June.", "The bridge is open again."]);
    let archive = archive(&folder, &pages);
    let label = |content: &str| content_label(&pages[0].0, content);
    let evaluate = |labels: &str| lab(&["blocks", "repeated", &archive, "--evaluate", labels]);
    let none = folder.file("none.jsonl", "");
    evaluate(&none).exits(NOTHING_FOUND).writes_nothing().says(&["0 pages measured; 2 without"]);
    let empty = folder.file("empty.jsonl", label("//table"));
    evaluate(&empty)
        .exits(FAILED)
        .writes_nothing()
        .says(&["not measured: http://www.a.example/0", "1 with labels"]);
    let broken = folder.file("broken.jsonl", label("//p") + "\n{");
    evaluate(&broken).exits(FAILED).writes_nothing().says(&["broken.jsonl`, line 2"]);
}

#[test]
fn rules_are_learned_from_two_pages_at_least() {
    let folder = TestFolder::new();
    let (url, html) = article(0);
    let warc = (1..4)
        .map(article)
        .fold(Warc::default().page("http://b.example/", &html), |warc, (url, html)| warc.page(&url, &html));
    let gone = "404 Not Found\r\nContent-Type: text/html";
    let warc = warc.page(&url, &html).record("http://a.example/gone", gone, "no");
    let archive = folder.file("pages.warc", warc.bytes);
    let lines = lab(&["blocks", "rules", &archive]).exits(PARTLY_FAILED).json_lines();
    assert!(checked(&lines[0])["error"].as_str().unwrap().contains("two pages"), "{}", lines[0]);
    assert!(texts(&lines[1..5]).iter().all(|text| text.ends_with("at some length.")));
    let run = lab(&["blocks", "rules", "--print", &archive]).exits(PARTLY_FAILED);
    assert_eq!(run.json_lines().len(), 1);
    run.says(&["b.example: nothing learned", "http://a.example/gone", "404"]);
    lab(&["blocks", "rules", "--learn-from", "1", &archive]).exits(WRONG_USE);
}

#[test]
fn of_several_captures_the_first_counts() {
    let folder = TestFolder::new();
    let pages = site(&["Snow fell in June.", "The bridge is open again.", "Ski races are off."]);
    let again =
        [&pages[..], &pages[..1], &[("https://a.example/0/".to_owned(), pages[0].1.clone())]].concat();
    let (once, again) = (archive(&folder, &pages), archive_called("again.warc", &folder, &again));
    for method in ["unique", "repeated", "rules"] {
        let lines = lab(&["blocks", method, &once]).exits(DONE).json_lines();
        let run = lab(&["blocks", method, &again]).exits(DONE);
        assert_eq!(run.json_lines(), lines, "{method}");
        run.says(&["2 later captures of pages skipped"]);
    }
}

#[test]
fn what_is_read_from_is_not_written_over() {
    let folder = TestFolder::new();
    let archive = archive(&folder, &site(&["Snow fell in June.", "The bridge is open again."]));
    let labels = folder.file("labels.jsonl", "");
    let rules = folder.file("rules.jsonl", "");
    let model = folder.file("crf.model", "");
    let commands: [&[&str]; 6] = [
        &["blocks", "unique", &archive, "-o", &archive],
        &["blocks", "repeated", &archive, "--evaluate", &labels, "-o", &labels],
        &["blocks", "rules", &archive, "--rules", &rules, "-o", &rules],
        &["blocks", "crf", &archive, "-o", &archive],
        &["blocks", "crf", &archive, "--model", &model, "-o", &model],
        &["updated", "--snapshots", &archive, "-o", &archive],
    ];
    let before = std::fs::read(&archive).unwrap();
    for command in commands {
        lab(command).exits(WRONG_USE).writes_nothing().says(&["is a source; -o must name another file"]);
    }
    assert_eq!((std::fs::read(&archive).unwrap(), folder.read("rules.jsonl").as_str()), (before, ""));
}

/// Each path would be counted anew, and written, for every sibling.
#[test]
fn many_siblings_are_named_and_too_many_deep_ones_are_told() {
    let folder = TestFolder::new();
    let wide = "<p>a".repeat(30_000);
    let deep = "<section>".repeat(480) + &"<p>kept <b>menu</b>".repeat(8_000);
    let warc = Warc::default().page("http://a.example/1", wide).page("http://b.example/1", deep);
    let archive = folder.file("pages.warc", warc.bytes);
    let lines = lab(&["blocks", "unique", "--across-sites", &archive]).exits(PARTLY_FAILED).json_lines();
    assert_eq!(checked(&lines[0])["content"]["nodes"].as_array().unwrap().len(), 30_000);
    assert!(checked(&lines[1])["error"].as_str().unwrap().contains("8000 nodes"), "{}", lines[1]["error"]);
}
