//! `tsugi-lab evaluate --protocol content`: each data set by what its own gold holds.

use crate::support::{DONE, TestFolder, WRONG_USE, Warc, lab};
use serde_json::{Value, json};

const WORDS: [&str; 12] = [
    "river", "mill", "stone", "wheel", "miller", "flour", "winter", "bread", "village", "water", "field",
    "road",
];

/// Different words for every page and paragraph.
fn prose(page: usize, paragraph: usize) -> String {
    let word = |at: usize| WORDS[(page * 5 + paragraph * 7 + at * at) % WORDS.len()];
    (0..45).map(word).collect::<Vec<_>>().join(" ") + "."
}

struct MadePage {
    url: String,
    html: String,
    label: Value,
}

/// A page of a site of its own, labelled block by block.
fn made(at: usize) -> MadePage {
    let url = format!("https://site{at}.example/story");
    let body = [1, 2, 3].map(|paragraph| prose(at, paragraph));
    let (title, caption) =
        (format!("The {} of page {at}", WORDS[at % 12]), format!("A {} in May", WORDS[(at + 3) % 12]));
    let html = format!(
        "<title>{title}</title><nav><a href=/>Home</a> <a href=/news>News</a></nav><main><h1>{title}</h1><p>{}</p>\
         <figure><img src=a.png><figcaption>{caption}</figcaption></figure><p>{}</p><p>{}</p></main><footer>About us, terms and privacy</footer>",
        body[0], body[1], body[2]
    );
    let block = |place: &str, role: &str, text: &str| json!({"at": format!("/html[1]/body[1]/main[1]/{place}"), "role": role, "text": text});
    let blocks = [
        block("h1[1]", "title", &title),
        block("p[1]", "body", &body[0]),
        block("figure[1]/figcaption[1]", "caption", &caption),
        block("p[2]", "body", &body[1]),
        block("p[3]", "body", &body[2]),
    ];
    let label = json!({
        "url": url, "site": format!("site{at}"), "kind": "article", "lang": "en", "source": "set made", "title": title,
        "labels": ["text", "roles", "metadata"], "text": body.join("\n"), "blocks": blocks, "with": [&body[1]],
    });
    MadePage { url, html, label }
}

fn lines(values: impl IntoIterator<Item = Value>) -> String {
    values.into_iter().map(|value| format!("{value}\n")).collect::<Vec<_>>().concat()
}

#[track_caller]
fn cells<'a>(report: &'a str, heading: &str, begins: &str) -> Vec<&'a str> {
    let (_, rest) =
        report.split_once(&format!("## {heading}\n")).unwrap_or_else(|| panic!("no `{heading}`: {report}"));
    let row =
        rest.lines().find(|line| line.starts_with(begins)).unwrap_or_else(|| panic!("no `{begins}`: {rest}"));
    row.trim_matches('|').split(" | ").map(str::trim).collect()
}

#[test]
fn each_set_is_scored_by_its_convention_with_others_beside() {
    let folder = TestFolder::new();
    let mut pages: Vec<MadePage> = (0..16).map(made).collect();
    // A long page, of which only the beginning was read.
    let mut cut = made(16);
    let read = cut.label["blocks"].as_array().unwrap()[..2].to_vec();
    cut.label["blocks"] = read.into();
    cut.label["labels"] = json!(["roles"]);
    for known in ["text", "with"] {
        cut.label.as_object_mut().unwrap().remove(known);
    }
    pages.push(cut);
    let warc = pages.iter().fold(Warc::default(), |warc, page| warc.page(&page.url, &page.html));
    std::fs::create_dir(folder.path("roles")).unwrap();
    folder.file("roles/pages.warc.gz", warc.bytes);
    folder.file("roles/labels.jsonl", lines(pages.iter().map(|page| page.label.clone())));
    let answer = |page: &MadePage| json!({"url": page.url, "content": {"text": page.label["text"]}});
    // It has the lead and text of every page but the last.
    let other = folder.file("other.jsonl", lines(pages[..15].iter().map(answer)));
    let (data, out) = (folder.path("roles"), folder.path("report"));
    let options = [
        "evaluate", "--protocol", "content", "--folds", "2", "--data", &data, "--answers", &other, "-o", &out,
    ];
    let report = lab(&options).exits(DONE).stdout;
    assert!(!report.contains('{'), "{report}");
    let body = cells(&report, "Texts", "| roles | all | body |");
    assert_eq!(body[3..5], ["16", "16"], "pages and sites: {body:?}");
    let f: f64 = body[7].split(' ').next().unwrap().parse().unwrap();
    assert!(f > 0.8, "{body:?}");
    assert!(body[8].starts_with("0.938 ("), "15 of 16 by the other: {body:?}");
    let document = cells(&report, "Texts", "| roles | all | document |");
    assert!(document[8] < body[8], "a document has captions, too: {document:?}");
    let required = cells(&report, "Texts that must be there", "| roles | body |");
    assert!(required[2..4] == ["16", "16"] && required[5].starts_with("0.938 ("), "{required:?}");
    assert_eq!(cells(&report, "What pages say of themselves", "| roles | title |")[2], "16");
    let of_body = cells(&report, "Roles", "| body |");
    assert_eq!(of_body[1], (16 * 3 * 45).to_string(), "{of_body:?}");
    assert_eq!(folder.read("report/roles.jsonl").lines().count(), 16 * 2 * 2);
}

#[test]
fn what_needs_labelled_roles_is_named_where_there_are_none() {
    let folder = TestFolder::new();
    let report =
        lab(&["evaluate", "--protocol", "content", "--folds", "2", "--data", &crate::support::data("")]);
    let report = report.exits(DONE).stdout;
    assert!(report.contains("No page has labelled roles"), "{report}");
    assert_eq!(cells(&report, "Texts", "| datasets | all | document |")[3], "11");
    let answers =
        folder.file("a.jsonl", lines([json!({"url": "https://a.example/", "content": {"text": ""}})]));
    for options in [["--protocol", "items"], ["--measure", "datasets"], ["--folds", "3"]] {
        let judged = ["evaluate", "--answers", &answers, "--data", &crate::support::data("")];
        lab(&[&judged[..], &options].concat())
            .exits(WRONG_USE)
            .says(&["--answers goes with --protocol content"]);
    }
}
