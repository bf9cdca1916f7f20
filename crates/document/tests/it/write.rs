//! Writing: each format, and that nothing active gets through.

use crate::shelf::{PageShelf, assert_has, document, joined, url, write};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use tsugi_document::{Format, Shown, stitch};
use tsugi_page::{Namespace, NodeId, Page};

fn markdown(content: &str) -> String {
    document(&[content]).page_markdown(0)
}

fn html(content: &str) -> String {
    let html = document(&[content]).page_html(0);
    html.strip_prefix("<div>").and_then(|html| html.strip_suffix("</div>")).unwrap().to_owned()
}

#[track_caller]
fn assert_markdown(content: &str, expected: &str) {
    assert_eq!(markdown(content), expected);
}

#[track_caller]
fn assert_html(content: &str, expected: &str) {
    assert_eq!(html(content), expected);
}

#[test]
fn formats_have_their_words() {
    for format in [Format::Markdown, Format::Html, Format::Text, Format::Json, Format::Epub] {
        assert_eq!(format.to_string().parse(), Ok(format));
    }
    let error = "pdf".parse::<Format>().unwrap_err();
    assert_eq!(error.to_string(), "format is `pdf`, expected `md`, `html`, `txt`, `json` or `epub`");
}

#[test]
fn markdown_of_blocks() {
    assert_markdown(
        "<h2>Head <em>line</em></h2><p>One\n <b>bold</b>, <a href='2?a=(b)#c'>link</a> &amp; <code>a|b</code>.\
             <p>Two<br>lines<br><br>and more<hr><blockquote><p>said<p>he</blockquote>\
             <img src=i.png alt='an [image]'><pre><code class='x language-rust'>let a = `b`;\n```\n</code></pre>",
        "## Head *line*\n\nOne **bold**, [link](<https://a.test/2?a=(b)#c>) & `a|b`.\n\nTwo\\\nlines\n\nand more\n\n\
         ___\n\n> said\n>\n> he\n\n![an \\[image\\]](https://a.test/i.png)\n\n\
         ````rust\nlet a = `b`;\n```\n````",
    );
}

#[test]
fn words_of_a_flexible_box_are_apart() {
    let html = "<p style='display:flex'>Price<b>12</b>each</p>";
    assert_markdown(html, "Price **12** each");
    assert_html(html, "<p>Price <b>12</b> each</p>");
}

#[test]
fn a_rule_in_a_list_does_not_swallow_the_list() {
    for list in ["<ul><li><dl><dt><ul><li><hr>#</ul></dl></ul>", "<ul><li>a</ul><ul><li><hr>#</ul>"] {
        let document = document(&[list]);
        assert_eq!(letters(&shown(&document.page_markdown(0))), letters(&document.text), "{list}");
    }
}

#[test]
fn markdown_of_lists() {
    assert_markdown(
        "<p>List:<ul><li>a<ul><li>b<li>c</ul><li><p>d<p>e</ul><ul><li>f</ul>\
             <ol start=9><li>x<li>y<pre>code\n more</pre></ol>",
        "List:\n\n- a\n  - b\n  - c\n- d\n\n  e\n\n* f\n\n9. x\n10. y\n\n    ```\n    code\n     more\n    ```",
    );
    // Right behind text a number other than 1 would be a part of it.
    assert_markdown("<ul><li>a<ol start=7><li><ul>b", "- a\n\n  7. b");
}

#[test]
fn markdown_of_tasks() {
    assert_markdown(
        "<ul><li><input type=checkbox checked disabled> done<li><p><label><input type=checkbox>to <b>do</b></label>\
             <li><input type=checkbox><li>later <input type=checkbox>\
             <li><input type=checkbox id=fold><label for=fold>menu</label><li><input type=radio> choice</ul>\
             <ol><li id=x><input type=CheckBox># one<ul><li>none</ul></ol><p><input type=checkbox>no item",
        "- [x] done\n- [ ] to **do**\n- later\n- menu\n- choice\n\n1) [ ] \\# one\n   - none\n\nno item",
    );
    // The mark belongs to the item that the box is in, and to a paragraph.
    assert_markdown(
        "<ul><li><input type=checkbox><ul><li>inner</ul><li><input type=checkbox><h3>head</h3>text</ul>",
        "- - inner\n- ### head\n\n  text",
    );
}

#[test]
fn markdown_of_definitions_and_figures() {
    assert_markdown(
        "<dl><dt>One <b>thing</b><dt>or so<dd>is <i>this</i><dd><p>and<p>that<dt>Two</dl><p>after",
        "**One thing**\n\n**or so**\n\nis *this*\n\nand\n\nthat\n\n**Two**\n\nafter",
    );
    assert_markdown(
        "<figure><img src=i.png alt=i><figcaption>What <em>it</em> <a href=x>shows</a></figcaption></figure>after",
        "![i](https://a.test/i.png)\\\n*What it [shows](https://a.test/x)*\n\nafter",
    );
    assert_markdown(
        "<ul><li><figure><div><img src=i.png></div><figcaption>One</figcaption></figure></ul><p>Two",
        "- ![](https://a.test/i.png)\\\n  *One*\n\nTwo",
    );
    assert_markdown(
        "<figure><figcaption><h3><img src=i.png alt=i></h3>What it shows</figcaption></figure>",
        "### *![i](https://a.test/i.png)*\n\n*What it shows*",
    );
    // Definitions within definitions are items, so that it shows where each goes on.
    assert_markdown(
        "<dl><dt>a<dd>one<dl><dt>b<dd>two<p>more<dt>c<dd>three</dl>four<dt>d</dl>",
        "**a**\n\none\n\n- **b**\n\n  two\n\n  more\n- **c**\n\n  three\n\nfour\n\n**d**",
    );
    assert_markdown("<details><summary>More</summary>text</details>", "**More**\n\ntext");
    assert_html(
        "<details><summary>a</summary>b</details>",
        "<details open=\"\"><summary>a</summary>b</details>",
    );
}

