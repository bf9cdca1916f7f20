//! A page of somebody else, as it may be shown: its own tree, with elements of our own names.
//!
//! Every element becomes `t-NAME`, which means nothing to a browser: no image loads, no link leads anywhere, no form sends, and
//! the tree is the one that the models saw, since no rule of HTML moves such elements. No attribute of the page is copied but
//! directions and languages. The page is answered at an address of its own, under a policy that gives it an opaque origin and
//! runs our overlay alone.

use crate::app::Shared;
use crate::error::Problem;
use crate::token::random_name;
use axum::extract::{Path, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use std::collections::VecDeque;
use std::fmt::Write;
use std::sync::{Mutex, PoisonError};
use tsugi::{NodeId, Page};
use tsugi_page::{Namespace, NodeKind};

/// Pages that can be shown at a time, and their size in bytes; the oldest goes.
const MOST: usize = 32;
const MOST_BYTES: usize = 128 << 20;

/// The overlay, and what the elements look like.
const OVERLAY: &str = include_str!("web/overlay.js");
const STYLE: &str = include_str!("web/frame.css");

/// Elements without anything to read.
const SILENT: [&str; 14] = [
    "script", "style", "noscript", "template", "iframe", "object", "embed", "head", "svg", "math", "canvas",
    "audio", "video", "link",
];

/// Elements that keep their name; others become `t-x`.
const KNOWN: [&str; 62] = [
    "a", "abbr", "address", "article", "aside", "b", "big", "blockquote", "body", "br", "button", "caption",
    "center", "cite", "code", "dd", "div", "dl", "dt", "em", "fieldset", "figcaption", "figure", "font",
    "footer", "form", "h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "html", "i", "img", "input",
    "label", "li", "main", "nav", "ol", "option", "p", "pre", "section", "select", "small", "span", "strong",
    "sub", "summary", "sup", "table", "tbody", "td", "textarea", "th", "thead", "tr", "ul",
];

/// The pages that are shown, by name.
#[derive(Debug, Default)]
pub(crate) struct Frames(Mutex<VecDeque<(String, String)>>);

impl Frames {
    /// Keeps a page for a while; returns the name by which it can be asked for. Nobody can guess it.
    pub(crate) fn keep(&self, page: &Page) -> Result<String, Problem> {
        let name = random_name()?;
        let mut frames = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        frames.push_back((name.clone(), tree(page)));
        let is_full = |frames: &VecDeque<(String, String)>| {
            frames.len() > MOST || frames.iter().map(|(_, tree)| tree.len()).sum::<usize>() > MOST_BYTES
        };
        while frames.len() > 1 && is_full(&frames) {
            frames.pop_front();
        }
        Ok(name)
    }

    fn get(&self, name: &str) -> Option<String> {
        let frames = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        frames.iter().find(|(kept, _)| kept == name).map(|(_, tree)| tree.clone())
    }
}

/// Answers with a page that is kept.
pub(crate) async fn frame(State(app): State<Shared>, Path(name): Path<String>) -> Result<Response, Problem> {
    let tree = app.frames.get(&name).ok_or_else(|| Problem::not_found("this page is shown no longer"))?;
    let nonce = random_name()?;
    let policy = format!(
        "sandbox allow-scripts; default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; \
         base-uri 'none'; form-action 'none'; frame-ancestors 'self'"
    );
    let html = format!(
        "<!DOCTYPE html><html lang=\"\"><meta charset=utf-8><title>Page</title><style nonce=\"{nonce}\">{STYLE}</style>\
         <body>{tree}<script nonce=\"{nonce}\">{OVERLAY}</script>"
    );
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CONTENT_SECURITY_POLICY, policy.as_str()),
    ];
    Ok((headers, html).into_response())
}

