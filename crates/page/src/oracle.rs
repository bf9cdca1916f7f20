//! html5ever's tokenizer beside ours, for comparison in tests, the fuzz target `tokens` and the bench.

use crate::parse::Splitter;
use crate::parse::theirs::{feed, feed_pieces, options};
use crate::parse::tokenizer::{self, Escape, Receiver, prepared};
use crate::{Page, Url};
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::{RawKind, ScriptEscapeKind, State as Theirs};
use html5ever::tokenizer::{self as html5ever_tokenizer, TagKind, TokenSink, TokenSinkResult};
use html5ever::tokenizer::{Tokenizer, TokenizerOpts};
use std::cell::{Cell, RefCell};

/// A piece of a page. Names, values and texts are as the tree builder gets them.
#[derive(Debug, Clone, PartialEq, Eq)]
#[expect(missing_docs, reason = "the variants and their fields are the tokens of the standard")]
pub enum HtmlToken {
    Doctype {
        name: Option<String>,
        public: Option<String>,
        system: Option<String>,
        force_quirks: bool,
    },
    StartTag {
        name: String,
        attributes: Vec<(String, String)>,
        self_closing: bool,
        had_duplicates: bool,
    },
    EndTag {
        name: String,
        attributes: Vec<(String, String)>,
        self_closing: bool,
    },
    Comment(String),
    /// All text up to the next token of another kind.
    Text(String),
    End,
}

/// Where a tokenizer starts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the variants are the states of the standard")]
pub enum StartState {
    Data,
    Rcdata,
    Rawtext,
    Script,
    ScriptEscaped,
    ScriptDoubleEscaped,
    Plaintext,
    Cdata,
}

impl StartState {
    /// All of them.
    pub const ALL: [StartState; 8] = [
        StartState::Data,
        StartState::Rcdata,
        StartState::Rawtext,
        StartState::Script,
        StartState::ScriptEscaped,
        StartState::ScriptDoubleEscaped,
        StartState::Plaintext,
        StartState::Cdata,
    ];

    fn ours(self) -> tokenizer::State {
        match self {
            StartState::Data => tokenizer::State::Data,
            StartState::Rcdata => tokenizer::State::Rcdata,
            StartState::Rawtext => tokenizer::State::Rawtext,
            StartState::Script => tokenizer::State::Script(Escape::None),
            StartState::ScriptEscaped => tokenizer::State::Script(Escape::Comment),
            StartState::ScriptDoubleEscaped => tokenizer::State::Script(Escape::Script),
            StartState::Plaintext => tokenizer::State::Plaintext,
            StartState::Cdata => tokenizer::State::Cdata,
        }
    }

    fn theirs(self) -> Theirs {
        let escaped = |kind| Theirs::RawData(RawKind::ScriptDataEscaped(kind));
        match self {
            StartState::Data => Theirs::Data,
            StartState::Rcdata => Theirs::RawData(RawKind::Rcdata),
            StartState::Rawtext => Theirs::RawData(RawKind::Rawtext),
            StartState::Script => Theirs::RawData(RawKind::ScriptData),
            StartState::ScriptEscaped => escaped(ScriptEscapeKind::Escaped),
            StartState::ScriptDoubleEscaped => escaped(ScriptEscapeKind::DoubleEscaped),
            StartState::Plaintext => Theirs::Plaintext,
            StartState::Cdata => Theirs::CdataSection,
        }
    }
}

/// Splits a text by our tokenizer. `last_start_tag` is the element whose text it is, if `start` is within one.
pub fn tokens(html: &str, start: StartState, last_start_tag: &str) -> Vec<HtmlToken> {
    let recorder = TokenRecorder::default();
    let page = prepared(html);
    let tokenizer = tokenizer::Tokenizer::new(&page, &recorder).starting_in(start.ours(), last_start_tag);
    let _ = tokenizer.run();
    recorder.tokens.into_inner()
}

/// Splits a text, given in pieces, by html5ever's tokenizer.
pub fn tokens_of_html5ever(pieces: &[&str], start: StartState, last_start_tag: &str) -> Vec<HtmlToken> {
    let options = TokenizerOpts {
        initial_state: Some(start.theirs()),
        last_start_tag_name: Some(last_start_tag.to_owned()),
        ..options()
    };
    let tokenizer = Tokenizer::new(TokenRecorder::default(), options);
    feed_pieces(pieces.iter().copied(), &tokenizer);
    tokenizer.sink.tokens.into_inner()
}

/// Splits a page by our tokenizer, and returns the number of its tokens.
pub fn count(html: &str) -> usize {
    let counter = TokenCounter::default();
    let _ = tokenizer::Tokenizer::new(&prepared(html), &counter).run();
    counter.number.get()
}

