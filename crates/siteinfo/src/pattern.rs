//! The `url` of an item: a JavaScript regular expression, unanchored and case-sensitive.
//!
//! Our own parser reads JavaScript's syntax, reports where an expression is wrong, and finds the texts that an address
//! must contain. `fancy-regex` runs the expression, with a limit on steps. 2,731 expressions agree with Node, except on
//! twelve texts that `tests/it` names.

mod error;
mod literal;
mod syntax;
mod translate;

pub use error::PatternError;

use error::MAX_LENGTH;
use fancy_regex::Regex;
use std::sync::OnceLock;
use translate::Translated;

/// Longest address to match, in bytes; longer ones are never followed.
const MAX_ADDRESS: usize = 8 * 1024;
/// Most parts, and deepest nesting, of expressions that are certain to compile if they need only `regex`.
const PLAIN_PARTS: u64 = 400;
const PLAIN_NESTING: usize = 20;

/// A compiled `url` expression.
///
/// The syntax is that of `new RegExp(source)`: ECMAScript 2024 with Annex B.1.2.
///
/// DIFFERENCE: names of groups have no escapes. Groups nest at most 100 deep, or less if the engine requires it. Expanded
/// repetitions have at most 4,096 parts. A match backtracks at most 100,000 times. Addresses of more than 8,192 bytes do
/// not match. Groups in a repetition keep their match from the previous round, and references in look-behind refer to
/// groups before them. A character beyond the Basic Multilingual Plane is one character, not two.
#[derive(Debug)]
pub struct Pattern {
    source: String,
    translated: Translated,
    /// Compiled on first use: few of the thousands in a dump are ever used.
    regex: OnceLock<Option<Regex>>,
    required: Option<Vec<String>>,
}

impl Pattern {
    /// Compiles a JavaScript regular expression.
    ///
    /// # Errors
    ///
    /// [`PatternError`] if it is not a regular expression, or exceeds a bound.
    pub fn new(source: &str) -> Result<Pattern, PatternError> {
        if source.len() > MAX_LENGTH {
            return Err(PatternError::TooLong(source.len()));
        }
        let (node, has_back) = syntax::parse(source)?;
        let translated = Translated::new(&node, has_back)?;
        let pattern = Pattern {
            source: source.to_owned(),
            required: literal::required(&node),
            regex: OnceLock::new(),
            translated,
        };
        let Translated { is_fancy, parts, nesting, .. } = pattern.translated;
        if is_fancy || parts > PLAIN_PARTS || nesting > PLAIN_NESTING {
            // Plain, small expressions always compile. Others may be too much for the engine; find out now.
            let regex =
                pattern.translated.compile().map_err(|error| PatternError::Unsupported(error.to_string()))?;
            _ = pattern.regex.set(Some(regex));
        }
        Ok(pattern)
    }

    /// Returns the expression as written.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Returns `true` if the expression matches somewhere in an address. A match that takes too long does not count.
    pub fn matches(&self, url: &str) -> bool {
        if url.len() > MAX_ADDRESS {
            return false;
        }
        let regex = self.regex.get_or_init(|| self.translated.compile().ok());
        regex.as_ref().is_some_and(|regex| regex.is_match(url).unwrap_or(false))
    }

    pub(crate) fn required(&self) -> Option<&[String]> {
        self.required.as_deref()
    }

