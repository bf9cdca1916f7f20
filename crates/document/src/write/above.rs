//! The title and the byline above a document.

use crate::document::Document;
use tsugi_page::text;

/// Returns the title, unless the first page begins with it. A kicker, a date or a breadcrumb trail may come before it.
pub(super) fn title_above(document: &Document) -> Option<&str> {
    document.title.as_deref().filter(|title| !begins_with(document, 0, title))
}

/// Returns the title of the chapter that begins with a page, unless the page begins with it, or the title of the document says
/// it above.
pub(super) fn chapter_above(document: &Document, index: usize) -> Option<&str> {
    let chapter = document.pages.get(index)?.chapter.as_deref()?;
    let is_title = index == 0 && document.title.as_deref() == Some(chapter);
    (!is_title && !begins_with(document, index, chapter)).then_some(chapter)
}

fn begins_with(document: &Document, index: usize, title: &str) -> bool {
    const BEGIN: usize = 4;
    let folded = text::fold(title);
    let text = document.page_text(index).unwrap_or_default();
    text.lines().take(BEGIN).any(|line| text::fold(line) == folded)
}

/// Returns the authors and the day of publication, if the title is written above the text and the text does not soon name
/// them.
pub(super) fn byline_above(document: &Document) -> Option<String> {
    /// The beginning of the text that may have a byline, in characters.
    const SOON: usize = 600;
    title_above(document)?;
    let begin = beginning(document, SOON);
    let is_named = document.authors.iter().any(|author| begin.contains(author.as_str()));
    let authors = (!document.authors.is_empty() && !is_named).then(|| document.authors.join(", "));
    let day = document.published.as_deref().and_then(|date| date.get(.."2024-05-01".len()));
    let is_dated = || {
        let mentions = tsugi_dates::mentions(&begin);
        mentions
            .iter()
            .filter_map(|mention| mention.when)
            .any(|when| Some(when.day.to_string().as_str()) == day)
    };
    let day = day.filter(|_| !is_dated()).map(str::to_owned);
    let parts: Vec<String> = [authors, day].into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join(" · "))
}

fn beginning(document: &Document, characters: usize) -> String {
    document.page_text(0).unwrap_or_default().chars().take(characters).collect()
}
