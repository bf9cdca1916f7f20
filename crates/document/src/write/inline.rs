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

    /// Returns the tags that say the same where the delimiter would not be read; empty for marks that need none.
    fn tags(&self) -> (&'static str, &'static str) {
        match self {
            InlineMark::Strong => ("<strong>", "</strong>"),
            InlineMark::Emphasis => ("<em>", "</em>"),
            InlineMark::Strike => ("<del>", "</del>"),
            InlineMark::Code => ("<code>", "</code>"),
            InlineMark::Link(_) | InlineMark::Tag(..) => ("", ""),
        }
    }
}

#[derive(Debug, Clone)]
struct OpenMark {
    mark: InlineMark,
    state: InlineState,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum InlineState {
    Waiting,
    Written(usize),
    /// Written as a tag, since the delimiter would not be read as one. The place is that of the tag.
    Tagged(usize),
    /// The text has the mark already, or is in code or a link, which can hold none.
    Silent,
}

/// Emphasis that was closed last, from the first character inside to behind the last.
#[derive(Debug, Clone, Copy)]
struct Closed {
    delimiter: &'static str,
    tags: (&'static str, &'static str),
    from: usize,
    to: usize,
}

/// The text of one block.
///
/// Delimiters are written as late as possible: when the first text comes, and without the white space at its ends, as
/// Markdown requires. If a delimiter would not be read as one (`字**「字」**字`) or would touch another, a tag takes its
/// place (`字<strong>「字」</strong>字`).
#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts about the text so far")]
pub(crate) struct Inline {
    text: String,
    space: bool,
    line_break: bool,
    open: Vec<OpenMark>,
    closed: Option<Closed>,
    /// Where the emphasis is that was closed last as a tag: of its start tag, and behind its end tag.
    closed_tag: Option<(usize, usize)>,
    /// Whether to escape dollars, since they delimit formulas.
    has_formulas: bool,
    has_words: bool,
    /// Whether to write words only.
    is_plain: bool,
}

impl Inline {
    pub(crate) fn new(has_formulas: bool) -> Inline {
        Inline { has_formulas, ..Inline::default() }
    }

    /// Returns a text without marks, images and anchors.
    pub(crate) fn plain() -> Inline {
        Inline { is_plain: true, ..Inline::default() }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    pub(crate) fn is_image(&self) -> bool {
        !self.text.is_empty() && !self.has_words
    }

    /// Opens a mark. Nested links, emphasis within its like, and marks within code stay unmarked.
    pub(crate) fn open(&mut self, mark: InlineMark) {
        let is_tag = matches!(mark, InlineMark::Tag(..));
        let nested = |open: &OpenMark| {
            open.state != InlineState::Silent
                && (open.mark == InlineMark::Code || (open.mark.delimiter() == mark.delimiter() && !is_tag))
        };
        let state = if self.is_plain || self.open.iter().any(nested) {
            InlineState::Silent
        } else {
            InlineState::Waiting
        };
        self.open.push(OpenMark { mark, state });
    }

    pub(crate) fn close(&mut self) {
        if let Some(open) = self.open.pop() {
            self.end_mark(&open);
        }
    }

    fn end_mark(&mut self, open: &OpenMark) {
        match open.state {
            InlineState::Written(from) => self.write_end(&open.mark, from),
            InlineState::Tagged(from) => {
                self.settle_tight();
                self.text.push_str(open.mark.tags().1);
                self.closed_tag = Some((from, self.text.len()));
            }
            InlineState::Waiting | InlineState::Silent => {}
        }
    }

    /// Writes emphasis that ends where the text ends with tags: another delimiter comes right behind it.
    fn settle_tight(&mut self) {
        if let Some(closed) =
            self.closed.take().filter(|closed| self.text.len() == closed.to + closed.delimiter.len())
        {
            self.write_tags(closed);
        }
    }

    fn write_tags(&mut self, closed: Closed) {
        let Closed { delimiter, tags: (start, end), from, to } = closed;
        self.text.replace_range(to..to + delimiter.len(), end);
        let at = from - delimiter.len();
        self.text.replace_range(at..from, start);
        self.closed_tag = Some((at, self.text.len()));
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
                self.settle_tight();
                let both = self.both(emphasis, from);
                let (delimiter, tags) = both.unwrap_or((emphasis.delimiter(), emphasis.tags()));
                let from =
                    if both.is_some() { from - emphasis.delimiter().len() + delimiter.len() } else { from };
                let to = self.text.len();
                self.text.push_str(delimiter);
                self.closed = Some(Closed { delimiter, tags, from, to });
            }
        }
    }

