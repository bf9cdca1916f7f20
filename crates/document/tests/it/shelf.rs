//! A few pages, and the sequence that their links make.

use std::collections::BTreeMap;
use tsugi_document::{Document, Format, Part, Reassembly, Shown, StopReason, Stopped, stitch};
use tsugi_page::{Content, Evidence, NextLink, Page, Relation, Url};

pub(crate) fn url(text: &str) -> Url {
    text.parse().unwrap()
}

/// Pages by address.
#[derive(Default)]
pub(crate) struct PageShelf(BTreeMap<String, String>);

impl PageShelf {
    pub(crate) fn page(mut self, at: &str, html: &str) -> Self {
        self.0.insert(at.to_owned(), html.to_owned());
        self
    }

    /// Joins the pages from `https://a.test/1` on.
    pub(crate) fn document(&self) -> Document {
        stitch(joined(self, "https://a.test/1", Shown::default()))
    }
}

/// Joins pages whose main content is given; the rest of each page may stand behind it.
pub(crate) fn document_shown(contents: &[&str], shown: Shown) -> Document {
    let mut shelf = PageShelf::default();
    for (index, content) in contents.iter().enumerate() {
        let html = format!("<main>{content}</main><a rel=next href={}>", index + 2);
        shelf = shelf.page(&format!("https://a.test/{}", index + 1), &html);
    }
    stitch(joined(&shelf, "https://a.test/1", shown))
}

pub(crate) fn document(contents: &[&str]) -> Document {
    document_shown(contents, Shown::default())
}

#[track_caller]
pub(crate) fn assert_has(text: &str, part: &str) {
    assert!(text.contains(part), "no `{part}` in {text}");
}

pub(crate) fn write(document: &Document, format: Format) -> String {
    let mut bytes = Vec::new();
    document.write(format, &mut bytes).unwrap();
    String::from_utf8(bytes).unwrap()
}

/// Returns the page at `start`, and those that the first `<a rel=next>` of each leads to: to a chapter if the link has
/// `data-chapter`. The content is every outermost `main`.
pub(crate) fn joined(shelf: &PageShelf, start: &str, shown: Shown) -> Reassembly {
    let mut parts = Vec::new();
    let mut wanted = Some(url(start));
    while let Some(at) = wanted.take() {
        let Some(html) = shelf.0.get(at.as_str()) else { break };
        let page = Page::from_text(html, &at);
        let next = page.elements().find(|id| page.is(*id, "a") && page.attribute(*id, "rel") == Some("next"));
        let next = next.and_then(|node| {
            let is_chapter = page.attribute(node, "data-chapter").is_some();
            let relation = if is_chapter { Relation::Chapter } else { Relation::Page };
            let url = page.resolve(page.attribute(node, "href")?)?;
            Some(NextLink { url, node, relation, score: 0.9, evidence: Evidence::Markup })
        });
        wanted = next.as_ref().map(|next| next.url.clone());
        let nodes = page.elements().filter(|id| page.is(*id, "main")).collect();
        let content =
            Content { nodes: page.outermost(nodes), score: 1.0, ..Content::nothing(Evidence::Model) };
        let (by, score) = if parts.is_empty() { ("start", 1.0) } else { ("rel", 0.9) };
        parts.push(Part { score, next, ..Part::of(page, content, by) });
    }
    let last = parts.last().map_or_else(|| url(start), |part: &Part| part.page.url().clone());
    let stopped = Stopped::new(StopReason::NoNext, last, "no next-page link found");
    Reassembly { parts, stopped, tried: Vec::new(), warnings: Vec::new(), shown }
}
