//! What becomes of links in the HTML of feeds: they stay, go, or move to the end.

use crate::error::ApiError;
use std::fmt::Write;

/// The parameter `links` of Full-Text RSS.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LinkTreatment {
    Preserve,
    /// Numbers in the text, addresses below it.
    Footnotes,
    /// The words of links stay.
    Remove,
}

impl LinkTreatment {
    pub(crate) fn of(word: Option<&str>) -> Result<LinkTreatment, ApiError> {
        match word {
            None | Some("preserve") => Ok(LinkTreatment::Preserve),
            Some("footnotes") => Ok(LinkTreatment::Footnotes),
            Some("remove") => Ok(LinkTreatment::Remove),
            Some(word) => Err(ApiError::bad(format!(
                "`links` is `{word}`, expected `preserve`, `footnotes` or `remove`"
            ))),
        }
    }

    /// Treats the links of HTML that our own writer wrote: its tags are closed, and `<` occurs in tags alone.
    pub(crate) fn treat(self, html: &str) -> String {
        if self == LinkTreatment::Preserve {
            return html.to_owned();
        }
        let (mut treated, mut addresses) = (String::with_capacity(html.len()), Vec::new());
        let (mut rest, mut open) = (html, None);
        while let Some(at) = rest.find('<') {
            let (before, tag) = rest.split_at(at);
            treated.push_str(before);
            let end = end_of_tag(tag);
            let (tag, after) = tag.split_at(end);
            rest = after;
            if tag.starts_with("<a ") || tag == "<a>" {
                open = address(tag);
            } else if tag == "</a>" {
                if let Some(address) = open.take().filter(|_| self == LinkTreatment::Footnotes) {
                    addresses.push(address);
                    let _ = write!(treated, " <sup>[{}]</sup>", addresses.len());
                }
            } else {
                treated.push_str(tag);
            }
        }
        treated.push_str(rest);
        if !addresses.is_empty() {
            treated.push_str("<ol>");
            for address in addresses {
                let _ = write!(treated, "<li><a href=\"{address}\">{address}</a></li>");
            }
            treated.push_str("</ol>");
        }
        treated
    }
}

/// Returns where a tag ends: behind the first `>` outside of quotes.
fn end_of_tag(tag: &str) -> usize {
    let mut is_quoted = false;
    for (at, byte) in tag.bytes().enumerate() {
        match byte {
            b'"' => is_quoted = !is_quoted,
            b'>' if !is_quoted => return at + 1,
            _ => {}
        }
    }
    tag.len()
}

/// Returns the address of a link, escaped as it is. Links within the page are none.
fn address(tag: &str) -> Option<&str> {
    let (_, value) = tag.split_once("href=\"")?;
    value.split('"').next().filter(|address| !address.is_empty() && !address.starts_with('#'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_stay_go_or_move_to_the_end() {
        let html = "<p>See <a href=\"https://a.test/?a=1&amp;b=2\" title=\"a > b\">the <b>mill</b></a> and <a href=\"#n1\">1</a>.</p>";
        let treated = |word| LinkTreatment::of(Some(word)).unwrap().treat(html);
        assert_eq!(treated("preserve"), html);
        assert_eq!(treated("remove"), "<p>See the <b>mill</b> and 1.</p>");
        assert_eq!(
            treated("footnotes"),
            "<p>See the <b>mill</b> <sup>[1]</sup> and 1.</p>\
             <ol><li><a href=\"https://a.test/?a=1&amp;b=2\">https://a.test/?a=1&amp;b=2</a></li></ol>"
        );
        assert!(LinkTreatment::of(Some("drop")).is_err());
        assert_eq!(LinkTreatment::Remove.treat("<a href=\"x"), "");
    }
}
