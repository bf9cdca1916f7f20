//! Joining: what is taken out, offsets, title.

use crate::shelf::{PageShelf, assert_has, document};
use tsugi_document::Document;
use tsugi_page::NodeId;

fn removed(document: &Document) -> Vec<usize> {
    document.pages.iter().map(|page| page.removed).collect()
}

pub(crate) fn slice(document: &Document, page: usize) -> String {
    let page = &document.pages[page];
    document.text[page.text.clone()].to_owned()
}

#[test]
fn what_frames_each_page_is_kept_once() {
    let frame = |text: &str| format!("<h1>題名</h1><p>By A</p>{text}<p>About A</p><p>Share</p>");
    let (one, two) = (frame("<p>one</p>"), frame("<p>two</p><p>二</p>"));
    let document = document(&[&one, &two, &frame("<p>three</p>")]);
    // What opens the pages stands on the first, what closes them on the last.
    assert_eq!(document.text, "題名\nBy A\none\ntwo\n二\nthree\nAbout A\nShare");
    assert_eq!(removed(&document), [2, 4, 2]);
    assert_eq!(slice(&document, 0), "題名\nBy A\none");
    assert_eq!(slice(&document, 1), "two\n二");
    assert_eq!(slice(&document, 2), "three\nAbout A\nShare");
    // 2 + 1 + 4 + 1 + 3 characters, then one newline.
    assert_eq!(document.page_characters()[1], 12..17);
    assert_eq!(document.page_html(1), "<div><p>two</p><p>二</p></div>");
    assert_eq!(document.page_markdown(1), "two\n\n二");
}

#[test]
fn equal_blocks_in_the_middle_stay() {
    let document = document(&["<p>a</p><p>same</p><p>b</p>", "<p>c</p><p>same</p><p>d</p>"]);
    assert_eq!((document.text.as_str(), removed(&document)), ("a\nsame\nb\nc\nsame\nd", vec![0, 0]));
}

#[test]
fn a_page_without_text_takes_no_room() {
    let document = document(&["<img src=a.png>", "<p>two"]);
    assert_eq!(document.text, "two");
    assert_eq!(document.page_characters()[0], 0..0);
    assert_eq!(document.page_characters()[1], 0..3);
}

#[test]
fn images_go_with_the_blocks_that_repeat_unless_they_are_new() {
    let author = "<div><img src=author.png><p>By A</p></div>";
    let chart =
        |name: &str, text: &str| format!("<div><p>Title</p><img src={name}></div>{author}<p>{text}</p>");
    let document = document(&[&chart("1.png", "one"), &chart("2.png", "two")]);
    assert_eq!(
        document.page_html(1),
        "<div><div><img src=\"https://a.test/2.png\" alt=\"\"></div><p>two</p></div>"
    );
    assert_eq!(document.page_markdown(1), "![](https://a.test/2.png)\n\ntwo");
}

#[test]
fn the_title_is_chosen_in_order() {
    let title = |head: &str, body: &str| {
        let shelf = PageShelf::default().page("https://a.test/1", &format!("<head>{head}</head>{body}"));
        shelf.document().title
    };
    let head = "<title>The tale | Site</title><meta property=og:title content=' Open\n graph '>";
    assert_eq!(
        title(head, "<h1>Site</h1><main><h1> </h1><h1>In\n content</h1></main>").unwrap(),
        "In content"
    );
    assert_eq!(title(head, "<h1>The tale</h1><main>x</main>").unwrap(), "The tale");
    assert_eq!(title(head, "<h1>Logo</h1><h1>Menu</h1><main>x</main>").unwrap(), "Open graph");
    let head = "<title>The tale | Site</title>";
    assert_eq!(title(head, "<h1>Logo</h1><h1>The tale</h1><main>x</main>").unwrap(), "The tale");
    assert_eq!(title(head, "<h1>Logo</h1><main>x</main>").unwrap(), "The tale | Site");
    assert_eq!(title("", "<main>x</main>"), None);
}

