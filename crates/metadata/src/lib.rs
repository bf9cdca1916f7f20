//! Reads a page's metadata: title, authors, dates, language, address and site, each with its source.
//!
//! Pages state the same fact in several places, which may disagree. Each field has an order of sources, from those
//! that describe a single article to those that describe the whole site, and rules for conflicts.
//!
//! # Examples
//!
//! ```
//! use tsugi_metadata::{Metadata, Source};
//! use tsugi_page::{Content, Evidence, Page};
//! let html = "<title>Snow | The Mill</title><meta property=og:site_name content='The Mill'>
//!     <main><h1>Snow</h1><p class=byline>By Ann Lee, staff writer | 12 May 2020</p><p>It fell.</main>";
//! let page = Page::from_text(html, &"https://mill.test/snow".parse()?);
//! let nodes = page.first("main").into_iter().collect();
//! let content = Content { nodes, without: Vec::new(), score: 1.0, evidence: Evidence::Model };
//! let metadata = Metadata::of(&page, &content);
//! assert_eq!(metadata.title.unwrap().value, "Snow");
//! assert_eq!(metadata.authors.unwrap().value, ["Ann Lee"]);
//! assert_eq!(metadata.published.unwrap().value, "2020-05-12");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod authors;
mod dates;
mod json_ld;
mod language;
mod listing;
mod names;
mod published;
mod said;
mod survey;
mod title;
mod words;

pub use language::{language_tag, of_words};
pub use said::{Said, Source};
pub use title::{without_common_end, without_counter};

use json_ld::Article;
use survey::{LONGEST, Survey};
use tsugi_dates::{Stated, StatedBy, When, mentions};
use tsugi_page::{Content, NodeId, Page, Url, address, text};

/// Metadata that a page states.
///
/// # Source
///
/// JSON-LD with schema.org types (`Article` and its subtypes, or else `WebPage`); `meta` elements (Open Graph,
/// <https://ogp.me>; Dublin Core; Highwire's `citation_…` as Google Scholar requests them; Parse.ly; Sailthru);
/// microdata (`itemprop`); microformats; `rel=author`; text around the headline; the page's address.
///
/// A page that lists posts has no authors and no dates: those of its first post are not its own.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Metadata {
    /// The title, without the name of the site.
    pub title: Option<Said<String>>,
    /// The authors, in page order; never empty.
    pub authors: Option<Said<Vec<String>>>,
    /// The publication date in ISO 8601: a day (`2024-05-01`), or a time with its UTC offset if known
    /// (`2024-05-01T09:30:00+02:00`, `…Z`). A year alone, as in a copyright line, does not count.
    pub published: Option<Said<String>>,
    /// The date of the last change, in the format of [`Metadata::published`]; `None` if it would precede publication.
    pub modified: Option<Said<String>>,
    /// The language, as a BCP 47 tag.
    pub lang: Option<Said<String>>,
    /// The page's canonical address, if it is an http or https address on the same site.
    pub canonical: Option<Url>,
    /// The name of the site.
    pub site: Option<Said<String>>,
    /// A description of one or a few sentences.
    pub description: Option<Said<String>>,
    /// The address of the image that represents the page.
    pub image: Option<Said<Url>>,
    /// The section of the site.
    pub section: Option<Said<String>>,
    /// Keywords; may be empty.
    pub tags: Vec<String>,
}

/// Maximum number of tags, and maximum length of a tag in characters.
const MOST_TAGS: usize = 50;
const LONGEST_TAG: usize = 100;

impl Metadata {
    /// Reads the metadata of a page; `content` is its main content.
    pub fn of(page: &Page, content: &Content) -> Metadata {
        Metadata::read(page, content, true)
    }

    /// Reads only title and language, at half the cost, and leaves the other fields empty.
    pub fn title_and_language(page: &Page, content: &Content) -> Metadata {
        Metadata::read(page, content, false)
    }

