//! Finds and trims tags with too many attributes for the parser.
//!
//! html5ever compares each attribute of a tag with all before it, so a tag of n attributes costs n² comparisons, and
//! only about a thousand attributes may reach it. Only the parser knows where tags start: the same characters may be part
//! of a script, a comment or an attribute value. So every `<` before a letter is followed as if it started a tag,
//! whatever is around it. From there, HTML's tokenizer has few states (HTML, sections 13.2.5.8 and 13.2.5.32 to
//! 13.2.5.40), and of two tags in the same state at the same place only the one with more attributes is followed: one
//! pass, however many tags there may be.

use std::borrow::Cow;
use std::ops::Range;

/// The position of the next byte in a tag.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TagState {
    /// After `<`.
    Open,
    /// After `</`.
    OpenEnd,
    TagName,
    /// Before an attribute name, or after a quoted value.
    BeforeName,
    Name,
    AfterName,
    BeforeValue,
    DoubleQuoted,
    SingleQuoted,
    Unquoted,
}

impl TagState {
    const ALL: [TagState; 10] = [
        TagState::Open,
        TagState::OpenEnd,
        TagState::TagName,
        TagState::BeforeName,
        TagState::Name,
        TagState::AfterName,
        TagState::BeforeValue,
        TagState::DoubleQuoted,
        TagState::SingleQuoted,
        TagState::Unquoted,
    ];

    /// Returns the state after `byte`; `None` if the tag ends or is not a tag.
    fn after(self, byte: u8) -> Option<TagState> {
        let is_blank = byte.is_ascii_whitespace();
        let next = match self {
            TagState::Open if byte == b'/' => TagState::OpenEnd,
            TagState::Open | TagState::OpenEnd => {
                return byte.is_ascii_alphabetic().then_some(TagState::TagName);
            }
            TagState::DoubleQuoted if byte == b'"' => TagState::BeforeName,
            TagState::SingleQuoted if byte == b'\'' => TagState::BeforeName,
            TagState::DoubleQuoted | TagState::SingleQuoted => self,
            _ if byte == b'>' => return None,
            TagState::BeforeValue => match byte {
                b'"' => TagState::DoubleQuoted,
                b'\'' => TagState::SingleQuoted,
                _ if is_blank => TagState::BeforeValue,
                _ => TagState::Unquoted,
            },
            TagState::Name | TagState::AfterName if is_blank => TagState::AfterName,
            _ if is_blank => TagState::BeforeName,
            TagState::Unquoted => TagState::Unquoted,
            _ if byte == b'/' => TagState::BeforeName,
            TagState::Name | TagState::AfterName if byte == b'=' => TagState::BeforeValue,
            TagState::TagName => TagState::TagName,
            TagState::BeforeName | TagState::Name | TagState::AfterName => TagState::Name,
        };
        Some(next)
    }
}

/// A tag being followed, which stands for all in the same state.
#[derive(Debug, Clone, Copy)]
struct Followed {
    attributes: usize,
    /// Start of the first attribute beyond the limit.
    beyond: Option<usize>,
}

impl Followed {
    fn or(self, other: Followed) -> Followed {
        let beyond = match (self.beyond, other.beyond) {
            (Some(one), Some(other)) => Some(one.min(other)),
            (one, other) => one.or(other),
        };
        Followed { attributes: self.attributes.max(other.attributes), beyond }
    }
}

/// Follows everything that may be a tag.
struct Tags {
    limit: usize,
    followed: [Option<Followed>; TagState::ALL.len()],
    /// Number of bytes read.
    at: usize,
    /// The ranges of attributes beyond the limit, in tags that ended.
    beyond: Vec<Range<usize>>,
}

impl Tags {
    fn new(limit: usize) -> Tags {
        Tags { limit, followed: [None; TagState::ALL.len()], at: 0, beyond: Vec::new() }
    }

    fn read(&mut self, mut bytes: &[u8]) {
        while let Some((byte, rest)) = bytes.split_first() {
            self.step(*byte);
            bytes = rest;
            let skipped = self.skippable(bytes);
            self.at += skipped;
            bytes = &bytes[skipped..];
        }
    }