#[test]
fn the_language_is_the_first_that_is_declared() {
    let shelf = PageShelf::default()
        .page("https://a.test/1", "<main>one</main><a rel=next href=2>")
        .page("https://a.test/2", "<html lang=ja><main>two</main>");
    assert_eq!(shelf.document().lang.as_deref(), Some("ja"));
}

proptest::proptest! {
    #[test]
    fn offsets_and_counts_agree(pages in proptest::collection::vec("[abc次 ]{0,6}(<p>[ab]{1,2}|<br>x|<li>y|<b>z</b>){0,5}", 1..4)) {
        let contents: Vec<&str> = pages.iter().map(String::as_str).collect();
        let document = document(&contents);
        let mut rest = document.text.as_str();
        for (index, characters) in document.page_characters().into_iter().enumerate() {
            let text = slice(&document, index);
            rest = rest.strip_prefix(text.as_str()).unwrap();
            rest = rest.strip_prefix(['\n', ' ']).unwrap_or(rest);
            proptest::prop_assert_eq!(text.chars().count(), characters.len());
        }
        proptest::prop_assert_eq!(rest, "");
    }
}

/// Sentences that make a paragraph, each its own.
fn paragraph(seed: &str) -> String {
    format!(
        "<p>{seed} was told at length, with all that belongs to it. It went on for some time after that.</p>"
    )
}

#[test]
fn a_sentence_cut_by_the_page_break_is_put_together() {
    let one = format!(
        "{}<p>The old man opened the heavy door of the <b>house</b></p><aside><img src=ad.png></aside>",
        paragraph("One")
    );
    let two = format!("<p>and <i>left</i> without a word.</p>{}", paragraph("Two"));
    let document = document(&[&one, &two]);
    assert_has(&document.text, "door of the house and left without a word.\nTwo was");
    assert_eq!(slice(&document, 1).split('\n').next(), Some("and left without a word."));
    assert_eq!(document.pages[0].text.end + 1, document.pages[1].text.start);
    assert_eq!(removed(&document), [0, 0]);
    assert_has(&document.page_html(0), "<b>house</b> and <i>left</i> without a word.</p>");
    assert!(!document.page_html(1).contains("without a word"));
    // Whoever sees the first page already needs the rest on the second.
    let apart = [0, 1].map(|index| document.page_tree_apart(index).unwrap().text(NodeId::DOCUMENT));
    assert!(apart[1].contains("without a word") && !apart[0].contains("without a word"), "{apart:?}");
    assert!(document.page_markdown(0).contains("the **house** and *left* without a word.\n\n"));
    assert!(document.page_markdown(1).starts_with("Two was"));
}

#[test]
fn chapters_are_not_put_together() {
    let both =
        "<p>This paragraph ends one page and begins the next, so that readers find their place again.</p>";
    let last = "<p>The old man opened the heavy door of the house</p>";
    let text_of = |link: &str| {
        let (one, two) = (paragraph("One"), paragraph("Two"));
        let shelf = PageShelf::default()
            .page("https://a.test/1", &format!("<main>{one}{last}</main><a rel=next {link} href=2>"))
            .page(
                "https://a.test/2",
                &format!("<main><p>and left.</p>{two}{both}</main><a rel=next {link} href=3>"),
            )
            .page("https://a.test/3", &format!("<main>{both}{}</main>", paragraph("Three")));
        let document = shelf.document();
        assert_eq!(removed(&document), [0, 0, 1], "what both show is taken once");
        assert_eq!(document.page_html(1).contains("and left"), document.text.contains("house\nand left"));
        document.text
    };
    assert!(text_of("").contains("door of the house and left.\n"));
    assert!(text_of("data-chapter").contains("door of the house\nand left.\n"));
}