/// Splits a page by html5ever's tokenizer, and returns the number of its tokens.
pub fn count_of_html5ever(html: &str) -> usize {
    let counter = TokenCounter::default();
    feed(html, &counter);
    counter.number.get()
}

/// [`Page::from_text`] with html5ever's tokenizer, which limits neither the attributes of a tag nor the names of a page.
pub fn page_of_html5ever(html: &str, url: &Url) -> Page {
    Page::split_by(html, url, Splitter::Html5ever)
}

/// Asks for other states after tags, as the tree builder does, but for what depends on other elements: all between the tags
/// of `svg` is foreign.
#[derive(Default)]
struct Asking {
    is_foreign: Cell<bool>,
}

impl Asking {
    fn after(&self, tag: &html5ever_tokenizer::Tag) -> TokenSinkResult<()> {
        let is_start = tag.kind == TagKind::StartTag;
        match &*tag.name {
            "svg" => self.is_foreign.set(is_start),
            "script" if !is_start => return TokenSinkResult::Script(()),
            _ if !is_start || self.is_foreign.get() => {}
            "title" | "textarea" => return TokenSinkResult::RawData(RawKind::Rcdata),
            "style" | "xmp" => return TokenSinkResult::RawData(RawKind::Rawtext),
            "script" => return TokenSinkResult::RawData(RawKind::ScriptData),
            "plaintext" => return TokenSinkResult::Plaintext,
            "meta" => return TokenSinkResult::EncodingIndicator(StrTendril::new()),
            _ => {}
        }
        TokenSinkResult::Continue
    }
}

#[derive(Default)]
struct TokenCounter {
    number: Cell<usize>,
    asking: Asking,
}

impl TokenSink for TokenCounter {
    type Handle = ();

    fn process_token(&self, token: html5ever_tokenizer::Token, _: u64) -> TokenSinkResult<()> {
        self.number.set(self.number.get() + 1);
        match token {
            html5ever_tokenizer::Token::TagToken(tag) => self.asking.after(&tag),
            _ => TokenSinkResult::Continue,
        }
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.asking.is_foreign.get()
    }
}

impl Receiver for TokenCounter {}

#[derive(Default)]
struct TokenRecorder {
    tokens: RefCell<Vec<HtmlToken>>,
    asking: Asking,
}

impl TokenRecorder {
    fn push_text(&self, text: &str) {
        let mut tokens = self.tokens.borrow_mut();
        match tokens.last_mut() {
            Some(HtmlToken::Text(held)) => held.push_str(text),
            _ if text.is_empty() => {}
            _ => tokens.push(HtmlToken::Text(text.to_owned())),
        }
    }

    fn push_tag(&self, tag: html5ever_tokenizer::Tag) {
        let html5ever_tokenizer::Tag { kind, name, self_closing, attrs, had_duplicate_attributes } = tag;
        let of =
            |attribute: html5ever::Attribute| (attribute.name.local.to_string(), attribute.value.to_string());
        let (name, attributes) = (name.to_string(), attrs.into_iter().map(of).collect());
        self.tokens.borrow_mut().push(match kind {
            TagKind::StartTag => HtmlToken::StartTag {
                name,
                attributes,
                self_closing,
                had_duplicates: had_duplicate_attributes,
            },
            TagKind::EndTag => HtmlToken::EndTag { name, attributes, self_closing },
        });
    }
}

impl TokenSink for TokenRecorder {
    type Handle = ();

    fn process_token(&self, token: html5ever_tokenizer::Token, _: u64) -> TokenSinkResult<()> {
        use html5ever_tokenizer::Token as Their;
        match token {
            Their::CharacterTokens(text) => self.push_text(&text),
            Their::NullCharacterToken => self.push_text("\0"),
            Their::TagToken(tag) => {
                let asked = self.asking.after(&tag);
                self.push_tag(tag);
                return asked;
            }
            Their::CommentToken(text) => self.tokens.borrow_mut().push(HtmlToken::Comment(text.to_string())),
            Their::DoctypeToken(doctype) => {
                let text = |text: Option<StrTendril>| text.map(|text| text.to_string());
                self.tokens.borrow_mut().push(HtmlToken::Doctype {
                    name: text(doctype.name),
                    public: text(doctype.public_id),
                    system: text(doctype.system_id),
                    force_quirks: doctype.force_quirks,
                });
            }
            Their::EOFToken => self.tokens.borrow_mut().push(HtmlToken::End),
            Their::ParseError(_) => {}
        }
        TokenSinkResult::Continue
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.asking.is_foreign.get()
    }
}

impl Receiver for TokenRecorder {}
