//! What can be said of an element that is likely to be so on other pages, too.

use super::selector::{Axis, Path, Step, Test, normalize_space, words};
use tsugi_page::{NodeId, Page};

/// Longest value of an attribute, and longest text, that a rule may name, in characters.
const LONGEST: usize = 40;
/// Attributes whose value says what an element is for.
const TELLING: [&str; 7] = ["role", "accesskey", "title", "aria-label", "itemprop", "itemtype", "name"];
/// Places from here on are not counted: rules that name them do not last.
const FARTHEST_PLACE: usize = 30;
/// Most classes of one element that are looked at.
const MOST_CLASSES: usize = 6;

/// Returns `true` if a class or id looks made by a build tool, or names one page or entry: `css-1q2w3e`, `_3fAz9`,
/// `post-1234`. A rule that names one breaks with the next build.
///
/// # Examples
///
/// ```
/// use tsugi_siteinfo::learn::is_generated;
/// assert!(is_generated("css-1q2w3e") && is_generated("Post_title__2fQ9x") && is_generated("post-20481"));
/// assert!(!is_generated("entry-content") && !is_generated("col-md-8") && !is_generated("h2o"));
/// ```
pub fn is_generated(name: &str) -> bool {
    const MADE: [&str; 7] = ["css-", "sc-", "jsx-", "svelte-", "astro-", "emotion-", "styled__"];
    if MADE.iter().any(|made| name.starts_with(made)) || (name.starts_with("Mui") && name.contains("-root-"))
    {
        return true;
    }
    // CSS modules: `Post_title__2fQ9x`.
    if let Some((_, hash)) = name.rsplit_once("__")
        && (5..=8).contains(&hash.len())
        && hash.bytes().skip(1).any(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit())
        && !is_camel_case(hash)
    {
        return true;
    }
    let digits = name.bytes().filter(u8::is_ascii_digit).count();
    let part = |part: &str| {
        let digits = part.bytes().filter(u8::is_ascii_digit).count();
        let upper = part.bytes().filter(u8::is_ascii_uppercase).count();
        let letters = part.bytes().filter(u8::is_ascii_alphabetic).count();
        let turns = part.as_bytes().windows(2).filter(|pair| kind(pair[0]) != kind(pair[1])).count();
        // A number of three and more figures, letters and figures by turns, or capitals here and there.
        digits >= 3
            || (digits > 1 && letters > 0 && part.len() >= 5 && turns >= 2)
            || (digits > 0 && letters > 0 && part.len() >= 6 && part.as_bytes()[0].is_ascii_digit())
            || (digits > 0 && letters > 0 && turns >= 4)
            || (digits > 0
                && upper > 1
                && letters > upper
                && part.len() >= 5
                && !part.bytes().all(|byte| byte.is_ascii_alphabetic()))
            || (part.len() >= 6 && upper >= 2 && turns >= 4 && !is_camel_case(part))
            || is_consonants(part)
    };
    name.len() > LONGEST || digits >= 5 || name.split(['-', '_', ':', '.']).any(part)
}

/// Figures, small letters, capitals, all else.
fn kind(byte: u8) -> u8 {
    match byte {
        b'0'..=b'9' => 0,
        b'a'..=b'z' => 1,
        b'A'..=b'Z' => 2,
        _ => 3,
    }
}

/// Words of two and more small letters, each after a capital.
fn is_camel_case(part: &str) -> bool {
    let mut short = 0;
    let mut run = 0;
    for byte in part.bytes().chain([b'A']) {
        if byte.is_ascii_uppercase() {
            short += usize::from(run == 1);
            run = 0;
        } else {
            run += 1;
        }
    }
    short == 0
}

/// Six and more letters without a vowel are no word.
fn is_consonants(part: &str) -> bool {
    part.len() >= 6
        && part.bytes().all(|byte| byte.is_ascii_lowercase())
        && !part.bytes().any(|byte| matches!(byte, b'a' | b'e' | b'i' | b'o' | b'u' | b'y'))
}

/// Returns the tests that hold for an element by its own attributes, those likeliest to last first.
pub(super) fn own_tests(page: &Page, id: NodeId) -> Vec<Test> {
    let mut tests = Vec::new();
    if let Some(rel) = page.attribute(id, "rel") {
        let kept = |word: &&str| matches!(*word, "next" | "prev" | "bookmark" | "tag");
        if kept(&rel) {
            tests.push(Test::Attribute("rel".to_owned(), rel.to_owned()));
        }
        tests.extend(words(rel).filter(kept).map(|word| Test::Word("rel".to_owned(), word.to_owned())));
    }
    if let Some(value) = page.attribute(id, "id").filter(|value| is_name(value)) {
        tests.push(Test::Id(value.to_owned()));
    }
    if let Some(classes) = page.attribute(id, "class") {
        let kept = words(classes).take(MOST_CLASSES).filter(|class| is_name(class));
        tests.extend(kept.map(|class| Test::Class(class.to_owned())));
    }
    for name in TELLING {
        let value = page.attribute(id, name).filter(|value| is_phrase(value));
        tests.extend(value.map(|value| Test::Attribute(name.to_owned(), value.to_owned())));
    }
    tests
}

