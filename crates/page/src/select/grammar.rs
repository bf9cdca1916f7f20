//! The grammar of selectors, as the `selectors` crate reads it: the names that it knows, and the meaning of its errors.

use super::{Complex, MAX_NESTING};
use cssparser::{BasicParseErrorKind, ParseError, ParseErrorKind, ToCss};
use markup5ever::LocalName;
use precomputed_hash::PrecomputedHash;
use selectors::parser::{self, SelectorImpl, SelectorParseErrorKind};
use std::fmt;

/// Reads a list of selectors; an error holds the byte at which reading stopped, and the reason.
pub(super) fn parse(source: &str) -> Result<Vec<Complex>, (usize, String)> {
    let mut input = cssparser::Parser::new(source);
    input.set_nested_block_limit(MAX_NESTING);
    let mut stopped = 0;
    let list = input.parse_comma_separated(|input| {
        let selector = Complex::parse(&Grammar, input);
        stopped = input.position().byte_index();
        selector
    });
    list.map_err(|error| (stopped, reason(error.kind)))
}

struct GrammarError(String);

impl From<SelectorParseErrorKind> for GrammarError {
    fn from(kind: SelectorParseErrorKind) -> GrammarError {
        use SelectorParseErrorKind as Kind;
        let reason = match kind {
            Kind::EmptySelector => "expected a selector",
            Kind::DanglingCombinator => "expected a selector after the combinator",
            Kind::NonCompoundSelector => "combinators are not allowed here",
            Kind::InvalidState => "this pseudo-class is not allowed here",
            Kind::PseudoElementExpectedColon | Kind::PseudoElementExpectedIdent | Kind::NoIdentForPseudo => {
                "`:` is not followed by the name of a pseudo-class"
            }
            Kind::ExpectedNamespace => "pages declare no namespace prefixes",
            Kind::ClassNeedsIdent => "`.` is not followed by a class name",
            Kind::NoQualifiedNameInAttributeSelector | Kind::InvalidQualNameInAttr => {
                "`[` is not followed by an attribute name"
            }
            Kind::UnexpectedTokenInAttributeSelector | Kind::ExpectedBarInAttr => {
                "the attribute name is not followed by `]` or an operator such as `=` or `^=`"
            }
            Kind::BadValueInAttr => "the value of the attribute is neither quoted nor a plain name",
            _ => "unexpected character",
        };
        GrammarError(reason.to_owned())
    }
}

fn reason(kind: ParseErrorKind<GrammarError>) -> String {
    match kind {
        ParseErrorKind::Custom(GrammarError(reason)) => reason,
        ParseErrorKind::Basic(BasicParseErrorKind::EndOfInput) => "unexpected end".to_owned(),
        ParseErrorKind::Basic(BasicParseErrorKind::TooManyNestedBlocks) => {
            format!("brackets nest deeper than {MAX_NESTING}")
        }
        ParseErrorKind::Basic(_) => "unexpected character".to_owned(),
    }
}

/// Reads Selectors Level 4, as far as it applies to a page that nobody looks at or clicks on.
/// DIFFERENCE: `:is` and `:where` of browsers skip selectors they cannot read; here those are errors.
struct Grammar;

impl<'i> parser::Parser<'i> for Grammar {
    type Impl = Css;
    type Error = GrammarError;

    fn parse_nth_child_of(&self) -> bool {
        true
    }

    fn parse_is_and_where(&self) -> bool {
        true
    }

    fn parse_has(&self) -> bool {
        true
    }

    fn allow_forgiving_selectors(&self) -> bool {
        false
    }

    fn parse_non_ts_pseudo_class(&self, name: &str) -> Result<AnyLink, ParseError<GrammarError>> {
        if name.eq_ignore_ascii_case("any-link") || name.eq_ignore_ascii_case("link") {
            return Ok(AnyLink);
        }
        Err(unknown("pseudo-class", ":", name))
    }

    fn parse_non_ts_functional_pseudo_class(
        &self,
        name: &str,
        _: &mut cssparser::Parser<'i>,
        _: bool,
    ) -> Result<AnyLink, ParseError<GrammarError>> {
        Err(unknown("pseudo-class", ":", name))
    }

    fn parse_pseudo_element(&self, name: &str) -> Result<Never, ParseError<GrammarError>> {
        Err(unknown("pseudo-element", "::", name))
    }

    fn parse_functional_pseudo_element(
        &self,
        name: &str,
        _: &mut cssparser::Parser<'i>,
    ) -> Result<Never, ParseError<GrammarError>> {
        Err(unknown("pseudo-element", "::", name))
    }
}

fn unknown(what: &str, colons: &str, name: &str) -> ParseError<GrammarError> {
    ParseError::custom(GrammarError(format!("unknown {what} `{colons}{}`", name.escape_debug())))
}

#[derive(Debug, Clone)]
pub(super) struct Css;

impl SelectorImpl for Css {
    type ExtraMatchingData<'a> = ();
    type AttrValue = CssWord;
    type Identifier = CssWord;
    type LocalName = CssWord;
    type NamespaceUrl = CssWord;
    type NamespacePrefix = CssWord;
    type BorrowedNamespaceUrl = CssWord;
    type BorrowedLocalName = CssWord;
    type NonTSPseudoClass = AnyLink;
    type PseudoElement = Never;
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct CssWord(pub(super) LocalName);

impl From<&str> for CssWord {
    fn from(text: &str) -> CssWord {
        CssWord(text.into())
    }
}

impl ToCss for CssWord {
    fn to_css<W: fmt::Write>(&self, out: &mut W) -> fmt::Result {
        cssparser::serialize_identifier(&self.0, out)
    }
}

impl PrecomputedHash for CssWord {
    fn precomputed_hash(&self) -> u32 {
        self.0.precomputed_hash()
    }
}

/// `:any-link`, or `:link`: no link of a page was visited.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct AnyLink;

impl ToCss for AnyLink {
    fn to_css<W: fmt::Write>(&self, out: &mut W) -> fmt::Result {
        out.write_str(":any-link")
    }
}

impl parser::NonTSPseudoClass for AnyLink {
    fn is_active_or_hover(&self) -> bool {
        false
    }

    fn is_user_action_state(&self) -> bool {
        false
    }
}

/// Pseudo-elements, which pages do not have.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Never {}

impl ToCss for Never {
    fn to_css<W: fmt::Write>(&self, _: &mut W) -> fmt::Result {
        match *self {}
    }
}

impl parser::PseudoElement for Never {}
