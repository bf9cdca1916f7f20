use crate::json_ld::StatedArticle;
use crate::said::{Said, Source};
use crate::survey::MetadataSurvey;
use crate::words::{self, WordGroup};
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

/// Finds the `h1` that the page is about: one that shares words with the page's other titles, or the first in the content.
pub(crate) fn headline(
    survey: &MetadataSurvey<'_>,
    content: &Content,
    article: &StatedArticle,
    site: &SiteNames,
) -> Option<NodeId> {
    let page = survey.page;
    let social = survey.first(&["og:title"]);
    let has_social = survey.says_article() && social.as_ref().is_some_and(|title| !site.has(title));
    let names = [social, article.headline.clone(), page.title()];
    let names: Vec<BTreeSet<String>> = names.into_iter().flatten().map(|name| parts(&name)).collect();
    let last = page.title().and_then(|title| last_part(&title));
    let candidates: Vec<NodeId> = survey.headings.iter().copied().take(20).collect();
    let best = candidates.iter().filter_map(|id| {
        let shown = text::fold(&page.text(*id));
        let is_second = page.attribute(*id, "itemprop").is_some_and(|name| name == "alternativeHeadline");
        if is_second
            || shown.is_empty()
            || shown.chars().count() > LONGEST
            || site.has(&shown)
            || survey.is_hidden(*id)
        {
            return None;
        }
        let own = parts(&shown);
        let shared = names.iter().map(|name| share(&own, name)).fold(0.0, f32::max);
        let inside = content.nodes.iter().any(|node| page.contains(*node, *id));
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

pub(crate) fn title(
    survey: &MetadataSurvey<'_>,
    headline: Option<NodeId>,
    article: &StatedArticle,
    site: &SiteNames,
) -> Option<Said<String>> {
    const OTHERS: [&str; 6] =
        ["citation_title", "parsely-title", "sailthru.title", "dc.title", "dcterms.title", "twitter:title"];
    let page = survey.page;
    let social = survey.first(&["og:title"]).and_then(|title| site.title(&title));
    if let Some(heading) = headline.map(|id| own_text(page, id)).filter(|title| site.leaves(title)) {
        return match social.filter(|title| is_half(&heading, title)) {
            Some(title) => Some(Said::new(title, Source::Meta)),
            None => Some(Said::new(heading, Source::Heading)),
        };
    }
    let sources = [
        (social, Source::Meta),
        (article.headline.as_deref().and_then(|title| site.title(title)), Source::JsonLd),
        (survey.first(&["headline"]).and_then(|title| site.title(&title)), Source::Markup),
        (survey.first(&OTHERS).and_then(|title| site.title(&title)), Source::Meta),
        (article.parsely.title.as_deref().and_then(|title| site.title(title)), Source::Meta),
        (
            page.title().map(|title| site.stripped(&title).to_owned()).filter(|title| !title.is_empty()),
            Source::TitleElement,
        ),
    ];
    sources.into_iter().find_map(|(title, by)| Some(Said::new(title?, by)))
}

/// Returns `true` if a heading is only half of a title: `Snow` for `Snow: Snow`, or for a title in two parts.
fn is_half(heading: &str, title: &str) -> bool {
    let length = heading.chars().count();
    length <= 30
        && title.strip_prefix(heading).is_some_and(|rest| rest.starts_with(": "))
        && length * 3 > title.chars().count()
}

/// Returns the text of a heading without marks that link to it (`#`, `¶`).
fn own_text(page: &Page, id: NodeId) -> String {
    let marks = page.subtree(id).filter(|id| page.is_element(*id) && page.is_link(*id)).filter(|id| {
        let shown = page.string_value(*id).trim();
        shown.chars().count() == 1 && !shown.contains(char::is_alphanumeric)
    });
    text::fold(&page.text_of_content(&[id], &marks.collect::<Vec<_>>()))
}

pub(crate) fn of_listing(
    survey: &MetadataSurvey<'_>,
    site: Option<&str>,
    first_post: Option<NodeId>,
) -> Option<Said<String>> {
    let page = survey.page;
    let is_above = |id: &NodeId| first_post.is_none_or(|first| *id < first);
    let headings = survey.headings.iter().filter(|id| is_above(id) && !survey.is_aside(**id));
    let mut headings = headings.map(|id| own_text(page, *id));
    survey
        .first(&["og:title"])
        .map(|title| Said::new(title, Source::Meta))
        .or_else(|| page.title().map(|title| Said::new(title, Source::TitleElement)))
        .or_else(|| {
            let heading = headings.find(|title| !title.is_empty() && title.chars().count() <= 100);
            heading.map(|title| Said::new(title, Source::Heading))
        })
        .or_else(|| site.map(|site| Said::new(site.to_owned(), Source::Meta)))
}

/// The names of a site, in lower-case letters and digits alone.
#[derive(Debug, Default)]
pub(crate) struct SiteNames(BTreeSet<String>);

impl SiteNames {
    pub(crate) fn of(page: &Page, told: &[String]) -> SiteNames {
        let host = address::bare_host(page.url());
        let domain = address::registrable_domain(page.url());
        let label = domain.split('.').next().unwrap_or_default();
        let names = told.iter().map(String::as_str).chain([host, domain, label]).map(plain);
        SiteNames(names.filter(|name| name.chars().count() > 1).collect())
    }

    pub(crate) fn has(&self, text: &str) -> bool {
        let text = plain(text);
        self.0.contains(&text) || self.0.contains(text.trim_start_matches("the"))
    }

    fn title(&self, title: &str) -> Option<String> {
        Some(self.stripped(title).to_owned()).filter(|title| self.leaves(title))
    }

    fn leaves(&self, title: &str) -> bool {
        (1..=LONGEST).contains(&title.chars().count())
            && title.chars().any(char::is_alphanumeric)
            && !self.has(title)
    }

    fn stripped<'t>(&self, title: &'t str) -> &'t str {
        let mut title = title.trim_matches(is_between);
        for _ in 0..4 {
            // A name may contain such a character itself, so try all places, the outermost first.
            let signs = title.char_indices().filter(|(_, c)| is_between(*c) && !c.is_whitespace()).take(40);
            let cuts: Vec<(&str, &str)> = signs.filter_map(|(at, c)| cut(title, at, c)).collect();
            let behind = cuts.iter().rev().find(|(rest, site)| self.is_beside(site, rest));
            let before = || cuts.iter().find(|(site, rest)| self.is_beside(site, rest));
            match behind.map(|(rest, _)| rest).or_else(|| before().map(|(_, rest)| rest)) {
                Some(rest) => title = rest.trim_matches(is_between),
                None => return title,
            }
        }
        title
    }

    fn is_beside(&self, site: &str, rest: &str) -> bool {
        self.has(site) && rest.chars().any(char::is_alphanumeric)
    }
}

fn plain(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// Splits a title at a sign; returns `None` for a hyphen or the like inside a word, which separates nothing.
fn cut(title: &str, at: usize, sign: char) -> Option<(&str, &str)> {
    let (left, right) = (&title[..at], &title[at + sign.len_utf8()..]);
    let is_apart = left.ends_with(char::is_whitespace) && right.starts_with(char::is_whitespace);
    (!matches!(sign, '-' | '/' | '~' | '·') || is_apart).then_some((left, right))
}

fn is_between(c: char) -> bool {
    const SIGNS: [char; 20] = [
        '|', '｜', '-', '–', '—', '―', ':', '：', '»', '«', '·', '•', '/', '‹', '›', '~', '＠', '@', '_',
        '：',
    ];
    c.is_whitespace() || SIGNS.contains(&c)
}

/// Strips the name of the site from a title: the ending, or beginning, that it shares with the titles of the
/// document's other pages.
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
pub fn without_counter(title: &str) -> &str {
    const SIGNS: [char; 10] = ['-', '–', '—', '|', '｜', ',', '·', '•', ':', '»'];
    let whole = title.trim();
    let starts = whole
        .char_indices()
        .rev()
        .take(40)
        .filter(|(at, c)| *at > 0 && (BRACKETS.contains(c) || SIGNS.contains(c)));
    let cut = starts.filter(|(at, _)| is_counter(&whole[*at..])).last();
    let rest = cut.map(|(at, _)| whole[..at].trim_end()).filter(|rest| !rest.is_empty());
    rest.map_or(whole, |rest| rest.trim_end_matches(SIGNS).trim_end())
}

const BRACKETS: [char; 5] = ['(', '（', '[', '［', '【'];

/// Returns `true` if a text is explicitly a page number: with a word for “page”, or as “n of m” in brackets.
fn is_counter(text: &str) -> bool {
    if text.contains(['.', '\'']) {
        return false;
    }
    let numbers = text.split(|c: char| !c.is_numeric()).filter(|number| !number.is_empty()).count();
    let letters = text.chars().filter(|c| !c.is_numeric()).map(|c| if c.is_alphabetic() { c } else { ' ' });
    let letters: String = letters.collect();
    let mut words = letters.split_whitespace();
    let has_page = words.clone().any(|word| words::is(WordGroup::Page, word));
    let of_whole = text.contains(['/', '／']) && numbers == 2;
    words.all(|word| words::is(WordGroup::Page, word) || words::is(WordGroup::Of, word))
        && (1..=2).contains(&numbers)
        && (has_page || (text.starts_with(BRACKETS) && of_whole))
}

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

fn share(own: &BTreeSet<String>, other: &BTreeSet<String>) -> f32 {
    if own.is_empty() { 0.0 } else { own.intersection(other).count() as f32 / own.len() as f32 }
}
