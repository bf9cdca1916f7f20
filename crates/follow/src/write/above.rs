//! What stands above the text of a document: title and byline.

use crate::document::Document;
use tsugi_page::text;

/// Returns the title, unless the text begins with it. A kicker, a date or a path to the page may stand before it.
pub(super) fn title_above(document: &Document) -> Option<&str> {
    /// Lines that the title may be among.
    const BEGIN: usize = 4;
    let title = document.title.as_deref()?;
    let folded = text::fold(title);
    let stands = document.text.lines().take(BEGIN).any(|line| text::fold(line) == folded);
    (!stands).then_some(title)
}

/// Returns authors and day of publication where the title stands above the text, and the text does not soon name
/// an author.
pub(super) fn byline_above(document: &Document) -> Option<String> {
    /// How many characters of a text its byline may be in.
    const SOON: usize = 600;
    title_above(document)?;
    let begin: String = document.text.chars().take(SOON).collect();
    let is_named = document.authors.iter().any(|author| begin.contains(author.as_str()));
    if document.authors.is_empty() || is_named {
        return None;
    }
    let day = document.published.as_deref().and_then(|date| date.get(.."2024-05-01".len()));
    let day = day.map(|day| format!(" · {day}")).unwrap_or_default();
    Some(document.authors.join(", ") + &day)
}
