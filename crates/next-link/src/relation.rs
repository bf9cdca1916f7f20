//! The relation of a next page to its page: another page of the same thing, or the next chapter.

use crate::address::is_number;
use tsugi_page::{Page, Relation, Url};

const PAGE_WORDS: [&str; 12] =
    ["page", "paged", "pg", "p", "pn", "start", "offset", "from", "seite", "pagina", "skip", "st"];

/// Determines the relation of a next page from its address.
///
/// Returns [`Relation::Page`] if the address names a page (`/page/2/`, `?start=20`), or differs from the page's own
/// only in a number and the punctuation around it. Returns [`Relation::Chapter`] otherwise, because chapters have
/// names.
///
/// # Examples
///
/// ```
/// use tsugi_next_link::relation;
/// use tsugi_page::{Page, Relation};
/// let page = Page::from_text("", &"https://a.test/guide/install.html".parse().unwrap());
/// assert_eq!(relation(&page, &"https://a.test/guide/install_2.html".parse().unwrap()), Relation::Page);
/// assert_eq!(relation(&page, &"https://a.test/guide/usage.html".parse().unwrap()), Relation::Chapter);
/// ```
pub fn relation(page: &Page, next: &Url) -> Relation {
    let here = page.url();
    if names_a_page(next) || without_numbers(here) == without_numbers(next) {
        Relation::Page
    } else {
        Relation::Chapter
    }
}

fn names_a_page(url: &Url) -> bool {
    if url.query_pairs().any(|(key, value)| is_page_word(&key) && is_number(value.as_bytes())) {
        return true;
    }
    let segments: Vec<&str> = url.path().split('/').filter(|segment| !segment.is_empty()).collect();
    let in_two = segments.windows(2).any(|pair| is_page_word(pair[0]) && is_number(pair[1].as_bytes()));
    let in_one = segments.last().is_some_and(|last| {
        let stem = last.split('.').next().unwrap_or(last);
        let word = stem.trim_end_matches(|c: char| c.is_ascii_digit()).trim_end_matches(['-', '_']);
        word.len() < stem.len() && is_page_word(word)
    });
    in_two || in_one
}

pub(super) fn is_page_word(word: &str) -> bool {
    PAGE_WORDS.iter().any(|known| word.eq_ignore_ascii_case(known))
}

fn without_numbers(url: &Url) -> String {
    let path = url.path().trim_end_matches("index.html").trim_end_matches('/');
    let mut kept: String = path.chars().chain("?".chars()).chain(url.query().unwrap_or("").chars()).collect();
    kept.retain(|c| !c.is_ascii_digit() && !matches!(c, '-' | '_' | '/' | '.'));
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tell(here: &str, next: &str) -> Relation {
        let base: Url = "https://a.test/".parse().unwrap();
        relation(&Page::from_text("", &base.join(here).unwrap()), &base.join(next).unwrap())
    }

    #[test]
    fn pages_count_and_chapters_have_names() {
        for (here, next, relation) in [
            ("/", "/page/2/", Relation::Page),
            ("/blog/", "/blog/?paged=2", Relation::Page),
            ("/search?q=x", "/search?q=x&start=20", Relation::Page),
            ("/article.html", "/article_2.html", Relation::Page),
            ("/article/", "/article/2/", Relation::Page),
            ("/t/topic", "/t/topic-2", Relation::Page),
            ("/list", "/page2.html", Relation::Page),
            ("/book/intro.html", "/book/install.html", Relation::Chapter),
            ("/book/", "/book/1-preface.html", Relation::Chapter),
            ("/docs/a/index.html", "/docs/b/index.html", Relation::Chapter),
        ] {
            assert_eq!(tell(here, next), relation, "{here} → {next}");
        }
    }
}
