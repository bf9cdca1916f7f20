//! Decides whether a text in the data is prose, and turns it into HTML.

use pulldown_cmark::{Options, Parser, html};
use std::fmt::Write as _;
use tsugi_page::escaped;
use tsugi_page::text::{fold, is_cjk};

/// Minimum weight of prose in an article; see [`Prose::weight`].
const ENOUGH: usize = 250;

/// Counts that tell prose from code and data; markup does not count.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Prose {
    letters: usize,
    cjk: usize,
    spaces: usize,
    ends: usize,
    signs: usize,
    digits: usize,
    is_code: bool,
}

impl Prose {
    pub(super) fn of(text: &str) -> Prose {
        let mut prose = Prose { is_code: is_code(text), ..Prose::default() };
        let mut characters = text.chars().peekable();
        while let Some(c) = characters.next() {
            match c {
                // Skip the contents of a tag.
                '<' if characters
                    .peek()
                    .is_some_and(|c| c.is_ascii_alphabetic() || matches!(c, '/' | '!')) =>
                {
                    characters.by_ref().find(|c| *c == '>');
                }
                '.' | '!' | '?' | '؟' | '।' => {
                    prose.ends +=
                        usize::from(characters.peek().is_none_or(|c| " \n\r\t<\"'”’»)".contains(*c)));
                }
                '。' | '！' | '？' => prose.ends += 1,
                '{' | '}' | '=' | '<' | '>' | '[' | ']' | '|' | '\\' | '^' | '~' => prose.signs += 1,
                _ if is_cjk(c) => prose.cjk += 1,
                _ if c.is_whitespace() => prose.spaces += 1,
                _ if c.is_alphabetic() => prose.letters += 1,
                _ if c.is_ascii_digit() => prose.digits += 1,
                _ => {}
            }
        }
        prose
    }

    /// Returns the number of characters; those of scripts without spaces count twice.
    pub(super) fn weight(self) -> usize {
        self.letters + self.spaces + 2 * self.cjk
    }

    pub(super) fn is_enough(self) -> bool {
        let text = self.letters + self.cjk;
        let words = self.spaces + 1;
        self.weight() >= ENOUGH
            && self.ends >= 2
            // At least one sentence per 600 characters, and words of at most 15 letters on average.
            && self.ends * 600 >= self.weight()
            && self.letters <= words * 15
            && self.signs * 40 <= text
            && self.digits * 5 <= text
            && !self.is_code
    }
}

fn is_code(text: &str) -> bool {
    let start = &text[..text.floor_char_boundary(200)];
    let declares =
        ["function", "const ", "var ", "let ", "import ", "return "].iter().any(|word| start.contains(word));
    declares && start.contains(['{', '=']) && start.contains([';', '}'])
}

/// Keeps HTML and renders Markdown; each line or block of plain text becomes a paragraph.
pub(super) fn markup(text: &str) -> String {
    if is_html(text) {
        return text.to_owned();
    }
    if text.matches("&lt;").count() >= 2 && text.contains("&lt;/") {
        let plain = text.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"");
        return plain.replace("&amp;", "&");
    }
    if is_markdown(text) {
        let mut out = String::with_capacity(text.len() * 5 / 4);
        html::push_html(
            &mut out,
            Parser::new_ext(text, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH),
        );
        return out;
    }
    let text = text.replace("\r\n", "\n");
    let paragraphs: Vec<&str> =
        if text.contains("\n\n") { text.split("\n\n").collect() } else { text.split('\n').collect() };
    let written =
        paragraphs.iter().map(|paragraph| paragraph.trim()).filter(|paragraph| !paragraph.is_empty());
    // Some data contain entities in plain text.
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    for paragraph in written {
        let _ = writeln!(out, "<p>{}</p>", escaped_paragraph(paragraph));
    }
    out
}

fn escaped_paragraph(paragraph: &str) -> String {
    if paragraph.contains('&') && !paragraph.contains('<') {
        fold(paragraph)
    } else {
        escaped(&fold(paragraph))
    }
}

pub(super) fn is_html(text: &str) -> bool {
    const ELEMENTS: [&str; 12] =
        ["<p>", "<p ", "</p>", "<br", "<div", "<h2", "<h3", "<ul", "<li", "<strong", "<em>", "</a>"];
    ELEMENTS.iter().any(|element| text.contains(element))
}

fn is_markdown(text: &str) -> bool {
    let lines = |mark: &str| text.match_indices(mark).count();
    lines("](http") + lines("\n## ") + lines("\n### ") + lines("\n- ") + lines("\n* ") + lines("\n```") >= 2
}