#[test]
fn a_hyphen_that_parts_a_word_goes() {
    let cut = |last: &str, first: &str| {
        let one = format!("<p>He gave the whole assembled company one good {last}</p>");
        let document = document(&[&one, &format!("<p>{first} of that.</p>{}", paragraph("Two"))]);
        let letters = |text: &str| text.replace(['\\', '*'], "");
        let text = document.text.lines().next().unwrap().to_owned();
        assert!(letters(&document.page_markdown(0)).starts_with(&text), "{}", document.page_markdown(0));
        assert!(document.page_html(0).contains(&text), "{}", document.html());
        text
    };
    assert!(cut("exam-", "ple").ends_with("good example of that."));
    assert!(cut("well-known, well-", "known sort").ends_with("well-known, well-known sort of that."));
}

#[test]
fn japanese_sentences_are_joined_without_a_space() {
    let one =
        "<p>彼は長いあいだ黙っていたが、やがて静かに立ち上がり、窓の外を眺めながら、昔のことを思い出して</p>";
    let two = "<p>いるようだった。それから何も言わなかった。</p><p>次の日になった。</p>";
    let document = document(&[one, two]);
    assert!(document.text.contains("思い出しているようだった。"), "{}", document.text);
    assert_eq!(document.pages[0].text.end, document.pages[1].text.start);
    assert!(document.page_html(0).contains("思い出しているようだった。"), "{}", document.html());
    assert!(document.page_markdown(0).contains("思い出しているようだった。"));
}

#[test]
fn sentences_are_joined_in_table_layouts() {
    let text = "It was told at length, with all that belongs to it. It went on for some time after that.";
    let layout = |text: &str| format!("<table><tr><td><img src=side.png></td><td>{text}</td></tr></table>");
    let (last, first) =
        (format!("{text} He opened the"), "door and left the house, as he had come. ".repeat(2));
    for (one, two) in [
        (format!("<p>{text}</p><p>{last}</p>"), format!("<p>{first}</p><p>{text} Then.</p>")),
        (format!("{text}<br><br>{last}"), format!("{first}<br><br>{text} Then.")),
        (format!("<font>{text}<br><br>{last}</font>"), format!("<font>{first}<br><br>{text} Then.</font>")),
        (
            format!("<center>{text}<br> <br>{last}</center>"),
            format!("<center><b></b>{first}<br> <br>{text} Then.</center>"),
        ),
    ] {
        let document = document(&[&layout(&one), &layout(&two)]);
        let whole = format!("{last} {}", first.trim());
        assert!(document.text.contains(&whole), "{one} | {two}: {}", document.text);
        assert!(document.page_html(0).contains("opened the door and left"), "{}", document.page_html(0));
        assert!(!document.page_html(1).contains("door and left"), "{}", document.page_html(1));
        assert_has(&document.page_markdown(0), "opened the door and left");
        assert!(!document.page_markdown(1).contains("door and left"), "{}", document.page_markdown(1));
    }
    // Verse, and a table of data.
    let verse =
        document(&[&layout(&format!("{text}<br>{last}")), &layout(&format!("{first}<br>{text} Then."))]);
    assert!(!verse.text.contains("opened the door"), "{}", verse.text);
    let row = |text: &str| format!("<tr><td><p>{text}</p></td><td><p>{text}</p></td><td><p>x</p></td></tr>");
    let table =
        document(&[&format!("<table>{}</table>", row(&last)), &format!("<table>{}</table>", row(&first))]);
    assert!(!table.text.contains("opened the door"), "{}", table.text);
}

#[test]
fn japanese_is_joined_in_table_layouts() {
    let text =
        "彼は長いあいだ黙っていたが、やがて静かに立ち上がり、窓の外を眺めながら、昔のことを思い出していた。";
    let last = "それから、だれもいない部屋を出て、暗い廊下を通り、古い玄関の戸を静かに開けると、雨の中を遠くの駅まで歩いて";
    let first = "いくことにした。道にはだれもいなかったし、犬もいなかった。";
    let layout = |text: &str| format!("<table><tr><td>{text}</td></tr></table>");
    let document = document(&[
        &layout(&format!("{text}<br><br>{last}")),
        &layout(&format!("{first}<br><br>次の日、{text}")),
    ]);
    assert!(document.text.contains(&format!("{last}{first}")), "{}", document.text);
    assert!(document.page_html(0).contains("歩いていくことにした"));
}

