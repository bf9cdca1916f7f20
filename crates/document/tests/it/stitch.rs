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
fn the_title_opens_no_later_page_though_the_first_begins_below_it() {
    let page = |number: usize, before: &str, heading: &str| {
        let items: Vec<String> =
            (2 * number..2 * number + 3).map(|at| format!("<li>Item {at} of the board")).collect();
        let items = items.concat();
        format!("{before}<main>{heading}<ul>{items}</ul></main><a rel=next href={}>", number + 1)
    };
    let title = "<h1>The board</h1>";
    let shelf = PageShelf::default()
        .page("https://a.test/1", &page(1, &format!("<title>The board</title>{title}"), ""))
        .page("https://a.test/2", &page(2, "", title))
        .page("https://a.test/3", &page(3, "", "<h1>The lists</h1>"));
    let text: String = shelf.document().text;
    assert_eq!(text.matches("The board").count(), 0, "{text}");
    assert_eq!(text.matches("The lists").count(), 1, "{text}");
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

/// Joins pages of paragraphs and returns the text.
fn text_of(pages: &[&str]) -> String {
    let document = document(pages);
    for (index, page) in document.pages.iter().enumerate() {
        // All formats leave out the same blocks.
        let markup = document.page_html(index);
        assert_eq!(markup.trim().is_empty(), document.text[page.text.clone()].is_empty(), "{markup}");
    }
    document.text
}

const FIRST: &str =
    "The old man opened the heavy door of the house, which nobody had entered for many years.";
const SECOND: &str =
    "He looked at the dusty stairs for a long time, and then he went up without a word to anybody.";

/// Writes a paragraph between what stands above and below it.
type InPlace<'a> = &'a dyn Fn(&str, &str, &str) -> String;

#[test]
fn halves_of_a_paragraph_appear_once() {
    let (start, end) = (paragraph("One"), paragraph("Two"));
    let cut = "The old man opened the heavy door of the house, which nobody had entered";
    let ja_first =
        "彼は長いあいだ黙っていたが、やがて静かに立ち上がり、窓の外を眺めながら、昔のことを思い出していた。";
    let ja_second = "それから、だれもいない部屋を出て、暗い廊下を通り、古い玄関の戸を静かに開けると、雨の中を歩いていった。";
    let cell = |text: &str| format!("<table><tr><td><img src=side.png></td><td>{text}</td></tr></table>");
    // What stands before the paragraph, the paragraph, and what stands behind it.
    let in_paragraph = |above: &str, text: &str, below: &str| format!("{above}<p>{text}</p>{below}");
    let in_item = |above: &str, text: &str, below: &str| format!("{above}<ul><li>{text}</li></ul>{below}");
    let in_quote = |above: &str, text: &str, below: &str| {
        format!("{above}<blockquote><p>{text}</p></blockquote>{below}")
    };
    let in_columns = |above: &str, text: &str, below: &str| {
        format!("<div class=left>{above}</div><div class=right><p>{text}</p>{below}</div>")
    };
    let in_cell = |above: &str, text: &str, below: &str| cell(&format!("{above}<p>{text}</p>{below}"));
    let in_run = |above: &str, text: &str, below: &str| cell(&format!("{above}{text}<br><br>{below}"));
    let kinds: [InPlace<'_>; 6] = [&in_paragraph, &in_item, &in_quote, &in_columns, &in_cell, &in_run];
    for (first, second, glue, whole, part) in [
        // The second half again, the first half again, and the whole again from its beginning.
        (FIRST, SECOND, " ", true, SECOND),
        (FIRST, SECOND, " ", true, FIRST),
        (FIRST, SECOND, " ", false, FIRST),
        (FIRST, SECOND, " ", false, cut),
        (FIRST, SECOND, " ", false, "The old man opened the heavy door of the house, which nobody had ent-"),
        (FIRST, SECOND, " ", false, "The old man opened the heavy door of the house, which …"),
        (ja_first, ja_second, "", true, ja_second),
        (ja_first, ja_second, "", false, ja_first),
    ] {
        let all = format!("{first}{glue}{second}");
        for (number, kind) in kinds.iter().enumerate() {
            let (held, again) = if whole { (all.as_str(), part) } else { (part, all.as_str()) };
            let text = text_of(&[&kind(&start, held, ""), &kind("", again, &end)]);
            assert_eq!(text.matches(&all).count(), 1, "{number}: {text}");
            let beginning: String = part.chars().take(20).collect();
            assert_eq!(text.matches(&beginning).count(), 1, "{number}: {part} in {text}");
            assert!(text.contains("One was") && text.contains("Two was"), "{text}");
        }
    }
}

#[test]
fn a_run_of_paragraphs_may_begin_or_end_with_a_half() {
    let all = format!("{FIRST} {SECOND}");
    let (start, end) = (paragraph("One"), paragraph("Two"));
    let both = "<p>A short paragraph between them.</p>";
    let text = text_of(&[&format!("{start}<p>{all}</p>{both}"), &format!("<p>{SECOND}</p>{both}{end}")]);
    assert_eq!((text.matches(SECOND).count(), text.matches("between them").count()), (1, 1), "{text}");
    let text = text_of(&[&format!("{start}{both}<p>{FIRST}</p>"), &format!("{both}<p>{all}</p>{end}")]);
    assert_eq!((text.matches(FIRST).count(), text.matches("between them").count()), (1, 1), "{text}");
    assert!(text.contains(&format!("between them.\n{all}\nTwo")), "{text}");
}

#[test]
fn texts_that_are_only_alike_at_the_seam_stay() {
    let (start, end) = (paragraph("One"), paragraph("Two"));
    let stay = |one: &str, two: &str, part: &str, times: usize| {
        let text = text_of(&[&format!("{start}{one}"), &format!("{two}{end}")]);
        assert_eq!(text.matches(part).count(), times, "{text}");
    };
    // Too short to be sure.
    stay("<p>He said it again. The bell rang.</p>", "<p>The bell rang.</p>", "The bell rang.", 2);
    stay("<p>The bell rang.</p>", "<p>The bell rang. Nobody came.</p>", "The bell rang.", 2);
    // Verses, code, headings and rows of data.
    let verse = "and the wind goes on over the hills and far away";
    stay(&format!("<p>Night falls,<br>{verse}</p>"), &format!("<p>{verse}<br>Day breaks,</p>"), verse, 2);
    let code = format!("<pre>{FIRST}</pre>");
    stay(&code, &format!("<pre>{FIRST} {SECOND}</pre>"), FIRST, 2);
    stay(&format!("<h3>{FIRST}</h3>"), &format!("<h3>{FIRST} {SECOND}</h3>"), FIRST, 2);
    let row = |text: &str| {
        format!(
            "<table><tr><td>{text}<td>{SECOND} One more.<td>{SECOND} Another.</tr><tr><td>Ann<td>Ben<td>Cay</table>"
        )
    };
    stay(&row(FIRST), &row(&format!("{FIRST} {SECOND}")), FIRST, 2);
    // In the middle of a word, and with another ending.
    stay(
        &format!("<p>{FIRST}</p>"),
        &format!("<p>{}</p>", FIRST.replace("years", "yearlong days")),
        "The old man",
        2,
    );
    // A page keeps something.
    let text = text_of(&[&format!("<p>{FIRST}</p>"), &format!("<p>{FIRST} {SECOND}</p>{end}")]);
    assert_eq!(text.matches(FIRST).count(), 2, "{text}");
}

#[test]
fn a_sentence_still_goes_on_behind_what_is_taken_out() {
    let one =
        format!("{}<p>The old man opened the heavy door of the</p><p>(continued)</p>", paragraph("One"));
    let two = format!(
        "<p><i>Continued from page 1</i></p><p>house and left without a word.</p>{}",
        paragraph("Two")
    );
    let document = document(&[&one, &two]);
    assert_has(&document.text, "door of the house and left without a word.\nTwo was");
    assert_has(&document.page_markdown(0), "door of the house and left without a word.");
    assert_has(&document.page_html(0), "door of the house and left without a word.</p>");
    assert!(!document.html().contains("ontinued"), "{}", document.html());
}

#[test]
fn a_teaser_of_the_next_page_goes() {
    let (start, end) = (paragraph("One"), paragraph("Two"));
    let next = format!("<h2>The stairs</h2><p>{FIRST}</p>{end}");
    for teaser in [
        "<p class=teaser>The old man opened the heavy …</p>",
        "<p><i>The old man opened the heavy door […]</i></p>",
        "<div class=next-up>On the next page: The old man opened the heavy door...</div>",
        "<p>The old man opened the heavy… <a href=2>Read on</a></p>",
        "<ul><li>The old man opened the heavy …</ul>",
    ] {
        let text = text_of(&[&format!("{start}{teaser}"), &next]);
        assert_eq!(text.matches("The old man").count(), 1, "{text}");
        assert!(text.contains("The stairs") && !text.contains("next page"), "{text}");
    }
    for kept in [
        "<p>The old woman opened the heavy …</p>",
        "<p>The old man …</p>",
        "<p>The old man opened the heavy door.</p>",
    ] {
        let text = text_of(&[&format!("{start}{kept}"), &next]);
        assert_eq!(text.matches("The old").count(), 2, "{text}");
    }
    let ja = "彼は長いあいだ黙っていたが、やがて静かに立ち上がり、窓の外を眺めていた。";
    let text =
        text_of(&[&format!("{start}<p>彼は長いあいだ黙っていたが、…</p>"), &format!("<p>{ja}</p>{end}")]);
    assert_eq!(text.matches("彼は長い").count(), 1, "{text}");
}

#[test]
fn excerpts_of_lists_are_no_teasers() {
    let post = |name: &str, text: &str| format!("<h2>{name}</h2><p>{text}</p>");
    let same = "The old man opened the heavy door of the house, which nobody had entered …";
    let longer = format!("{} for many years …", same.trim_end_matches(" …"));
    let (one, two) = (post("A tale", "It was told at length."), post("Another", "It was told again."));
    let pages = [format!("{one}{}", post("A door", same)), format!("{}{two}", post("Doors", &longer))];
    let text = text_of(&[&pages[0], &pages[1]]);
    assert_eq!(text.matches("The old man").count(), 2, "{text}");
}

#[test]
fn marks_of_continued_sections_go() {
    let (start, end) = (paragraph("One"), paragraph("Two"));
    let one = format!("{start}<h2>Lamps</h2>{}", paragraph("Three"));
    for (two, times) in [
        (format!("<h2>Lamps (continued)</h2>{end}"), 1),
        (format!("<p>(cont’d)</p><h2>Lamps (Fortsetzung)</h2>{end}"), 1),
        (format!("<h2>Lamps (continued)</h2><p>続き</p>{end}"), 1),
        // Another section, and a heading that says more.
        (format!("<h2>Lamps of old (continued)</h2>{end}"), 2),
        (format!("<h2>Lamps (old)</h2>{end}"), 2),
    ] {
        let text = text_of(&[&one, &two]);
        assert_eq!(text.matches("Lamps").count(), times, "{text}");
        assert!(!text.contains("cont’d") && !text.contains("続き"), "{text}");
    }
    // The end of the whole text, and lines inside the pages.
    let text = text_of(&[
        &format!("{start}<p>Continued</p>{end}"),
        &format!("{}<p>(continued)</p>", paragraph("Four")),
    ]);
    assert!(text.contains("Continued\n") && text.ends_with("(continued)"), "{text}");
    // A chapter may be called so.
    assert!(text_of(&[&start, &format!("<h2>Fortsetzung</h2>{end}")]).contains("Fortsetzung"));
}

#[test]
fn a_refrain_opens_every_page_and_furniture_only_the_first() {
    let page = |line: &str, name: &str| {
        format!(
            "<h1>The bell</h1><p class=byline>By Ann Lee</p><div class=text>{line}{}{}</div>",
            paragraph(name),
            paragraph(&format!("Again {name}"))
        )
    };
    for (refrain, words) in [
        ("<p>The bell rings twice, and nobody answers.</p>", "rings twice"),
        ("<p>Dear readers,</p>", "Dear readers"),
        ("<p><i>and the wind goes on</i></p>", "wind goes on"),
        ("<p>Colours fade.<br>The bell stays.</p>", "bell stays"),
        ("<blockquote><p>Nothing is lost</p></blockquote>", "Nothing is lost"),
        ("<blockquote>Nothing is lost</blockquote>", "Nothing is lost"),
        ("<p class=epigraph>Nothing is lost</p>", "Nothing is lost"),
        ("<div class='stanza x'><p>Nothing is lost</p></div>", "Nothing is lost"),
        ("<p>鐘が二度鳴り、誰も答えない。</p>", "鐘が二度鳴り"),
        ("<p>Колокол звонит дважды, и никто не отвечает.</p>", "звонит дважды"),
    ] {
        let document = document(&[&page(refrain, "One"), &page(refrain, "Two"), &page(refrain, "Three")]);
        assert_eq!(document.text.matches(words).count(), 3, "{}", document.text);
        assert_eq!(document.text.matches("By Ann Lee").count(), 1, "{}", document.text);
        assert_eq!(document.text.matches("The bell\n").count(), 1, "{}", document.text);
        assert_eq!(document.markdown().matches(words).count(), 3, "{}", document.markdown());
    }
    for furniture in [
        "<p>By Ann Lee, who lives in Rome.</p>",
        "<p>Published on 3 May 2021, at noon.</p>",
        "<p>Special report</p>",
        "<p>Page 2 of 3</p>",
        "<p><a href=/news>All our news in one place.</a></p>",
        "<div class=kicker>We look at bells again.</div>",
        "<p>The bell</p>",
    ] {
        let head = "<meta name=author content='Ann Lee'>";
        let mut shelf = PageShelf::default();
        for (index, name) in ["One", "Two", "Three"].into_iter().enumerate() {
            let body = page(furniture, name);
            let html = format!("<head>{head}</head><main>{body}</main><a rel=next href={}>", index + 2);
            shelf = shelf.page(&format!("https://a.test/{}", index + 1), &html);
        }
        let document = shelf.document();
        assert_eq!(document.pages.len(), 3);
        let own = document.text.matches("was told").count();
        assert_eq!((own, document.text.lines().count() <= 9), (6, true), "{furniture}: {}", document.text);
    }
}

#[test]
fn headings_that_an_earlier_page_lists_stay() {
    let names = ["The manual", "Installation", "Lamps", "Colour"];
    let entries = |open: &str, close: &str, linked: bool| -> String {
        let entry = |(index, name): (usize, &&str)| {
            let name = if linked { format!("<a href={}>{name}</a>", index + 1) } else { (*name).to_owned() };
            format!("{open}{name}{close}")
        };
        names.iter().enumerate().map(entry).collect()
    };
    let list = |entries: String| format!("<ul>{entries}</ul>");
    for contents in [
        list(entries("<li>", "</li>", true)),
        list(entries("<li>", "</li>", false)),
        entries("<h3>", "</h3>", true),
        entries("<p>", "</p>", true),
        entries("<div>", "</div>", false),
        entries("", "<br>", false),
        format!("<table>{}</table>", entries("<tr><td>", "</td></tr>", true)),
    ] {
        // The contents stand on the first page, or on all.
        for on_all in [false, true] {
            let pages = names.iter().enumerate().map(|(index, name)| {
                let contents = if on_all || index == 0 { contents.as_str() } else { "" };
                format!("{contents}<h2>{name}</h2><p>Here is one line on it, number {index}.</p>")
            });
            let pages: Vec<String> = pages.collect();
            let pages: Vec<&str> = pages.iter().map(String::as_str).collect();
            let document = document(&pages);
            for (index, name) in names.iter().enumerate().skip(1) {
                let text = slice(&document, index);
                assert!(text.lines().any(|line| line == *name), "{contents}, {on_all}: {}", document.text);
                assert!(document.page_html(index).contains(&format!("<h2>{name}</h2>")));
            }
            let listed = document.text.lines().filter(|line| *line == "Lamps").count();
            // Lines of a verse stay.
            let is_verse = on_all && contents.contains("<br>");
            assert_eq!(listed, if is_verse { 5 } else { 2 }, "{contents}, {on_all}: {}", document.text);
        }
    }
    // Headings that lead back to the contents.
    let back = |name: &str| {
        format!(
            "<h2><a href=1>{name}</a></h2><h2><a href=1>{name}, in detail</a></h2><p>Here is one line on it.</p>"
        )
    };
    let contents = "<h2><a href=2>Lamps</a></h2><ul><li><a href=2>Lamps, in detail</a></ul>\
        <h2><a href=3>Colour</a></h2><ul><li><a href=3>Colour, in detail</a></ul>";
    let text = text_of(&[contents, &back("Lamps"), &back("Colour")]);
    for name in ["Lamps", "Colour", "Lamps, in detail", "Colour, in detail"] {
        assert_eq!(text.lines().filter(|line| *line == name).count(), 2, "{text}");
    }
    // A section of the first page has the name of a chapter.
    let first = format!("<h1>The manual</h1><h2>Lamps</h2><p>See the next page.</p>{}", paragraph("One"));
    let text = text_of(&[&first, &format!("<h1>Lamps</h1><p>Here is one line.</p>{}", paragraph("Two"))]);
    assert_eq!(text.lines().filter(|line| *line == "Lamps").count(), 2, "{text}");
    // The headline of a split article goes as before, whatever its level.
    let other = |level: &str| format!("<{level}>The bell</{level}><p>About it.</p>{}", paragraph(level));
    let text = text_of(&[&other("h1"), &other("h2"), &other("h1")]);
    assert_eq!(text.matches("The bell").count(), 1, "{text}");
    let page = |name: &str| format!("<h1><a href=1>The bell</a></h1><p>About {name}.</p>{}", paragraph(name));
    let document = document(&[&page("One"), &page("Two"), &page("Three")]);
    assert_eq!(document.text.matches("The bell").count(), 1, "{}", document.text);
}

#[test]
fn posts_keep_the_names_of_their_authors_and_lose_their_ranks_and_topics() {
    let authors = ["Tarn", "moss", "kite"];
    let posts = |page: usize, head: &dyn Fn(&str) -> String| -> String {
        let post = |(at, name): (usize, &&str)| {
            format!("<article>{}<p>{}</p></article>", head(name), paragraph(&format!("{page}.{at}")))
        };
        authors.iter().enumerate().map(post).collect()
    };
    let xenforo = |name: &str| {
        format!(
            "<h4 class=message-name><a href=/m/{name}>{name}</a></h4><h5 class='userTitle message-userTitle'>Able seaman</h5>\
             <div class=message-userExtras><dl class=pairs><dt>Messages</dt><dd>1,234</dd></dl></div>"
        )
    };
    let smf = |name: &str| {
        format!(
            "<h4><a href=/m/{name}>{name}</a></h4><ul><li class=postgroup>Able seaman</li></ul><h5>Re: Leaking hatch</h5>"
        )
    };
    for head in [&xenforo as &dyn Fn(&str) -> String, &smf] {
        let page = |number: usize| {
            let title = "<title>Leaking hatch - Small Boats</title>";
            format!("{title}<main>{}</main><a rel=next href={}>", posts(number, head), number + 1)
        };
        let shelf =
            PageShelf::default().page("https://a.test/1", &page(1)).page("https://a.test/2", &page(2));
        let document = shelf.document();
        for name in authors {
            assert_eq!(document.text.lines().filter(|line| *line == name).count(), 2, "{}", document.text);
        }
        for gone in ["Able seaman", "1,234", "Re: "] {
            assert!(!document.text.contains(gone), "{}", document.text);
        }
    }
    let page = |number: usize| {
        format!("<title>Leaking hatch - Small Boats</title><main>{}</main>", posts(number, &smf))
    };
    let document = PageShelf::default().page("https://a.test/1", &page(1)).document();
    assert_eq!(document.title.as_deref(), Some("Leaking hatch"));
    // One alone may be anything.
    let document = self::document(&[&format!("<p class=usertitle>First mate</p>{}", paragraph("One"))]);
    assert!(document.text.contains("First mate"), "{}", document.text);
    // The places of a list are no ranks of authors.
    let row = |at: usize| format!("<tr><td class=rank>{at}.</td><td>The mill of {at}</td></tr>");
    let rows: String = (1..6).map(row).collect();
    let document = self::document(&[&format!("<table>{rows}</table>{}", paragraph("One"))]);
    assert_eq!(
        document.text.matches('.').count(),
        5 + paragraph("One").matches('.').count(),
        "{}",
        document.text
    );
}

#[test]
fn topics_lose_the_label_of_the_forum() {
    let post = |name: &str| format!("<h4>{name}</h4>{}", paragraph(name));
    for (title, topic) in [
        ("Boats :: View topic - Leaking hatch", "Leaking hatch"),
        ("Thema: Leaking hatch", "Leaking hatch"),
        ("Thema: Another", "Thema: Another"),
    ] {
        let page = format!(
            "<title>{title}</title><main><h2>Leaking hatch</h2>{}{}</main>",
            post("Ada"),
            post("Brian")
        );
        let document = PageShelf::default().page("https://a.test/1", &page).document();
        assert_eq!(document.title.as_deref(), Some(topic));
    }
}

#[test]
fn headings_at_the_end_that_head_nothing_go() {
    let page = |number: usize, end: &str| {
        let section =
            |head: &str| format!("<h2>{head} of {number}</h2>{}", paragraph(&format!("{head} {number}")));
        let heads = ["One", "Two", "Three"].map(section).concat();
        format!("<main>{heads}<h2>Next steps</h2>{end}</main><a rel=next href={}>", number + 1)
    };
    let shelf = |ends: [&str; 3]| {
        let mut shelf = PageShelf::default();
        for (at, end) in ends.iter().enumerate() {
            shelf = shelf.page(&format!("https://a.test/{}", at + 1), &page(at + 1, end));
        }
        shelf.document().text
    };
    let left = |text: &str| text.matches("Next steps").count();
    let text = shelf(["<p><a href=2>Next</a>", "<p><a href=3>Next</a>", ""]);
    assert_eq!(left(&text), 0, "{text}");
    let text = shelf([
        "<p><a href=2>Next</a>",
        "<p>Wax the hull before the frost comes.",
        "<p><a href=1>Previous</a>",
    ]);
    assert_eq!(left(&text), 1, "{text}");
    let text = shelf(["<p><a href=/wax>Wax</a>", "<p><a href=/tar>Tar</a>", "<p><a href=/oil>Oil</a>"]);
    assert_eq!(left(&text), 3, "{text}");
    // It heads a picture, which is no line of text.
    let text = shelf(["<img src=a.png>", "<img src=b.png>", "<img src=c.png>"]);
    assert_eq!(left(&text), 3, "{text}");
}
