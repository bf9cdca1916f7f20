//! A value with its source on the page.

/// A value that a page states, with its source.
#[derive(Debug, Clone, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Said<T> {
    /// The value.
    pub value: T,
    /// Where the page states it.
    pub by: Source,
}

impl<T> Said<T> {
    pub(crate) fn new(value: T, by: Source) -> Said<T> {
        Said { value, by }
    }
}

/// The part of a page that states a value.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize), serde(rename_all = "kebab-case"))]
pub enum Source {
    /// JSON-LD with the types of schema.org.
    JsonLd,
    /// JSON-LD that names an organisation, or the site itself, as the author; no person is named.
    Organisation,
    /// A `meta` element.
    Meta,
    /// An attribute of microdata (`itemprop`) or of a link (`rel`), or a class of microformats.
    Markup,
    /// A heading.
    Heading,
    /// The `title` element.
    TitleElement,
    /// A `time` element near the headline.
    Time,
    /// A byline: an element near the headline with such a class, or a line that begins with a byline word.
    Byline,
    /// Text near the headline, or elsewhere if a label or the markup says what it is.
    Text,
    /// Data for scripts.
    Script,
    /// The page's address.
    Address,
    /// The `lang` attribute of the document.
    Lang,
    /// A `link` element.
    Link,
    /// The language detected in the page's text.
    Words,
    /// A rule for the site.
    Rule,
}

impl Source {
    /// Returns the name of the source in output.
    pub fn as_str(self) -> &'static str {
        match self {
            Source::JsonLd => "json-ld",
            Source::Organisation => "organisation",
            Source::Meta => "meta",
            Source::Markup => "markup",
            Source::Heading => "heading",
            Source::TitleElement => "title",
            Source::Time => "time",
            Source::Byline => "byline",
            Source::Text => "text",
            Source::Script => "script",
            Source::Address => "address",
            Source::Lang => "lang",
            Source::Link => "link",
            Source::Words => "words",
            Source::Rule => "rule",
        }
    }
}