#[test]
fn a_sentence_goes_on_over_a_whole_page() {
    let text = "It was told at length, with all that belongs to it. It went on for some time after that.";
    let (one, two, three) = (
        format!("{text} He opened the"),
        format!("door and left the house. {text} Then he came to the"),
        "sea, and was glad of it, as he had never been before.",
    );
    let document = document(&[
        &format!("<p>{text}</p><p>{one}</p>"),
        &format!("<p>{two}</p>"),
        &format!("<p>{three}</p><p>{text} Then.</p>"),
    ]);
    let whole = format!("{one} {two} {three}");
    assert!(document.text.contains(&whole), "{}", document.text);
    assert!(document.page_html(0).contains(&format!("<p>{whole}</p>")), "{}", document.page_html(0));
    assert!(document.page_markdown(0).contains(&whole), "{}", document.page_markdown(0));
    assert!(!document.page_html(1).contains("door") && !document.page_html(2).contains("sea"));
    assert!(document.page_html(2).contains("Then."));
}

#[test]
fn notes_on_another_page_are_found() {
    let notes = "<p>three</p><ol><li id=fn1>First note.</li><li id=fn2>Second note.</li></ol>";
    let document =
        document(&["<p>one<a href=#fn1>1</a></p>", "<p>two<a href=#fn2>2</a><a href=#gone>3</a></p>", notes]);
    assert!(document.page_html(0).contains("href=\"#p3-fn1\""), "{}", document.page_html(0));
    assert!(document.page_html(1).contains("href=\"#p3-fn2\""), "{}", document.page_html(1));
    assert!(document.page_html(1).contains("#gone"), "{}", document.page_html(1));
    assert!(document.page_html(2).contains("id=\"p3-fn1\""), "{}", document.page_html(2));
    // Two pages have the name: none is right for sure.
    let twice = self::document(&["<p>one<a href=#fn>1</a></p>", "<p id=fn>two</p>", "<p id=fn>three</p>"]);
    assert!(!twice.page_html(0).contains("-fn\""), "{}", twice.page_html(0));
}

#[test]
fn what_is_no_prose_is_not_joined() {
    for (last, first) in [
        ("<h2>A headline that has no full stop at its very end</h2>", "<p>and so on it goes.</p>"),
        ("<ul><li>an item that has no full stop at its very end</ul>", "<p>and so on it goes.</p>"),
        ("<p>A line that has no full stop at its very own end</p>", "<ul><li>and so on it goes.</ul>"),
        ("<p>A line that has no full stop at its very own end</p>", "<p>And so on it goes.</p>"),
        (
            "<figure><figcaption>A caption that has no full stop at all</figcaption></figure>",
            "<p>and so on.</p>",
        ),
        ("<p>A sentence that has a full stop at its very own end.</p>", "<p>and so on it goes.</p>"),
    ] {
        let document =
            document(&[&format!("{}{last}", paragraph("One")), &format!("{first}{}", paragraph("Two"))]);
        assert_eq!(document.text.matches('\n').count(), 3, "{}", document.text);
    }
}

#[test]
fn a_paragraph_that_both_pages_show_is_taken_once() {
    let both =
        "<p>This paragraph ends one page and begins the next, so that readers find their place again.</p>";
    let document =
        document(&[&format!("{}{both}", paragraph("One")), &format!("{both}{}", paragraph("Two"))]);
    assert_eq!(removed(&document), [0, 1]);
    assert_eq!(document.text.matches("find their place").count(), 1);
    assert!(!document.page_html(1).contains("find their place"));
}

