//! Splits a page into tags, texts, comments and doctypes, as browsers do (HTML, section 13.2.5).
//!
//! A decoded page is one complete text. So one function does the work of several of the standard's states: it finds the end
//! of a text, a value or a comment, and takes everything before. Tokens share the memory of the page, unless they contain
//! references to characters.
//!
//! html5ever's own tokenizer took a third of a scan. It reads characters from a queue of pieces that may grow, and compares
//! each attribute of a tag with all before it. html5lib's tests and html5ever's tokenizer (feature `oracle`) check every
//! token of this one.
//!
//! Tokens go to html5ever's tree builder, which asks for another [`State`] after some start tags. Parse errors are not
//! reported.
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

pub(super) use self::attributes::MAX_ATTRIBUTES;
use self::attributes::TagAttributes;
use self::input::Input;
pub(crate) use self::input::prepared;
pub(crate) use self::names::MAX_NAMES;
use self::names::NameCache;
pub(crate) use self::raw::Escape;
use html5ever::LocalName;
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::RawKind;
use html5ever::tokenizer::{Tag, TagKind, Token, TokenSink, TokenSinkResult};

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

pub(crate) trait Receiver: TokenSink {
    fn is_full(&self) -> bool {
        false
    }

    /// Is called before a token with a control character that was written as a reference.
    fn expects_control(&self) {}
}

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
    attributes: TagAttributes,
    names: NameCache,
    sink: &'p S,
}

impl<'p, S: Receiver> Tokenizer<'p, S> {
    pub(crate) fn new(page: &'p StrTendril, sink: &'p S) -> Self {
        Tokenizer {
            input: Input::new(page),
            state: State::Data,
            last_start: LocalName::default(),
            attributes: TagAttributes::default(),
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
        self.emit(Token::EOFToken);
        self.sink.end();
        Exceeded { attributes: self.attributes.exceeded, names: self.names.exceeded }
    }

    fn markup(&mut self) {
        match self.input.peek() {
            Some(byte) if byte.is_ascii_alphabetic() => self.tag(TagKind::StartTag),
            Some(b'/') => {
                self.input.at += 1;
                self.end_tag();
            }
            Some(b'!') => {
                self.input.at += 1;
                self.declaration();
            }
            Some(b'?') => self.bogus_comment(),
            _ => self.emit_text(StrTendril::from_char('<')),
        }
    }

    fn end_tag(&mut self) {
        match self.input.peek() {
            Some(byte) if byte.is_ascii_alphabetic() => self.tag(TagKind::EndTag),
            Some(b'>') => self.input.at += 1,
            Some(_) => self.bogus_comment(),
            None => self.emit_text(StrTendril::from_slice("</")),
        }
    }

    fn declaration(&mut self) {
        const CDATA: &[u8] = b"[CDATA[";
        if self.input.eat_word("--") {
            self.comment();
        } else if self.input.eat_word("doctype") {
            self.doctype();
        } else if self.input.rest().starts_with(CDATA)
            // Only SVG and MathML have CDATA sections.
            && self.sink.adjusted_current_node_present_but_not_in_html_namespace()
        {
            self.input.at += CDATA.len();
            self.state = State::Cdata;
        } else {
            self.bogus_comment();
        }
    }

    /// Emits a token that does not change the state.
    fn emit(&self, token: Token) {
        // Line numbers are for messages, of which there are none.
        let _ = self.sink.process_token(token, 1);
    }

    fn emit_text(&self, text: StrTendril) {
        if !text.is_empty() {
            self.emit(Token::CharacterTokens(text));
        }
    }

    fn emit_tag(&mut self, kind: TagKind, name: LocalName, self_closing: bool) {
        if kind == TagKind::StartTag {
            self.last_start = name.clone();
        }
        let (attrs, had_duplicate_attributes) = self.attributes.take();
        let tag = Tag { kind, name, self_closing, attrs, had_duplicate_attributes };
        self.state = match self.sink.process_token(Token::TagToken(tag), 1) {
            TokenSinkResult::Continue
            // There is nothing to run, and the page is decoded already.
            | TokenSinkResult::Script(_)
            | TokenSinkResult::EncodingIndicator(_) => State::Data,
            TokenSinkResult::Plaintext => State::Plaintext,
            TokenSinkResult::RawData(RawKind::Rcdata) => State::Rcdata,
            TokenSinkResult::RawData(RawKind::Rawtext) => State::Rawtext,
            TokenSinkResult::RawData(RawKind::ScriptData | RawKind::ScriptDataEscaped(_)) => {
                State::Script(Escape::None)
            }
        };
    }
}
