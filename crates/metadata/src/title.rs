//! The title of a page.

use crate::json_ld::Article;
use crate::said::{Said, Source};
use crate::survey::Survey;
use crate::words::{self, Group};
use std::collections::BTreeSet;
use tsugi_page::text::{self, is_cjk};
use tsugi_page::{Content, NodeId, Page, address};

/// Maximum length of a title, in characters.
const LONGEST: usize = 500;

/// Maximum number of characters of an article before its headline, unless the headline is also the page's title.
const DEEP: u32 = 1000;

/// Characters between a title and the name of its site; all but the full-width ones have white space around them.
const BETWEEN: [&str; 16] = [
    " | ", " - ", " – ", " — ", " :: ", " » ", " « ", " · ", " • ", " / ", " ‹ ", " › ", " ~ ", "｜", " ： ",
    ": ",
];

/// Finds the headline: the `h1` that the page is about.
///
/// It shares words with the page's other titles, or else it is the first in the content. The name of the site does
/// not count.
pub(crate) fn headline(
    survey: &Survey<'_>,
    content: &Content,
    article: &Article,
    is_site: &dyn Fn(&str) -> bool,
) -> Option<NodeId> {
    let page = survey.page;
    let names = [survey.first(&["og:title"]), article.headline.clone(), page.title()];
    let names: Vec<BTreeSet<String>> = names.into_iter().flatten().map(|name| parts(&name)).collect();
    let has_social =
        survey.says_article() && survey.first(&["og:title"]).is_some_and(|title| !is_site(&title));
    let last = page.title().and_then(|title| last_part(&title));
    let in_content = |id: &NodeId| content.nodes.iter().any(|node| page.contains(*node, *id));
    let candidates: Vec<NodeId> = survey.headings.iter().copied().take(20).collect();
    let best = candidates.iter().filter_map(|id| {
        let shown = text::fold(&page.text(*id));
        let is_second = page.attribute(*id, "itemprop").is_some_and(|name| name == "alternativeHeadline");
        if is_second
            || shown.is_empty()
            || shown.chars().count() > LONGEST
            || is_site(&shown)
            || survey.is_hidden(*id)
        {
            return None;
        }
        let own = parts(&shown);
        let shared = names.iter().map(|name| share(&own, name)).fold(0.0, f32::max);
        let inside = in_content(id);
        // If an article has a title for social networks, its headline shares some of the words.
        if shared < 0.2 && has_social {
            return None;
        }
        // A heading deep in an article that is not the page's title heads a section.
        let is_deep = || {
            let begin = content.nodes.first().map_or(0, |first| page.characters_before(*first));
            page.characters_before(*id).saturating_sub(begin) > DEEP
        };
        if shared < 0.5 && !names.is_empty() && inside && is_deep() {
            return None;
        }
        // The last part of `title` is usually the site.
        if !inside && last.as_deref().is_some_and(|last| last == shown) {
            return None;
        }
        // The only heading of the page, and not a logo or the heading of a side bar.
        let agrees = shared > 0.0 || names.is_empty();
        let is_alone = candidates.len() == 1 && agrees && !survey.is_aside(*id);
        (inside || is_alone || shared >= 0.5).then_some((*id, shared + if inside { 0.4 } else { 0.0 }))
    });
    // On a tie, the first wins.
    best.reduce(|best, next| if next.1 > best.1 { next } else { best }).map(|(id, _)| id)
}

/// Finds the title.
pub(crate) fn title(
    survey: &Survey<'_>,
    headline: Option<NodeId>,
    article: &Article,
    is_site: &dyn Fn(&str) -> bool,
) -> Option<Said<String>> {
    let page = survey.page;
    let fits = |title: &String| {
        (1..=LONGEST).contains(&title.chars().count())
            && title.chars().any(char::is_alphanumeric)
            && !is_site(title)
    };
    let clean = |title: String| without_site(&title, is_site).to_owned();
    let heading = headline.map(|id| own_text(page, id)).filter(fits);
    let social = survey.first(&["og:title"]).map(clean).filter(fits);
    if let Some(heading) = heading {
        // For `Snow: Snow`, or a title in two parts of which the heading holds one, `Snow` is only half of the title.
        let is_half = |title: &&String| {
            let rest = title.strip_prefix(heading.as_str()).unwrap_or_default();
            heading.chars().count() <= 30
                && rest.starts_with(": ")
                && heading.chars().count() * 3 > title.chars().count()
        };
        return match social.as_ref().filter(is_half) {
            Some(title) => Some(Said::new(title.clone(), Source::Meta)),
            None => Some(Said::new(heading, Source::Heading)),
        };
    }
    let meta = |names: &[&str]| survey.first(names).map(clean).filter(fits);
    let by = |by: Source| move |title: String| Said::new(title, by);
    social
        .map(by(Source::Meta))
        .or_else(|| article.headline.clone().map(clean).filter(fits).map(by(Source::JsonLd)))
        .or_else(|| meta(&["headline"]).map(by(Source::Markup)))
        .or_else(|| {
            meta(&[
                "citation_title", "parsely-title", "sailthru.title", "dc.title", "dcterms.title",
                "twitter:title",
            ])
            .or_else(|| article.parsely.title.clone().map(clean).filter(fits))
            .map(by(Source::Meta))
        })
        .or_else(|| page.title().map(clean).filter(|title| !title.is_empty()).map(by(Source::TitleElement)))
}

