//! Markdown within a block: text, emphasis, links, code, images.

use super::code;
use crate::addresses::READ_BY_MARKUP;
use percent_encoding::utf8_percent_encode;
use tsugi_page::text;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum InlineMark {
    Strong,
    Emphasis,
    Strike,
    Code,
    Link(String),
    /// A tag, where Markdown has no signs: the start tag, and its name.
    Tag(String, &'static str),
}

impl InlineMark {
    fn delimiter(&self) -> &'static str {
        match self {
            InlineMark::Strong => "**",
            InlineMark::Emphasis => "*",
            InlineMark::Strike => "~~",
            InlineMark::Code => "`",
            InlineMark::Link(_) => "[",
            InlineMark::Tag(..) => "<",
        }
    }

    fn first(&self) -> char {
        self.delimiter().chars().next().unwrap_or_default()
    }

    /// Returns `true` if the delimiters only count next to certain characters.
    fn is_emphasis(&self) -> bool {
        matches!(self, InlineMark::Strong | InlineMark::Emphasis | InlineMark::Strike)
    }
}

#[derive(Debug)]
struct OpenMark {
    mark: InlineMark,
    state: InlineState,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum InlineState {
    Waiting,
    Written(usize),
    /// The text stays unmarked, since the delimiter would not be read as one.
    Silent,
}

#[derive(Debug, Clone, Copy)]
struct Closed {
    delimiter: &'static str,
    from: usize,
    to: usize,
}

/// The text of one block.
///
/// Delimiters are written as late as possible: when the first text comes, and without the white space at its ends, as
/// Markdown requires. If a delimiter would not be read as one (`字**「字」**字`) or would touch another, the text stays
/// unmarked.
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts about the text so far")]
pub(crate) struct Inline {
    text: String,
    space: bool,
    line_break: bool,
    open: Vec<OpenMark>,
    closed: Option<Closed>,
    /// Whether to escape dollars, since they delimit formulas.
    has_formulas: bool,
    has_words: bool,
}

impl Inline {
    pub(crate) fn new(has_formulas: bool) -> Inline {
        Inline { has_formulas, ..Inline::default() }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    pub(crate) fn is_image(&self) -> bool {
        !self.text.is_empty() && !self.has_words
    }

    /// Opens a mark. Nested links, nested emphasis and marks within code stay unmarked.
    pub(crate) fn open(&mut self, mark: InlineMark) {
        let is_tag = matches!(mark, InlineMark::Tag(..));
        let nested = |open: &OpenMark| {
            open.mark == InlineMark::Code
                || (open.mark.delimiter() == mark.delimiter() && !is_tag)
                || (open.mark.is_emphasis() && mark.is_emphasis())
        };
        let state = if self.open.iter().any(nested) { InlineState::Silent } else { InlineState::Waiting };
        self.open.push(OpenMark { mark, state });
    }

    pub(crate) fn close(&mut self) {
        if let Some(open) = self.open.pop()
            && let InlineState::Written(from) = open.state
        {
            self.write_end(&open.mark, from);
        }
    }

    fn write_end(&mut self, mark: &InlineMark, from: usize) {
        match mark {
            InlineMark::Link(address) => self.write_address(address),
            InlineMark::Tag(_, tag) => {
                self.text.push_str("</");
                self.text.push_str(tag);
                self.text.push('>');
            }
            InlineMark::Code => {
                if let Some(markup) = code::span(&self.text[from..]) {
                    self.text.replace_range(from.., &markup);
                    return;
                }
                let fence = "`".repeat(longest_run(&self.text[from..], '`') + 1);
                let padding =
                    if self.text[from..].starts_with('`') || self.text.ends_with('`') { " " } else { "" };
                self.text.insert_str(from, &format!("{fence}{padding}"));
                self.text.push_str(padding);
                self.text.push_str(&fence);
            }
            emphasis => {
                let (delimiter, to) = (emphasis.delimiter(), self.text.len());
                self.text.push_str(delimiter);
                self.closed = Some(Closed { delimiter, from, to });
            }
        }
    }

    /// Adds text. White space at its ends and inside becomes one space.
    pub(crate) fn push(&mut self, text: &str) {
        self.space |= text.starts_with(char::is_whitespace);
        let mut words = text.split_whitespace().peekable();
        while let Some(word) = words.next() {
            self.push_word(word);
            self.space = words.peek().is_some();
        }
        self.space |= text.ends_with(char::is_whitespace);
    }

    /// Adds a closing sign: white space before it moves behind it.
    pub(crate) fn push_close(&mut self, text: &str) {
        let space = std::mem::take(&mut self.space);
        self.push(text);
        self.space = space;
    }

    /// Adds markup as it is: a formula, a reference to a note, a tag. It ends open code for good.
    pub(crate) fn raw(&mut self, markup: &str) {
        let Some(first) = markup.chars().next() else { return };
        self.end_code(InlineState::Silent);
        self.begin(first);
        self.has_words = true;
        self.text.push_str(markup);
    }

    /// Adds an image. It ends open code for good.
    pub(crate) fn image(&mut self, alt: &str, address: &str) {
        self.end_code(InlineState::Silent);
        self.begin('!');
        self.text.push_str("![");
        self.space = false;
        self.escape(&text::fold(alt));
        self.write_address(address);
    }

    fn write_address(&mut self, address: &str) {
        let (start, end) = if address.contains(['(', ')']) { ("](<", ">)") } else { ("](", ")") };
        self.text.push_str(start);
        // Web addresses have none of these characters, but others may.
        self.text.extend(utf8_percent_encode(address, READ_BY_MARKUP));
        self.text.push_str(end);
    }

    /// Adds an anchor. Markdown has none, but all renderers pass this markup on.
    pub(crate) fn anchor(&mut self, name: &str) {
        self.raw(&format!("<a id=\"{name}\"></a>"));
    }

    pub(crate) fn join(&mut self) {
        self.space = false;
    }

    /// Breaks the line; true if it was just broken.
    pub(crate) fn break_line(&mut self) -> bool {
        std::mem::replace(&mut self.line_break, true)
    }

    pub(crate) fn space(&mut self) {
        self.space = true;
    }

    /// Ends the block and returns it. Open marks continue in the next one.
    pub(crate) fn take(&mut self) -> String {
        for index in (0..self.open.len()).rev() {
            if let InlineState::Written(from) = self.open[index].state {
                let mark = self.open[index].mark.clone();
                self.write_end(&mark, from);
                self.open[index].state = InlineState::Waiting;
            }
        }
        self.space = false;
        self.line_break = false;
        self.has_words = false;
        self.closed = None;
        std::mem::take(&mut self.text)
    }

    fn push_word(&mut self, word: &str) {
        let Some(first) = word.chars().next() else { return };
        self.begin(first);
        self.has_words = true;
        if self.in_code() { self.text.push_str(word) } else { self.escape(word) }
    }

    fn in_code(&self) -> bool {
        self.open.iter().any(|open| open.mark == InlineMark::Code && open.state != InlineState::Silent)
    }

    /// Writes the white space and the marks between the text so far and a text that starts with `first`.
    fn begin(&mut self, first: char) {
        if self.line_break && !self.text.is_empty() {
            // A line of code could start like a block, so each line is separate code.
            self.end_code(InlineState::Waiting);
            self.text.push_str("\\\n");
        } else if self.space && !self.text.is_empty() {
            self.text.push(' ');
        }
        (self.space, self.line_break) = (false, false);
        let waiting = self.open.iter().find(|open| open.state == InlineState::Waiting).map(|open| &open.mark);
        let runs_on = waiting.is_some_and(InlineMark::is_emphasis);
        self.settle(waiting.map_or(first, InlineMark::first), runs_on);
        if self.text.ends_with('&') && (first == '#' || first.is_ascii_alphanumeric()) && !self.in_code() {
            // Together they could read as one character.
            self.text.push_str("amp;");
        }
        for index in 0..self.open.len() {
            if self.open[index].state == InlineState::Waiting {
                let inner = self.open[index + 1..].iter().find(|open| open.state == InlineState::Waiting);
                let first = inner.map_or(first, |open| open.mark.first());
                self.open[index].state = self.write_start(index, first);
            }
        }
    }

    fn end_code(&mut self, then: InlineState) {
        for index in 0..self.open.len() {
            if let OpenMark { mark: InlineMark::Code, state } = self.open[index]
                && state != InlineState::Silent
            {
                if let InlineState::Written(from) = state {
                    self.write_end(&InlineMark::Code, from);
                }
                self.open[index].state = then;
            }
        }
    }

    /// Takes back the emphasis closed last if, with `first` next to it, it would not be read as closed.
    fn settle(&mut self, first: char, runs_on: bool) {
        let Some(closed) = self.closed.take() else { return };
        let end = closed.to + closed.delimiter.len();
        if self.text.len() != end {
            return;
        }
        let before = self.text[..closed.to].chars().next_back();
        let unread = !is_punctuation(first) && before.is_some_and(is_punctuation);
        if unread || runs_on || matches!(first, '*' | '~') {
            self.text.replace_range(closed.to..end, "");
            self.text.replace_range(closed.from - closed.delimiter.len()..closed.from, "");
        }
    }

    fn write_start(&mut self, index: usize, first: char) -> InlineState {
        let mark = &self.open[index].mark;
        if mark.is_emphasis() {
            let before = self.text.chars().next_back().filter(|c| !c.is_whitespace());
            let unread = is_punctuation(first) && before.is_some_and(|c| !is_punctuation(c));
            // `***` is ambiguous; one bold word is not worth it.
            let collides = before.is_some_and(|c| matches!(c, '*' | '~'));
            if unread || collides {
                return InlineState::Silent;
            }
        }
        let delimiter = mark.delimiter();
        if *mark == InlineMark::Code {
            // The fence is written at the end, when its length is known. Two fences must not touch.
            return if self.text.ends_with('`') {
                InlineState::Silent
            } else {
                InlineState::Written(self.text.len())
            };
        }
        if let InlineMark::Tag(start, _) = mark {
            self.text.push_str(start);
            return InlineState::Written(self.text.len());
        }
        if delimiter == "[" && self.text.ends_with('!') {
            // An exclamation mark before a link would make it an image.
            self.text.insert(self.text.len() - 1, '\\');
        }
        self.text.push_str(delimiter);
        InlineState::Written(self.text.len())
    }

    fn is_number(&self) -> bool {
        let digits = self.text.bytes().rev().take(10).take_while(u8::is_ascii_digit).count();
        let before = &self.text[..self.text.len() - digits];
        (1..=9).contains(&digits) && is_line_start(before)
    }

    /// Adds a word, with a backslash before each character that would read as markup.
    ///
    /// `<` and `&` become character references: some renderers know `\<`, and others take it for a backslash and a tag.
    /// Braces are escaped because of extensions that read attributes in them, `onclick` among them.
    fn escape(&mut self, word: &str) {
        let mut characters = word.char_indices().peekable();
        while let Some((at, c)) = characters.next() {
            let next = characters.peek().map(|(_, next)| *next);
            let at_start = is_line_start(&self.text);
            let escaped = match c {
                '<' => {
                    self.text.push_str("&lt;");
                    continue;
                }
                '&' if is_reference(&word[at..]) => {
                    self.text.push_str("&amp;");
                    continue;
                }
                '\\' | '`' | '*' | '[' | ']' | '~' | '|' | '{' => true,
                '_' => {
                    let inside =
                        self.text.ends_with(char::is_alphanumeric) && next.is_some_and(char::is_alphanumeric);
                    !inside
                }
                '$' => self.has_formulas,
                '#' | '+' | '-' | '=' | '>' => at_start,
                ':' => at_start && next.is_none_or(|next| next == '-'),
                '.' | ')' => next.is_none() && self.is_number(),
                _ => false,
            };
            if escaped {
                self.text.push('\\');
            }
            self.text.push(c);
        }
    }
}

fn is_reference(text: &str) -> bool {
    let name = text[1..].trim_start_matches('#');
    let rest = name.trim_start_matches(|c: char| c.is_ascii_alphanumeric());
    rest.len() < name.len() && rest.starts_with(';')
}

/// Returns `true` if a text ends at the start of a line, apart from delimiters, which may yet be taken back.
fn is_line_start(before: &str) -> bool {
    let before = before.trim_end_matches(['*', '~', '[']);
    before.is_empty() || before.ends_with('\n')
}

/// Returns `true` for punctuation as `CommonMark` defines it, symbols included.
fn is_punctuation(c: char) -> bool {
    c.is_ascii_punctuation() || (!c.is_ascii() && !c.is_alphanumeric() && !c.is_whitespace())
}

pub(crate) fn longest_run(text: &str, of: char) -> usize {
    let (mut longest, mut run) = (0, 0);
    for c in text.chars() {
        run = if c == of { run + 1 } else { 0 };
        longest = longest.max(run);
    }
    longest
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(text: &str) -> String {
        let mut inline = Inline::default();
        inline.push(text);
        inline.take()
    }

    #[test]
    fn what_would_read_as_markup_is_escaped() {
        assert_eq!(
            text("a*b [c] <d> `e` \\ ~f~ snake_case _g_"),
            r"a\*b \[c\] &lt;d> \`e\` \\ \~f\~ snake_case \_g\_"
        );
        assert_eq!(text("AT&T, &amp; &#38;x & x &"), "AT&T, &amp;amp; &amp;#38;x & x &");
        assert_eq!(text("{: onclick=x } ${y}"), r"\{: onclick=x } $\{y}");
        for (plain, escaped) in [
            ("# x", r"\# x"),
            ("- x", r"\- x"),
            ("+ x", r"\+ x"),
            ("> x", r"\> x"),
            ("=====", r"\====="),
            ("1. x", r"1\. x"),
            ("12) x", r"12\) x"),
            ("3.14 x", "3.14 x"),
            ("x - 1. y", "x - 1. y"),
        ] {
            assert_eq!(text(plain), escaped);
        }
    }

    #[test]
    fn delimiters_hug_the_text() {
        let mut inline = Inline::default();
        inline.push("a");
        inline.open(InlineMark::Strong);
        inline.push(" b ");
        inline.close();
        inline.push("c");
        inline.open(InlineMark::Emphasis);
        inline.push("  ");
        inline.close();
        assert_eq!(inline.take(), "a **b** c");
    }

    #[test]
    fn emphasis_that_would_not_be_read_is_left_out() {
        let emphasised = |before: &str, inside: &str, after: &str| {
            let mut inline = Inline::default();
            inline.push(before);
            inline.open(InlineMark::Strong);
            inline.push(inside);
            inline.close();
            inline.push(after);
            inline.take()
        };
        assert_eq!(emphasised("字", "次", "字"), "字**次**字");
        assert_eq!(emphasised("字", "「次」", "字"), "字「次」字");
        assert_eq!(emphasised("", "次。", "字"), "次。字");
        assert_eq!(emphasised("", "次。", " 字"), "**次。** 字");
    }

    #[test]
    fn code_is_fenced_beyond_what_it_holds() {
        let mut inline = Inline::default();
        for code in ["a*b", "`x", "a``b"] {
            inline.open(InlineMark::Code);
            inline.push(code);
            inline.close();
            inline.space();
        }
        assert_eq!(inline.take(), "`a*b` `` `x `` ```a``b```");
    }

    #[test]
    fn links_hold_any_address() {
        let mut inline = Inline::default();
        inline.open(InlineMark::Link("https://a.test/(x)".to_owned()));
        inline.push("a ]( b");
        inline.close();
        inline.image("p", "https://a.test/p.png");
        assert_eq!(inline.take(), r"[a \]( b](<https://a.test/(x)>)![p](https://a.test/p.png)");
    }
}
