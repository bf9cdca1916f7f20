//! CSS selection.
//!
//! `simplecss` parses and matches; this is CSS 2.1's selectors with child, descendant and adjacent
//! combinators, attribute tests and `:first-child`. Lists (`a, b`) are ours.

use crate::page::{NodeId, Page};
use simplecss::{AttributeOperator, Element, PseudoClass};

/// Longest selector list, in bytes.
const MAX_LENGTH: usize = 4 * 1024;

/// Why a selector cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SelectorError {
    /// The text is no selector that we know.
    #[error("`{0}` is no CSS 2.1 selector")]
    Syntax(String),
    /// The text is too long.
    #[error("a selector of {0} bytes; at most {MAX_LENGTH} are read")]
    TooLong(usize),
}

impl Page {
    /// Returns the elements that a selector list matches, in document order.
    ///
    /// # Errors
    ///
    /// [`SelectorError`] where the list cannot be read.
    ///
    /// # Examples
    ///
    /// ```
    /// use tsugi_page::Page;
    /// let page = Page::from_text("<div id=a><p class='x y'>", &"https://a.test/".parse().unwrap());
    /// assert_eq!(page.select("#a > p.y, h1")?, [page.first("p").unwrap()]);
    /// # Ok::<(), tsugi_page::SelectorError>(())
    /// ```
    pub fn select(&self, selectors: &str) -> Result<Vec<NodeId>, SelectorError> {
        if selectors.len() > MAX_LENGTH {
            return Err(SelectorError::TooLong(selectors.len()));
        }
        let mut parsed = Vec::new();
        for text in split_list(selectors) {
            let syntax = || SelectorError::Syntax(text.trim().to_owned());
            if text.trim().is_empty() {
                return Err(syntax());
            }
            parsed.push(simplecss::Selector::parse(text.trim()).ok_or_else(syntax)?);
        }
        let matches = |id: &NodeId| {
            let element = Cursor { page: self, id: *id };
            parsed.iter().any(|selector| selector.matches(&element))
        };
        Ok(self.elements().filter(matches).collect())
    }
}

/// Splits at commas that stand in no brackets and no quotes.
fn split_list(selectors: &str) -> Vec<&str> {
    let (mut parts, mut start, mut quote, mut depth) = (Vec::new(), 0, None, 0_i32);
    for (at, c) in selectors.char_indices() {
        match (quote, c) {
            (Some(open), c) if c == open => quote = None,
            (None, '"' | '\'') => quote = Some(c),
            (None, '[' | '(') => depth += 1,
            (None, ']' | ')') => depth -= 1,
            (None, ',') if depth == 0 => {
                parts.push(&selectors[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&selectors[start..]);
    parts
}

#[derive(Clone, Copy)]
struct Cursor<'a> {
    page: &'a Page,
    id: NodeId,
}

impl Element for Cursor<'_> {
    fn parent_element(&self) -> Option<Self> {
        let id = self.page.parent(self.id).filter(|id| self.page.is_element(*id))?;
        Some(Cursor { id, ..*self })
    }

    fn prev_sibling_element(&self) -> Option<Self> {
        let mut siblings =
            std::iter::successors(self.page.previous_sibling(self.id), |id| self.page.previous_sibling(*id));
        let id = siblings.find(|id| self.page.is_element(*id))?;
        Some(Cursor { id, ..*self })
    }

    fn has_local_name(&self, name: &str) -> bool {
        self.page.tag(self.id).eq_ignore_ascii_case(name)
    }

    fn attribute_matches(&self, name: &str, operator: AttributeOperator<'_>) -> bool {
        let mut attributes = self.page.attributes(self.id);
        attributes.any(|(held, value)| held.eq_ignore_ascii_case(name) && operator.matches(value))
    }

    fn pseudo_class_matches(&self, class: PseudoClass<'_>) -> bool {
        match class {
            PseudoClass::FirstChild => self.prev_sibling_element().is_none(),
            PseudoClass::Link => self.page.is(self.id, "a") && self.page.attribute(self.id, "href").is_some(),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn selectors_of_rules_match() {
        let html = "<div id=main class='c d'><p>1</p><section><p title='x,y'>2</p></section></div><p>3</p>";
        let page = Page::from_text(html, &"https://a.test/".parse().unwrap());
        let texts = |selectors: &str| {
            let found = page.select(selectors).unwrap();
            found.into_iter().map(|id| page.text(id)).collect::<Vec<_>>()
        };
        assert_eq!(texts("div.d > p"), ["1"]);
        assert_eq!(texts("#main * p"), ["2"], "YIY's pattern: a descendant, no child");
        assert_eq!(texts("#main p"), ["1", "2"]);
        assert_eq!(texts("DIV + P, [title=\"x,y\"]"), ["2", "3"]);
        assert_eq!(texts("p:first-child"), ["1", "2"]);
        assert!(texts(".none").is_empty());
    }

    #[test]
    fn bad_selectors_are_errors() {
        let page = Page::from_text("<p>", &"https://a.test/".parse().unwrap());
        for bad in ["", "p,", "p >", "[x", "p:nth-child(2)", "@media"] {
            assert!(page.select(bad).is_err(), "{bad}");
        }
        assert!(page.select(&"p,".repeat(4000)).is_err());
    }

    proptest::proptest! {
        #[test]
        fn any_selector_is_read_or_refused(text in "([a-z#.>+*,:\\[\\]=\"'() ]|first-child|\\\\){0,24}") {
            let page = Page::from_text("<div id=a class=b><p>", &"https://a.test/".parse().unwrap());
            let _ = page.select(&text);
        }
    }
}