#[test]
fn refrains_and_labels_stay() {
    let poem = |verse: &str| format!("<p>{verse}<br>and the wind goes on</p><p>and the wind goes on</p>");
    let document = document(&[&poem("one"), &poem("two"), &poem("three")]);
    assert_eq!(document.text.matches("and the wind goes on").count(), 6);
    let review = |name: &str| {
        format!(
            "<h2>{name}</h2>{}<div class=label>Good</div><ul><li>{name} is good</ul><div class=label>Bad</div>\
            <ul><li>Nothing</ul>{}",
            paragraph(name),
            paragraph(&format!("Again {name}"))
        )
    };
    let document = self::document(&[&review("A"), &review("B"), &review("C")]);
    assert_eq!(removed(&document), [0, 0, 0], "{}", document.text);
    let list = |name: &str| {
        format!(
            "<div class=i><p>{name} one says this.</p><a href=x>More</a></div><div class=i><p>{name} two says that.</p><a href=x>More</a></div>"
        )
    };
    let document = self::document(&[&list("A"), &list("B"), &list("C")]);
    assert_eq!(removed(&document), [0, 0, 0], "{}", document.text);
}

#[test]
fn the_head_of_a_table_stays_with_its_rows() {
    let table = |rows: &str| format!("<h1>T</h1><table><tr><th>Name<th>Age</tr>{rows}</table>");
    let document = document(&[&table("<tr><td>a<td>1"), &table("<tr><td>b<td>2")]);
    assert_eq!(document.text, "T\nName Age\na 1\nName Age\nb 2");
    assert_eq!(removed(&document), [0, 1]);
}

#[test]
fn pagers_and_page_numbers_are_on_no_page() {
    let page = |number: usize| {
        let pager = "<ul><li><a href=1>1</a><li>2<li><a href=3>3</a><li><a href=2>Next</a></ul>";
        format!(
            "<h1>A tale (page {number} of 3)</h1>{}<div>Page {number} of 3</div>{pager}",
            paragraph(&format!("N{number}"))
        )
    };
    let document = document(&[&page(1), &page(2), &page(3)]);
    assert_eq!(removed(&document), [5, 6, 6], "{}", document.text);
    assert!(!document.text.contains("Page ") && !document.text.contains("Next"), "{}", document.text);
    assert!(!document.html().contains("Next"));
    // Chapters are no pages.
    let chapter = |number: usize| format!("<h2>Chapter {number}</h2>{}", paragraph(&format!("N{number}")));
    assert_eq!(removed(&self::document(&[&chapter(1), &chapter(2), &chapter(3)])), [0, 0, 0]);
}

#[test]
fn equal_rows_items_and_answers_at_the_end_stay() {
    let table = |row: &str| {
        format!(
            "{}<table><tr><td>{row}<td>4</tr><tr><td>Total<td>1</tr><tr><td>Lost<td>0</table>",
            paragraph(row)
        )
    };
    let list = |item: &str| format!("{}<ul><li>{item}<li>Salt<li>Pepper</ul>", paragraph(item));
    let quiz = |name: &str| format!("{}<p>True</p><p>False</p>", paragraph(name));
    let shop = |name: &str| {
        format!("{0}<p><a href=/shop/{name}>Buy the tools</a></p><p>Ask us</p>", paragraph(name))
    };
    for page in [&table as &dyn Fn(&str) -> String, &list, &quiz, &shop] {
        let document = document(&[&page("A"), &page("B")]);
        assert_eq!(removed(&document), [0, 0], "{}", document.text);
    }
    for page in [&table as &dyn Fn(&str) -> String, &list, &shop] {
        let document = document(&[&page("A"), &page("B"), &page("C")]);
        assert!(removed(&document).iter().sum::<usize>() <= 2, "{}", document.text);
        for word in ["Lost", "Pepper", "Buy the tools"].iter().filter(|word| document.text.contains(**word)) {
            assert_eq!(document.text.matches(word).count(), 3, "{}", document.text);
        }
    }
}

#[test]
fn links_that_share_the_page_recur() {
    let page = |number: usize| {
        format!(
            "{}<ul><li><a href='https://share.test/?u=https%3A%2F%2Fa.test%2F{number}'>Share</a>\
            <li><a href=/print/{number}>Print</a><li><a href=/authors/ann>About Ann</a></ul>",
            paragraph(&format!("N{number}"))
        )
    };
    let document = document(&[&page(1), &page(2)]);
    assert_eq!(removed(&document), [3, 0], "{}", document.text);
}

