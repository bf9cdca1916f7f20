//! The `url` of an item: a JavaScript regular expression, unanchored and case-sensitive.
//!
//! Our own parser reads JavaScript's syntax, reports where an expression is wrong, and finds the texts that an address
//! must contain. Our own engine runs it, too: those for Rust have another syntax, and half a megabyte of code that browsers would load.
//! 2,731 expressions agree with Node (`tests/it`).

mod error;
mod literal;
mod program;
mod syntax;

pub use error::PatternError;

use error::MAX_LENGTH;
use program::Program;
use std::sync::OnceLock;

/// Longest address to match, in bytes; longer ones are never followed.
const MAX_ADDRESS: usize = 8 * 1024;

/// A compiled `url` expression.
///
/// The syntax is that of `new RegExp(source)`: ECMAScript 2024 with Annex B.1.2.
///
/// DIFFERENCE: names of groups have no escapes. Groups nest at most 100 deep. Expanded repetitions have at most 4,096
/// parts. A match takes at most a million steps. Addresses of more than 8,192 bytes do not match.
#[derive(Debug)]
pub struct Pattern {
    source: String,
    /// Written on first use: few of the thousands in a dump are ever used.
    program: OnceLock<Option<Program>>,
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
        let syntax = syntax::parse(source)?;
        program::check(&syntax.node)?;
        let required = literal::required(&syntax.node);
        Ok(Pattern { source: source.to_owned(), program: OnceLock::new(), required })
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
        let program =
            self.program.get_or_init(|| syntax::parse(&self.source).ok().as_ref().map(Program::new));
        program.as_ref().is_some_and(|program| program.matches(url))
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
        let long = "a".repeat(5000);
        assert!(!matches(r"^(?=(a+)+$)\1b", &(long.clone() + "c")));
        // Whatever does not match because of that must not make the whole match.
        assert!(!matches(r"^(?!(?:(a+)+\1)+$)", &(long + "c")));
    }

    #[test]
    fn large_expressions_are_run_or_refused() {
        for large in [r"^[^\u3042]{0,14000}$", r"\b[^/\u3042]{5000}x"] {
            assert_eq!(Pattern::new(large).unwrap_err(), PatternError::TooLarge, "{large}");
        }
        let pattern = Pattern::new("(?:[^\u{3042}]{60}){60}").unwrap();
        assert!(pattern.matches(&"a".repeat(3600)) && !pattern.matches(&"a".repeat(3599)));
        assert!(matches(&format!("^{}a{}", "(?:".repeat(40), "|b)*".repeat(40)), "ab"));
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