/// Returns the lines that a browser shows of the first `pre`.
fn code_of(html: &str) -> String {
    let page = Page::from_text(&html.replace("<br>", "\n"), &url("https://a.test/"));
    page.string_value(page.first("pre").unwrap()).replace('\u{a0}', " ")
}

#[test]
fn lines_of_code_that_br_parts_are_a_block() {
    for (code, expected) in [
        // With the line breaks and the indentation of the page's source.
        ("<p><code>#!/bin/sh<br /> ln -s a b<br /> ln -s c d</code></p>", "#!/bin/sh\nln -s a b\nln -s c d"),
        ("<p><code>if x:<br>\n&nbsp; y = 1<br>\n&nbsp; z</code>\n</p>", "if x:\n  y = 1\n  z"),
        (
            "<div>\n <code>for i in a; do</code><br>\n <code>  <b>echo</b>\n $i</code><br>\n <code>done</code>\n</div>",
            "for i in a; do\n  echo $i\ndone",
        ),
        ("<p><code>a</code><br><br><code>b</code></p>", "a\n\nb"),
        ("<p><tt>x = 1<br>y = 2</tt></p>", "x = 1\ny = 2"),
        ("<p style='font: 12px Courier, monospace'>x = 1<br>y = 2</p>", "x = 1\ny = 2"),
    ] {
        assert_markdown(code, &format!("```\n{expected}\n```"));
        assert_eq!(code_of(&html(code)), expected, "{code}");
        assert!(html(code).starts_with("<pre>") && !html(code).contains("<p>"), "{}", html(code));
    }
    let long = "a line that goes on and on, as no code does, and then some more of it, up to its very end, at long last";
    for (other, expected) in [
        ("<p><code>a</code> is<br><code>b</code></p>".to_owned(), "`a` is\\\n`b`".to_owned()),
        ("<p><code>a</code><br></p>".to_owned(), "`a`".to_owned()),
        (format!("<p><tt>{long}<br>b</tt></p>"), format!("`{long}`\\\n`b`")),
        (
            "<p><b><code>a<br>b</code></b><img src=i></p>".to_owned(),
            "**`a`\\\n`b`**![](https://a.test/i)".to_owned(),
        ),
    ] {
        assert_markdown(&other, &expected);
    }
    // Links would be lost, and lines of a `pre` are lines of it.
    assert!(!markdown("<p><tt>a<br><a href=/b>b</a></tt></p>").contains("```"));
    assert_markdown("<pre>x\n<div><code>a<br>b</code></div></pre>", "```\nx\na\nb\n```");
}

#[test]
fn lines_of_code_in_prose_are_a_block() {
    for (prose, code) in [
        ("<p>Run this:<br><code>make<br>&nbsp; install</code><br>and <b>wait</b>.</p>", "make\n  install"),
        ("<p>Run this: <tt>make<br>make install</tt> and <b>wait</b>.</p>", "make\nmake install"),
        (
            "<div>Run this:<br><br>\n <span><font style='font-family:Courier New'>make<br>\nmake install<br></font></span>\n\
             <br>and <b>wait</b>.</div>",
            "make\nmake install",
        ),
        (
            "<p>Run this: <code style='white-space:pre'>make\n  install</code> and <b>wait</b>.</p>",
            "make\n  install",
        ),
    ] {
        assert_markdown(prose, &format!("Run this:\n\n```\n{code}\n```\n\nand **wait**."));
        assert_eq!(code_of(&html(prose)), code, "{prose}");
        let markup = html(prose);
        let (before, behind) =
            (markup.split("<pre>").next().unwrap(), markup.split("</pre>").nth(1).unwrap());
        if prose.starts_with("<p>") {
            assert!(matches!(before, "<p>Run this:</p>" | "<p>Run this: </p>"), "{markup}");
            assert!(matches!(behind, "<p>and <b>wait</b>.</p>" | "<p> and <b>wait</b>.</p>"), "{markup}");
        }
        assert!(markup.ends_with("wait</b>.</p>") || markup.ends_with("wait</b>.</div>"), "{markup}");
    }
    assert_markdown("<ul><li>Run <code>a<br>b</code> now</ul>", "- Run\n\n  ```\n  a\n  b\n  ```\n\n  now");
    for other in [
        "<p>The words <code>make</code><br>and <code>install</code> here.</p>",
        "<table><tr><td>Run <code>a<br>b</code><td>x<tr><td>y<td>z</table>",
        "<p>Run <code>a<br><img src=i></code> now</p>",
    ] {
        assert!(!markdown(other).contains("```") && !html(other).contains("<pre>"), "{}", html(other));
    }
}

#[test]
fn rows_of_code_with_their_numbers_are_a_block() {
    let row = |number: usize, code: &str| {
        format!("<tr>\n<td data-line-number=\"{number}\"></td>\n<td class=blob-code>{code}</td>\n</tr>\n")
    };
    let rows = [row(11, "<b>def</b> f():"), row(12, "\n"), row(13, "    return 1")].concat();
    for (rows, expected) in [
        (format!("<table><tbody>{rows}</table>"), "def f():\n\n    return 1"),
        (
            "<table><tr><td class=q>1<td><pre>a</pre><tr><td class=q>2<td><pre>  b</pre></table>".to_owned(),
            "a\n  b",
        ),
        (
            "<div><div><i>1</i><code>a</code></div><div><i>2</i><code>  b</code></div></div>".to_owned(),
            "a\n  b",
        ),
        ("<div class=w><div><b>1</b><b>2</b></div><div><pre>a\n  b</pre></div></div>".to_owned(), "a\n  b"),
        ("<pre><b>1\n2\n</b><code>a\n  b</code></pre>".to_owned(), "a\n  b"),
        ("<pre><b class=LineNo>1</b>a\n<b class=LineNo>2</b>  b</pre>".to_owned(), "a\n  b"),
    ] {
        assert_markdown(&rows, &format!("```\n{expected}\n```"));
        assert_eq!(code_of(&html(&rows)), expected, "{rows}");
        assert_eq!(html(&rows).matches("<pre").count(), 1, "{}", html(&rows));
    }
    for other in [
        "<table><tr><td>1<td>one<tr><td>2<td>two</table>",
        "<table><tr><td>1<td><code>a</code><tr><td>3<td><code>b</code></table>",
        "<table><tr><td data-line-number=1><td>one<tr><td data-line-number=1><td>two</table>",
    ] {
        assert!(markdown(other).starts_with('|'), "{}", markdown(other));
    }
}