/// Returns the text of a heading without marks that link to it (`#`, `¶`).
fn own_text(page: &Page, id: NodeId) -> String {
    let is_mark = |id: &NodeId| {
        let shown = page.string_value(*id).trim();
        page.is_link(*id) && shown.chars().count() == 1 && !shown.contains(char::is_alphanumeric)
    };
    let marks: Vec<NodeId> = page.subtree(id).filter(|id| page.is_element(*id)).filter(is_mark).collect();
    text::fold(&page.text_of_content(&[id], &marks))
}

/// Returns the title of a page that lists posts: the title of the whole page.
pub(crate) fn of_listing(
    survey: &Survey<'_>,
    site: Option<&str>,
    first_post: Option<NodeId>,
) -> Option<Said<String>> {
    let page = survey.page;
    let headings = survey
        .headings
        .iter()
        .filter(|id| first_post.is_none_or(|first| **id < first) && !survey.is_aside(**id));
    let heading = headings
        .map(|id| own_text(page, *id))
        .find(|title| !title.is_empty() && title.chars().count() <= 100);
    let whole = || survey.first(&["og:title"]).map(|title| Said::new(title, Source::Meta));
    let element = || page.title().map(|title| Said::new(title, Source::TitleElement));
    let name = || site.map(|site| Said::new(site.to_owned(), Source::Meta));
    whole().or_else(element).or_else(|| heading.map(|title| Said::new(title, Source::Heading))).or_else(name)
}

/// Returns a test for names of the site: `told`, and the name of its host.
pub(crate) fn is_site(survey: &Survey<'_>, told: &[String]) -> impl Fn(&str) -> bool + use<> {
    let page = survey.page;
    let host = address::bare_host(page.url());
    let domain = address::registrable_domain(page.url());
    let label = domain.split('.').next().unwrap_or_default();
    let plain = |text: &str| {
        text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect::<String>()
    };
    let mut names: BTreeSet<String> = told.iter().map(|name| plain(name)).collect();
    names.extend([host, domain, label].map(plain));
    names.retain(|name| name.chars().count() > 1);
    move |text: &str| names.contains(&plain(text)) || names.contains(plain(text).trim_start_matches("the"))
}

/// Strips the names of the site from both ends of a title.
pub(crate) fn without_site<'t>(title: &'t str, is_site: &dyn Fn(&str) -> bool) -> &'t str {
    let mut title = title.trim_matches(is_between);
    for _ in 0..4 {
        // A name may contain such a character itself, so try all places, the outermost first.
        let cuts = || title.char_indices().filter(|(_, c)| is_between(*c) && !c.is_whitespace()).take(40);
        let parts = |at: usize, c: char| Some((title.get(..at)?, title.get(at + c.len_utf8()..)?));
        // A hyphen inside a word does not separate anything.
        let is_apart = |left: &str, right: &str, c: char| {
            !matches!(c, '-' | '/' | '~' | '·')
                || (left.ends_with(char::is_whitespace) && right.starts_with(char::is_whitespace))
        };
        let mut behind = cuts().collect::<Vec<_>>().into_iter().rev().filter_map(|(at, c)| {
            let (rest, site) = parts(at, c).filter(|(rest, site)| is_apart(rest, site, c))?;
            (is_site(site) && rest.chars().any(char::is_alphanumeric)).then_some(rest)
        });
        let mut before = cuts().filter_map(|(at, c)| {
            let (site, rest) = parts(at, c).filter(|(site, rest)| is_apart(site, rest, c))?;
            (is_site(site) && rest.chars().any(char::is_alphanumeric)).then_some(rest)
        });
        title = match behind.next().or_else(|| before.next()) {
            Some(rest) => rest.trim_matches(is_between),
            None => return title,
        };
    }
    title
}

/// Returns `true` if a character can separate a title from the name of its site.
fn is_between(c: char) -> bool {
    const SIGNS: [char; 20] = [
        '|', '｜', '-', '–', '—', '―', ':', '：', '»', '«', '·', '•', '/', '‹', '›', '~', '＠', '@', '_',
        '：',
    ];
    c.is_whitespace() || SIGNS.contains(&c)
}

