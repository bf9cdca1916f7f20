//! The text of a page as a reader sees it.

mod count;
mod counts;

pub(crate) use count::count;
pub use counts::TextCounts;

use crate::page::{NodeId, NodeKind, Page};
use crate::tags::Tag;
use crate::walk::Step;
use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

/// Says whether a character is punctuation: Unicode general category P.
///
/// # Examples
///
/// ```
/// use tsugi_page::text::is_punctuation;
/// assert!("。、「」!-_※".chars().all(is_punctuation));
/// assert!(!"$+<a次".chars().any(is_punctuation));
/// ```
pub fn is_punctuation(c: char) -> bool {
    if let Ok(byte) = u8::try_from(c)
        && byte.is_ascii()
    {
        return count::is_mark(byte);
    }
    // Of what whole texts are made of it is known at a glance; among kana are two marks.
    match c {
        '\u{2010}'..='\u{2027}' | '、'..='〃' | '〈'..='】' => true,
        'À'..='\u{24f}' | 'Έ'..='ώ' | 'Ѐ'..='ҁ' | 'א'..='ת' | 'ؠ'..='ي' | 'ٱ'..='ۓ' => false,
        _ if is_cjk(c) => matches!(c, '゠' | '・'),
        _ => c.general_category_group() == GeneralCategoryGroup::Punctuation,
    }
}

/// Says whether a character is a letter or a digit, as [`char::is_alphanumeric`] does; of what most texts are made of
/// it is known at a glance.
///
/// # Examples
///
/// ```
/// use tsugi_page::text::is_alphanumeric;
/// assert!("aß次ー々½".chars().all(is_alphanumeric));
/// assert!(!"。、“”→ \u{a0}".chars().any(is_alphanumeric));
/// ```
#[inline]
pub fn is_alphanumeric(c: char) -> bool {
    match c {
        '\0'..='\u{7f}' => c.is_ascii_alphanumeric(),
        'À'..='\u{24f}' => !matches!(c, '×' | '÷'),
        'ά'..='ώ'
        | 'Ѐ'..='ҁ'
        | 'א'..='ת'
        | 'ؠ'..='ي'
        | 'ٱ'..='ۓ'
        | 'ぁ'..='ゖ'
        | 'ァ'..='ヺ'
        | '\u{4e00}'..='\u{9fff}'
        | '\u{ac00}'..='\u{d7a3}' => true,
        // Spaces, quotation marks, currencies, arrows, frames, pictures, those of icon fonts, too; the signs of
        // Chinese and Japanese.
        '\u{80}'..='\u{a9}'
        | '«'..='±'
        | '¶'..='¸'
        | '»'
        | '¿'
        | '™'
        | '\u{2000}'..='\u{206f}'
        | '\u{20a0}'..='\u{20cf}'
        | '←'..='\u{2426}'
        | '─'..='❵'
        | '\u{3000}'..='〄'
        | '〈'..='〠'
        | '！'..='／'
        | '：'..='＠'
        | '\u{e000}'..='\u{f8ff}'
        | '\u{fe00}'..='\u{fe0f}'
        | '\u{1f1e6}'..='\u{1f1ff}'
        | '\u{1f300}'..='\u{1faff}' => false,
        _ => c.is_alphanumeric(),
    }
}

/// Says whether a character is of a script that writes words without spaces: kana, Han, Hangul. Where words are
/// counted, each such character counts as one.
///
/// # Examples
///
/// ```
/// use tsugi_page::text::is_cjk;
/// assert!("次へ읽기".chars().all(is_cjk));
/// assert!(!"a1。".contains(is_cjk));
/// ```
pub fn is_cjk(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}' | '\u{ac00}'..='\u{d7af}')
}

/// Returns a hash of a text, eight bytes at a time: to tell apart the texts of one page, not to be kept.
///
/// Whoever wants to can make two texts with the same hash.
///
/// # Source
///
/// Each step is the folded product that Wang Yi's wyhash is made of: both halves of a product of 128 bits, so that every
/// bit counts.
#[inline]
pub fn digest(text: &[u8]) -> u64 {
    let step = |hash: u64, word: u64| {
        let product = u128::from(hash ^ word) * 0x9e37_79b9_7f4a_7c15_u128;
        #[expect(clippy::cast_possible_truncation, reason = "the halves are taken one by one")]
        let halves = (product as u64, (product >> 64) as u64);
        halves.0 ^ halves.1
    };
    let length = (text.len() as u64).wrapping_mul(0xd6e8_feb8_6659_fd93);
    let four = |bytes: &[u8; 4]| u64::from(u32::from_le_bytes(*bytes));
    // The last bytes of a longer text are taken with some that were taken before.
    if let Some(last) = text.last_chunk() {
        let words = text.as_chunks().0.iter().chain([last]);
        return words.fold(length, |hash, word| step(hash, u64::from_le_bytes(*word)));
    }
    let word = match (text.first_chunk(), text.last_chunk()) {
        (Some(first), Some(last)) => four(first) << 32 | four(last),
        _ => text.iter().fold(0, |word, byte| word << 8 | u64::from(*byte)),
    };
    step(step(length, word), length)
}