#[test]
fn pictures_of_users_beside_their_posts_go() {
    for (picture, stays) in [
        ("<ul><li class=avatar><a href=/u><img src=i alt=Ada></a></li></ul>", false),
        ("<a class=postuseravatar href=/u><img src=i alt=Ada></a>", false),
        ("<p><img src=i alt='User avatar'></p>", false),
        ("<div class=avatar><img src=i alt=Ada></div>", true),
        ("<p><img src=i alt='Avatar, a film'></p>", true),
    ] {
        assert_eq!(markdown(&format!("{picture}<p>A post")).contains("a.test/i"), stays, "{picture}");
    }
}

#[test]
fn captions_outside_of_figures() {
    let expected = "![i](https://a.test/i)\\\n*The weir*";
    for figure in [
        "<div class=wp-caption><img src=i alt=i><p class=wp-caption-text>The weir</p></div>",
        "<div><img src=i alt=i><div itemprop='caption description'>The weir</div></div>",
        "<section><div><img src=i alt=i></div><p class=imgCaption>The weir</p></section>",
        "<div><img src=i alt=i><figcaption>The weir</figcaption></div>",
    ] {
        assert_markdown(figure, expected);
        assert!(html(figure).contains("<figcaption>The weir</figcaption></figure>"), "{}", html(figure));
    }
    for other in [
        "<div><img src=i><p class=text>The weir</p></div>",
        "<div><p class=caption>The weir</p></div>",
        "<div><img src=i><p>Words</p><p class=caption>The weir</p></div>",
        "<div><p>Words</p><p class=caption>The weir</p><img src=i></div>",
        "<div><p>Words <img src=i></p><p class=caption>The weir</p></div>",
        "<div><p>Words</p><img><p class=caption>The weir</p></div>",
    ] {
        assert!(!html(other).contains("<fig"), "{}", html(other));
    }
}

#[test]
fn captions_beside_their_pictures_among_other_words() {
    for [before, figure, behind] in [
        ["<p>Words</p>", "<img src=i alt=i><p class=caption>The weir</p>", "<p>More</p>"],
        ["<p>Words</p>", "<p><a href=i><img src=i alt=i></a></p>\n<div class=img-caption>The weir</div>", ""],
        [
            "",
            "<div><img src=i alt=i></div><br><div><p itemprop=caption>The weir</p></div>",
            "<p>More</p><img src=j>",
        ],
        [
            "<img src=h><p class=caption>The lock</p>",
            "<img src=i alt=i><figcaption>The weir</figcaption>",
            "<p>More</p>",
        ],
    ] {
        let content = format!("<div>{before}{figure}{behind}</div>");
        let written = markdown(&content)
            .replace("[![i](https://a.test/i)](https://a.test/i)", "![i](https://a.test/i)");
        assert!(written.contains("![i](https://a.test/i)\\\n*The weir*"), "{written}");
        let written = html(&content);
        let (head, tail) = written.rsplit_once("<figure>").unwrap();
        let (figure, tail) = tail.split_once("</figure>").unwrap();
        assert!(figure.contains("/i\"") && figure.contains("<figcaption>The weir</figcaption>"), "{written}");
        assert!(
            head.contains("Words") == before.contains("Words")
                && tail.contains("More") == behind.contains("More")
        );
    }
}

#[test]
fn lists_before_the_first_item_and_items_with_their_own_numbers() {
    for (list, expected) in [
        ("<ol><ol><li>a<li>b</ol><li>c<li>d</ol>", "- 1. a\n  2. b\n\n1. c\n2. d"),
        ("<ul><ul><li>a</ul><li>b</ul>", "- - a\n- b"),
        ("<ol start=5><ul><li>a</ul><li>b</ol>", "- - a\n\n5. b"),
        ("<ol><li type=a>a<li type=a>b</ol>", "- a. a\n- b. b"),
    ] {
        assert_markdown(list, expected);
    }
    let text = |list: &str| write(&document(&[list]), Format::Text);
    assert_has(&text("<p>x<ol><ol><li>a<li>b</ol><li>c</ol>"), "\n   1. a\n   2. b\n\n1. c");
    assert_has(&text("<p>x<ol type=i><li>a<li type=1>b</ol>"), "i. a\n2. b");
    assert_html("<ol><li type=a>a<li type=a>b</ol>", "<ol type=\"a\"><li>a</li><li>b</li></ol>");
    assert_html("<ol><li>a<li type=i>b</ol>", "<ol><li>a</li><li type=\"i\">b</li></ol>");
}

#[test]
fn markdown_of_what_it_has_no_signs_for() {
    assert_markdown(
        "<p>10<sup>6</sup> H<sub>2</sub>O <kbd>Ctrl</kbd> <del>old</del><ins>new</ins> <abbr title='a \"b\" <i>'>WHO</abbr> \
             <q>yes </q>and <code>x<sup>2</sup></code> <abbr>NN</abbr>",
        "10<sup>6</sup> H<sub>2</sub>O <kbd>Ctrl</kbd> ~~old~~<ins>new</ins> \
         <abbr title=\"a &quot;b&quot; &lt;i&gt;\">WHO</abbr> “yes” and `x^2` NN",
    );
    assert_markdown("<p><ruby>漢字<rt>かんじ</ruby>を", "漢字(かんじ)を");
}