/// Strips the name of the site from a title: the ending, or beginning, that it shares with the titles of the
/// document's other pages.
///
/// # Examples
///
/// ```
/// use tsugi_metadata::without_common_end;
/// assert_eq!(without_common_end("Snow - The Mill", &["Rain - The Mill", "Ice - The Mill"]), "Snow");
/// assert_eq!(without_common_end("Snow - The Mill", &["Snow - The Mill"]), "Snow - The Mill");
/// ```
pub fn without_common_end<'t>(title: &'t str, others: &[&str]) -> &'t str {
    let differ: Vec<&&str> =
        others.iter().filter(|other| without_counter(other) != without_counter(title)).collect();
    if differ.is_empty() {
        return title;
    }
    let starts = BETWEEN.iter().flat_map(|sign| title.match_indices(sign).map(|(at, _)| at));
    let common = starts.filter(|at| {
        let end = title.get(*at..).unwrap_or_default();
        *at > 0 && differ.iter().all(|other| other.ends_with(end) && other.len() > end.len())
    });
    common.min().and_then(|at| title.get(..at)).unwrap_or(title).trim_end()
}

/// Strips a page number from the end of a title: `Snow (2/3)`, `Snow - Page 2 of 3`, `雪（1/2ページ）`.
///
/// # Examples
///
/// ```
/// use tsugi_metadata::without_counter;
/// for title in ["Snow (1/3)", "Snow - Page 1 of 3", "Snow | Seite 1", "Snow（1/2 ページ）", "Snow, page 1/4"] {
///     assert_eq!(without_counter(title), "Snow", "{title}");
/// }
/// for title in ["Catch-22", "Snow 2", "Windows 3.1", "1984", "Route 66 (2020)", "Page 1"] {
///     assert_eq!(without_counter(title), title);
/// }
/// ```
pub fn without_counter(title: &str) -> &str {
    let whole = title.trim();
    let is_opening = |c: char| matches!(c, '(' | '（' | '[' | '［' | '【');
    let starts = whole.char_indices().rev().take(40).filter(|(at, c)| {
        *at > 0 && (is_opening(*c) || matches!(c, '-' | '–' | '—' | '|' | '｜' | ',' | '·' | '•' | ':' | '»'))
    });
    let cut = starts.filter(|(at, _)| whole.get(*at..).is_some_and(is_counter)).last();
    let cut = cut.and_then(|(at, _)| whole.get(..at)).map(str::trim_end).filter(|rest| !rest.is_empty());
    cut.map_or(whole, |rest| {
        rest.trim_end_matches(['-', '–', '—', '|', '｜', ',', '·', '•', ':', '»']).trim_end()
    })
}

/// Returns `true` if a text is explicitly a page number: with a word for “page”, or as “n of m” in brackets.
fn is_counter(text: &str) -> bool {
    let in_brackets = text.starts_with(['(', '（', '[', '［', '【']);
    let mut numbers = 0;
    let mut has_word = false;
    let mut parts = false;
    let mut words_of = String::new();
    let mut was_digit = false;
    for c in text.chars() {
        let digit = c.is_numeric();
        numbers += usize::from(digit && !was_digit);
        was_digit = digit;
        parts |= matches!(c, '/' | '／');
        if !digit {
            words_of.push(if c.is_alphabetic() { c } else { ' ' });
        }
        if matches!(c, '.' | '\'') {
            return false;
        }
    }
    for word in words_of.split_whitespace() {
        let is_of = matches!(
            word.to_lowercase().as_str(),
            "of" | "von" | "de" | "sur" | "di" | "van" | "из" | "z" | "av" | "dari"
        );
        let is_page = words::is(Group::Page, word);
        has_word |= is_page;
        if !is_of && !is_page {
            return false;
        }
    }
    let of_whole = parts && numbers == 2;
    (1..=2).contains(&numbers) && (has_word || (in_brackets && of_whole))
}

/// Returns the last of several parts of a title.
fn last_part(title: &str) -> Option<String> {
    let title = title.trim_end_matches(|c: char| {
        !c.is_alphanumeric() && !matches!(c, ')' | '）' | '!' | '?' | '」' | '.')
    });
    let (at, sign) = BETWEEN.iter().filter_map(|sign| title.rfind(sign).map(|at| (at, sign.len()))).max()?;
    title.get(at + sign..).map(|last| last.trim().to_owned())
}

/// Returns the words of a title, or its pairs of characters in scripts without spaces.
fn parts(title: &str) -> BTreeSet<String> {
    let title = title.to_lowercase();
    let mut parts = BTreeSet::new();
    for word in title.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        let letters: Vec<char> = word.chars().take(200).collect();
        if word.contains(is_cjk) && letters.len() > 1 {
            parts.extend(letters.windows(2).map(|pair| pair.iter().collect::<String>()));
        } else {
            parts.insert(word.to_owned());
        }
    }
    parts
}

/// Returns the share of a text that is in another, in [0, 1].
fn share(own: &BTreeSet<String>, other: &BTreeSet<String>) -> f32 {
    if own.is_empty() { 0.0 } else { own.intersection(other).count() as f32 / own.len() as f32 }
}
