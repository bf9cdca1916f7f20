//! Reads a page's metadata: title, authors, dates, language, address and site, each with its source.
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
//! let authors = metadata.authors.unwrap();
//! assert_eq!((authors.value, authors.by), (vec!["Ann Lee".to_owned()], Source::Byline));
//! assert_eq!(metadata.published.unwrap().value, "2020-05-12");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # How it works
//!
//! Pages state the same fact in several places, which may disagree. Each field has an order of sources, from those
//! that describe a single article to those that describe the whole site, and rules for conflicts.

mod authors;
mod dates;
mod far;
mod in_scripts;
mod json_ld;
mod language;
mod latin;
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
pub use tsugi_dates::{Stated, StatedBy, When};

use authors::Bylines;
use json_ld::{PaidPart, StatedArticle};
use survey::{LONGEST, MetadataSurvey};
use title::SiteNames;
use tsugi_dates::mentions;
use tsugi_page::{Content, NodeId, Page, Url, address, text};
use words::WordGroup;

/// Metadata that a page states.
///
/// # Source
///
/// JSON-LD with schema.org types (`Article` and its subtypes, or else `WebPage`); `meta` elements (Open Graph,
/// <https://ogp.me>; Dublin Core; Highwire's `citation_…` as Google Scholar requests them; Parse.ly; Sailthru);
/// microdata (`itemprop`); microformats; `rel=author`; text around the headline; the page's address. If none of them has a
/// date: labelled text elsewhere, and data for scripts.
///
/// A page that lists posts has no authors and no dates: those of its first post are not its own.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Metadata {
    /// The title, without the name of the site.
    pub title: Option<Said<String>>,
    /// The authors, in page order; never empty. People, or else, by [`Source::Organisation`], an organisation.
    pub authors: Option<Said<Vec<String>>>,
    /// The publication date in ISO 8601: a day (`2024-05-01`), or a time with its UTC offset if known
    /// (`2024-05-01T09:30:00+02:00`, `…Z`). A year alone, as in a copyright line, does not count. If the address or the text
    /// shows the day before or after a time in UTC, that day is the date.
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

const MOST_TAGS: usize = 50;
/// In characters.
const LONGEST_TAG: usize = 100;

/// How much of the metadata is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Asked {
    Title,
    TitleAndLanguage,
    Identity,
    All,
}

impl Metadata {
    /// Reads the metadata of a page; `content` is its main content.
    pub fn of(page: &Page, content: &Content) -> Metadata {
        Metadata::read(page, content, Asked::All)
    }

    /// Reads only title and language, at half the cost, and leaves the other fields empty.
    pub fn title_and_language(page: &Page, content: &Content) -> Metadata {
        Metadata::read(page, content, Asked::TitleAndLanguage)
    }

    /// Reads only what tells articles apart, and leaves the other fields empty: title, authors, publication date, section and tags.
    pub fn identity(page: &Page, content: &Content) -> Metadata {
        Metadata::read(page, content, Asked::Identity)
    }

    /// Reads only the title, and leaves the other fields empty.
    pub fn title_alone(page: &Page, content: &Content) -> Metadata {
        Metadata::read(page, content, Asked::Title)
    }

    fn read(page: &Page, content: &Content, asked: Asked) -> Metadata {
        let survey = MetadataSurvey::of(page);
        let article = json_ld::article(&survey);
        let site = site(&survey, &article);
        let told = told_names(&survey, site.as_ref(), &article);
        let names = SiteNames::of(page, &told);
        let is_article = article.is_sure || survey.says_article();
        // A page that says it is an article is not a list, though it may end with teasers.
        let posts = if is_article { Vec::new() } else { listing::posts(page, content) };
        let headline = title::headline(&survey, content, &article, &names);
        let is_list = !posts.is_empty();
        // Anything below a post belongs to it.
        let is_post = |headline| posts.first().is_some_and(|first| headline >= *first);
        let title = if is_list && headline.is_none_or(is_post) {
            title::of_listing(&survey, site.as_ref().map(|site| site.value.as_str()), posts.first().copied())
        } else {
            title::title(&survey, headline, &article, &names)
        };
        if asked == Asked::Title {
            return Metadata { title, ..Metadata::default() };
        }
        let lang = || language::language(&survey, content, article.lang.as_deref());
        if asked == Asked::TitleAndLanguage {
            return Metadata { title, lang: lang(), ..Metadata::default() };
        }
        let near = survey.near(headline, content);
        let is_front = survey::is_front(page.url()) && address::is_web(page.url());
        let bylines = Bylines { survey: &survey, near: &near, site: &names };
        let authors = if is_list { None } else { bylines.authors(&article, is_front) };
        let published =
            if is_list { None } else { published::published(&survey, &article, &near, content, is_front) };
        let (section, tags) = (section(&survey, &article), tags(&survey, &article));
        if asked == Asked::Identity {
            return Metadata { title, authors, published, section, tags, ..Metadata::default() };
        }
        // Ignore a modification date before publication.
        let modified = published::modified(&survey, &article, &near).filter(|modified| {
            !is_list && published.as_ref().is_none_or(|published| is_later(&modified.value, &published.value))
        });
        Metadata {
            title,
            authors,
            published,
            modified,
            lang: lang(),
            canonical: survey::canonical(&survey),
            site,
            description: description(&survey, &article),
            image: image(&survey, &article),
            section,
            tags,
        }
    }
}

