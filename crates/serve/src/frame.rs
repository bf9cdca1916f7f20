//! A page of another site, as a browser may show it: its own tree, with elements of our own names.
//!
//! Every element becomes `t-NAME`, which means nothing to a browser: no image loads, no link leads anywhere, no form sends.
//! Of the attributes only directions and languages are copied. Classes, ids and inline styles get names that mean nothing; the
//! overlay gives them their meaning back if somebody wants to see the page as its site shows it, with style sheets that have
//! lost their addresses, and with pictures that come as bytes (`annotate::site_style`). Every text is a `t-t`, so that it can be
//! marked alone.
//!
//! The browser's parser moves no such element, so the tree and the numbers of nodes are those that the models saw. The policy
//! of the answer is the second wall: an opaque origin, and one nonce, for our overlay. The policy of the parent page is the
//! third.
//!
//! Two pages show frames, that of the explainer and that of the annotator. So this module is outside `annotate`, which may
//! then go without the explainer losing anything.

use crate::app::SharedApp;
use crate::error::ApiError;
use crate::token::random_name;
use axum::extract::{Path, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use std::collections::VecDeque;
use std::fmt::Write;
use std::sync::Mutex;
use tsugi::Page;
use tsugi::page::NodeId;
use tsugi::page::{Namespace, NodeKind, escaped};
use tsugi::pipeline::locked;

/// The most pages that can be shown at a time, and their size in bytes. The oldest are dropped.
const MOST: usize = 32;
const MOST_BYTES: usize = 128 << 20;

const OVERLAY: &str = include_str!("web/overlay.js");
const STYLE: &str = include_str!("web/frame.css");

/// Elements without text for readers.
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

#[derive(Debug)]
struct Frame {
    name: String,
    html: String,
}

/// The pages that can be shown, the latest last.
#[derive(Debug, Default)]
pub(crate) struct Frames(Mutex<VecDeque<Frame>>);

impl Frames {
    /// Keeps a page for a while. Returns the name by which a browser gets it. Nobody can guess the name.
    pub(crate) fn keep(&self, page: &Page) -> Result<String, ApiError> {
        let (name, html) = (random_name()?, tree(page));
        let mut frames = locked(&self.0);
        frames.push_back(Frame { name: name.clone(), html });
        // A page larger than the limit is shown all the same.
        while frames.len() > 1
            && (frames.len() > MOST
                || frames.iter().map(|frame| frame.html.len()).sum::<usize>() > MOST_BYTES)
        {
            frames.pop_front();
        }
        Ok(name)
    }

    fn get(&self, name: &str) -> Option<String> {
        locked(&self.0).iter().find(|frame| frame.name == name).map(|frame| frame.html.clone())
    }
}

pub(crate) async fn frame(
    State(app): State<SharedApp>,
    Path(name): Path<String>,
) -> Result<Response, ApiError> {
    let tree = app.frames.get(&name).ok_or_else(|| ApiError::not_found("this page is shown no longer"))?;
    let nonce = random_name()?;
    let policy = format!(
        "sandbox allow-scripts; default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; img-src blob:; \
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

fn tree(page: &Page) -> String {
    let mut html = String::new();
    let mut open: Vec<(NodeId, &str)> = Vec::new();
    let mut skip = 0;
    for node in page.subtree(NodeId::DOCUMENT) {
        while let Some((_, name)) = open.pop_if(|(outer, _)| !page.contains(*outer, node)) {
            close(&mut html, name);
        }
        if node.index() < skip {
            continue;
        }
        match page.kind(node) {
            NodeKind::Text if page.data(node).trim().is_empty() => html.push_str(page.data(node)),
            NodeKind::Text => {
                let _ = write!(html, "<t-t data-t={}>{}</t-t>", node.index(), escaped(page.data(node)));
            }
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
                for kept in ["class", "id", "style"] {
                    if let Some(value) = page.attribute(node, kept).filter(|value| !value.is_empty()) {
                        let _ = write!(html, " data-{kept}=\"{}\"", escaped(value));
                    }
                }
                html.push('>');
                let shown: &[&str] = match name {
                    "img" => &["alt"],
                    "input" => &["value", "placeholder"],
                    _ => &[],
                };
                for value in shown.iter().filter_map(|shown| page.attribute(node, shown)) {
                    html.push_str(&escaped(value));
                }
                open.push((node, name));
            }
            _ => {}
        }
    }
    for (_, name) in open.into_iter().rev() {
        close(&mut html, name);
    }
    html
}

fn close(html: &mut String, name: &str) {
    let _ = write!(html, "</t-{name}>");
}

fn name(tag: &str) -> &str {
    KNOWN.binary_search(&tag).map_or("x", |at| KNOWN[at])
}

/// Returns `true` for languages and directions: they need no quotes.
fn is_word(text: &str) -> bool {
    !text.is_empty() && text.len() <= 35 && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
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
        let (one, two) = (bold - 1, bold + 1);
        let marked = format!(
            "lang=de><t-t data-t={one}>Eins</t-t><t-b data-n={bold}><t-t data-t={two}>zwei</t-t></t-b>"
        );
        assert!(html.contains(&marked), "{html}");
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
            "<p class='\"><img src=x onerror=alert(1)>' id='&quot; onclick=alert(1) x=&quot;' style='\"><script>'>",
        ] {
            let html = tree_of(hostile);
            // What an attribute holds is no markup: it ends at the next quote.
            let html: String = html.split('"').step_by(2).collect();
            let mut tags = html.split('<').skip(1);
            assert!(tags.all(|tag| tag.starts_with("t-") || tag.starts_with("/t-")), "{hostile}: {html}");
            assert!(
                !html.contains(" on") && !html.contains("src=") && !html.contains("href="),
                "{hostile}: {html}"
            );
        }
    }
}