/// Whether a text, as bytes, has an ASCII digit; without a branch for each byte many are looked at at once.
pub fn has_digit(text: &[u8]) -> bool {
    text.iter().fold(false, |any, byte| any | byte.is_ascii_digit())
}

/// Returns a text without the white space at its ends, as [`str::trim`] does; that is ASCII nearly always, and then seen
/// without a look at characters.
///
/// # Examples
///
/// ```
/// use tsugi_page::text::trim;
/// assert_eq!((trim(" \n a b\t"), trim("\u{3000}次\u{b}"), trim(" \u{a0} ")), ("a b", "次", ""));
/// ```
pub fn trim(text: &str) -> &str {
    let trimmed = text.trim_ascii();
    // A vertical tab is none of what was cut off.
    let may_be_space = |byte: &u8| !byte.is_ascii() || *byte == 0x0b;
    let bytes = trimmed.as_bytes();
    if bytes.first().is_some_and(may_be_space) || bytes.last().is_some_and(may_be_space) {
        return trimmed.trim();
    }
    trimmed
}

/// Trims a text and makes every run of white space one space.
pub fn fold(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for word in text.split_whitespace() {
        if !folded.is_empty() {
            folded.push(' ');
        }
        folded.push_str(word);
    }
    folded
}

/// Characters of a text when serialised.
pub(crate) fn escaped_characters(text: &str) -> u32 {
    let length = |c| match c {
        '&' => 5,
        '\u{a0}' => 6,
        '<' | '>' => 4,
        _ => 1,
    };
    text.chars().map(length).sum()
}

/// Characters of an attribute value when serialised between double quotes.
pub(crate) fn escaped_attribute_characters(value: &str) -> u32 {
    let quotes = value.bytes().filter(|byte| *byte == b'"').map(|_| 5).sum::<u32>();
    escaped_characters(value) + quotes
}

impl Page {
    /// Returns the visible text below a node: a newline at the bounds of block-level elements and at `br`,
    /// one space for any other run of white space and between table cells, no markup. The lines of `pre` stay
    /// as they stand, with their indentation.
    ///
    /// # Examples
    ///
    /// ```
    /// use tsugi_page::{NodeId, Page};
    /// let html = "<p>One <b>bold</b>\n word<script>x</script><ul><li>a<br>b<li> c </ul><table><td>1<td>2</table>";
    /// let page = Page::from_text(html, &"https://a.test/".parse().unwrap());
    /// assert_eq!(page.text(NodeId::DOCUMENT), "One bold word\na\nb\nc\n1 2");
    /// ```
    pub fn text(&self, id: NodeId) -> String {
        let mut out = Flow::default();
        self.flow(id, &[], &mut out);
        out.text
    }

    /// Returns the visible text of several nodes, each on lines of its own.
    pub fn text_of(&self, nodes: &[NodeId]) -> String {
        self.text_of_content(nodes, &[])
    }

    /// Returns the visible text of several nodes, each on lines of its own, without what is below some others
    /// (given in document order).
    ///
    /// # Examples
    ///
    /// ```
    /// use tsugi_page::Page;
    /// let page = Page::from_text("<main>a<aside>ad</aside>b</main>", &"https://a.test/".parse().unwrap());
    /// let (main, aside) = (page.first("main").unwrap(), page.first("aside").unwrap());
    /// assert_eq!(page.text_of_content(&[main], &[aside]), "a\nb");
    /// ```
    pub fn text_of_content(&self, nodes: &[NodeId], without: &[NodeId]) -> String {
        let mut out = Flow::default();
        for id in nodes {
            out.line_break();
            self.flow(*id, without, &mut out);
        }
        out.text
    }