    fn read(page: &Page, content: &Content, is_all: bool) -> Metadata {
        let survey = Survey::of(page);
        let article = json_ld::article(&survey);
        let site = site(&survey, &article);
        let told = told_names(&survey, site.as_ref(), &article);
        let is_site = title::is_site(&survey, &told);
        let is_article = article.is_sure || survey.says_article();
        let posts = if is_article { Vec::new() } else { listing::posts(page, content) };
        let headline = title::headline(&survey, content, &article, &is_site);
        let is_list = !posts.is_empty();
        // Anything below a post belongs to it.
        let is_post = |headline| posts.first().is_some_and(|first| headline >= *first);
        let title = if is_list && headline.is_none_or(is_post) {
            title::of_listing(&survey, site.as_ref().map(|site| site.value.as_str()), posts.first().copied())
        } else {
            title::title(&survey, headline, &article, &is_site)
        };
        let lang = language::language(&survey, content, article.lang.as_deref());
        if !is_all {
            return Metadata { title, lang, ..Metadata::default() };
        }
        let near = survey.near(headline, content);
        let is_front = survey::is_front(page.url()) && address::is_web(page.url());
        let authors =
            if is_list { None } else { authors::authors(&survey, &article, &near, &is_site, is_front) };
        let published = if is_list { None } else { published::published(&survey, &article, &near, is_front) };
        // Ignore a modification date before publication.
        let modified = published::modified(&survey, &article).filter(|modified| {
            !is_list && published.as_ref().is_none_or(|published| is_later(&modified.value, &published.value))
        });
        Metadata {
            title,
            authors,
            published,
            modified,
            lang,
            canonical: survey::canonical(&survey),
            site,
            description: description(&survey, &article),
            image: image(&survey, &article),
            section: section(&survey, &article),
            tags: tags(&survey, &article),
        }
    }
}

fn site(survey: &Survey<'_>, article: &Article) -> Option<Said<String>> {
    let told = |names: &[&str]| {
        let mut values = survey.all(names).filter(|name| name.len() <= LONGEST).map(text::fold);
        values.find(|name| names::is_plausible(name)).map(|name| Said::new(name, Source::Meta))
    };
    told(&["og:site_name"])
        .or_else(|| article.site.clone().map(|name| Said::new(name, Source::JsonLd)))
        .or_else(|| told(&["application-name", "dc.publisher", "apple-mobile-web-app-title"]))
}

/// Returns the likely names of the site: texts that are neither a title nor an author.
fn told_names(survey: &Survey<'_>, site: Option<&Said<String>>, article: &Article) -> Vec<String> {
    let metas =
        ["og:site_name", "application-name", "apple-mobile-web-app-title", "dc.publisher", "publisher"];
    let told = survey.all(&metas).filter(|name| name.len() <= 200).map(text::fold);
    let own = site.map(|site| site.value.clone()).into_iter().chain(article.site.clone());
    own.chain(told).chain(survey.home_names()).collect()
}

fn description(survey: &Survey<'_>, article: &Article) -> Option<Said<String>> {
    let told = |names: &[&str]| survey.first(names).map(|text| Said::new(text, Source::Meta));
    told(&["og:description", "description"])
        .or_else(|| article.description.clone().map(|text| Said::new(text, Source::JsonLd)))
        .or_else(|| {
            told(&["dc.description", "dcterms.description", "sailthru.description", "twitter:description"])
        })
        .filter(|said| said.value.chars().any(char::is_alphanumeric))
}

fn image(survey: &Survey<'_>, article: &Article) -> Option<Said<Url>> {
    let url = |text: &str| {
        let url = survey.page.resolve(text.trim()).filter(|_| !text.trim().is_empty())?;
        (address::is_web(&url) && url.username().is_empty()).then_some(url)
    };
    let of_meta = survey.all(&["og:image:secure_url", "og:image", "og:image:url"]).find_map(url);
    let of_article = || article.image.as_deref().and_then(url).map(|url| Said::new(url, Source::JsonLd));
    let others = || {
        survey
            .all(&["twitter:image", "twitter:image:src", "thumbnailurl", "sailthru.image.full"])
            .find_map(url)
    };
    let meta = |url: Url| Said::new(url, Source::Meta);
    of_meta.map(meta).or_else(of_article).or_else(|| others().map(meta))
}

fn section(survey: &Survey<'_>, article: &Article) -> Option<Said<String>> {
    let of_meta =
        survey.first(&["article:section", "og:article:section", "parsely-section", "cxenseparse:category"]);
    let of_article = || article.section.clone().map(|name| Said::new(name, Source::JsonLd));
    let fits = |said: &Said<String>| said.value.chars().count() <= LONGEST_TAG;
    of_meta.map(|name| Said::new(name, Source::Meta)).or_else(of_article).filter(fits)
}