    /// Takes the tags off emphasis that is all of the `outer` one, from the place `from`; returns the delimiter of both, and the
    /// tags of both.
    fn both(
        &mut self,
        outer: &InlineMark,
        from: usize,
    ) -> Option<(&'static str, (&'static str, &'static str))> {
        let (start, end) = self.closed_tag.take()?;
        if start != from || end != self.text.len() {
            return None;
        }
        let (inner, tags) = match outer {
            InlineMark::Strong => (InlineMark::Emphasis, ("<strong><em>", "</em></strong>")),
            InlineMark::Emphasis => (InlineMark::Strong, ("<em><strong>", "</strong></em>")),
            _ => return None,
        };
        let (start_tag, end_tag) = inner.tags();
        let text = self.text[start..].strip_prefix(start_tag)?.strip_suffix(end_tag)?.to_owned();
        // The delimiter of the outer one is before it.
        self.text.truncate(start - outer.delimiter().len());
        self.text.push_str("***");
        self.text.push_str(&text);
        Some(("***", tags))
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
        if self.is_plain {
            return;
        }
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
        if !self.is_plain {
            self.raw(&format!("<a id=\"{name}\"></a>"));
        }
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
            let open = self.open[index].clone();
            if matches!(open.state, InlineState::Written(_) | InlineState::Tagged(_)) {
                self.end_mark(&open);
                self.open[index].state = InlineState::Waiting;
            }
        }
        self.space = false;
        self.line_break = false;
        self.has_words = false;
        (self.closed, self.closed_tag) = (None, None);
        std::mem::take(&mut self.text)
    }

    fn push_word(&mut self, word: &str) {
        let Some(first) = word.chars().next() else { return };
        self.begin(first);
        self.has_words = true;
        if self.is_plain || self.in_code() { self.text.push_str(word) } else { self.escape(word) }
    }

    fn in_code(&self) -> bool {
        let is_written =
            |open: &OpenMark| matches!(open.state, InlineState::Waiting | InlineState::Written(_));
        self.open.iter().any(|open| open.mark == InlineMark::Code && is_written(open))
    }

    /// Writes the white space and the marks between the text so far and a text that starts with `first`.
    fn begin(&mut self, first: char) {
        if self.line_break && !self.text.is_empty() {
            // A line of code could start like a block, so each line is separate code.
            self.end_code(InlineState::Waiting);
            self.text.push_str(if self.is_plain { "\n" } else { "\\\n" });
        } else if self.space && !self.text.is_empty() {
            self.text.push(' ');
        }
        (self.space, self.line_break) = (false, false);
        self.go_on();
        let waiting = self.open.iter().find(|open| open.state == InlineState::Waiting).map(|open| &open.mark);
        let runs_on = waiting.is_some_and(InlineMark::is_emphasis);
        self.settle(waiting.map_or(first, InlineMark::first), runs_on);
        if self.text.ends_with('&')
            && (first == '#' || first.is_ascii_alphanumeric())
            && !self.in_code()
            && !self.is_plain
        {
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
                self.end_mark(&OpenMark { mark: InlineMark::Code, state });
                self.open[index].state = then;
            }
        }
    }

    /// Opens the emphasis closed last again if the text goes on with the same: one word in two pieces.
    fn go_on(&mut self) {
        let Some(closed) = self.closed.filter(|closed| self.text.len() == closed.to + closed.delimiter.len())
        else {
            return;
        };
        if let Some(open) = self.open.iter_mut().find(|open| open.state == InlineState::Waiting)
            && open.mark.is_emphasis()
            && open.mark.delimiter() == closed.delimiter
        {
            open.state = InlineState::Written(closed.from);
            self.text.truncate(closed.to);
            self.closed = None;
        }
    }

    /// Writes the emphasis closed last as tags if, with `first` next to it, it would not be read as closed.
    fn settle(&mut self, first: char, runs_on: bool) {
        let Some(closed) = self.closed.take() else { return };
        if self.text.len() != closed.to + closed.delimiter.len() {
            return;
        }
        let before = self.text[..closed.to].chars().next_back();
        let unread = !is_punctuation(first) && before.is_some_and(is_punctuation);
        if unread || runs_on || matches!(first, '*' | '~') {
            self.write_tags(closed);
        }
    }

    fn write_start(&mut self, index: usize, first: char) -> InlineState {
        let mark = &self.open[index].mark;
        if mark.is_emphasis() {
            let before = self.text.chars().next_back().filter(|c| !c.is_whitespace());
            let unread = is_punctuation(first) && before.is_some_and(|c| !is_punctuation(c));
            // `***` is ambiguous.
            let collides = before.is_some_and(|c| matches!(c, '*' | '~'));
            if unread || collides {
                let at = self.text.len();
                self.text.push_str(mark.tags().0);
                return InlineState::Tagged(at);
            }
        }
        let delimiter = mark.delimiter();
        if *mark == InlineMark::Code {
            let at = self.text.len();
            // The fence is written at the end, when its length is known. Two fences must not touch.
            if !self.text.ends_with('`') {
                return InlineState::Written(at);
            }
            self.text.push_str(mark.tags().0);
            return InlineState::Tagged(at);
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
        // Most words are of letters alone, besides commas and quotation marks.
        let is_plain = |byte: u8| {
            byte.is_ascii_alphanumeric() || !byte.is_ascii() || matches!(byte, b',' | b'\'' | b'"')
        };
        if word.bytes().all(is_plain) {
            self.text.push_str(word);
            return;
        }
        let mut characters = word.char_indices().peekable();
        while let Some((at, c)) = characters.next() {
            let next = characters.peek().map(|(_, next)| *next);
            let at_start = || is_line_start(&self.text);
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
                '#' | '+' | '-' | '=' | '>' => at_start(),
                ':' => at_start() && next.is_none_or(|next| next == '-'),
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
    fn emphasis_that_would_not_be_read_becomes_a_tag() {
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
        assert_eq!(emphasised("字", "「次」", "字"), "字<strong>「次」</strong>字");
        assert_eq!(emphasised("", "注意：", "正文"), "<strong>注意：</strong>正文");
        assert_eq!(emphasised("", "(a)", "first"), "<strong>(a)</strong>first");
        assert_eq!(emphasised("a", "(b)", " c"), "a<strong>(b)</strong> c");
        assert_eq!(emphasised("", "次。", " 字"), "**次。** 字");
    }

    /// Writes words and marks: `b(`, `i(`, `s(`, `c(` open one, `)` closes it, `_` is a space.
    fn marked(script: &str) -> String {
        let mut inline = Inline::default();
        let mut rest = script;
        while let Some(c) = rest.chars().next() {
            let mark = match rest.get(..2) {
                Some("b(") => Some(InlineMark::Strong),
                Some("i(") => Some(InlineMark::Emphasis),
                Some("s(") => Some(InlineMark::Strike),
                Some("c(") => Some(InlineMark::Code),
                _ => None,
            };
            let length = if mark.is_some() { 2 } else { c.len_utf8() };
            match (mark, c) {
                (Some(mark), _) => inline.open(mark),
                (None, ')') => inline.close(),
                (None, '_') => inline.space(),
                (None, _) => inline.push(&rest[..length]),
            }
            rest = &rest[length..];
        }
        inline.take()
    }

    #[test]
    fn emphasis_in_and_beside_emphasis_stays() {
        for (script, expected) in [
            ("b(i(x))", "***x***"),
            ("i(b(x))", "***x***"),
            ("b(x)i(y)", "<strong>x</strong>*y*"),
            ("b(x)b(y)", "**xy**"),
            ("b(x_i(y)_z)", "**x *y* z**"),
            ("b(x_i(y))", "**x <em>y</em>**"),
            ("b(i(x)_y)", "**<em>x</em> y**"),
            ("字b(i(x))字", "字<strong><em>x</em></strong>字"),
            ("b(b(x))", "**x**"),
            ("c(A)c(B)", "`A`<code>B</code>"),
            ("c(b(x))", "`x`"),
            ("s(b(x))", "~~<strong>x</strong>~~"),
            ("b(i(次。))字", "<strong><em>次。</em></strong>字"),
        ] {
            assert_eq!(marked(script), expected, "{script}");
        }
    }

    proptest::proptest! {
        /// What is bold or emphasised is so as `CommonMark` reads it.
        #[test]
        fn emphasis_is_read_as_it_was_written(script in "(b\\(|i\\(|\\)|_|x|y|字|。|「){0,12}") {
            let markdown = marked(&script);
            let (mut wanted, mut open) = (Vec::new(), Vec::new());
            let mut rest = script.as_str();
            while let Some(c) = rest.chars().next() {
                let is_mark = rest.starts_with("b(") || rest.starts_with("i(");
                match c {
                    _ if is_mark => open.push(c),
                    ')' => {
                        open.pop();
                    }
                    '_' => {}
                    c => wanted.push((c, open.contains(&'b'), open.contains(&'i'))),
                }
                rest = &rest[if is_mark { 2 } else { c.len_utf8() }..];
            }
            let (mut read, mut bold, mut emphasised) = (Vec::new(), 0, 0);
            for event in pulldown_cmark::Parser::new(&markdown) {
                use pulldown_cmark::{Event, Tag, TagEnd};
                match event {
                    Event::Start(Tag::Strong) => bold += 1,
                    Event::End(TagEnd::Strong) => bold -= 1,
                    Event::Start(Tag::Emphasis) => emphasised += 1,
                    Event::End(TagEnd::Emphasis) => emphasised -= 1,
                    Event::InlineHtml(tag) => match &*tag {
                        "<strong>" => bold += 1,
                        "</strong>" => bold -= 1,
                        "<em>" => emphasised += 1,
                        "</em>" => emphasised -= 1,
                        other => panic!("{other}"),
                    },
                    Event::Text(text) => {
                        let letters = text.chars().filter(|c| !c.is_whitespace());
                        read.extend(letters.map(|c| (c, bold > 0, emphasised > 0)));
                    }
                    _ => {}
                }
            }
            proptest::prop_assert_eq!(read, wanted, "{}", markdown);
        }
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