    /// Counts the bytes that can be skipped: up to the next tag, or to the possible end of a quoted value.
    fn skippable(&self, bytes: &[u8]) -> usize {
        let mut live = TagState::ALL.iter().filter(|state| self.followed[**state as usize].is_some());
        let quote = match (live.next(), live.next()) {
            (None, _) => b'<',
            (Some(TagState::DoubleQuoted), None) => b'"',
            (Some(TagState::SingleQuoted), None) => b'\'',
            _ => return 0,
        };
        bytes.iter().position(|byte| *byte == quote || *byte == b'<').unwrap_or(bytes.len())
    }

    fn step(&mut self, byte: u8) {
        let mut next: [Option<Followed>; TagState::ALL.len()] = [None; TagState::ALL.len()];
        let mut go = |state: TagState, tag: Followed| {
            let held = &mut next[state as usize];
            *held = Some(held.map_or(tag, |held| held.or(tag)));
        };
        for (state, tag) in TagState::ALL.into_iter().zip(self.followed) {
            let Some(mut tag) = tag else { continue };
            match state.after(byte) {
                Some(next) => {
                    // An attribute starts.
                    if next == TagState::Name && state != TagState::Name {
                        tag.attributes += 1;
                        if tag.attributes > self.limit {
                            tag.beyond = tag.beyond.or(Some(self.at));
                        }
                    }
                    go(next, tag);
                }
                None => self.beyond.extend(tag.beyond.map(|from| from..self.at)),
            }
        }
        if byte == b'<' {
            go(TagState::Open, Followed { attributes: 0, beyond: None });
        }
        self.followed = next;
        self.at += 1;
    }

    /// Returns `true` if a tag has more attributes than the limit.
    fn any_beyond(&self) -> bool {
        !self.beyond.is_empty() || self.followed.iter().flatten().any(|tag| tag.beyond.is_some())
    }

    /// Returns the ranges beyond the limit, in the order of their ends.
    fn all_beyond(mut self) -> Vec<Range<usize>> {
        self.beyond.extend(self.followed.iter().flatten().filter_map(|tag| Some(tag.beyond?..self.at)));
        self.beyond
    }
}

fn beyond(html: &str, limit: usize) -> Vec<Range<usize>> {
    let mut tags = Tags::new(limit);
    tags.read(html.as_bytes());
    tags.all_beyond()
}

/// Drops the attributes beyond the first `limit` of every tag, and of everything that could be a tag.
///
/// If what is left joins into a tag with too many attributes again, the page is cut off before it.
pub(super) fn drained(html: &str, limit: usize) -> Cow<'_, str> {
    let mut dropped = beyond(html, limit);
    if dropped.is_empty() {
        return Cow::Borrowed(html);
    }
    dropped.sort_by_key(|range| range.start);
    let mut kept = String::with_capacity(html.len());
    let mut copied = 0;
    for range in dropped {
        if range.start > copied {
            kept.push_str(&html[copied..range.start]);
        }
        copied = copied.max(range.end);
    }
    kept.push_str(&html[copied..]);
    if let Some(end) = beyond(&kept, limit).iter().map(|range| range.start).min() {
        kept.truncate(end);
    }
    Cow::Owned(kept)
}

/// Detects such tags while a page is fed to the tokenizer in pieces.
///
/// The tokenizer emits nothing inside a tag. So only pieces without output are read, with the pieces before and after
/// them. A piece has at most `limit` bytes, and an attribute takes at least two, so a tag with too many attributes is
/// longer than two pieces and cannot be missed.
pub(super) struct Lookout {
    limit: usize,
    tags: Option<Tags>,
}

impl Lookout {
    pub(super) fn new(limit: usize) -> Lookout {
        Lookout { limit, tags: None }
    }

