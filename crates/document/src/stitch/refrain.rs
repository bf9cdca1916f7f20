//! Refrains: lines that open several pages on purpose, and what tells them from a site's furniture.

use super::blocks::{LONG, LineRole, PartBlocks};
use crate::document::Document;
use std::collections::BTreeSet;
use tsugi_page::text;

/// Where no refrain is.
const NO_REFRAIN: LineRole = LineRole::HEADING
    .union(LineRole::ITEM)
    .union(LineRole::CAPTION)
    .union(LineRole::PRE)
    .union(LineRole::HEAD_CELL);

/// The weight below which a line with a date or an author's name is a byline.
const BYLINE: usize = 120;

/// The number of words from which a line says something.
const SAYING: usize = 3;

/// The number of words from which a line without a capital or a full stop is a verse.
const VERSE: usize = 4;

/// What a document says about itself, which its pages may repeat.
#[derive(Debug, Default)]
pub(super) struct DocumentFacts {
    /// Title, site and description, folded and in lower case.
    said: BTreeSet<String>,
    own_title: Option<String>,
    title: String,
    authors: Vec<String>,
}

impl DocumentFacts {
    /// `title` is the title element of the first page.
    pub(super) fn of(document: &Document, title: Option<&str>) -> DocumentFacts {
        let title = title.map(key).unwrap_or_default();
        let said = [&document.title, &document.site, &document.description, &document.section];
        DocumentFacts {
            said: said.into_iter().flatten().map(|said| key(said)).collect(),
            own_title: document.title.as_deref().map(key),
            title,
            authors: document.authors.iter().map(|author| key(author)).collect(),
        }
    }

    pub(super) fn is_title(&self, line: &str) -> bool {
        let line = key(line);
        let parts =
            |rest: &str, beside: Option<char>| rest.is_empty() || !beside.is_some_and(char::is_alphanumeric);
        let starts = |rest: &str| parts(rest, rest.trim_start().chars().next());
        let ends = |rest: &str| parts(rest, rest.trim_end().chars().next_back());
        // The title element often has the name of the site before or behind the title.
        !line.is_empty()
            && (self.said.contains(&line)
                || self.title.strip_prefix(line.as_str()).is_some_and(starts)
                || self.title.strip_suffix(line.as_str()).is_some_and(ends))
    }

    /// Returns `true` if a line says the document's title, and nothing else.
    pub(super) fn is_own_title(&self, line: &str) -> bool {
        self.own_title.as_ref().is_some_and(|title| *title == key(line))
    }

    fn has_author(&self, line: &str) -> bool {
        let line = key(line);
        self.authors.iter().any(|author| !author.is_empty() && line.contains(author))
    }
}

fn key(text: &str) -> String {
    text::fold(text).to_lowercase()
}

/// Returns `true` if a line that opens several pages is part of their text: prose among the paragraphs, or a motto, that is
/// neither title, description, byline nor date.
pub(super) fn is_refrain(blocks: &PartBlocks, line: usize, facts: &DocumentFacts) -> bool {
    let block = &blocks.lines[line];
    if block.weight >= LONG || !block.targets.is_empty() || block.leads_to_page || block.is_linked {
        return false;
    }
    if block.within.intersects(NO_REFRAIN) {
        return false;
    }
    let is_in_flow = block.around == blocks.flow;
    let is_set_off =
        block.within.intersects(LineRole::MOTTO) || (is_in_flow && block.within.intersects(LineRole::QUOTE));
    let is_paragraph = || blocks.is_body(line) && is_prose(&block.text);
    if !(is_set_off || is_paragraph()) {
        return false;
    }
    let is_byline = || {
        let has_date = || !tsugi_dates::mentions(&block.text).is_empty();
        block.weight < BYLINE && (facts.has_author(&block.text) || has_date())
    };
    !facts.is_title(&block.text) && !is_byline()
}

/// Returns `true` if a line is a sentence, a greeting or a verse, and no label.
fn is_prose(line: &str) -> bool {
    let bare = line.trim_end().trim_end_matches(|c: char| CLOSING.contains(&c) || c.is_whitespace());
    let Some(end) = bare.chars().next_back() else { return false };
    let words = words(bare);
    if SENTENCE_ENDS.contains(&end) {
        return words >= SAYING;
    }
    if matches!(end, ',' | '，' | '、' | '،') {
        return words >= 2;
    }
    let is_plain =
        |c: char| !(c.is_uppercase() || c.is_numeric() || matches!(c, '|' | '·' | '•' | '/' | ':'));
    words >= VERSE && bare.chars().any(char::is_lowercase) && bare.chars().all(is_plain)
}

/// Marks at the end of a sentence.
pub(super) const SENTENCE_ENDS: [char; 14] =
    ['.', '!', '?', '…', '。', '！', '？', '．', '۔', '؟', '।', '።', '‽', ';'];

/// Marks that may follow the end of a sentence.
pub(super) const CLOSING: [char; 14] =
    ['"', '\'', '”', '’', '»', '«', ')', '）', ']', '」', '』', '“', '›', '】'];

/// Returns the number of words; two characters of a script without spaces count as one.
fn words(text: &str) -> usize {
    let cjk = text.chars().filter(|c| text::is_cjk(*c)).count();
    let spaced = text.split(|c: char| c.is_whitespace() || text::is_cjk(c));
    cjk / 2 + spaced.filter(|word| word.chars().any(char::is_alphanumeric)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prose_is_told_from_labels() {
        for line in [
            "The bell rings twice, and nobody answers.",
            "Dear readers,",
            "“Nothing is ever lost.”",
            "and the wind goes on",
            "鐘が二度鳴り、誰も答えない。",
            "Колокол звонит дважды, и никто не отвечает.",
            "घंटी दो बार बजती है।",
            "الجرس يدق مرتين ولا أحد يجيب؟",
        ] {
            assert!(is_prose(line), "{line}");
        }
        for line in [
            "By Ann",
            "Share",
            "Special Report",
            "Features | News",
            "News.",
            "Page 2 of 3",
            "特集",
            "filed under: news and more",
            "",
            "…",
        ] {
            assert!(!is_prose(line), "{line}");
        }
    }
}
