//! HTML: the elements and attributes of an allow-list, nothing else.
//!
//! What is not on the list is not written, so nothing active can get through: no script, no style, no form, no
//! frame, no event handler. Text below an element that is not on the list is kept; the element becomes a
//! `div` if it stands on lines of its own.

use super::title_above;
use crate::document::Document;
use crate::stitch::Shape;
use std::fmt::Write;
use tsugi_page::walk::Step;
use tsugi_page::{NodeId, NodeKind, Page, Url, address};

/// The longest address that is written, in bytes.
const MAX_ADDRESS: usize = 8 * 1024;

/// Elements that may stand anywhere.
const ALLOWED: &[&str] = &[
    "a",
    "abbr",
    "address",
    "article",
    "aside",
    "b",
    "bdi",
    "bdo",
    "blockquote",
    "br",
    "cite",
    "code",
    "dd",
    "del",
    "details",
    "dfn",
    "div",
    "dl",
    "dt",
    "em",
    "figcaption",
    "figure",
    "footer",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hr",
    "i",
    "img",
    "ins",
    "kbd",
    "li",
    "mark",
    "nav",
    "ol",
    "p",
    "pre",
    "q",
    "rp",
    "rt",
    "ruby",
    "s",
    "samp",
    "section",
    "small",
    "strong",
    "sub",
    "summary",
    "sup",
    "table",
    "time",
    "u",
    "ul",
    "var",
    "wbr",
];

/// Elements that may stand in some others alone; elsewhere a parser would drop them.
const TABLE_PARTS: &[(&str, &[&str])] = &[
    ("caption", &["table"]),
    ("thead", &["table"]),
    ("tbody", &["table"]),
    ("tfoot", &["table"]),
    ("tr", &["thead", "tbody", "tfoot"]),
    ("td", &["tr"]),
    ("th", &["tr"]),
];

const VOID: &[&str] = &["br", "hr", "img", "wbr"];

/// Writes a whole file.
pub(crate) fn file(document: &Document) -> String {
    let mut out = String::from("<!DOCTYPE html>\n<html");
    if let Some(lang) = document.lang.as_deref().filter(|lang| is_language(lang)) {
        push_attribute(&mut out, "lang", lang);
    }
    out.push_str(
        ">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; img-src http: https:\">\n<title>",
    );
    push_text(&mut out, document.title.as_deref().unwrap_or(document.url.as_str()));
    out.push_str("</title>\n</head>\n<body>\n");
    if let Some(title) = title_above(document) {
        out.push_str("<h1>");
        push_text(&mut out, title);
        out.push_str("</h1>\n");
    }
    for page in &document.pages {
        let mut source = String::from("\n<footer>");
        if address::is_web(&page.url) {
            source.push_str("<a");
            push_attribute(&mut source, "href", page.url.as_str());
            source.push('>');
            push_text(&mut source, page.url.as_str());
            source.push_str("</a>");
        } else {
            push_text(&mut source, page.url.as_str());
        }
        source.push_str("</footer>");
        push_section(&mut out, &page.url, Some(&source), &page.html);
    }
    out.push_str("</body>\n</html>\n");
    out
}

/// Adds the section of one page.
pub(crate) fn push_section(out: &mut String, url: &Url, footer: Option<&str>, html: &str) {
    out.push_str("<section");
    push_attribute(out, "data-source", url.as_str());
    out.push_str(">\n");
    out.push_str(html);
    out.push_str(footer.unwrap_or_default());
    out.push_str("\n</section>\n");
}

/// Writes the content of one page.
pub(crate) fn content(shape: &Shape<'_>) -> String {
    let page = shape.page;
    let mut out = String::new();
    // What was written for each open node.
    let mut open: Vec<Option<&'static str>> = Vec::new();
    let mut links = 0;
    let mut after_pre = false;
    for root in shape.nodes {
        if !out.is_empty() {
            out.push('\n');
        }
        let mut walk = page.walk(*root);
        while let Some(step) = walk.next() {
            match step {
                Step::Enter(id) if shape.leaves_out(id) => {
                    open.push(None);
                    walk.skip_children();
                }
                Step::Enter(id) => {
                    let parent = open.iter().rev().find_map(|tag| *tag);
                    let tag = tag_for(page, id, parent).filter(|tag| *tag != "a" || links == 0);
                    let written = tag.filter(|tag| push_start(page, id, tag, &mut out));
                    if page.kind(id) == NodeKind::Text {
                        let text = page.data(id);
                        if after_pre && text.starts_with('\n') {
                            // A parser drops the first newline of a `pre`.
                            out.push('\n');
                        }
                        push_text(&mut out, text);
                    } else if page.class(id).cell && written.is_none() {
                        out.push(' ');
                    }
                    after_pre = written == Some("pre");
                    links += usize::from(written == Some("a"));
                    open.push(written);
                }
                Step::Leave(id) => {
                    let written = open.pop().flatten();
                    after_pre = false;
                    links -= usize::from(written == Some("a"));
                    if let Some(tag) = written.filter(|tag| !VOID.contains(tag)) {
                        out.push_str("</");
                        out.push_str(tag);
                        out.push('>');
                    } else if page.class(id).cell && written.is_none() {
                        out.push(' ');
                    }
                }
            }
        }
    }
    out
}

/// Returns the name under which an element is written, if it is.
fn tag_for(page: &Page, id: NodeId, parent: Option<&str>) -> Option<&'static str> {
    if !page.is_html(id) {
        return None;
    }
    let tag = page.tag(id);
    if let Ok(index) = ALLOWED.binary_search(&tag) {
        return Some(ALLOWED[index]);
    }
    if let Some((part, parents)) = TABLE_PARTS.iter().find(|(part, _)| *part == tag)
        && parent.is_some_and(|parent| parents.contains(&parent))
    {
        return Some(part);
    }
    page.class(id).line.then_some("div")
}