#[test]
fn markdown_of_code_that_could_run() {
    let code = "<pre><code class=language-html>&lt;script&gt;\n\n*&lt;/script&gt;</code></pre>";
    let written =
        "<pre><code class=\"language-html\">&lt;script&gt;&#10;&#10;&#42;&lt;/script&gt;</code></pre>";
    assert_markdown(code, written);
    assert_markdown(
        &format!("<ul><li>a{code}</ul><blockquote>{code}</blockquote>"),
        &format!("- a\n\n  {written}\n\n> {written}"),
    );
    assert_markdown("<pre>Vec&lt;String></pre>", "```\nVec<String>\n```");
    // Python-Markdown knows no fences in lists and quotations.
    let vec = "<pre><code>Vec&lt;String&gt;</code></pre>";
    assert_markdown("<ul><li><pre>Vec&lt;String></pre></ul>", &format!("- {vec}"));
    assert_markdown("<ul><li><pre>a &lt; b</pre></ul>", "- ```\n  a < b\n  ```");
    // Two pieces that are harmless apart.
    assert_markdown(
        "<ul><li><pre>&lt;p title=\"</pre></ul><p>a <code>\"&gt;&lt;img src=x onerror=x()&gt;</code> <code>&lt;p x=\"</code>",
        "- <pre><code>&lt;p title=&quot;</code></pre>\n\n\
         a `\"><img src=x onerror=x()>` <code>&lt;p x=&quot;</code>",
    );
    assert_markdown("<pre>&lt;form action=/x></pre>", "<pre><code>&lt;form action=/x&gt;</code></pre>");
}

#[test]
fn markdown_has_no_tags_but_its_own() {
    let tex = "<script type='math/tex'>a<b x>[a](b)</script> and <script type='math/tex'>a < b</script>";
    assert_markdown(&format!("<p>{tex}"), "$a< b x>[a] (b)$ and $a < b$");
    assert_markdown(
        "<p>&lt;img onerror=x> &lt<i></i>b> &amp;lt;b> {: onclick=x}",
        "&lt;img onerror=x> &lt;b> &amp;lt;b> \\{: onclick=x}",
    );
    let attributes =
        "<script type='math/tex'>*x*{onClick=y} + x_{n=1}</script> <abbr title='[a](b)'>c</abbr>";
    let written = "$*x* {onClick=y} + x_ {n=1}$ <abbr title=\"&#91;a&#93;&#40;b&#41;\">c</abbr>";
    assert_markdown(&format!("<p>{attributes}"), written);
    assert_markdown("<p><script type='math/tex'>x_{n=1}</script>", "$x_{n=1}$");
    let mail = markdown("<p><a href='mailto:a\"b`<script>'>mail</a>");
    assert!(!mail.contains(['<', '"', '`']), "{mail}");
}

#[test]
fn no_format_has_control_characters() {
    let odd = "\u{1b}[31m&#27;&#7;\u{7f}\u{9b}&#x85;\u{c}&#13;\u{b}";
    let json = r#"{"@type":"Article","headline":"T\u001b\u009b[1m","author":{"name":"A\u0007 B"}}"#;
    let content = format!(
        "<title>T{odd}</title><script type=application/ld+json>{json}</script><h1>H{odd}h</h1><p>a{odd}b <code>c{odd}</code>\
         <abbr title='d{odd}d'>e</abbr> <a href='/x{odd}y'>f</a><img src='i{odd}.png' alt='g{odd}'><pre>h{odd}i\n\tj</pre>\
         <table><tr><td>k{odd}<td rowspan=2>l<tr><td>m</table><script type='math/tex'>n{odd}</script>"
    );
    let document = document(&[&content]);
    for format in [Format::Markdown, Format::Html, Format::Text] {
        let written = write(&document, format);
        let found: Vec<char> = written.chars().filter(|c| tsugi_page::text::is_control(*c)).collect();
        assert!(found.is_empty() && written.contains("h[31m"), "{format}: {found:?} in\n{written}");
    }
    let json: serde_json::Value = serde_json::from_str(&document.json_line()).unwrap();
    for text in ["title", "text", "html"] {
        let text = json[text].as_str().unwrap();
        assert!(!text.contains(tsugi_page::text::is_control), "{text:?}");
    }
    assert!(!document.front_matter().contains(tsugi_page::text::is_control));
}

const MATH: &str = "<math display=block><semantics><mfrac><mi>a</mi><mi>b</mi></mfrac>\
    <annotation encoding='application/x-tex'>\\frac{a}{b}</annotation></semantics></math>";

#[test]
fn formulas_stand_once_in_every_format() {
    let katex = format!("<span class=katex>{MATH}<span class=katex-html aria-hidden=true>ab</span></span>");
    let content = format!("<p>It is $1 for {katex} and \\(x_1 * y\\) <script type='math/tex'>z_2</script>.");
    assert_markdown(&content, "It is \\$1 for\n\n$$\n\\frac{a}{b}\n$$\n\nand $x_1 * y$ $z_2$.");
    let document = document(&[&content]);
    assert_eq!(document.text, "It is $1 for $$\\frac{a}{b}$$ and $x_1 * y$ $z_2$.");
    let written = html(&content);
    assert_has(
        &written,
        "<math alttext=\"\\frac{a}{b}\" display=\"block\"><semantics><mfrac><mi>a</mi><mi>b</mi></mfrac></semantics></math>",
    );
    assert_has(&written, "<math alttext=\"z_2\" display=\"inline\"><msub><mi>z</mi><mn>2</mn></msub></math>");
    assert!(written.contains("alttext=\"x_1 * y\"") && !written.contains("ab</span>"), "{written}");
    // What is no TeX stays as it is.
    assert_html(r"<p>so \(\nosuch{x\) it is", r"<p>so \(\nosuch{x\) it is</p>");
    // Without TeX it is made of the MathML, and written in one line if a part is not known.
    let bare =
        "<p><math><mi>N</mi><mo>=</mo><mfrac><mi>W</mi><mrow><mi>σ</mi><mi>A</mi></mrow></mfrac></math>";
    assert_markdown(bare, "$N = \\frac{W}{\\sigma A}$");
    assert_markdown("<p><math><mi>N</mi><mo>=</mo><maction><mi>W</mi></maction></math></p>", "N = W");
}