/// Writes the tree of a page.
fn tree(page: &Page) -> String {
    let mut html = String::new();
    let mut open: Vec<(NodeId, String)> = Vec::new();
    let mut skip = 0;
    for node in page.subtree(NodeId::DOCUMENT) {
        while open.last().is_some_and(|(outer, _)| !page.contains(*outer, node)) {
            close(&mut html, open.pop());
        }
        if node.index() < skip {
            continue;
        }
        match page.kind(node) {
            NodeKind::Text => escape(&mut html, page.data(node)),
            NodeKind::Element
                if SILENT.contains(&page.tag(node)) || page.namespace(node) != Namespace::Html =>
            {
                skip = page.subtree_end(node);
            }
            NodeKind::Element => {
                let name = name(page.tag(node));
                let _ = write!(html, "<t-{name} data-n={}", node.index());
                for kept in ["dir", "lang"] {
                    if let Some(value) = page.attribute(node, kept).filter(|value| is_word(value)) {
                        let _ = write!(html, " {kept}={value}");
                    }
                }
                html.push('>');
                for shown in ["alt", "value", "placeholder"] {
                    let is_shown =
                        matches!((name, shown), ("img", "alt") | ("input", "value" | "placeholder"));
                    if let Some(value) = page.attribute(node, shown).filter(|_| is_shown) {
                        escape(&mut html, value);
                    }
                }
                open.push((node, name.to_owned()));
            }
            _ => {}
        }
    }
    while let Some(last) = open.pop() {
        close(&mut html, Some(last));
    }
    html
}

fn close(html: &mut String, element: Option<(NodeId, String)>) {
    if let Some((_, name)) = element {
        let _ = write!(html, "</t-{name}>");
    }
}

fn name(tag: &str) -> &str {
    KNOWN.binary_search(&tag).map_or("x", |at| KNOWN[at])
}

/// Returns `true` for what needs no quotes: languages and directions.
fn is_word(text: &str) -> bool {
    !text.is_empty() && text.len() <= 35 && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
}

fn escape(html: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '&' => html.push_str("&amp;"),
            '<' => html.push_str("&lt;"),
            '>' => html.push_str("&gt;"),
            c => html.push(c),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree_of(html: &str) -> String {
        tree(&Page::from_text(html, &"https://a.test/".parse().unwrap()))
    }

    #[test]
    fn names_are_sorted_so_that_they_are_found() {
        assert!(KNOWN.is_sorted());
        assert!(KNOWN.iter().all(|known| name(known) == *known));
        assert_eq!(name("blink"), "x");
    }

    #[test]
    fn the_tree_is_that_of_the_page() {
        let page = Page::from_text(
            "<p lang=de>Eins<b>zwei</b><table><td>drei</table>",
            &"https://a.test/".parse().unwrap(),
        );
        let bold = page.first("b").unwrap().index();
        let html = tree(&page);
        assert!(html.contains(&format!("lang=de>Eins<t-b data-n={bold}>zwei</t-b>")), "{html}");
        assert_eq!(html.matches("<t-").count(), html.matches("</t-").count());
    }

    #[test]
    fn nothing_of_a_page_is_markup() {
        for hostile in [
            "<script>alert(1)</script>",
            "<img src=x onerror=alert(1) alt='<script>'>",
            "<svg><script>alert(1)</script></svg>",
            "<a href=javascript:alert(1) lang='x onclick=alert(1)'>x</a>",
            "<input value='<iframe>' autofocus onfocus=alert(1)>",
            "<iframe srcdoc='<script>'></iframe>",
            "<math><mtext><style><img src onerror=alert(1)>",
            "<plaintext><script>",
            "<x-y onclick=alert(1)>",
            "<noscript><p title='</noscript><img src=x onerror=alert(1)>'>",
            "&lt;script&gt;",
        ] {
            let html = tree_of(hostile);
            let mut tags = html.split('<').skip(1);
            assert!(tags.all(|tag| tag.starts_with("t-") || tag.starts_with("/t-")), "{hostile}: {html}");
            assert!(
                !html.contains(" on") && !html.contains("src=") && !html.contains("href="),
                "{hostile}: {html}"
            );
        }
    }
}
