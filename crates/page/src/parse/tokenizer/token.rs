//! What a page is split into, and what takes it.

use super::attributes::TagAttributes;
use super::names::Name;
use crate::tags::Tag;
use markup5ever::LocalName;
use std::borrow::Cow;

/// How deep inside a script its text is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Escape {
    None,
    /// After `<!--`.
    Comment,
    /// After `<script` in there.
    Script,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum State {
    Data,
    /// Text with character references, up to an end tag: `title`, `textarea`.
    Rcdata,
    /// Text up to an end tag: `style`, `iframe`.
    Rawtext,
    /// A script, up to its end tag.
    Script(Escape),
    /// Text up to the end of the page.
    Plaintext,
    /// Text up to `]]>`.
    Cdata,
}

/// A start tag or an end tag.
pub(crate) struct TagToken<'p> {
    pub(crate) is_start: bool,
    pub(crate) name: LocalName,
    pub(crate) tag: Tag,
    pub(crate) is_self_closing: bool,
    pub(crate) attributes: TagAttributes<'p>,
}

impl TagToken<'_> {
    pub(crate) fn set_name(&mut self, name: Name) {
        (self.tag, self.name) = (name.tag, name.atom);
    }
}

/// What a page is split for.
pub(crate) trait Receiver {
    fn text(&mut self, text: &str);

    /// Takes a U+0000 in a text, whose treatment depends on the element.
    fn null(&mut self);

    /// Takes a tag, and returns what comes after it. What it leaves of the attributes is dropped.
    fn tag(&mut self, token: &mut TagToken<'_>) -> State;

    fn comment(&mut self, text: &str);

    fn doctype(&mut self, doctype: &DoctypeToken<'_>);

    fn end(&mut self);

    /// Returns `true` within SVG and `MathML`.
    fn is_in_foreign_content(&self) -> bool;

    fn is_full(&self) -> bool {
        false
    }

    /// Is called before a token with a control character that was written as a reference.
    fn expects_control(&mut self) {}
}

#[derive(Debug, Default)]
pub(crate) struct DoctypeToken<'p> {
    pub(crate) name: Option<Cow<'p, str>>,
    pub(crate) public: Option<Cow<'p, str>>,
    pub(crate) system: Option<Cow<'p, str>>,
    pub(crate) forces_quirks: bool,
}