#[test]
fn tables_that_pipes_cannot_express_are_markup() {
    assert_markdown(
        "<ul><li>x<table><tr><th colspan=2>A<tr><td>1<td><pre>a\n\nb</pre></table>y</ul>",
        "- x\n\n  <table><tbody>\n  <tr><th colspan=\"2\">A</th></tr>\n  \
         <tr><td>1</td><td><pre>a&#10;&#10;b</pre></td></tr></tbody>\n  </table>\n\n  y",
    );
    // Layout is none of a document's business.
    assert_html(
        "<table><tr><td><p>one<td><ul><li>two</ul></table>",
        "<div><div> <p>one</p>  <ul><li>two</li></ul> </div></div>",
    );
}

#[test]
fn notes_are_notes() {
    let pages = [
        "<p>One<sup id=r1><a href=#n1>1</a></sup> and two<a id=r2 href=2#n2>[2]</a>, see <a href=#n1>there</a> and <a href=2>5</a>.\
         <ol><li id=n1>First <b>note</b>. <a href=#r1>↩</a><p>More.</ol>",
        "<p>Text.<p id=n2><a href=1#r2>[2]</a> Second.<p>End.",
    ];
    let document = document(&pages);
    assert_eq!(
        document.page_markdown(0),
        "One[^1] and two[^2], see [there](#p1-n1) and [5](#page-2).\n\n\
         [^1]: <a id=\"p1-n1\"></a>First **note**.\n\n      More."
    );
    assert_eq!(document.page_markdown(1), "<a id=\"page-2\"></a>\n\nText.\n\n[^2]: Second.\n\nEnd.");
    assert_eq!(
        document.text,
        "One[1] and two[2], see there and 5.\nFirst note. ↩\nMore.\nText.\n[2] Second.\nEnd."
    );
}

#[test]
fn players_and_frames_become_links() {
    let content = "<p>See <iframe src=https://www.youtube.com/embed/a_b title='A *film*'></iframe>\
        <video src=v.mp4>no video</video><img src=x.gif width=1 height=1><iframe src=https://ad.doubleclick.net/x></iframe>";
    assert_markdown(
        content,
        "See [A \\*film\\*](https://www.youtube.com/watch?v=a_b)[a.test/v.mp4](https://a.test/v.mp4)",
    );
    assert_html(
        content,
        "<p>See <a href=\"https://www.youtube.com/watch?v=a_b\">A *film*</a><a href=\"https://a.test/v.mp4\">a.test/v.mp4</a></p>",
    );
    assert_eq!(document(&[content]).text, "See A *film*", "text has titles, no addresses");
}

#[test]
fn numbers_of_lines_are_no_code() {
    let content = "<div class='highlight-python notranslate'><table class=highlighttable><tr><td class=linenos><pre>1\n2</pre>\
        <td class=code><pre>a = 1\nb = 2</pre></table></div>";
    assert_markdown(content, "```python\na = 1\nb = 2\n```");
    assert_eq!(document(&[content]).text, "a = 1\nb = 2");
    assert!(!html(content).contains("<pre>1"));
}

#[test]
fn markdown_of_tables() {
    assert_markdown(
        "<table><caption>Cap</caption><tr><th>A<th>B<tr><td>1|2<td><code>x|y</code><br>z<td>3</table>",
        "Cap\n\n| A | B |  |\n| --- | --- | --- |\n| 1\\|2 | `x\\|y`<br>z | 3 |",
    );
    assert_markdown("<table><tr><td><h2>Layout</h2><p>a<td><ul><li>b</ul></table>", "## Layout\n\na\n\n- b");
}

#[test]
fn the_title_stands_above_unless_the_text_begins_with_it() {
    let with = document(&["<h1>Title #</h1><p>x"]);
    assert_eq!(write(&with, Format::Markdown), "# Title \\#\n\nx\n");
    let kicker = document(&["<p>Feature</p><h1>Title</h1><p>x"]);
    assert_eq!(write(&kicker, Format::Markdown), "Feature\n\n# Title\n\nx\n");
    let without = document(&["<p>a<p>b<p>c<p>d</p><h1>Title</h1>"]);
    assert_eq!(write(&without, Format::Markdown), "# Title\n\na\n\nb\n\nc\n\nd\n\n# Title\n");
    assert!(write(&without, Format::Html).contains("<body>\n<header>\n<h1>Title</h1>\n</header>\n<section"));
    assert!(!write(&with, Format::Html).contains("<header>"));
}

#[test]
fn html_keeps_what_is_on_the_list() {
    assert_html(
        "<p class=x style=y onclick=z lang=ja>a <span>b</span> <a href=2 target=_blank onclick=x>c</a>",
        "<p lang=\"ja\">a b <a href=\"https://a.test/2\">c</a></p>",
    );
    assert_html(
        "<table border=1><tr><td colspan=2 rowspan=x>a<td>b</table><ol start=3 type=a><li value=5>x</ol>",
        "<table><tbody><tr><td colspan=\"2\">a</td><td>b</td></tr></tbody></table>\
         <ol start=\"3\" type=\"a\"><li value=\"5\">x</li></ol>",
    );
    assert_html(
        "<img src='data:image/png;base64,x' data-src=/late.png alt='\"<'><img src='data:x'><img alt=none>",
        "<img src=\"https://a.test/late.png\" alt=\"&quot;&lt;\">",
    );
    assert_html("<form action=x>a<button>b</button><input value=c></form>", "<div>ab</div>");
    assert_html(
        "<script>1</script><style>2</style><iframe src=x></iframe><object data=x></object><svg><a href=javascript:1>3</a></svg>",
        "<a href=\"https://a.test/x\">a.test/x</a> <a href=\"https://a.test/x\">a.test/x</a>3",
    );
    assert_html(
        "<a href='javascript:x'>a</a><a href='mailto:x@a.test'>b</a>",
        "a <a href=\"mailto:x@a.test\">b</a>",
    );
    assert_html("<pre>\n\n a</pre>", "<pre> a</pre>");
}