/// Writes a start tag; false if the element is no use without an address that it lacks.
fn push_start(page: &Page, id: NodeId, tag: &'static str, out: &mut String) -> bool {
    let mut attributes: Vec<(&str, String)> = Vec::new();
    let value = |name| page.attribute(id, name).map(str::trim);
    let one_of =
        |name, allowed: &[&str]| value(name).filter(|value| allowed.contains(value)).map(str::to_owned);
    let number = |name| {
        let number: i32 = value(name)?.parse().ok()?;
        Some(number.to_string())
    };
    let positive = |name, most: u16| {
        let number: u16 = value(name)?.parse().ok()?;
        (1..=most).contains(&number).then(|| number.to_string())
    };
    let mut add = |name, value: Option<String>| attributes.extend(value.map(|value| (name, value)));
    match tag {
        "a" => match link_address(page, id) {
            Some(address) => add("href", Some(address)),
            None => return false,
        },
        "img" => match image_address(page, id) {
            Some(address) => {
                add("src", Some(address));
                add("alt", Some(value("alt").unwrap_or_default().to_owned()));
                add("width", positive("width", u16::MAX));
                add("height", positive("height", u16::MAX));
            }
            None => return false,
        },
        "td" | "th" => {
            add("colspan", positive("colspan", 1000));
            add("rowspan", positive("rowspan", 65_534));
            add("scope", one_of("scope", &["row", "col", "rowgroup", "colgroup"]));
        }
        "ol" => {
            add("start", number("start"));
            add("type", one_of("type", &["1", "a", "A", "i", "I"]));
            add("reversed", value("reversed").map(|_| String::new()));
        }
        "li" => add("value", number("value")),
        "time" => {
            let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | ':' | '.' | '+' | ' ');
            add("datetime", value("datetime").filter(|date| date.chars().all(plain)).map(str::to_owned));
        }
        "blockquote" | "q" | "del" | "ins" => {
            add(
                "cite",
                value("cite").and_then(|href| page.resolve(href)).filter(address::is_web).map(String::from),
            );
        }
        _ => {}
    }
    if matches!(tag, "a" | "abbr" | "dfn" | "img") {
        add("title", value("title").map(str::to_owned));
    }
    add("lang", value("lang").filter(|lang| is_language(lang)).map(str::to_owned));
    add("dir", one_of("dir", &["ltr", "rtl", "auto"]));
    out.push('<');
    out.push_str(tag);
    for (name, value) in attributes {
        push_attribute(out, name, &value);
    }
    out.push('>');
    true
}

/// Returns the absolute address of a link: http, https or mailto, fragment kept.
pub(crate) fn link_address(page: &Page, id: NodeId) -> Option<String> {
    if !page.is(id, "a") {
        return None;
    }
    let href = page.attribute(id, "href").filter(|href| href.len() <= MAX_ADDRESS)?;
    let url = page.base().join(href.trim()).ok()?;
    let passes = address::is_web(&url) || url.scheme() == "mailto";
    (passes && url.as_str().len() <= MAX_ADDRESS).then(|| plain_address(url.as_str()))
}

/// Returns the absolute http or https address of an image. One that is loaded late keeps its address in
/// another attribute, and a placeholder in `src`.
pub(crate) fn image_address(page: &Page, id: NodeId) -> Option<String> {
    if !page.is(id, "img") {
        return None;
    }
    ["data-src", "data-original", "data-lazy-src", "src"]
        .into_iter()
        .filter_map(|name| page.attribute(id, name))
        .filter(|source| !source.trim().is_empty())
        .filter_map(|source| page.resolve(source))
        .find(address::is_web)
        .map(|url| plain_address(url.as_str()))
}

/// Encodes what an address may still hold and markup reads as its own (in `mailto:` addresses).
fn plain_address(address: &str) -> String {
    let mut plain = String::with_capacity(address.len());
    for c in address.chars() {
        match c {
            ' ' | '"' | '<' | '>' | '`' | '\\' | '\u{0}'..='\u{1f}' | '\u{7f}' => {
                // Writing to a text does not fail.
                let _ = write!(plain, "%{:02X}", u32::from(c));
            }
            _ => plain.push(c),
        }
    }
    plain
}

/// Says whether a text could be a language tag.
fn is_language(text: &str) -> bool {
    (1..=35).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

fn push_attribute(out: &mut String, name: &str, value: &str) {
    out.push(' ');
    out.push_str(name);
    out.push_str("=\"");
    push_text(out, value);
    out.push('"');
}

fn push_text(out: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\u{a0}' => out.push_str("&nbsp;"),
            '\u{0}' => out.push('\u{fffd}'),
            _ => out.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_in_order() {
        assert!(ALLOWED.is_sorted());
    }

    #[test]
    fn only_addresses_that_lead_to_pages_are_links() {
        let address = |href: &str| {
            let html = format!("<a href=\"{href}\">x</a>");
            let page = Page::from_text(&html, &"https://a.test/x/1".parse().unwrap());
            link_address(&page, page.first("a").unwrap())
        };
        assert_eq!(address("2#n").as_deref(), Some("https://a.test/x/2#n"));
        assert_eq!(address("mailto:a b&quot;<@b.test").as_deref(), Some("mailto:a%20b%22%3C@b.test"));
        for dead in
            ["javascript:x", " java\nscript:x", "data:text/html,x", "file:///x", "vbscript:x", "blob:x"]
        {
            assert_eq!(address(dead), None, "{dead}");
        }
    }
}