    fn flow(&self, id: NodeId, without: &[NodeId], out: &mut Flow) {
        let is_pre = |node| self.is_tag(node, Tag::Pre);
        let mut walk = self.walk(id);
        // How many `pre` are open.
        let mut verbatim = u32::from(self.ancestors(id).any(is_pre));
        while let Some(step) = walk.next() {
            match step {
                Step::Enter(node) => {
                    let class = self.class(node);
                    verbatim += u32::from(is_pre(node));
                    if class.hidden {
                        walk.skip_children();
                    } else if without.binary_search(&node).is_ok() {
                        if class.line {
                            out.line_break();
                        } else {
                            out.space();
                        }
                        walk.skip_children();
                    } else if class.line || self.is_tag(node, Tag::Br) {
                        out.line_break();
                    } else if class.cell {
                        out.space();
                    } else if self.kind(node) == NodeKind::Text {
                        if verbatim > 0 {
                            out.push_lines(self.data(node));
                        } else {
                            out.push(self.data(node));
                        }
                    }
                }
                Step::Leave(node) => {
                    let class = self.class(node);
                    verbatim -= u32::from(is_pre(node));
                    if class.line {
                        out.line_break();
                    } else if class.cell {
                        out.space();
                    }
                }
            }
        }
    }
}

/// Text under construction; breaks are written only between visible characters.
#[derive(Debug, Default)]
struct Flow {
    text: String,
    gap: Option<char>,
    /// White space of a `pre` that is written if something visible follows on its line.
    indent: String,
}

impl Flow {
    fn line_break(&mut self) {
        self.indent.clear();
        self.gap = Some('\n');
    }

    fn space(&mut self) {
        self.gap.get_or_insert(' ');
    }

    /// Adds the lines of a text as they stand, but for blank ones and white space at their ends.
    fn push_lines(&mut self, text: &str) {
        for (at, line) in text.split('\n').enumerate() {
            if at > 0 {
                self.line_break();
            }
            let visible = line.trim_end();
            if !visible.is_empty() {
                self.write_gap();
                self.text.push_str(&std::mem::take(&mut self.indent));
                self.text.push_str(visible);
            }
            self.indent.push_str(&line[visible.len()..]);
        }
    }

    fn write_gap(&mut self) {
        if let Some(gap) = self.gap.take()
            && !self.text.is_empty()
        {
            self.text.push(gap);
        }
    }

    fn push(&mut self, text: &str) {
        let mut rest = text.trim_start();
        if rest.len() < text.len() {
            self.space();
        }
        while !rest.is_empty() {
            let (folded, after) = rest.split_at(folded_start(rest));
            self.write_gap();
            self.text.push_str(folded);
            rest = after.trim_start();
            if rest.len() < after.len() {
                self.space();
            }
        }
    }
}

/// What a byte is to [`folded_start`]: part of a word, a space, or what must be looked at.
const FOLDS: [u8; 256] = {
    let mut kinds = [0; 256];
    kinds[b' ' as usize] = 1;
    // White space, and what white space beyond ASCII begins with.
    let looked_at = [b'\t', b'\n', 0x0b, 0x0c, b'\r', 0xc2, 0xe1, 0xe2, 0xe3];
    let mut at = 0;
    while at < looked_at.len() {
        kinds[looked_at[at] as usize] = 2;
        at += 1;
    }
    kinds
};