#[test]
fn a_file_is_complete_and_names_its_sources() {
    let shelf = PageShelf::default()
        .page(
            "https://a.test/1?a&b",
            "<html lang=en><title>T &lt;</title><main><p>one</main><a rel=next href=2>",
        )
        .page("https://a.test/2", "<main><p>two</main>");
    let joined = joined(&shelf, "https://a.test/1?a&b", Shown::default());
    let document = stitch(joined);
    let html = write(&document, Format::Html);
    let (head, body) = html.split_once("<body>").unwrap();
    assert!(
        head.starts_with("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"),
        "{head}"
    );
    assert!(head.contains("<title>T &lt;</title>\n<style>") && html.matches("<style").count() == 1, "{head}");
    assert!(head.contains("style-src 'sha256-"), "{head}");
    assert_eq!(
        body,
        "\n<header>\n<h1>T &lt;</h1>\n</header>\n\
         <section id=\"page-1\" data-source=\"https://a.test/1?a&amp;b\">\n<div><p>one</p></div>\n\
         <footer><a href=\"https://a.test/1?a&amp;b\">https://a.test/1?a&amp;b</a></footer>\n</section>\n\
         <section id=\"page-2\" data-source=\"https://a.test/2\">\n<div><p>two</p></div>\n\
         <footer><a href=\"https://a.test/2\">https://a.test/2</a></footer>\n</section>\n\
         </body>\n</html>\n"
    );
    assert_eq!(write(&document, Format::Text), "one\n\ntwo\n");
    assert_eq!(
        document.json_line(),
        "{\"url\":\"https://a.test/1?a&b\",\"title\":\"T <\",\"authors\":[],\"published\":null,\"modified\":null,\
         \"lang\":\"en\",\"canonical\":null,\"site\":null,\"description\":null,\"image\":null,\
         \"section\":null,\"tags\":[],\"words\":2,\"pages\":[\
         {\"url\":\"https://a.test/1?a&b\",\"score\":1.0,\"by\":\"start\",\"content\":{\"by\":\"model\",\"score\":1.0},\"verified\":null,\"start\":0,\"end\":3,\"removed\":0},\
         {\"url\":\"https://a.test/2\",\"score\":0.9,\"by\":\"rel\",\"content\":{\"by\":\"model\",\"score\":1.0},\"verified\":null,\"start\":4,\"end\":7,\"removed\":0}],\
         \"text\":\"one\\ntwo\",\"html\":\"<section id=\\\"page-1\\\" data-source=\\\"https://a.test/1?a&amp;b\\\">\\n\
         <div><p>one</p></div>\\n</section>\\n<section id=\\\"page-2\\\" data-source=\\\"https://a.test/2\\\">\\n\
         <div><p>two</p></div>\\n</section>\\n\",\
         \"complete\":true,\"stopped\":{\"reason\":\"no-next\",\"at\":\"https://a.test/2\",\
         \"detail\":\"no next-page link found\"},\"warnings\":[]}"
    );
    let pretty = write(&document, Format::Json);
    assert!(
        pretty.starts_with("{\n  \"url\": \"https://a.test/1?a&b\",\n  \"title\"") && pretty.ends_with("}\n")
    );
}

/// The characters of a text that show, but for marks of deletions, which formats write in their own ways.
fn letters(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace() && *c != '~').collect()
}

/// The text of Markdown, as a reader of it shows it, images left out; markup in it is read as HTML.
fn shown(markdown: &str) -> String {
    let (mut text, mut images) = (String::new(), 0);
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH | Options::ENABLE_TASKLISTS;
    for event in Parser::new_ext(markdown, options) {
        match event {
            Event::Start(Tag::Image { .. }) => images += 1,
            Event::End(TagEnd::Image) => images -= 1,
            Event::Text(words) | Event::Code(words) if images == 0 => text.push_str(&words),
            Event::Html(markup) | Event::InlineHtml(markup) => {
                let page = Page::from_text(&markup, &url("https://a.test/"));
                text.push_str(page.string_value(NodeId::DOCUMENT));
            }
            _ => {}
        }
    }
    text
}

#[test]
fn what_markdown_could_misread_is_shown_as_it_is() {
    for content in [
        "<h3>#",
        "<ol start=7>#<li>#",
        "<code>#<br>></code>",
        "<code><img src=i>#</code>",
        "<b>></b><em>#",
        "<i>&amp;</i>amp;",
        "<table><td><td>a<caption>#",
        ":<b>-</b>",
        "<b>1</b>. x",
        "!<a href=x>y</a>",
    ] {
        let document = document(&[content]);
        assert_eq!(letters(&shown(&document.page_markdown(0))), letters(&document.text), "{content}");
    }
}

#[test]
fn deep_and_wide_content_stays_in_bounds() {
    for unit in
        ["<ul><li>x", "<blockquote>x", "<div>", "<b>x", "<table><tr><td>x", "<a href=x>x", "<ol><li><pre>x"]
    {
        let content = unit.repeat(20_000) + "end";
        let document = document(&[&content]);
        for format in [Format::Markdown, Format::Html, Format::Text, Format::Json] {
            let written = write(&document, format);
            assert!(
                written.contains("end") && written.len() < 200 * content.len(),
                "{unit}: {}",
                written.len()
            );
        }
    }
    let long = format!("<p>{}", "1. word `x` ".repeat(100_000));
    assert!(write(&document(&[&long]), Format::Markdown).len() < 3 * long.len());
}