    /// Returns `true` if the expression matches almost any address, as `^https?://.` does: it is tried on two made-up ones.
    pub fn is_generic(&self) -> bool {
        ["https://tsugi-a.invalid/", "http://www.tsugi-b.invalid/x/1.html"]
            .iter()
            .all(|url| self.matches(url))
    }
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
        let pattern = Pattern::new(r"^https?:\/\/(?!www\.)[^/]+\.a\.test\/\d+$").unwrap();
        assert!(pattern.matches("https://blog.a.test/12") && !pattern.matches("https://www.a.test/12"));
    }

    #[test]
    fn what_is_no_expression_is_an_error_that_says_where() {
        for (source, at) in [
            ("a(", 1),
            ("(?a)", 2),
            ("a)", 1),
            ("日*+", 4),
            ("*", 0),
            ("^+", 1),
            ("a|{2}", 2),
            ("a{3,2}", 1),
            ("日[b", 3),
            ("[x日-a]", 2),
            ("a\\", 1),
            ("(?<1>a)", 3),
            ("(?<n>a)(?<n>b)", 10),
            ("(?<n>a)\\k<m>", 7),
        ] {
            assert_eq!(Pattern::new(source).unwrap_err().at(), Some(at), "{source}");
        }
        assert_eq!(Pattern::new(&"a".repeat(5000)).unwrap_err(), PatternError::TooLong(5000));
        assert_eq!(Pattern::new("(?:(?:a{999}){999}){999}").unwrap_err(), PatternError::TooLarge);
        assert_eq!(Pattern::new(&"(".repeat(1000)).unwrap_err(), PatternError::TooDeep { at: 100 });
        assert!(Pattern::new(&format!("{}{}", "(?:".repeat(30), ")".repeat(30))).is_ok());
    }

    #[test]
    fn repetition_in_repetition_is_no_trap() {
        let pattern = Pattern::new("^(?:(?:a+)+b?)+$").unwrap();
        assert!(!pattern.matches(&("a".repeat(2000) + "c")) && pattern.matches(&"a".repeat(2000)));
        let pattern = Pattern::new("(?=(?:a|aa)+$)(?<!(?:b|bb)+c)a").unwrap();
        assert!(!pattern.matches(&("a".repeat(2000) + "c")) && pattern.matches(&"a".repeat(50)));
    }

    #[test]
    fn required_texts_are_the_telling_ones() {
        let required = |source: &str| Pattern::new(source).unwrap().required().map(<[String]>::to_vec);
        let texts = |texts: &[&str]| Some(texts.iter().map(ToString::to_string).collect::<Vec<_>>());
        assert_eq!(required(r"^https?://(?:www\.)?foo\.test/"), texts(&["foo.test/"]));
        assert_eq!(required(r"^https?://\w+\.(?:foo|quux)[.]test/\d"), texts(&[".test/"]));
        assert_eq!(required("^https?://(?:longer|alternatives)/"), texts(&["longer", "alternatives"]));
        assert_eq!(required("^https?://(?:longer|.)/"), None);
        assert_eq!(required("http*://www.foo.test/*"), texts(&["test"]));
        assert_eq!(required("(?:unsure)?(?!never)(sure){2}"), texts(&["sure"]));
        assert_eq!(required("foo(?=bar)baz"), texts(&["foobaz"]));
        assert_eq!(required("^https?://."), None);
        assert_eq!(required("😀"), None);
    }

    #[test]
    fn a_match_that_takes_too_long_is_none() {
        let pattern = Pattern::new(r"^(?=(a+)+$)\1b").unwrap();
        assert!(!pattern.matches(&("a".repeat(5000) + "c")));
    }

    #[test]
    fn what_the_engine_cannot_run_is_known_when_it_is_read() {
        for large in [r"^[^\u3042]{0,14000}$", r"\b[^/\u3042]{5000}x", "(?:[^\u{3042}]{60}){60}"] {
            assert!(Pattern::new(large).is_err(), "{large}");
        }
        let deep = format!("^{}a{}", "(?:".repeat(40), "|b)*".repeat(40));
        let pattern = Pattern::new(&deep);
        assert!(pattern.is_err() || pattern.unwrap().matches("ab"), "usable, or refused with a reason");
        assert!(!Pattern::new("a").unwrap().matches(&"a".repeat(9000)), "an address that nobody follows");
    }

    #[test]
    fn rounds_that_take_nothing_keep_nothing() {
        for (source, matching) in [
            (r"t/(?=(a))?\1b", false),
            (r"t/(?=(a)){0}\1b", false),
            (r"t/(?:(?=(a)))*\1b$", false),
            (r"t/(?=(a))\1b", true),
            (r"t/(a\1*)b", true),
            (r"t/(x\1?)?ab", true),
        ] {
            assert_eq!(matches(source, "http://a.test/ab"), matching, "{source}");
        }
    }

    #[test]
    fn generic_expressions_are_known() {
        let generic = |source: &str| Pattern::new(source).unwrap().is_generic();
        assert!(generic("^https?://.") && generic("^https?://..+") && generic("^https?://."));
        assert!(generic("^https?://[^/]+") && generic("."));
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
        fn any_expression_is_compiled_or_refused(source in "(\\[|\\]|\\(|\\(\\?<|n>|\\)|\\{|\\}|\\\\|\\^|a|-|&|1|,|\\?|!|=|:|\\*){0,14}") {
            let _ = Pattern::new(&source);
        }
    }
}