    /// Returns `true` if a tag may have too many attributes, after `piece` was fed, and `before` before it. `told` is
    /// whether the tokenizer emitted anything for it.
    pub(super) fn sees_flood(&mut self, before: &str, piece: &str, told: bool) -> bool {
        if self.tags.is_none() && !told {
            let mut tags = Tags::new(self.limit);
            tags.read(before.as_bytes());
            self.tags = Some(tags);
        }
        let Some(tags) = &mut self.tags else { return false };
        tags.read(piece.as_bytes());
        let flood = tags.any_beyond();
        if told {
            self.tags = None;
        }
        flood
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use html5ever::tendril::StrTendril;
    use html5ever::tokenizer::states::{RawKind, State as Tokenizing};
    use html5ever::tokenizer::{BufferQueue, Token, TokenSink, TokenSinkResult, Tokenizer, TokenizerOpts};
    use proptest::prelude::*;
    use std::cell::Cell;

    /// The most attributes that a tag has, by html5ever.
    #[derive(Default)]
    struct Most(Cell<usize>);

    impl TokenSink for Most {
        type Handle = ();

        fn process_token(&self, token: Token, _: u64) -> TokenSinkResult<()> {
            if let Token::TagToken(tag) = token {
                self.0.set(self.0.get().max(tag.attrs.len()));
            }
            TokenSinkResult::Continue
        }
    }

    fn most_attributes(html: &str, initial_state: Option<Tokenizing>) -> usize {
        let last_start_tag_name = Some("script".to_owned());
        let options = TokenizerOpts { initial_state, last_start_tag_name, ..Default::default() };
        let tokenizer = Tokenizer::new(Most::default(), options);
        let queue = BufferQueue::default();
        queue.push_back(StrTendril::from_slice(html));
        let _ = tokenizer.feed(&queue);
        tokenizer.end();
        tokenizer.sink.0.get()
    }

    #[test]
    fn only_the_attributes_beyond_the_limit_go() {
        for (html, left) in [
            (
                "<p>before</p><a href='x>y' b c d=\"e\" f >after</a>",
                "<p>before</p><a href='x>y' b >after</a>",
            ),
            ("x</p a b c><i a/b/c/>y", "x</p a b ><i a/b/>y"),
            ("<p a=\"\"b=''c=''>", "<p a=\"\"b=''>"),
            ("<é a b c><p a=b c = d>", "<é a b c><p a=b c = d>"),
            ("<p a b c", "<p a b "),
            // A name may begin with `=`, and quotes are part of a name.
            ("<p =\" b c>", "<p =\" b >"),
            ("<p a\" b\" c\">\"", "<p a\" b\" >\""),
            // Scripts and comments may hold the begin of a tag.
            ("<script>a<b c=\"</script><p a b c>", "<script>a<b c=\"</script><p a b >"),
            ("<!-- <a b=' --><p a b c>", "<!-- <a b=' --><p a b >"),
        ] {
            assert_eq!(drained(html, 2), left, "{html}");
        }
    }

    #[test]
    fn tags_that_come_about_by_what_went_end_the_page() {
        // Without `b c " d>`, the value of `x` ends at another quote.
        let html = "<p x=\"<i a b c \" d>text \" e f g>";
        assert_eq!(most_attributes(html, None), 2);
        assert!(most_attributes(&drained(html, 2), None) <= 2);
    }

    #[test]
    fn a_piece_tells_of_a_flood_wherever_it_is_cut() {
        let flood = format!("<p>text<p {}>text", "a ".repeat(11));
        let plain = format!("<p>text<p {}>text", "a ".repeat(10));
        for (html, expected) in [(&flood, true), (&plain, false)] {
            for start in 0..10 {
                let mut lookout = Lookout::new(10);
                let (mut before, mut rest) = ("", &html[..]);
                let mut seen = false;
                let mut cut = start;
                while !rest.is_empty() {
                    let (piece, after) = rest.split_at(cut.min(rest.len()));
                    let inside = html.len() - rest.len() > 7 && !piece.contains('>');
                    seen |= lookout.sees_flood(before, piece, !inside);
                    (before, rest, cut) = (piece, after, 10);
                }
                assert_eq!(seen, expected, "{html}, first piece of {start}");
            }
        }
    }

    proptest! {
        #[test]
        fn no_tag_keeps_more(html in "(<|</|<[ab]|>|a|b| |\t|/|=|\"|'|=\"|='|<!--|-->|</script|é|&quot;|\u{0}){0,80}") {
            let drained = drained(&html, 2);
            for state in [Tokenizing::Data, Tokenizing::RawData(RawKind::ScriptData), Tokenizing::RawData(RawKind::Rcdata)] {
                let most = most_attributes(&drained, Some(state));
                prop_assert!(most <= 2, "{most} attributes in {drained}");
            }
        }

        #[test]
        fn pages_without_floods_stay_as_they_are(html in "(<[a-z=/ '\"é]{0,9}>?| |é|\"|'|>|<|=){0,60}") {
            prop_assert!(matches!(drained(&html, 1_000), Cow::Borrowed(_)));
        }
    }
}
