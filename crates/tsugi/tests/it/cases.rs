//! Pages that say something by how they are shown: the document says the same.

use tsugi::{Document, Format, JoinOptions, Page, Tsugi};

const BEFORE: &str = "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>The tide books of Lindholm | Harbour Post</title></head>\
    <body><header class=\"site-header\"><a class=\"logo\" href=\"/\">Harbour Post</a><nav><ul><li><a href=\"/news\">News</a></li>\
    <li><a href=\"/sea\">Sea</a></li><li><a href=\"/town\">Town</a></li><li><a href=\"/about\">About</a></li></ul></nav></header>\
    <div class=\"layout\"><main id=\"content\">";

const AFTER: &str = "</main><aside class=\"sidebar\"><h3>Most read</h3><ul><li><a href=\"/a1\">Ferry timetable changes in May</a></li>\
    <li><a href=\"/a2\">New crane for the north quay</a></li><li><a href=\"/a3\">Why gulls follow the plough</a></li></ul>\
    <form action=\"/search\"><input name=\"q\"><button>Search</button></form></aside></div><footer class=\"site-footer\">\
    <p>© 2025 Harbour Post. All rights reserved.</p><ul><li><a href=\"/privacy\">Privacy</a></li><li><a href=\"/terms\">Terms</a></li>\
    <li><a href=\"/contact\">Contact</a></li></ul></footer></body></html>";

const ONE: &str = "<p>The harbour office at Lindholm keeps its tide books in a tin chest, and nobody has opened the oldest of them since the \
    bridge was built. Marta Quill, who looks after the chest, says that the first pages are only numbers, and that one has to read a \
    year of them before a pattern shows.</p>";

const TWO: &str = "<p>She began in the winter of the long frost, when the ferries lay still and there was little else to do. By spring she \
    had copied four hundred lines by hand, and had found three errors that every later table repeats, because each clerk trusted the \
    one before.</p>";

const THREE: &str = "<p>None of this would matter if the new locks were not planned by the same tables. The engineers have now agreed to \
    measure again, for one whole year, with instruments that write down what they see and not what a clerk expects to see.</p>";

fn document_of(main: &str) -> Document {
    let html = format!("{BEFORE}{main}{AFTER}");
    let page = Page::from_text(&html, &"https://example.org/x".parse().unwrap());
    Tsugi::new().extract(page, &JoinOptions::default())
}

fn article(middle: &str) -> Document {
    document_of(&format!(
        "<article class=\"post\"><h1>The tide books of Lindholm</h1><div class=\"entry-content\">{ONE}{TWO}{middle}{THREE}</div></article>"
    ))
}

/// The Markdown between the second paragraph and the last.
fn middle(document: &Document) -> String {
    let markdown = document.markdown();
    let (_, rest) =
        markdown.split_once("trusted the one before.\n\n").unwrap_or_else(|| panic!("{markdown}"));
    let (middle, _) = rest.split_once("\n\nNone of this").unwrap_or_else(|| panic!("{markdown}"));
    middle.to_owned()
}