/// Returns the tests that hold for a link by what it shows: its text, its image, its icon.
pub(super) fn shown_tests(page: &Page, id: NodeId) -> Vec<Test> {
    let mut tests = Vec::new();
    let text = normalize_space(page.string_value(id));
    if is_phrase(&text) {
        tests.push(Test::Text(text.clone()));
    }
    // The longest run without figures: "Next" of "Next 2/5".
    let runs = text.split(|c: char| c.is_numeric() || matches!(c, '/' | '(' | ')' | ':'));
    if let Some(run) = runs.map(str::trim).max_by_key(|run| run.chars().count())
        && run.chars().filter(|c| c.is_alphabetic()).count() >= 2
        && is_phrase(run)
        && page.string_value(id).contains(run)
    {
        tests.push(Test::Contains(run.to_owned()));
        let word = run.split(' ').max_by_key(|word| word.chars().count()).unwrap_or_default();
        if word != run && word.chars().count() >= 4 {
            tests.push(Test::Contains(word.to_owned()));
        }
    }
    let has = |below: NodeId, test: Test| Test::Has(page.tag(below).to_owned(), Box::new(test));
    for below in page.subtree(id).skip(1).filter(|below| page.is_html(*below)).take(4) {
        if page.is(below, "img") {
            for name in ["alt", "src"] {
                let value = page.attribute(below, name).filter(|value| is_phrase(value));
                tests.extend(
                    value.map(|value| has(below, Test::Attribute(name.to_owned(), value.to_owned()))),
                );
            }
        }
        if let Some(classes) = page.attribute(below, "class") {
            let kept = words(classes).take(MOST_CLASSES).filter(|class| is_name(class));
            tests.extend(kept.map(|class| has(below, Test::Class(class.to_owned()))));
        }
    }
    tests
}

/// The path to an element by names and places alone, from the document down: for pages that name nothing. `None`
/// where it stands behind many others.
pub(super) fn location(page: &Page, id: NodeId) -> Option<Path> {
    let mut steps: Vec<Step> = Vec::new();
    for at in std::iter::once(id).chain(page.ancestors(id)).filter(|at| page.is_element(*at)) {
        let same = |other: &NodeId| page.is_element(*other) && page.tag(*other) == page.tag(at);
        let before = std::iter::successors(page.previous_sibling(at), |at| page.previous_sibling(*at))
            .filter(same)
            .take(FARTHEST_PLACE)
            .count();
        if before == FARTHEST_PLACE {
            return None;
        }
        let after = std::iter::successors(page.next_sibling(at), |at| page.next_sibling(*at))
            .any(|other| same(&other));
        let place = u32::try_from(before + 1).unwrap_or(u32::MAX);
        let tests = if before > 0 || after { vec![Test::Nth(place)] } else { Vec::new() };
        steps.push(Step::new(Axis::Child, page.tag(at), tests));
    }
    steps.reverse();
    Some(Path { steps })
}

/// Returns `true` if a class or id may be named.
fn is_name(value: &str) -> bool {
    !value.is_empty() && !value.contains(char::is_whitespace) && !is_generated(value)
}

/// Returns `true` if a text may be named: short, on one line, without figures, quotable.
fn is_phrase(value: &str) -> bool {
    !value.trim().is_empty()
        && value.chars().count() <= LONGEST
        && !value.chars().any(|c| c.is_numeric() || c.is_control())
        && (!value.contains('"') || !value.contains('\''))
}

/// Words in names of classes and ids that speak of paging, or of content.
pub(super) fn speaks_of(test: &Test, words: &[&str]) -> bool {
    let named = match test {
        Test::Id(value)
        | Test::Class(value)
        | Test::Attribute(_, value)
        | Test::Word(_, value)
        | Test::Text(value)
        | Test::Contains(value) => value,
        Test::Has(_, test) => return speaks_of(test, words),
        _ => return false,
    };
    let folded = named.to_ascii_lowercase();
    words.iter().any(|word| folded.contains(word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_build_tools_make_are_told_from_words() {
        for made in [
            "css-1q2w3e", "css-hboir5", "sc-bdnxRM", "jsx-42", "svelte-xyz", "astro-dgnodkxz",
            "MuiBox-root-12", "Post_next__vXqWn", "Post_title__2fQ9x", "custom-1iodlsw", "_3fAz9",
            "post-20481", "article-2024-05", "x9kq2p", "qwrtplk",
        ] {
            assert!(is_generated(made), "{made}");
        }
        for word in [
            "next",
            "entry-content",
            "col-md-8",
            "h2o",
            "html5video",
            "mp3player",
            "nextPage1",
            "w3schools",
            "articleInner",
            "post-page-numbers",
            "block__element",
            "block__element--modifier",
            "page_next",
            "hentry",
            "PostBody",
            "wp-block-post-title",
        ] {
            assert!(!is_generated(word), "{word}");
        }
    }
}