/// The length of the start of a text, which begins with a word, in which words are parted by single spaces: it can be
/// written as it stands.
fn folded_start(text: &str) -> usize {
    let bytes = text.as_bytes();
    let (mut at, mut before) = (0, 0);
    while let Some(byte) = bytes.get(at) {
        let kind = FOLDS[usize::from(*byte)];
        // One test for both ends, a second space and what must be looked at: single spaces are no surprise to a
        // processor that guesses.
        if (kind | (kind & before) << 1) & 2 == 0 {
            before = kind;
            at += 1;
            continue;
        }
        let c = text[at..].chars().next().unwrap_or(' ');
        if c.is_whitespace() {
            break;
        }
        before = 0;
        at += c.len_utf8();
    }
    // A space at the end is not between words.
    at - usize::from(before)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(html: &str) -> Page {
        Page::from_text(html, &"https://a.test/".parse().unwrap())
    }

    #[test]
    fn digests_tell_texts_apart() {
        let numbers =
            (0..40_000).map(|n| format!("/list/{:04}-{:04}?from={}&to={}", n / 9, n % 911, n % 97, n % 89));
        let dates =
            (0..40_000).map(|n| format!("/2{:03}/{:02}/x/{:02}-{:03}", n / 97, n % 13, n % 31, n % 101));
        let short = (0..100_000).map(|n| n.to_string());
        let by_lines = (0..10_000).map(|n| format!("Someone20{:02}-{:02}-12", n / 100, n % 100));
        let zeros = (0..40).map(|n| "\0".repeat(n));
        let texts: Vec<String> = numbers.chain(dates).chain(short).chain(by_lines).chain(zeros).collect();
        let count = |mut all: Vec<u64>| {
            all.sort_unstable();
            all.dedup();
            all.len()
        };
        let mut distinct = texts.clone();
        distinct.sort_unstable();
        distinct.dedup();
        assert_eq!(count(texts.iter().map(|text| digest(text.as_bytes())).collect()), distinct.len());
    }

    #[test]
    fn letters_and_digits_are_those_of_unicode() {
        for c in '\0'..=char::MAX {
            assert_eq!(is_alphanumeric(c), c.is_alphanumeric(), "{c:?}");
        }
    }

    #[test]
    fn any_white_space_is_trimmed() {
        for c in '\0'..=char::MAX {
            let text = format!(" {c} a {c}\n");
            assert_eq!(trim(&text), text.trim(), "{text:?}");
        }
    }

    #[test]
    fn characters_of_markup_are_counted() {
        // `&` alone escapes to `&amp;`: 5.
        assert_eq!((escaped_characters("&"), escaped_characters("次\"")), (5, 2));
        assert_eq!(escaped_attribute_characters("次\""), 7);
    }

    #[test]
    fn text_keeps_words_apart_only_where_markup_or_space_does() {
        let text = |html: &str| page(html).text(NodeId::DOCUMENT);
        assert_eq!(text("<b>Hel</b>lo <i> world</i> !"), "Hello world !");
        assert_eq!(text("<div>a</div>b<div> </div><p>c"), "a\nb\nc");
        assert_eq!(text("a<br><br>b"), "a\nb");
        assert_eq!(text("<noscript>no</noscript><style>p{}</style>x<template>t</template>"), "x");
        assert_eq!(text("<tr><td>outside"), "outside");
        assert_eq!(text("<table><tr><td>1<td>2<tr><td>3</table>"), "1 2\n3");
        assert_eq!(text(""), "");
    }

    proptest::proptest! {
        #[test]
        fn words_are_parted_by_one_space(texts in proptest::collection::vec("[ \n\u{a0}\u{85}\u{1680}\u{2003}\u{3000}aé次、\u{200b}]{0,9}", 0..5)) {
            let mut flow = Flow::default();
            for text in &texts {
                flow.push(text);
            }
            proptest::prop_assert_eq!(flow.text, fold(&texts.concat()));
        }
    }

    #[test]
    fn the_lines_of_pre_stay() {
        let text = |html: &str| page(html).text(NodeId::DOCUMENT);
        assert_eq!(text("a <pre>def f():\n\n    return  1 \n</pre> b"), "a\ndef f():\n    return  1\nb");
        assert_eq!(
            text("<pre><b>let</b> <i>x</i>\n  y</pre>"),
            "let x\n  y",
            "space between elements counts"
        );
        assert_eq!(text("<pre>a<br>  b<div> c</div></pre>d"), "a\n  b\n c\nd");
        let page = page("<pre><code>a\n b</code></pre>");
        assert_eq!(page.text(page.first("code").unwrap()), "a\n b");
    }

    #[test]
    fn what_is_left_out_still_parts_what_is_around_it() {
        let page = page("<p>a<b>b</b>c<div>d<p>e</p>f</div>");
        let without = |tags: &[&str]| {
            let out: Vec<_> = tags.iter().map(|tag| page.first(tag).unwrap()).collect();
            page.text_of_content(&[NodeId::DOCUMENT], &out)
        };
        assert_eq!(without(&["b"]), "a c\nd\ne\nf");
        assert_eq!(without(&["div"]), "abc");
        assert_eq!(without(&["html"]), "");
    }

    #[test]
    fn several_nodes_stand_on_lines_of_their_own() {
        let page = page("<span>a</span><span>b</span>");
        let spans: Vec<_> = page.elements().filter(|id| page.is(*id, "span")).collect();
        assert_eq!(page.text_of(&spans), "a\nb");
        assert_eq!(page.text_of(&[]), "");
    }
}