fn html(document: &Document) -> String {
    let mut bytes = Vec::new();
    document.write(Format::Html, &mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

#[test]
fn a_chart_is_read_by_its_name() {
    let document = article(
        "<figure><svg viewBox=\"0 0 300 100\" role=\"img\" aria-label=\"Tide heights by month\"><text x=\"1\">Jan</text>\
         <text x=\"2\">Feb</text><text x=\"3\">0.5</text><text x=\"4\">1.0</text></svg>\
         <figcaption>Tide heights in metres</figcaption></figure>",
    );
    assert_eq!(middle(&document), "Tide heights by month\n\n*Tide heights in metres*");
    assert!(html(&document).contains("Tide heights by month"));
    assert!(document.text.contains("Tide heights by month\nTide heights in metres"), "{}", document.text);
}

#[test]
fn words_of_icons_are_no_text() {
    let document = article(
        "<h2>Anchor<svg><title>Heading</title><style>.cls-1{fill:#fff}</style><path></svg></h2>\
         <p>See the chart <svg><title>Chevron right icon</title><desc>Created with Sketch.</desc><script>var x=1</script></svg> below.</p>",
    );
    assert_eq!(middle(&document), "## Anchor\n\nSee the chart below.");
}

#[test]
fn tabs_name_their_panels() {
    let panels = ["<pre><code>apt install tide</code></pre>", "<pre><code>brew install tide</code></pre>"];
    let expected = "**Linux**\n\n```\napt install tide\n```\n\n**macOS**\n\n```\nbrew install tide\n```";
    for tabs in [
        // MkDocs, Docusaurus, Bootstrap, sphinx-design.
        format!(
            "<div class=\"tabbed-set\"><input checked id=\"t1\" name=\"t\" type=\"radio\"><input id=\"t2\" name=\"t\" type=\"radio\">\
             <div class=\"tabbed-labels\"><label for=\"t1\">Linux</label><label for=\"t2\">macOS</label></div>\
             <div class=\"tabbed-content\"><div class=\"tabbed-block\">{}</div><div class=\"tabbed-block\">{}</div></div></div>",
            panels[0], panels[1]
        ),
        format!(
            "<div class=tabs-container><ul role=tablist><li role=tab aria-selected=true>Linux</li><li role=tab>macOS</li></ul>\
             <div class=margin-top--md><div role=tabpanel>{}</div><div role=tabpanel hidden>{}</div></div></div>",
            panels[0], panels[1]
        ),
        format!(
            "<ul role=tablist><li><a role=tab href=#pl>Linux</a></li><li><a role=tab href=#pm aria-controls=pm>macOS</a></li></ul>\
             <div class=tab-content><div id=pl>{}</div><div id=pm>{}</div></div>",
            panels[0], panels[1]
        ),
        format!(
            "<ul class=nav-tabs><li class=active><a data-toggle=tab href=#pl>Linux</a></li><li><a data-toggle=tab href=#pm>macOS</a></li></ul>\
             <div class=tab-content><div id=pl>{}</div><div id=pm>{}</div></div>",
            panels[0], panels[1]
        ),
        format!(
            "<div role=tablist><button data-bs-toggle=pill data-bs-target=#pl>Linux</button><button data-bs-toggle=pill data-bs-target=#pm>macOS</button></div>\
             <div class=tab-content><div id=pl>{}</div><div id=pm>{}</div></div>",
            panels[0], panels[1]
        ),
        format!(
            "<div class=sd-tab-set><input type=radio id=a><label for=a>Linux</label><div class=sd-tab-content>{}</div>\
             <input type=radio id=b><label for=b>macOS</label><div class=sd-tab-content>{}</div></div>",
            panels[0], panels[1]
        ),
        // jQuery UI.
        format!(
            "<div id=tabs><ul><li><a href=#pl>Linux</a></li><li><a href=#pm>macOS</a></li></ul><div id=pl>{}</div><div id=pm>{}</div></div>",
            panels[0], panels[1]
        ),
        // Panels that name their labels.
        format!(
            "<div><button id=tl>Linux</button><button id=tm>macOS</button></div>\
             <div role=tabpanel aria-labelledby=tl>{}</div><div role=tabpanel aria-labelledby=tm>{}</div>",
            panels[0], panels[1]
        ),
    ] {
        let document = article(&tabs);
        assert_eq!(middle(&document), expected, "{tabs}");
        assert!(html(&document).contains("<p><strong>Linux</strong></p>"), "{}", html(&document));
    }
    // A question, and tabs of which only one is on the page.
    for other in [
        "<form><input type=radio id=a><label for=a>Yes</label><input type=radio id=b><label for=b>No</label></form><div><p class=x>1</p><p class=x>2</p></div>",
        "<ul role=tablist><li role=tab aria-controls=p>One</li><li role=tab aria-controls=q>Two</li></ul><div id=p>text</div>",
        // Tables of contents.
        "<ul><li><a href=#p>One</a></li><li><a href=#q>Two</a></li></ul><div id=p>text</div><div id=q>text</div>",
        "<ul class=tabs><li><a href=#p>One</a></li><li><a href=#q>Two</a></li></ul><h2 id=p>One</h2><p>text</p><h2 id=q>Two</h2>",
        "<ul class=table-of-contents><li><a href=#p>One</a></li><li><a href=#q>Two</a></li></ul><div id=p>text</div><div id=q>text</div>",
        "<ul class=tabs><li><a href=#p>One</a></li><li><a href=#q>Two</a></li><li>Three</li></ul><div id=p>text</div><div id=q>text</div>",
        // A section that names its heading.
        "<h2 id=h>One</h2><div><p>text</p></div><div role=tabpanel aria-labelledby=h>text</div><div role=tabpanel aria-labelledby=h>text</div>",
    ] {
        assert!(!article(other).markdown().contains("**"), "{other}");
    }
}

#[test]
fn a_list_in_a_list_belongs_to_the_item_before() {
    let document = article(
        "<ol><li>Open the chest</li><li>Copy the page</li><ol><li>left column first</li><li>then the right column</li></ol><li>Close the chest</li></ol>",
    );
    assert_eq!(
        middle(&document),
        "1. Open the chest\n2. Copy the page\n\n   1. left column first\n   2. then the right column\n3. Close the chest"
    );
}

#[test]
fn items_have_the_numbers_of_the_page() {
    let document = article(
        "<p>The clerk shall</p><ol type=\"a\"><li>open the book,</li><li>sign it.</li></ol><p>Rules 1 and 2 were repealed:</p>\
         <ol><li value=\"3\">Keep the key dry.</li><li value=\"9\">Tell nobody.</li></ol><ol reversed><li>three fathoms</li><li>two fathoms</li></ol>",
    );
    let expected = "The clerk shall\n\n- a. open the book,\n- b. sign it.\n\nRules 1 and 2 were repealed:\n\n\
        3. Keep the key dry.\n9) Tell nobody.\n\n";
    let found = middle(&document);
    assert!(found.starts_with(expected), "{found}");
    assert!(found.ends_with("2. three fathoms\n1) two fathoms"), "{found}");
    let mut text = Vec::new();
    document.write(Format::Text, &mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    assert!(
        text.contains("\na. open the book,\nb. sign it.\n") && text.contains("9) Tell nobody."),
        "{text}"
    );
}

#[test]
fn white_space_that_a_style_keeps_is_code() {
    let document = article(
        "<div><code style=\"white-space: pre\">/ip address add address=10.0.0.1\n/ip route add gateway=10.0.0.254\n    comment=\"two  spaces\"</code></div>\
         <div style=\"white-space:pre-wrap;font-family:monospace\">a = 1\n  b = 2</div>",
    );
    assert_eq!(
        middle(&document),
        "```\n/ip address add address=10.0.0.1\n/ip route add gateway=10.0.0.254\n    comment=\"two  spaces\"\n```\n\n```\na = 1\n  b = 2\n```"
    );
    let html = html(&document);
    assert!(html.contains("<pre>a = 1\n  b = 2</pre>"), "{html}");
    let verse = article("<style>.v{white-space:pre-line}</style><p class=v>one line\nand another</p>");
    assert_eq!(middle(&verse), "one line\\\nand another");
    assert!(self::html(&verse).contains("one line<br>and another"));
}

#[test]
fn line_numbers_are_no_code_whatever_they_are_called() {
    let document = article(
        "<table class=\"rs-code\"><tr><td class=\"rs-nums\"><div>1</div><div>2</div></td><td><div><code>def tide(day):</code></div>\
         <div><code>&nbsp;&nbsp;return day</code></div></td></tr></table><div class=\"line-numbers-mode\"><pre class=\"shiki\"><code>a = 1\nb = 2</code></pre>\
         <div class=\"line-numbers-wrapper\" aria-hidden=\"true\"><span class=\"line-number\">1</span><br><span class=\"line-number\">2</span><br></div></div>\
         <table><tr><td>1</td><td><code>x = 1</code></td></tr><tr><td>2</td><td><code>y = 2</code></td></tr></table>\
         <pre><code><span class=line>first</span><span class=line>  second</span></code></pre>",
    );
    assert_eq!(
        middle(&document),
        "```\ndef tide(day):\n  return day\n```\n\n```\na = 1\nb = 2\n```\n\n```\nx = 1\ny = 2\n```\n\n```\nfirst\n  second\n```"
    );
}

#[test]
fn a_list_beside_a_key_stays_in_its_table() {
    let document = article(
        "<h2>Opening hours</h2><table><tbody><tr><td>Mon</td><td><ul><li>10:00 - 20:00</li></ul></td></tr>\
         <tr><td>Tue</td><td><ul><li>Closed</li></ul></td></tr></tbody></table>",
    );
    let found = middle(&document);
    assert!(found.contains("<tr><td>Mon</td><td><ul><li>10:00 - 20:00</li></ul></td></tr>"), "{found}");
}

#[test]
fn content_of_shadow_roots_is_read() {
    let whole = document_of(&format!(
        "<tide-article><template shadowrootmode=\"open\"><article><h1>The tide books of Lindholm</h1>{ONE}{TWO}{THREE}</article></template></tide-article>"
    ));
    let half = document_of(&format!(
        "<article><h1>The tide books of Lindholm</h1>{ONE}<tide-body><template shadowrootmode=\"open\"><section>{TWO}{THREE}</section></template></tide-body>\
         <p>Until then the old books stay in their chest. The key hangs beside the barometer, and the barometer, as everybody in the office knows, has been wrong since the day it came.</p></article>"
    ));
    for document in [whole, half] {
        for start in ["The harbour office", "She began", "None of this"] {
            assert!(document.text.contains(start), "{start}: {}", document.text);
        }
        assert!(!document.text.contains("Most read"), "{}", document.text);
    }
}

#[test]
fn formulas_are_tex() {
    let document = article(
        "<p>The county values the loss at <math><mi>L</mi><mo>=</mo><mfrac><mrow><mi>n</mi><mi>t</mi><mi>w</mi></mrow><mn>60</mn></mfrac></math>, \
         where w is the mean hourly wage of those who cross.</p><p class=\"math\">\\[ q \\approx 4.2 \\times 10^{4}\\ \\mathrm{N/m} \\]</p>",
    );
    let found = middle(&document);
    assert!(found.contains("the loss at $L = \\frac{ntw}{60}$, where"), "{found}");
    let html = html(&document);
    assert!(!html.contains("&amp;nbsp;") && html.contains("<mtext>&nbsp;</mtext>"), "{html}");
}

#[test]
fn plain_text_keeps_paragraphs_and_cells_apart() {
    let document = article(
        "<table><tr><th>Hour</th><th>To the mainland</th></tr><tr><td>06 to 07</td><td>212</td></tr></table>",
    );
    let mut text = Vec::new();
    document.write(Format::Text, &mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    assert!(
        text.contains("the one before.\n\nHour\tTo the mainland\n06 to 07\t212\n\nNone of this"),
        "{text}"
    );
    let inner = "<table><tr><th>Up</th><th>Down</th></tr><tr><td>1</td><td>2</td></tr></table>";
    let document = article(&format!(
        "<table><tr><th>Hour</th><th>Gates</th></tr><tr><td>06</td><td>{inner}</td></tr></table>"
    ));
    let mut text = Vec::new();
    document.write(Format::Text, &mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    assert!(text.contains("\n\nHour\tGates\n06\tUp Down 1 2\n\nNone"), "{text}");
}

#[test]
fn what_a_style_shows_on_lines_of_its_own_is_on_them() {
    let document = article(
        "<p><span style='display:block'>The first line</span><span style='display:block'>The second line</span> and what follows it.</p>",
    );
    let html = html(&document);
    assert!(html.contains("<p>The first line<br>The second line<br> and what"), "{html}");
}

#[test]
fn marks_without_signs_are_tags() {
    let document = article("<p>It is <mark>hot</mark> and <u>wet</u> <a href=/there><u>there</u></a>.</p>");
    assert_eq!(
        middle(&document),
        "It is <mark>hot</mark> and <u>wet</u> [there](https://example.org/there)."
    );
}

#[test]
fn roles_make_tables() {
    let cells = |kind: &str, words: [&str; 2]| {
        let [one, two] = words.map(|word| format!("<span role=\"{kind}\">{word}</span>"));
        format!("<div role=\"row\">{one}{two}</div>")
    };
    let head = cells("columnheader", ["Month", "Height"]);
    let rows = [cells("cell", ["January", "2.4"]), cells("cell", ["February", "2.1"])].concat();
    let expected = "| Month | Height |\n| --- | --- |\n| January | 2.4 |\n| February | 2.1 |";
    for (table, group) in [
        (format!("<div role=\"table\">{head}{rows}</div>"), ""),
        (
            format!(
                "<div role=\"table\"><div role=\"rowgroup\">{head}</div> <div role=\"rowgroup\">{rows}</div></div>"
            ),
            "</tbody><tbody>",
        ),
    ] {
        let document = article(&table);
        assert_eq!(middle(&document), expected);
        let row = |cell: &str, words: [&str; 2]| {
            let [one, two] = words.map(|word| format!("<{cell}>{word}</{cell}>"));
            format!("<tr>{one}{two}</tr>")
        };
        let (head, rows) = (
            row("th", ["Month", "Height"]),
            [row("td", ["January", "2.4"]), row("td", ["February", "2.1"])].concat(),
        );
        let table = format!("<table><tbody>{head}{group}{rows}</tbody></table>");
        let html = html(&document).replace("> <", "><");
        assert!(html.contains(&table), "{html}");
    }
}

#[test]
fn a_note_that_its_mark_shows_keeps_its_text() {
    for (mark, style) in
        [("<sup><a href=\"#n1\">1</a></sup>", " style=\"display:none\""), ("<a href=\"#n1\">*</a>", "")]
    {
        let document = article(&format!(
            "<p>The chest has two keys{mark}<span class=\"popup\" id=\"n1\"{style}>The second was lost in the flood of 1911.</span> and one lid.</p>"
        ));
        assert_eq!(middle(&document), "The chest has two keys [^1] and one lid.");
        assert!(document.markdown().contains("[^1]: The second was lost in the flood of 1911."));
    }
    // The number of a heading is no note.
    let heading = article("<h2><a href=\"#s1\">1</a><span id=\"s1\">The second key</span></h2>");
    assert!(middle(&heading).starts_with("## "), "{}", middle(&heading));
    assert!(!heading.markdown().contains("[^1]"));
}

#[test]
fn what_a_page_offers_instead_of_the_rest_is_no_text() {
    let offer = "<div class=\"regwall\"><h3>Subscribe to continue reading</h3><p>Already a subscriber? <a href=\"/login\">Log in</a></p>\
        <a class=\"btn\" href=\"/subscribe\">Subscribe for $1</a></div>";
    let page = |is_free: bool| {
        document_of(&format!(
            "<script type=\"application/ld+json\">{{\"@context\": \"https://schema.org\", \"@type\": \"NewsArticle\", \
             \"headline\": \"The tide books of Lindholm\", \"isAccessibleForFree\": {is_free}}}</script>\
             <article class=\"post\"><h1>The tide books of Lindholm</h1><div class=\"entry-content\">{ONE}{TWO}{offer}</div></article>"
        ))
    };
    let document = page(false);
    assert!(document.text.ends_with("trusted the one before."), "{}", document.text);
    assert!(!document.is_complete() && document.stopped.detail.contains("not everyone may read"));
    assert!(
        page(true).text.contains("Already a subscriber"),
        "that the page is free says nothing of its words"
    );
}