/// What a page is, as far as that is clear.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum PageGenre {
    /// It says that it is an article.
    Article,
    /// Its content is a list of posts, each of which has a page of its own.
    Posts,
    /// Neither is clear.
    Unclear,
}

/// Returns what a page is; `content` is its main content.
pub fn page_genre(page: &Page, content: &Content) -> PageGenre {
    let survey = MetadataSurvey::of(page);
    if survey.says_article() || json_ld::article(&survey).is_sure {
        PageGenre::Article
    } else if listing::posts(page, content).is_empty() {
        PageGenre::Unclear
    } else {
        PageGenre::Posts
    }
}

/// Returns `true` if an article lacks parts that only subscribers may read: its JSON-LD says that there are some
/// (`isAccessibleForFree`), the page shows little text, and none of the parts that the JSON-LD names is on it. `content` is
/// its main content.
pub fn lacks_paid_parts(page: &Page, content: &Content) -> bool {
    // Many articles that say so are there in full.
    const LITTLE: u32 = 2500;
    const PART: u32 = 200;
    let characters = |ids: &[NodeId]| ids.iter().map(|id| page.totals(*id).characters).sum::<u32>();
    let shown = characters(&content.nodes).saturating_sub(characters(&content.without));
    // Most pages say nothing of it, and need no survey.
    let says_so = |id: NodeId| page.is(id, "script") && page.string_value(id).contains("isAccessibleForFree");
    if shown >= LITTLE || !page.elements().any(says_so) {
        return false;
    }
    let article = json_ld::article(&MetadataSurvey::of(page));
    let is_part = |id: &NodeId| {
        let names = |name: &str| page.attribute(*id, name).unwrap_or_default();
        article.paid_parts.iter().any(|part| match part {
            PaidPart::Class(part) => names("class").split_ascii_whitespace().any(|name| name == part),
            PaidPart::Id(part) => names("id") == part,
        })
    };
    let is_there = || page.elements().any(|id| page.totals(id).characters >= PART && is_part(&id));
    article.is_paid && !is_there()
}

fn site(survey: &MetadataSurvey<'_>, article: &StatedArticle) -> Option<Said<String>> {
    meta_name(survey, &["og:site_name"])
        .or_else(|| article.site.clone().map(|name| Said::new(name, Source::JsonLd)))
        .or_else(|| meta_name(survey, &["application-name", "dc.publisher", "apple-mobile-web-app-title"]))
}

fn meta_name(survey: &MetadataSurvey<'_>, names: &[&str]) -> Option<Said<String>> {
    let mut values = survey.all(names).filter(|name| name.len() <= LONGEST).map(text::fold);
    values.find(|name| names::is_plausible(name)).map(|name| Said::new(name, Source::Meta))
}

fn told_names(
    survey: &MetadataSurvey<'_>,
    site: Option<&Said<String>>,
    article: &StatedArticle,
) -> Vec<String> {
    let metas =
        ["og:site_name", "application-name", "apple-mobile-web-app-title", "dc.publisher", "publisher"];
    let told = survey.all(&metas).filter(|name| name.len() <= 200).map(text::fold);
    let own = site.map(|site| site.value.clone()).into_iter().chain(article.site.clone());
    own.chain(told).chain(survey.home_names()).collect()
}

fn meta(survey: &MetadataSurvey<'_>, names: &[&str]) -> Option<Said<String>> {
    survey.first(names).map(|text| Said::new(text, Source::Meta))
}

fn description(survey: &MetadataSurvey<'_>, article: &StatedArticle) -> Option<Said<String>> {
    const OTHERS: [&str; 4] =
        ["dc.description", "dcterms.description", "sailthru.description", "twitter:description"];
    meta(survey, &["og:description", "description"])
        .or_else(|| article.description.clone().map(|text| Said::new(text, Source::JsonLd)))
        .or_else(|| meta(survey, &OTHERS))
        .filter(|said| said.value.chars().any(char::is_alphanumeric))
}