fn tags(survey: &Survey<'_>, article: &Article) -> Vec<String> {
    let single: Vec<String> = survey.all(&["article:tag", "og:article:tag"]).map(text::fold).collect();
    let listed = ["keywords", "news_keywords", "parsely-tags", "sailthru.tags", "citation_keywords"];
    let of_meta = |name: &str| -> Vec<String> {
        let values = survey.all(&[name]).flat_map(|value| value.split([',', ';', '、', '，']));
        values.map(text::fold).collect()
    };
    let sources = [single, article.tags.clone()].into_iter().chain(listed.into_iter().map(of_meta));
    let kept = |tags: Vec<String>| {
        let mut unique: Vec<String> = Vec::new();
        for tag in tags {
            let fits = !tag.is_empty() && tag.chars().count() <= LONGEST_TAG;
            if fits && unique.len() < MOST_TAGS && !unique.contains(&tag) {
                unique.push(tag);
            }
        }
        unique
    };
    sources.map(kept).find(|tags| !tags.is_empty()).unwrap_or_default()
}

/// Returns the dates that a page states for itself: in JSON-LD, `meta` elements, microdata, `time` elements, and the
/// text near its headline. `content` is its main content.
///
/// # Examples
///
/// ```
/// use tsugi_dates::StatedBy;
/// use tsugi_page::{Content, Evidence, Page};
/// let page = Page::from_text("<meta property=article:modified_time content=2026-11-02><h1>Snow</h1>Posted 1 November 2026", &"https://a.test/".parse().unwrap());
/// let content = Content { nodes: Vec::new(), without: Vec::new(), score: 0.0, evidence: Evidence::Model };
/// let stated = tsugi_metadata::stated_dates(&page, &content);
/// assert_eq!((stated[0].by, stated[0].when.to_string()), (StatedBy::MetaModified, "2026-11-02".into()));
/// assert_eq!((stated[1].by, stated[1].when.to_string()), (StatedBy::Text, "2026-11-01".into()));
/// let page = Page::from_text("<meta name=date content='2 novembre 2026'>", page.url());
/// assert_eq!(tsugi_metadata::stated_dates(&page, &content)[0].when.to_string(), "2026-11-02");
/// ```
pub fn stated_dates(page: &Page, content: &Content) -> Vec<Stated> {
    let survey = Survey::of(page);
    let article = json_ld::article(&survey);
    let headline = title::headline(&survey, content, &article, &|_| false);
    let near = survey.near(headline, content);
    let mut written: Vec<(StatedBy, &str)> = Vec::new();
    written.extend(article.modified.as_deref().map(|date| (StatedBy::JsonLdModified, date)));
    written.extend(article.published.as_deref().map(|date| (StatedBy::JsonLdPublished, date)));
    written.extend(survey.all(published::MODIFIED).map(|date| (StatedBy::MetaModified, date)));
    written.extend(survey.all(published::PUBLISHED).map(|date| (StatedBy::MetaPublished, date)));
    let times = survey.times.iter().filter(|id| near.around.contains(&id.index()));
    let times = times.filter_map(|id| page.attribute(*id, "datetime")).filter(|date| date.len() <= LONGEST);
    written.extend(times.take(5).map(|date| (StatedBy::Time, date)));
    let read = |(by, date): (StatedBy, &str)| {
        let normal = dates::normal(date);
        Some(Stated { by, when: normal.as_deref().and_then(When::read).or_else(|| When::read(date))? })
    };
    let mut stated: Vec<Stated> = written.into_iter().filter_map(read).collect();
    stated.extend(text_near(&survey, headline).map(|when| Stated { by: StatedBy::Text, when }));
    let mut unique: Vec<Stated> = Vec::new();
    for date in stated.into_iter().take(50) {
        if !unique.contains(&date) {
            unique.push(date);
        }
    }
    unique
}

/// Returns the dates in the text near the headline.
fn text_near<'a>(survey: &Survey<'a>, headline: Option<NodeId>) -> impl Iterator<Item = When> + use<'a> {
    /// Maximum number of nodes examined before and after the headline.
    const NEAR: usize = 30;
    let page = survey.page;
    let near = headline.map_or(0..0, |headline| {
        headline.index().saturating_sub(NEAR)..(page.subtree_end(headline) + NEAR).min(page.node_count())
    });
    let texts: Vec<&'a str> = survey.texts(near).map(|(_, data)| data).collect();
    texts.into_iter().flat_map(mentions).filter_map(|found| found.when).take(5)
}

/// Returns `true` if a date is not before another. A day covers all its hours.
fn is_later(date: &str, than: &str) -> bool {
    let length = date.len().min(than.len()).min("2024-05-01".len());
    date.get(..length) >= than.get(..length)
}

#[cfg(test)]
mod tests;
