//! Markdown of real pages, read by another program, says what their text says.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use std::collections::BTreeMap;
use std::path::Path;
use tsugi::chains::chains;
use tsugi::page::NodeId;
use tsugi::{Archive, Document, Fetch, JoinOptions, Page, Tsugi, Url};

/// The words of a text, and how often it has each. Signs are written in other ways by each format: powers, notes, deletions.
fn words(text: &str) -> BTreeMap<String, usize> {
    let mut words: BTreeMap<String, usize> = BTreeMap::new();
    let text = text.replace("~~", "").replace('ⁿ', "^n").replace('ⁱ', "^i");
    for word in text.split(|c: char| !c.is_alphabetic()).filter(|word| !word.is_empty()) {
        *words.entry(word.to_lowercase()).or_default() += 1;
    }
    words
}

/// The text of Markdown as a reader sees it; markup in it is read as HTML.
fn shown(markdown: &str) -> String {
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_FOOTNOTES;
    let (mut text, mut markup, mut images) = (String::new(), String::new(), 0);
    for event in Parser::new_ext(markdown, options) {
        let event = match event {
            Event::InlineHtml(html) if ["<sup>", "</sup>", "<sub>", "</sub>", "<br>"].contains(&&*html) => {
                text.push('\n');
                continue;
            }
            Event::Html(html) | Event::InlineHtml(html) => {
                markup.push_str(&html);
                continue;
            }
            event => event,
        };
        text.push_str(&text_of(&std::mem::take(&mut markup)));
        match event {
            Event::Start(Tag::Image { .. }) => images += 1,
            Event::End(TagEnd::Image) => images -= 1,
            Event::Text(words) | Event::Code(words) if images == 0 => text.push_str(&words),
            Event::SoftBreak | Event::HardBreak | Event::Start(_) | Event::End(_) => {
                let is_inline = matches!(
                    event,
                    Event::Start(Tag::Emphasis | Tag::Strong | Tag::Strikethrough | Tag::Link { .. })
                        | Event::End(
                            TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough | TagEnd::Link
                        )
                );
                if !is_inline {
                    text.push('\n');
                }
            }
            _ => {}
        }
    }
    text + &text_of(&markup)
}

fn text_of(markup: &str) -> String {
    if markup.is_empty() {
        return String::new();
    }
    let page = Page::from_text(markup, &"https://a.test/".parse().unwrap());
    page.text(NodeId::DOCUMENT)
}

/// Lists the words that a document's text has and its Markdown does not show.
fn lost(document: &Document) -> Vec<String> {
    let shown = words(&shown(&document.markdown()));
    let lacks = |(word, count): &(String, usize)| shown.get(word).is_none_or(|shown| shown < count);
    words(&document.text).into_iter().filter(lacks).map(|(word, _)| word).collect()
}

/// Joins every fifth page of real sites with at most so many of its next ones, and visits the documents.
pub(crate) fn real_documents(pages: usize, mut visit: impl FnMut(&Url, &Document)) {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let tsugi = Tsugi::new();
    for set in ["sites", "crawls", "docs", "metadata", "paged", "wcxb"] {
        let archive = Archive::open(&data.join(set).join("pages.warc.gz")).unwrap();
        // Every page of these would take minutes.
        let urls: Vec<_> = archive.urls().step_by(5).cloned().collect();
        let get = |url: &Url| archive.fetch(url).map_err(|error| error.into_unavailable(url));
        let options = JoinOptions::default().max_pages(pages);
        chains(&tsugi, &urls, &options, get, |url, joined| {
            if let Ok(joined) = joined {
                visit(url, &joined.into_document());
            }
            Ok::<(), ()>(())
        })
        .unwrap();
    }
}

#[test]
#[ignore = "needs the pages in ../shared/data"]
fn markdown_loses_no_word_of_real_documents() {
    let (mut documents, mut failures) = (0, Vec::new());
    real_documents(2, |url, document| {
        let mut lost = lost(document);
        // Links back from a note to several references go: `a b c`.
        lost.retain(|word| !matches!(word.as_bytes(), [b'a'..=b'z']));
        documents += 1;
        if !lost.is_empty() {
            failures.push(format!("{url}: {}", lost.join(" ")));
        }
    });
    assert!(failures.is_empty(), "{} of {documents}:\n{}", failures.len(), failures.join("\n"));
}
