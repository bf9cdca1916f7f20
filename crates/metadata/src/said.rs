//! A value, and where a page says it.

/// What a page says of itself, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said<T> {
    /// What it says.
    pub value: T,
    /// Where it says so.
    pub by: Source,
}

impl<T> Said<T> {
    pub(crate) fn new(value: T, by: Source) -> Said<T> {
        Said { value, by }
    }
}

/// Where a page says something of itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Source {
    /// JSON-LD with the types of schema.org.
    JsonLd,
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
    /// A byline: an element near the headline whose class says so, or a line that begins with such a word.
    Byline,
    /// Text near the headline.
    Text,
    /// The page's address.
    Address,
    /// The `lang` attribute of the document.
    Lang,
    /// A `link` element.
    Link,
    /// The language of the words of its text.
    Words,
}

impl Source {
    /// The word that stands for it in output.
    pub fn as_str(self) -> &'static str {
        match self {
            Source::JsonLd => "json-ld",
            Source::Meta => "meta",
            Source::Markup => "markup",
            Source::Heading => "heading",
            Source::TitleElement => "title",
            Source::Time => "time",
            Source::Byline => "byline",
            Source::Text => "text",
            Source::Address => "address",
            Source::Lang => "lang",
            Source::Link => "link",
            Source::Words => "words",
        }
    }
}
