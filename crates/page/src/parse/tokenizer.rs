//! Splits a page into tags, texts, comments and doctypes, as browsers do (HTML, section 13.2.5).
//!
//! A decoded page is one complete text. So one function does the work of several of the standard's states: it finds the end
//! of a text, a value or a comment, and takes everything before. Tokens are parts of the page, unless they contain
//! references to characters.
//!
//! html5ever's own tokenizer took a third of a scan. It reads characters from a queue of pieces that may grow, and compares
//! each attribute of a tag with all before it. html5lib's tests and html5ever's tokenizer (feature `oracle`) check every
//! token of this one.
//!
//! Tokens go to a [`Receiver`], which asks for another [`State`] after some start tags. Parse errors are not reported.
//!
//! # Cost
//!
//! Linear in the length of the page, whatever its content. The attributes of a tag ([`TagAttributes`]) and the names that
//! HTML does not know ([`NameCache`]) are limited, because their cost grows faster than their number.

mod attributes;
mod declaration;
mod input;
mod names;
mod raw;
mod reference;
mod tag;
mod text;
mod token;

pub(super) use self::attributes::{MAX_ATTRIBUTES, TagAttribute, TagAttributes};
use self::input::Input;
pub(crate) use self::input::prepared;
pub(crate) use self::names::Name;
use self::names::NameCache;
pub(crate) use self::token::{DoctypeToken, Escape, Receiver, State, TagToken};
use crate::tags::Tag;
use markup5ever::LocalName;

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Exceeded {
    pub(crate) attributes: bool,
    pub(crate) names: bool,
}

pub(crate) struct Tokenizer<'p, S> {
    input: Input<'p>,
    state: State,
    /// The name of the last start tag, whose end tag ends raw text.
    last_start: LocalName,
    /// The tag that is read.
    token: TagToken<'p>,
    exceeds_attributes: bool,
    names: NameCache,
    sink: &'p mut S,
}

impl<'p, S: Receiver> Tokenizer<'p, S> {
    pub(crate) fn new(page: &'p str, sink: &'p mut S) -> Self {
        Tokenizer {
            input: Input::new(page),
            state: State::Data,
            last_start: LocalName::default(),
            token: TagToken {
                is_start: true,
                name: LocalName::default(),
                tag: Tag::None,
                is_self_closing: false,
                attributes: TagAttributes::default(),
            },
            exceeds_attributes: false,
            names: NameCache::default(),
            sink,
        }
    }

    #[cfg(feature = "oracle")]
    pub(crate) fn starting_in(self, state: State, last_start: &str) -> Self {
        Tokenizer { state, last_start: LocalName::from(last_start), ..self }
    }

    pub(crate) fn run(mut self) -> Exceeded {
        while !self.input.is_at_end() && !self.sink.is_full() {
            match self.state {
                State::Data => {
                    self.text();
                    if self.input.eat(b'<') {
                        self.markup();
                    }
                }
                State::Rcdata | State::Rawtext | State::Script(_) => self.raw(),
                State::Plaintext => self.plaintext(),
                State::Cdata => self.cdata(),
            }
        }
        self.sink.end();
        Exceeded { attributes: self.exceeds_attributes, names: self.names.exceeded }
    }

    fn markup(&mut self) {
        match self.input.peek() {
            Some(byte) if byte.is_ascii_alphabetic() => self.tag(true),
            Some(b'/') => {
                self.input.at += 1;
                self.end_tag();
            }
            Some(b'!') => {
                self.input.at += 1;
                self.declaration();
            }
            Some(b'?') => self.bogus_comment(),
            _ => self.sink.text("<"),
        }
    }

    fn end_tag(&mut self) {
        match self.input.peek() {
            Some(byte) if byte.is_ascii_alphabetic() => self.tag(false),
            Some(b'>') => self.input.at += 1,
            Some(_) => self.bogus_comment(),
            None => self.sink.text("</"),
        }
    }

    fn declaration(&mut self) {
        const CDATA: &[u8] = b"[CDATA[";
        if self.input.eat_word("--") {
            self.comment();
        } else if self.input.eat_word("doctype") {
            self.doctype();
        } else if self.input.rest().starts_with(CDATA) && self.sink.is_in_foreign_content() {
            // Only SVG and MathML have CDATA sections.
            self.input.at += CDATA.len();
            self.state = State::Cdata;
        } else {
            self.bogus_comment();
        }
    }

    fn emit_text(&mut self, text: &str) {
        if !text.is_empty() {
            self.sink.text(text);
        }
    }
}
