//! html5ever's tokenizer beside ours, for comparison in tests, the fuzz target `tokens` and the bench.

use crate::parse::theirs::{self, feed_pieces, options};
use crate::parse::tokenizer::{self, DoctypeToken, Escape, Receiver, State, TagToken, prepared};
use crate::{Page, Url};
use html5ever::tendril::StrTendril;
use html5ever::tokenizer::states::{RawKind, ScriptEscapeKind, State as Theirs};
use html5ever::tokenizer::{self as html5ever_tokenizer, TagKind, TokenSink, TokenSinkResult};
use html5ever::tokenizer::{Tokenizer, TokenizerOpts};
use std::borrow::Cow;
use std::cell::RefCell;

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
    let mut recorder = Recorder::default();
    let page = prepared(html);
    let tokenizer = tokenizer::Tokenizer::new(&page, &mut recorder).starting_in(start.ours(), last_start_tag);
    let _ = tokenizer.run();
    recorder.tokens
}

/// Splits a text, given in pieces, by html5ever's tokenizer.
pub fn tokens_of_html5ever(pieces: &[&str], start: StartState, last_start_tag: &str) -> Vec<HtmlToken> {
    let options = TokenizerOpts {
        initial_state: Some(start.theirs()),
        last_start_tag_name: Some(last_start_tag.to_owned()),
        ..options()
    };
    let tokenizer = Tokenizer::new(Sink::default(), options);
    feed_pieces(pieces.iter().copied(), &tokenizer);
    tokenizer.sink.0.into_inner().tokens
}

/// [`Page::from_text`] with html5ever's tokenizer and tree builder, which do not limit depth, nodes, attributes and names.
pub fn page_of_html5ever(html: &str, url: &Url) -> Page {
    Page::shown(url, |scripts| theirs::build(html, scripts))
}

/// Asks for other states after tags, as the tree builder does, but for what depends on other elements: all between the tags
/// of `svg` is foreign.
#[derive(Default)]
struct Asking {
    is_foreign: bool,
}

impl Asking {
    fn after(&mut self, name: &str, is_start: bool) -> State {
        match name {
            "svg" => self.is_foreign = is_start,
            _ if !is_start || self.is_foreign => {}
            "title" | "textarea" => return State::Rcdata,
            "style" | "xmp" => return State::Rawtext,
            "script" => return State::Script(Escape::None),
            "plaintext" => return State::Plaintext,
            _ => {}
        }
        State::Data
    }
}

#[derive(Default)]
struct Recorder {
    tokens: Vec<HtmlToken>,
    asking: Asking,
}

impl Recorder {
    fn start_or_end(
        &mut self,
        (name, is_start, self_closing): (&str, bool, bool),
        attributes: Vec<(String, String)>,
        had_duplicates: bool,
    ) -> State {
        let after = self.asking.after(name, is_start);
        let name = name.to_owned();
        self.tokens.push(if is_start {
            HtmlToken::StartTag { name, attributes, self_closing, had_duplicates }
        } else {
            HtmlToken::EndTag { name, attributes, self_closing }
        });
        after
    }
}

impl Receiver for Recorder {
    fn text(&mut self, text: &str) {
        match self.tokens.last_mut() {
            Some(HtmlToken::Text(held)) => held.push_str(text),
            _ if text.is_empty() => {}
            _ => self.tokens.push(HtmlToken::Text(text.to_owned())),
        }
    }

    fn null(&mut self) {
        self.text("\0");
    }

    fn tag(&mut self, token: &mut TagToken<'_>) -> State {
        let attributes = token.attributes.iter();
        let attributes = attributes.map(|held| (held.name.to_string(), held.value.to_string())).collect();
        let had_duplicates = token.attributes.had_duplicate();
        self.start_or_end((&token.name, token.is_start, token.is_self_closing), attributes, had_duplicates)
    }

    fn comment(&mut self, text: &str) {
        self.tokens.push(HtmlToken::Comment(text.to_owned()));
    }

    fn doctype(&mut self, doctype: &DoctypeToken<'_>) {
        let text = |text: &Option<Cow<'_, str>>| text.as_ref().map(ToString::to_string);
        self.tokens.push(HtmlToken::Doctype {
            name: text(&doctype.name),
            public: text(&doctype.public),
            system: text(&doctype.system),
            force_quirks: doctype.forces_quirks,
        });
    }

    fn end(&mut self) {
        self.tokens.push(HtmlToken::End);
    }

    fn is_in_foreign_content(&self) -> bool {
        self.asking.is_foreign
    }
}

/// Takes the tokens of html5ever's tokenizer.
#[derive(Default)]
struct Sink(RefCell<Recorder>);

impl TokenSink for Sink {
    type Handle = ();

    fn process_token(&self, token: html5ever_tokenizer::Token, _: u64) -> TokenSinkResult<()> {
        use html5ever_tokenizer::Token as Their;
        let mut recorder = self.0.borrow_mut();
        match token {
            Their::CharacterTokens(text) => recorder.text(&text),
            Their::NullCharacterToken => recorder.null(),
            Their::TagToken(tag) => {
                let attributes = tag.attrs.iter();
                let attributes =
                    attributes.map(|held| (held.name.local.to_string(), held.value.to_string())).collect();
                let is_start = tag.kind == TagKind::StartTag;
                let had_duplicates = tag.had_duplicate_attributes;
                return match recorder.start_or_end(
                    (&tag.name, is_start, tag.self_closing),
                    attributes,
                    had_duplicates,
                ) {
                    State::Rcdata => TokenSinkResult::RawData(RawKind::Rcdata),
                    State::Rawtext => TokenSinkResult::RawData(RawKind::Rawtext),
                    State::Script(_) => TokenSinkResult::RawData(RawKind::ScriptData),
                    State::Plaintext => TokenSinkResult::Plaintext,
                    // Answers at which it stops for a while.
                    State::Data | State::Cdata if &*tag.name == "script" && !is_start => {
                        TokenSinkResult::Script(())
                    }
                    State::Data | State::Cdata if &*tag.name == "meta" && is_start => {
                        TokenSinkResult::EncodingIndicator(StrTendril::new())
                    }
                    State::Data | State::Cdata => TokenSinkResult::Continue,
                };
            }
            Their::CommentToken(text) => recorder.comment(&text),
            Their::DoctypeToken(doctype) => {
                let text = |text: Option<StrTendril>| text.map(|text| text.to_string());
                recorder.tokens.push(HtmlToken::Doctype {
                    name: text(doctype.name),
                    public: text(doctype.public_id),
                    system: text(doctype.system_id),
                    force_quirks: doctype.force_quirks,
                });
            }
            Their::EOFToken => recorder.end(),
            Their::ParseError(_) => {}
        }
        TokenSinkResult::Continue
    }

    fn adjusted_current_node_present_but_not_in_html_namespace(&self) -> bool {
        self.0.borrow().asking.is_foreign
    }
}