pub(crate) const MARKUP: &str = "(<p>|</p>|<b>|</b>|<i>|</i>|<em>|<s>|</s>|<code>|</code>|<pre>|</pre>|<ul>|</ul>|<ol start=7>|</ol>|<li>|\
    <a href='x(y)'>|</a>|<img src=i alt=t>|<br>|<hr>|<h1>|</h1>|<h3>|</h3>|<blockquote>|</blockquote>|<table>|</table>|<tr>|\
    <td>|<th>|<caption>|<dl><dt>|<dd>|<figure>|<figcaption>|</figcaption>|<input type=checkbox checked>|<input type=checkbox>|<div>|</div>|<span>|</span>|<script>|</script>|<svg>|</svg>|<select><option>|</select>|\
    a|次|。|「|b c| |\\n|#|-|\\+|=|1|\\.|\\)|>|&gt;|&lt;|\\*|_|`|~|\\[|\\]|!|\\||\\\\|:|&amp;|amp;)";

#[test]
fn metadata_stands_in_the_files() {
    let head = "<html lang=en><title>The tale</title><meta name=author content='Ann <Lee>'>\
        <meta name=author content='Bo & Oh'><meta name=date content=2024-05-01><meta property=og:site_name content=Site>\
        <link rel=canonical href=/tale>";
    let shelf = PageShelf::default().page("https://a.test/1", &format!("{head}<main><p>one</main>"));
    let document = shelf.document();
    assert_eq!(document.authors, ["Bo", "Oh"], "angle brackets are in no name");
    let json = document.json_line();
    assert!(json.contains(
        "\"authors\":[\"Bo\",\"Oh\"],\"published\":\"2024-05-01\",\"modified\":null,\"lang\":\"en\""
    ));
    assert!(json.contains("\"canonical\":\"https://a.test/tale\",\"site\":\"Site\""));
    let html = write(&document, Format::Html);
    assert!(html.contains("<meta name=\"author\" content=\"Bo\">\n<meta name=\"author\" content=\"Oh\">\n"));
    assert!(html.contains("<link rel=\"canonical\" href=\"https://a.test/tale\">"));
    assert!(html.contains("<h1>The tale</h1>\n<p>Bo, Oh · 2024-05-01</p>"));
    assert_eq!(write(&document, Format::Markdown), "# The tale\n\n*Bo, Oh · 2024-05-01*\n\none\n");
}

#[test]
fn a_byline_of_the_text_is_not_said_again() {
    let page =
        "<title>The tale</title><meta name=author content='Ann Lee'><main><p>By Ann Lee</p><p>one</main>";
    let shelf = PageShelf::default().page("https://a.test/1", page);
    assert_eq!(write(&shelf.document(), Format::Markdown), "# The tale\n\nBy Ann Lee\n\none\n");
}

#[test]
fn a_day_stands_above_a_text_that_does_not_say_it() {
    let head = "<title>The tale</title><meta name=date content=2024-05-01>";
    let above = |text: &str| {
        let shelf = PageShelf::default().page("https://a.test/1", &format!("{head}<main><p>{text}</main>"));
        write(&shelf.document(), Format::Markdown)
    };
    assert_eq!(above("one"), "# The tale\n\n*2024-05-01*\n\none\n");
    assert_eq!(above("Bergen, 1 May 2024"), "# The tale\n\nBergen, 1 May 2024\n");
}

#[test]
fn a_title_of_a_later_page_stands_above_the_first() {
    let shelf = PageShelf::default()
        .page("https://a.test/1", "<title>Tales</title><main><p>one</main><a rel=next href=2>")
        .page("https://a.test/2", "<main><h2>Tales</h2><p>two</main>");
    let document = shelf.document();
    assert!(write(&document, Format::Markdown).starts_with("# Tales\n\none\n"));
}

#[test]
fn images_are_found_where_they_are_loaded_late_or_in_sizes() {
    let source = |html: &str| self::html(html).split('"').nth(1).map(str::to_owned);
    assert_eq!(source("<img srcset='/s.jpg 320w, /l.jpg 640w'>").as_deref(), Some("https://a.test/l.jpg"));
    assert_eq!(
        source("<img src='data:x' data-srcset='/a,b.jpg 1x, /l.jpg 2x'>").as_deref(),
        Some("https://a.test/l.jpg")
    );
    let picture = "<picture><source srcset='/p.webp 2x'><img src='data:x'></picture>";
    assert_eq!(source(picture).as_deref(), Some("https://a.test/p.webp"));
    assert_eq!(source("<p>none<img srcset=', ,'>"), None);
}

