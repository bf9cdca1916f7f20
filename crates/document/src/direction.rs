//! The direction in which a text is read.

use tsugi_page::{NodeId, Page};

/// Languages that are written from right to left, unless their tag names another script.
// Unicode CLDR, `characterOrder`.
const LANGUAGES: [&str; 22] = [
    "ar", "arc", "ary", "arz", "azb", "ckb", "dv", "fa", "glk", "he", "iw", "khw", "ks", "lrc", "mzn", "nqo",
    "ps", "sd", "syr", "ug", "ur", "yi",
];

const SCRIPTS: [&str; 8] = ["adlm", "arab", "hebr", "mand", "nkoo", "rohg", "syrc", "thaa"];

/// Returns `true` if a node is read from right to left, by the nearest `dir` around it, or else by the language. `dir=auto`
/// leaves it to the text, which the language stands for.
pub(crate) fn is_right_to_left(page: &Page, id: Option<NodeId>, lang: Option<&str>) -> bool {
    let around = id.into_iter().flat_map(|id| std::iter::once(id).chain(page.ancestors(id)));
    let said = around.filter_map(|id| page.attribute(id, "dir")).find_map(|dir| {
        let dir = dir.trim();
        let is_right = dir.eq_ignore_ascii_case("rtl");
        (is_right || dir.eq_ignore_ascii_case("ltr")).then_some(is_right)
    });
    said.unwrap_or_else(|| lang.is_some_and(is_of_right_to_left))
}

fn is_of_right_to_left(lang: &str) -> bool {
    let lang = lang.to_ascii_lowercase();
    let mut parts = lang.split(['-', '_']);
    let language = parts.next().unwrap_or_default();
    match parts.find(|part| part.len() == 4 && part.bytes().all(|byte| byte.is_ascii_alphabetic())) {
        Some(script) => SCRIPTS.contains(&script),
        None => LANGUAGES.contains(&language),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_mark_decides_before_the_language() {
        let is_right = |html: &str, lang: Option<&str>| {
            let page = Page::from_text(html, &"https://a.test/".parse().unwrap());
            is_right_to_left(&page, page.first("p"), lang)
        };
        assert!(is_right("<html dir=RTL><p>x", Some("en")));
        assert!(!is_right("<html dir=rtl><div dir=ltr><p>x", Some("ar")));
        assert!(is_right("<html dir=rtl><div dir=auto><p>x", None));
        for (lang, right) in [
            ("ar", true),
            ("he-IL", true),
            ("az-Arab", true),
            ("ku_Latn", false),
            ("ur-Latn", false),
            ("ug", true),
            ("ja", false),
        ] {
            assert_eq!(is_right("<p>x", Some(lang)), right, "{lang}");
        }
        assert!(LANGUAGES.is_sorted() && SCRIPTS.is_sorted());
    }
}