#[test]
fn numbers_beside_a_pager_may_be_headings() {
    let page = |number: usize| {
        let pager = "<p><a href=1>1</a> <a href=2>2</a> <a href=3>3</a></p>";
        format!("{pager}<h2>{number}</h2>{}", paragraph(&format!("N{number}")))
    };
    let document = document(&[&page(1), &page(2)]);
    assert_eq!(removed(&document), [1, 1], "{}", document.text);
    assert!(document.text.contains("\n2\nN2"), "{}", document.text);
}

#[test]
fn a_note_that_leads_back_to_its_text_is_no_pager() {
    let page = |number: usize| {
        let (text, note) = (paragraph(&format!("N{number}")), format!("<p>Note {number}a tells more.</p>"));
        format!("{text}<p><a href=/{number}#r1>1</a></p>{note}")
    };
    let document = document(&[&page(1), &page(2)]);
    assert_eq!(removed(&document), [0, 0], "{}", document.text);
}

#[test]
fn an_image_parts_a_sentence_from_the_next_page() {
    let joined = |end: &str| {
        let last = "<p>The old man opened the heavy door of the house</p>";
        let one = format!("{}{last}{end}", paragraph("One"));
        let two = format!("<p>and left without a word.</p>{}<img src=line.png>", paragraph("Two"));
        document(&[&one, &two]).text.contains("house and left")
    };
    assert!(!joined("<figure><img src=house.png></figure>"));
    assert!(joined("<p><img src=line.png></p>"), "an ornament that both pages show");
    assert!(joined("<aside><img src=ad.png></aside>"));
}

#[test]
fn links_between_pages_lead_to_places_in_the_document() {
    let one = "<p>A claim.<sup><a href='2#fn:1'>1</a></sup> See <a href=2>there</a>, <a href='#own'>below</a>, \
        <a href=2#gone>gone</a> or <a href=9>elsewhere</a>.</p><p id=own>Own.</p>";
    let two = "<p id=unused>Two.</p><ol><li id='fn:1'>A note. <a href='1#own'>back</a></li></ol>";
    let document = document(&[one, two]);
    let html = &document.html();
    for part in [
        "<a href=\"#p2-fn_3a_1\">1</a>",
        "<li id=\"p2-fn_3a_1\">",
        "<a href=\"#page-2\">there</a>",
        "<section id=\"page-2\" data-source=\"https://a.test/2\">",
        "<a href=\"#p1-own\">below</a>",
        "<p id=\"p1-own\">",
        "<a href=\"https://a.test/2#gone\">gone</a>",
        "<a href=\"https://a.test/9\">elsewhere</a>",
        "<a href=\"#p1-own\">back</a>",
    ] {
        assert!(html.contains(part), "{part} in {html}");
    }
    assert!(!html.contains("unused"));
    assert!(document.page_markdown(0).contains("[1](#p2-fn_3a_1)"), "{}", document.page_markdown(0));
    assert!(document.page_markdown(0).contains("<a id=\"p1-own\"></a>Own."));
    assert!(document.page_markdown(1).starts_with("<a id=\"page-2\"></a>"), "{}", document.page_markdown(1));
    assert_has(&document.page_markdown(1), "1. <a id=\"p2-fn_3a_1\"></a>A note.");
}

#[test]
fn many_pages_of_many_blocks_take_no_longer_than_their_length() {
    // 40 pages of 3,000 blocks; a comparison of each pair of blocks would take minutes.
    let same: Vec<String> = (0..1500).map(|line| format!("<p>{line}</p><div>same</div>")).collect();
    let pages: Vec<String> = (0..40).map(|page| format!("<p>leaf {page}</p>{}", same.concat())).collect();
    let pages: Vec<&str> = pages.iter().map(String::as_str).collect();
    let document = document(&pages);
    assert_eq!(document.pages.len(), 40);
    assert!(document.text.starts_with("leaf 0\n0\nsame\n1\n"));
}
