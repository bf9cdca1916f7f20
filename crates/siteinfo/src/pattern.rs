//! The `url` of an item: a JavaScript regular expression, unanchored and case-sensitive.

use fancy_regex::{Regex, RegexBuilder};

/// Longest expression, in bytes.
const MAX_LENGTH: usize = 4 * 1024;
/// How often one match may backtrack; only expressions with look-around or back-references can.
const BACKTRACK_LIMIT: usize = 100_000;
/// Largest compiled program, in bytes.
const SIZE_LIMIT: usize = 4 << 20;

/// Why an expression cannot be used.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PatternError {
    /// It is longer than we read.
    #[error("an expression of {0} bytes; at most {MAX_LENGTH} are read")]
    TooLong(usize),
    /// It is no regular expression that we know.
    #[error("{0}")]
    Syntax(String),
}

/// A compiled `url` expression.
#[derive(Debug)]
pub struct Pattern {
    source: String,
    regex: Regex,
}

impl Pattern {
    /// Compiles a JavaScript regular expression.
    ///
    /// # Errors
    ///
    /// [`PatternError`] where it is none, or beyond a bound.
    ///
    /// # Examples
    ///
    /// ```
    /// use tsugi_siteinfo::Pattern;
    /// let pattern = Pattern::new(r"^https?:\/\/(?!www\.)[^/]+\.a\.test\/\d+$")?;
    /// assert!(pattern.matches("https://blog.a.test/12") && !pattern.matches("https://www.a.test/12"));
    /// # Ok::<(), tsugi_siteinfo::PatternError>(())
    /// ```
    pub fn new(source: &str) -> Result<Pattern, PatternError> {
        if source.len() > MAX_LENGTH {
            return Err(PatternError::TooLong(source.len()));
        }
        let regex = RegexBuilder::new(&translate(source))
            .backtrack_limit(BACKTRACK_LIMIT)
            .delegate_size_limit(SIZE_LIMIT)
            .build()
            .map_err(|error| PatternError::Syntax(error.to_string()))?;
        Ok(Pattern { source: source.to_owned(), regex })
    }

    /// Returns the expression as written.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Says whether the expression matches somewhere in an address; one that takes too long does not.
    pub fn matches(&self, url: &str) -> bool {
        self.regex.is_match(url).unwrap_or(false)
    }

    /// Says whether the expression matches nearly every address, as `^https?://.` does.
    pub fn is_generic(&self) -> bool {
        let rest = ["^https?://", "^https?:\\/\\/", "^http"].iter().find_map(|s| self.source.strip_prefix(s));
        rest.is_some_and(|rest| rest.chars().all(|c| matches!(c, '.' | '+' | '*' | 's' | '?' | ':' | '/')))
    }
}

/// Rewrites what JavaScript and the regex crates read differently: escapes of plain characters, braces that
/// are no quantifier, brackets and doubled operators inside classes, and the two odd classes `[]` and `[^]`.
fn translate(source: &str) -> String {
    let chars: Vec<char> = source.chars().collect();
    let mut out = String::with_capacity(source.len() + 16);
    let (mut at, mut in_class) = (0, false);
    while at < chars.len() {
        let c = chars[at];
        match c {
            '\\' => {
                at += 1;
                escape(chars.get(at).copied(), &mut out);
            }
            '[' if in_class => out.push_str("\\["),
            '[' => {
                if chars[at..].starts_with(&['[', ']']) {
                    out.push_str("(?!)");
                    at += 1;
                } else if chars[at..].starts_with(&['[', '^', ']']) {
                    out.push_str("(?s:.)");
                    at += 2;
                } else {
                    in_class = true;
                    out.push('[');
                    if chars.get(at + 1) == Some(&'^') {
                        out.push('^');
                        at += 1;
                    }
                }
            }
            ']' if in_class => {
                in_class = false;
                out.push(']');
            }
            ']' => out.push_str("\\]"),
            '&' | '~' if in_class => {
                out.push('\\');
                out.push(c);
            }
            '-' if in_class && chars.get(at + 1) == Some(&'-') => out.push_str("\\-"),
            '{' if !in_class && !is_quantifier(&chars[at..]) => out.push_str("\\{"),
            '}' if !in_class && !closes_quantifier(&chars[..at]) => out.push_str("\\}"),
            _ => out.push(c),
        }
        at += 1;
    }
    out
}