fn image(survey: &MetadataSurvey<'_>, article: &StatedArticle) -> Option<Said<Url>> {
    meta_image(survey, &["og:image:secure_url", "og:image", "og:image:url"])
        .or_else(|| Some(Said::new(image_at(survey, article.image.as_deref()?)?, Source::JsonLd)))
        .or_else(|| {
            let others = ["twitter:image", "twitter:image:src", "thumbnailurl", "sailthru.image.full"];
            meta_image(survey, &others)
        })
}

fn meta_image(survey: &MetadataSurvey<'_>, names: &[&str]) -> Option<Said<Url>> {
    let url = survey.all(names).find_map(|value| image_at(survey, value));
    url.map(|url| Said::new(url, Source::Meta))
}

fn image_at(survey: &MetadataSurvey<'_>, address: &str) -> Option<Url> {
    let url = survey.page.resolve(address.trim()).filter(|_| !address.trim().is_empty())?;
    (address::is_web(&url) && url.username().is_empty()).then_some(url)
}

fn section(survey: &MetadataSurvey<'_>, article: &StatedArticle) -> Option<Said<String>> {
    meta(survey, &["article:section", "og:article:section", "parsely-section", "cxenseparse:category"])
        .or_else(|| article.section.clone().map(|name| Said::new(name, Source::JsonLd)))
        .filter(|said| said.value.chars().count() <= LONGEST_TAG)
}

fn tags(survey: &MetadataSurvey<'_>, article: &StatedArticle) -> Vec<String> {
    /// Elements that list all tags in one value.
    const LISTS: [&str; 5] =
        ["keywords", "news_keywords", "parsely-tags", "sailthru.tags", "citation_keywords"];
    let single = survey.all(&["article:tag", "og:article:tag"]).map(text::fold).collect();
    let lists = LISTS.into_iter().map(|name| -> Vec<String> {
        let values = survey.all(&[name]).flat_map(|value| value.split([',', ';', '、', '，']));
        values.map(text::fold).collect()
    });
    let sources = [single, article.tags.clone()].into_iter().chain(lists);
    sources.map(short_tags).find(|tags| !tags.is_empty()).unwrap_or_default()
}

fn short_tags(tags: Vec<String>) -> Vec<String> {
    let mut unique: Vec<String> = Vec::new();
    for tag in tags {
        let fits = !tag.is_empty() && tag.chars().count() <= LONGEST_TAG;
        if fits && unique.len() < MOST_TAGS && !unique.contains(&tag) {
            unique.push(tag);
        }
    }
    unique
}

/// Returns the dates that a page states for itself: in JSON-LD, `meta` elements, microdata, `time` elements, and the
/// text near its headline. `content` is its main content.
pub fn stated_dates(page: &Page, content: &Content) -> Vec<Stated> {
    let survey = MetadataSurvey::of(page);
    let article = json_ld::article(&survey);
    let headline = title::headline(&survey, content, &article, &SiteNames::default());
    let near = survey.near(headline, content);
    let mut written: Vec<(StatedBy, &str)> = Vec::new();
    written.extend(article.modified.as_deref().map(|date| (StatedBy::JsonLdModified, date)));
    written.extend(article.published.as_deref().map(|date| (StatedBy::JsonLdPublished, date)));
    written.extend(
        survey.all(words::entries(WordGroup::ModifiedName)).map(|date| (StatedBy::MetaModified, date)),
    );
    written.extend(
        survey.all(words::entries(WordGroup::PublishedName)).map(|date| (StatedBy::MetaPublished, date)),
    );
    let times = survey.times.iter().filter(|id| near.around.contains(&id.index()));
    let times = times.filter_map(|id| page.attribute(*id, "datetime")).filter(|date| date.len() <= LONGEST);
    written.extend(times.take(5).map(|date| (StatedBy::Time, date)));
    let written = written.into_iter().filter_map(|(by, date)| {
        let normal = dates::normal(date);
        Some(Stated { by, when: normal.as_deref().and_then(When::read).or_else(|| When::read(date))? })
    });
    let mut stated: Vec<Stated> = written.collect();
    stated.extend(text_near(&survey, headline).map(|when| Stated { by: StatedBy::Text, when }));
    let mut unique: Vec<Stated> = Vec::new();
    for date in stated.into_iter().take(50) {
        if !unique.contains(&date) {
            unique.push(date);
        }
    }
    unique
}

fn text_near<'a>(
    survey: &MetadataSurvey<'a>,
    headline: Option<NodeId>,
) -> impl Iterator<Item = When> + use<'a> {
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