#[test]
fn elements_that_show_nothing_are_not_written() {
    for (content, expected) in [
        ("<h2></h2><p>a</p>", "<p>a</p>"),
        ("<p>a</p><div> <ul><li><i></i></li></ul></div><p>b</p>", "<p>a</p><p>b</p>"),
        ("<p>a</p><p>&nbsp;</p>", "<p>a</p>"),
        (&format!("<p>a</p><div>{}<i></i></div>", " ".repeat(2_000)), "<p>a</p>"),
        ("<p>a<b> </b>b<a href=/x></a></p>", "<p>a b</p>"),
        ("<i><h2> </h2>a</i>", "<i>a</i>"),
        // What parts two lines.
        ("a<div></div>b", "a<div></div>b"),
        ("<b>a</b><div></div>b", "<b>a</b><div></div>b"),
        ("<ruby>a<rt>b</rt></ruby><div></div>c", "<ruby>a<rt>b</rt></ruby><div></div>c"),
        // What is counted, read by its place, or shown.
        ("<ol><li>a</li><li></li></ol>", "<ol><li>a</li><li></li></ol>"),
        ("<dl><dt>a</dt><dd></dd></dl>", "<dl><dt>a</dt><dd></dd></dl>"),
        ("<p>a</p><p><br></p>", "<p>a</p><p><br></p>"),
        ("<p>a</p><hr>", "<p>a</p><hr>"),
    ] {
        assert_eq!(html(content), expected, "{content}");
    }
    let cell = "<table><tbody><tr><td>a</td><td></td></tr><tr><td>b</td><td>c</td></tr></tbody></table>";
    assert_html(cell, cell);
    let target = html("<p><a href=#note>a</a></p><p id=note></p>");
    assert!(target.contains(r#"<p id=""#), "a link leads there: {target}");
}

/// Says whether an element is HTML, or part of a formula that holds no HTML.
fn is_harmless(page: &Page, id: NodeId) -> bool {
    let is_math = |id| page.namespace(id) == Namespace::MathMl;
    let parent = page.parent(id).is_some_and(is_math);
    is_math(id) || (page.is_html(id) && !parent)
}

#[test]
fn markup_that_is_read_otherwise_than_written_is_settled() {
    for content in [
        "<math><mtext><table><mglyph><style><!--</style><img title='--&gt;&lt;img src=1 onerror=alert(1)&gt;'>",
        "<svg></p><style><a id='</style><img src=1 onerror=alert(1)>'>",
        "<form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>",
        "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
        "<h1><font><h2>a</h2></font></h1>",
        "<svg><foreignObject><p><div>b</div></p></foreignObject></svg>",
        "<template><s><template><s><img src=x onerror=alert(1)></s></template></s></template>c",
        "<select><template><style><!--</style><a rel='--></style></template></select><img id=x src onerror=y>'>",
    ] {
        let html = document(&[content]).page_html(0);
        let page = Page::from_text(&html, &url("https://a.test/"));
        let events =
            page.elements().flat_map(|id| page.attributes(id)).filter(|(name, _)| name.starts_with("on"));
        assert_eq!(events.count(), 0, "{html}");
        assert!(
            page.elements()
                .all(|id| is_harmless(&page, id) && !matches!(page.tag(id), "style" | "script" | "template")),
            "{html}"
        );
    }
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(2000))]

    #[test]
    fn every_format_shows_the_same_text(parts in proptest::collection::vec(MARKUP, 0..24)) {
        let document = document(&[&parts.concat()]);
        // Formulas have other signs in each format.
        proptest::prop_assume!(!document.text.contains("$$"));
        proptest::prop_assert_eq!(
            letters(&shown(&document.page_markdown(0))), letters(&document.text), "{}", document.page_markdown(0)
        );
        let again = Page::from_text(&document.html(), &url("https://a.test/"));
        proptest::prop_assert_eq!(letters(&again.text(NodeId::DOCUMENT)), letters(&document.text));
    }

    #[test]
    fn later_pages_leave_out_the_same_blocks_in_every_format(
        frame in "(<h1>a</h1>|<p>b|<div>c</div>|<ul><li>d</ul>|e<br>f|<img src=x>){0,3}",
        tail in "(<p>x|<div><b>y</b></div>|<table><tr><td>z<td>w</table>){0,2}",
        pages in proptest::collection::vec("<p>[a-c]{1,3}", 2..4),
    ) {
        let contents: Vec<String> = pages.iter().map(|page| format!("{frame}{page}{tail}")).collect();
        let contents: Vec<&str> = contents.iter().map(String::as_str).collect();
        let document = document(&contents);
        for index in 0..document.pages.len() {
            let text = letters(&crate::stitch::slice(&document, index));
            proptest::prop_assert_eq!(&letters(&shown(&document.page_markdown(index))), &text);
            let again = Page::from_text(&document.page_html(index), &url("https://a.test/"));
            proptest::prop_assert_eq!(&letters(&again.text(NodeId::DOCUMENT)), &text);
        }
    }

    #[test]
    fn nothing_active_gets_through(
        content in "(<(script|style|iframe|form|input|a|img|svg|math|mi|mtext|semantics|annotation-xml|object|embed|meta|base|link|template|noscript|button|details|table|td|p|b|textarea|title|xmp|plaintext|frameset)( (href|src|onclick|onerror|style|srcdoc|alttext|actiontype|action|formaction|xlink:href|data-src|cite|lang|title|alt|http-equiv|id|name|srcset|poster|background)=('javascript:x'|'JaVa&#10;script:x'|' data:text/html,x'|x|'\"><script>x</script>'|vbscript:x|//b.test/|'mailto:x\"onx=y'|en))?>|</(script|style|a|svg|p|b|textarea|title|xmp|noscript)>|x|<!--|-->|<!\\[CDATA\\[|\\]\\]>|&lt;script&gt;){0,12}"
    ) {
        let document = document(&[&content]);
        let file = write(&document, Format::Html);
        let body = file.split_once("</head>").unwrap().1.to_owned();
        for html in [document.html().clone(), body] {
            let page = Page::from_text(&html, &url("https://safe.test/"));
            for id in page.elements() {
                let tag = page.tag(id).to_owned();
                let active = ["script", "style", "iframe", "form", "input", "svg", "object", "embed", "base",
                    "link", "template", "noscript", "button", "textarea", "xmp", "plaintext", "frameset", "frame"];
                let is_harmless = is_harmless(&page, id) && !active.contains(&tag.as_str());
                proptest::prop_assert!(is_harmless, "{} in {}", tag, html);
                for (name, value) in page.attributes(id) {
                    proptest::prop_assert!(!name.starts_with("on") && name != "style", "{}", html);
                    proptest::prop_assert!(name != "id" || value == "page-1", "{}", html);
                    let is_address = matches!(name, "href" | "src" | "cite");
                    let passes = ["http://", "https://"].iter().any(|scheme| value.starts_with(scheme))
                        || (name == "href" && value.starts_with("mailto:"));
                    proptest::prop_assert!(!is_address || passes, "{}={} in {}", name, value, html);
                    let known = ["id", "href", "src", "alt", "title", "lang", "dir", "cite", "data-source", "charset", "name",
                        "content", "http-equiv", "colspan", "rowspan", "alttext", "open"];
                    proptest::prop_assert!(known.contains(&name), "{} in {}", name, html);
                    proptest::prop_assert!(tag == "meta" || !matches!(name, "name" | "content" | "http-equiv"));
                }
            }
        }
    }
}