/// JavaScript reads `\` before a character without special meaning as that character.
fn escape(escaped: Option<char>, out: &mut String) {
    match escaped {
        None => out.push_str("\\\\"),
        Some('d') => out.push_str("[0-9]"),
        Some('D') => out.push_str("[^0-9]"),
        Some('w') => out.push_str("[0-9A-Za-z_]"),
        Some('W') => out.push_str("[^0-9A-Za-z_]"),
        Some(c @ ('s' | 'S' | 'b' | 'B' | 'n' | 'r' | 't' | 'f' | 'v' | 'x' | 'u' | '1'..='9')) => {
            out.push('\\');
            out.push(c);
        }
        Some(c) if c.is_alphanumeric() => out.push(c),
        Some(c) => {
            if c.is_ascii_punctuation()
                && !matches!(
                    c,
                    '<' | '>' | '/' | '_' | '"' | '\'' | '%' | ',' | ':' | ';' | '=' | '@' | '!' | '`'
                )
            {
                out.push('\\');
            }
            out.push(c);
        }
    }
}

/// Says whether the text begins with `{2}`, `{2,}` or `{2,3}`.
fn is_quantifier(chars: &[char]) -> bool {
    let Some(end) = chars.iter().position(|c| *c == '}') else { return false };
    let inner: String = chars[1..end].iter().collect();
    let (low, high) = inner.split_once(',').unwrap_or((&inner, ""));
    let digits = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    !low.is_empty() && digits(low) && digits(high)
}

/// Says whether a `}` after this text ends a quantifier.
fn closes_quantifier(before: &[char]) -> bool {
    let Some(open) = before.iter().rposition(|c| *c == '{') else { return false };
    let mut whole = before[open..].to_vec();
    whole.push('}');
    let escaped = open > 0 && before[open - 1] == '\\';
    !escaped && is_quantifier(&whole)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(pattern: &str, text: &str) -> bool {
        Pattern::new(pattern).unwrap_or_else(|error| panic!("{pattern}: {error}")).matches(text)
    }

    #[test]
    fn javascript_semantics() {
        assert!(matches(r"a\.test", "http://a.test/"), "unanchored");
        assert!(!matches("A.test", "http://a.test/"), "case-sensitive");
        assert!(matches(r"\/\d{2}$", "/12") && !matches(r"\d", "٣"), "\\d is ASCII");
        assert!(matches(r"\-\_\:\%\~\h", "-_:%~h"), "identity escapes");
        assert!(matches(r"[[]x[\w-]+]", "[xa-b]"), "brackets inside classes, a bracket alone");
        assert!(matches(r"[&&a]+$", "&a") && matches("^a{b}$", "a{b}") && matches("^a{2}$", "aa"));
        assert!(matches(r"/(?!bad)\w+$", "/good") && !matches(r"^/(?!bad)\w+$", "/bad"));
        assert!(matches("[^]", "\n") && !matches("[]", "x"));
    }

    #[test]
    fn what_is_no_expression_is_an_error() {
        assert!(Pattern::new("(").is_err());
        assert!(Pattern::new("*").is_err());
        assert!(Pattern::new(&"a".repeat(5000)).is_err());
        assert!(Pattern::new("(?:(?:a{999}){999}){999}").is_err(), "too large a program");
    }

    #[test]
    fn a_match_that_takes_too_long_is_none() {
        let pattern = Pattern::new(r"^(?=(a+)+$)\1b").unwrap();
        assert!(!pattern.matches(&("a".repeat(5000) + "c")));
    }

    #[test]
    fn generic_expressions_are_known() {
        let generic = |source: &str| Pattern::new(source).unwrap().is_generic();
        assert!(generic("^https?://.") && generic("^https?://..+") && generic("^https?://."));
        assert!(!generic("^https?://a\\.test/") && !generic("^https?://[^/]+/blog"));
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_compiled_or_refused(source in "\\PC{0,30}", url in "[a-z:/.]{0,20}") {
            if let Ok(pattern) = Pattern::new(&source) {
                let _ = pattern.matches(&url);
            }
        }

        #[test]
        fn any_expression_is_compiled_or_refused(source in "(\\[|\\]|\\(|\\)|\\{|\\}|\\\\|\\^|a|-|&|1|,|\\?|!|=|:|\\*){0,14}") {
            let _ = Pattern::new(&source);
        }
    }
}
