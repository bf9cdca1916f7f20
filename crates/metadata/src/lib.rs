//! What a page says of itself: title, authors, dates, language, address, site.

mod dates;
mod json_ld;
mod names;

use json_ld::Article;
use std::collections::BTreeMap;
use tsugi_dates::{Stated, StatedBy, When, mentions};
use tsugi_page::{Content, NodeId, NodeKind, Page, Url, address, text};

/// What a page says of itself.
///
/// # Source
///
/// In this order, but for the title, which headings and `og:title` give before it, and the site (`og:site_name`): JSON-LD with the types of schema.org (`Article` and its kin, else `WebPage`); `meta` elements
/// (Open Graph, <https://ogp.me>; Dublin Core; Highwire's `citation_…`, as Google Scholar asks for them; Parse.ly);
/// microdata (`itemprop`); `rel=author`; a `time` near the headline.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Metadata {
    /// The title.
    pub title: Option<String>,
    /// The authors' names, in the order in which the page gives them.
    pub authors: Vec<String>,
    /// When it was published: a day, or a time with its distance from UTC where that is known, by ISO 8601.
    pub published: Option<String>,
    /// When it was changed last; as `published`.
    pub modified: Option<String>,
    /// The language, as a tag of BCP 47.
    pub lang: Option<String>,
    /// The address that the page calls its own.
    pub canonical: Option<Url>,
    /// The name of the site.
    pub site: Option<String>,
}

/// The longest value that is looked at, in bytes.
const LONGEST: usize = 2000;

/// How many nodes before and behind a headline its date may stand.
const NEAR: usize = 120;

impl Metadata {
    /// Reads what a page says of itself; `content` is its main content.
    pub fn of(page: &Page, content: &Content) -> Metadata {
        let known = MetaElements::of(page);
        let article = json_ld::article(page);
        let stated = stated(page, content, &known, &article);
        let first = |modified: bool| {
            let mut dates = stated.iter().filter(|(by, _)| is_change(*by) == modified);
            dates.find_map(|(_, date)| dates::normal(date))
        };
        let published = first(false);
        // What was changed before it was there was not.
        let modified = first(true)
            .filter(|modified| published.as_ref().is_none_or(|published| is_later(modified, published)));
        Metadata {
            title: title(page, content, &known, &article),
            authors: authors(page, &known, &article),
            published,
            modified,
            lang: lang(page, &known),
            canonical: canonical(page),
            site: known
                .all(&["og:site_name"])
                .map(text::fold)
                .find(|name| names::is_plausible(name))
                .or(article.site),
        }
    }
}

/// Where a page says when it was published, and when it was changed, by the names of its `meta` elements.
const PUBLISHED: [&str; 17] = [
    "article:published_time",
    "citation_publication_date",
    "citation_online_date",
    "citation_date",
    "dcterms.issued",
    "dc.date.issued",
    "dcterms.created",
    "dcterms.date",
    "dc.date",
    "parsely-pub-date",
    "sailthru.date",
    "datepublished",
    "pubdate",
    "publishdate",
    "publish-date",
    "og:published_time",
    "date",
];
const MODIFIED: [&str; 5] =
    ["article:modified_time", "og:updated_time", "dcterms.modified", "dc.date.modified", "datemodified"];

/// Lists the dates that a page states, as it writes them: each kind in the order in which it is believed.
fn stated<'a>(
    page: &'a Page,
    content: &Content,
    known: &MetaElements<'a>,
    article: &'a Article,
) -> Vec<(StatedBy, &'a str)> {
    let of_article = |by, date: &'a Option<String>| date.as_deref().map(|date| (by, date));
    let mut stated: Vec<(StatedBy, &str)> = Vec::new();
    stated.extend(of_article(StatedBy::JsonLdModified, &article.modified));
    stated.extend(of_article(StatedBy::JsonLdPublished, &article.published));
    stated.extend(known.all(&MODIFIED).map(|date| (StatedBy::MetaModified, date)));
    stated.extend(known.all(&PUBLISHED).map(|date| (StatedBy::MetaPublished, date)));
    stated.extend(date_near_title(page, content).into_iter().map(|date| (StatedBy::Time, date)));
    stated
}

/// Whether a date is that of a change. A time near the headline is taken for that of publication.
fn is_change(by: StatedBy) -> bool {
    matches!(by, StatedBy::JsonLdModified | StatedBy::MetaModified)
}

/// Returns the dates that a page states of itself: in JSON-LD, in `meta` elements and microdata, in `time` elements and
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
    let known = MetaElements::of(page);
    let article = json_ld::article(page);
    let written = stated(page, content, &known, &article);
    let read = |(by, date): (StatedBy, &str)| {
        let normal = dates::normal(date);
        Some(Stated { by, when: normal.as_deref().and_then(When::read).or_else(|| When::read(date))? })
    };
    let mut stated: Vec<Stated> = written.into_iter().filter_map(read).collect();
    stated.extend(text_near_title(page, content).map(|when| Stated { by: StatedBy::Text, when }));
    let mut unique: Vec<Stated> = Vec::new();
    for date in stated.into_iter().take(50) {
        if !unique.contains(&date) {
            unique.push(date);
        }
    }
    unique
}

/// Returns the dates in the text near the headline.
fn text_near_title(page: &Page, content: &Content) -> impl Iterator<Item = When> {
    let near = headline(page, content).map_or(0..0, |headline| {
        headline.index().saturating_sub(NEAR / 4)
            ..(page.subtree_end(headline) + NEAR / 4).min(page.node_count())
    });
    let nodes = page.subtree(NodeId::DOCUMENT).skip(near.start).take(near.len());
    let shown = nodes.filter(|id| {
        let hidden = page.parent(*id).is_some_and(|parent| page.class(parent).hidden);
        // A text that goes on for long is no byline.
        page.kind(*id) == NodeKind::Text && !hidden && page.data(*id).len() <= LONGEST / 10
    });
    shown.flat_map(|id| mentions(page.data(id))).filter_map(|found| found.when).take(5)
}

/// Says whether a date is not before another one. A day goes for all its hours.
fn is_later(date: &str, than: &str) -> bool {
    let length = date.len().min(than.len()).min("2024-05-01".len());
    date.get(..length) >= than.get(..length)
}

/// The values of `meta` elements and of microdata, by their names in lower case.
#[derive(Debug)]
struct MetaElements<'a> {
    values: BTreeMap<String, Vec<&'a str>>,
}

impl<'a> MetaElements<'a> {
    fn of(page: &'a Page) -> MetaElements<'a> {
        /// How many values of one name are kept.
        const MOST: usize = 50;
        let mut values: BTreeMap<String, Vec<&str>> = BTreeMap::new();
        for id in page.elements() {
            let is_meta = page.is(id, "meta");
            let names =
                if is_meta { &["property", "name", "itemprop", "http-equiv"][..] } else { &["itemprop"] };
            let given = names.iter().filter_map(|name| page.attribute(id, name));
            for names in given.filter(|names| names.len() < 200) {
                let value = if is_meta {
                    page.attribute(id, "content")
                } else {
                    // Of things that hold others, only the plain values are read here.
                    ["content", "datetime"].iter().find_map(|name| page.attribute(id, name))
                };
                let Some(value) = value.filter(|value| value.len() <= LONGEST && !value.trim().is_empty())
                else {
                    continue;
                };
                for name in names.split_whitespace() {
                    let values = values.entry(name.to_lowercase()).or_default();
                    if values.len() < MOST {
                        values.push(value);
                    }
                }
            }
        }
        MetaElements { values }
    }

    /// Returns the values of some names, in the order of the names.
    fn all(&self, names: &[&str]) -> impl Iterator<Item = &'a str> {
        names
            .iter()
            .filter_map(|name| self.values.get(*name))
            .flatten()
            .copied()
            .collect::<Vec<_>>()
            .into_iter()
    }
}

fn title(page: &Page, content: &Content, known: &MetaElements<'_>, article: &Article) -> Option<String> {
    let heading = |id: NodeId| Some(text::fold(&page.text(id))).filter(|text| !text.is_empty());
    let is_heading = |id: &NodeId| page.is(*id, "h1");
    let mut inside = content.nodes.iter().flat_map(|node| page.subtree(*node)).filter(is_heading);
    inside
        .find_map(heading)
        .or_else(|| known.all(&["og:title"]).map(text::fold).find(|title| !title.is_empty()))
        .or_else(|| article.headline.clone())
        .or_else(|| {
            let title = page.title()?;
            let mut headings = page.elements().filter(is_heading).filter_map(heading);
            headings.find(|heading| title.contains(heading.as_str()))
        })
        .or_else(|| page.title())
}

fn authors(page: &Page, known: &MetaElements<'_>, article: &Article) -> Vec<String> {
    let listed = names::several(article.authors.iter().map(String::as_str));
    if !listed.is_empty() {
        return listed;
    }
    // Each of these names one author; the ones behind name all in one value.
    let single = ["citation_author", "dc.creator", "dcterms.creator", "dc.contributor.author"];
    for name in single {
        let listed = names::several(known.all(&[name]));
        if !listed.is_empty() {
            return listed;
        }
    }
    for name in ["author", "parsely-author", "sailthru.author", "article:author", "byl"] {
        let pieces: Vec<String> = known.all(&[name]).flat_map(names::apart).collect();
        let listed = names::several(pieces.iter().map(String::as_str));
        if !listed.is_empty() {
            return listed;
        }
    }
    let has_word = |id: NodeId, name, word| {
        page.attribute(id, name)
            .is_some_and(|words: &str| words.split_whitespace().any(|found| found == word))
    };
    let is_author = |id: &NodeId| {
        let named = has_word(*id, "itemprop", "author") && !page.is(*id, "meta");
        named || (page.is(*id, "a") && has_word(*id, "rel", "author"))
    };
    // A thing that has a name among others is its name.
    let own_name = |id: NodeId| {
        let mut below = page.subtree(id).skip(1).filter(|id| has_word(*id, "itemprop", "name"));
        text::fold(&page.text(below.next().unwrap_or(id)))
    };
    let found: Vec<NodeId> = page.outermost(page.elements().filter(is_author).take(50).collect());
    let found: Vec<String> = found.into_iter().map(own_name).collect();
    // A list of many is an index of authors, or comments.
    let listed = names::several(found.iter().map(String::as_str));
    if listed.len() > 5 { Vec::new() } else { listed }
}

fn headline(page: &Page, content: &Content) -> Option<NodeId> {
    let inside = content.nodes.iter().flat_map(|node| page.subtree(*node)).find(|id| page.is(*id, "h1"));
    inside.or_else(|| page.first("h1"))
}

/// Returns the times that stand near the headline.
fn date_near_title<'a>(page: &'a Page, content: &Content) -> Vec<&'a str> {
    let Some(headline) = headline(page, content) else { return Vec::new() };
    let end = page.subtree_end(headline) + NEAR;
    let near = page.elements().skip_while(|id| id.index() + NEAR < headline.index());
    let near = near.take_while(|id| id.index() < end).filter(|id| page.is(*id, "time"));
    near.filter_map(|id| page.attribute(id, "datetime"))
        .filter(|date| date.len() <= LONGEST)
        .take(5)
        .collect()
}

/// Returns the first language that a text names (`en_US, fr`), as a tag of BCP 47 (`en-US`).
pub fn language_tag(text: &str) -> Option<String> {
    let tag = text.trim().split([',', ' ']).next().unwrap_or_default().replace('_', "-");
    let is_tag = (2..=35).contains(&tag.len())
        && tag.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        && tag.bytes().take(2).all(|byte| byte.is_ascii_alphabetic());
    is_tag.then_some(tag)
}

fn lang(page: &Page, known: &MetaElements<'_>) -> Option<String> {
    let mut declared = known.all(&["content-language", "og:locale", "dc.language", "dcterms.language"]);
    page.lang().and_then(language_tag).or_else(|| declared.find_map(language_tag))
}

/// Returns the address that a page calls its own: on the same site, and not the site's front page unless the page
/// is.
fn canonical(page: &Page) -> Option<Url> {
    let is_canonical = |id: &NodeId| {
        let rel = page.attribute(*id, "rel").unwrap_or_default();
        page.is(*id, "link") && rel.split_whitespace().any(|word| word.eq_ignore_ascii_case("canonical"))
    };
    let link = page.elements().find(is_canonical)?;
    let url = page.resolve(page.attribute(link, "href").filter(|href| !href.trim().is_empty())?)?;
    let own = page.url();
    let is_front = |url: &Url| matches!(url.path(), "" | "/") && url.query().is_none();
    let plausible = address::is_web(&url)
        && url.username().is_empty()
        && (!address::is_web(own) || address::registrable_domain(&url) == address::registrable_domain(own))
        && (!is_front(&url) || is_front(own));
    plausible.then_some(url)
}

#[cfg(test)]
mod tests {
    use super::*;
    use tsugi_page::Evidence;

    fn of(html: &str) -> Metadata {
        let page = Page::from_text(html, &"https://www.a.test/story/1".parse().unwrap());
        let nodes = page.first("main").into_iter().collect();
        Metadata::of(&page, &Content { nodes, without: Vec::new(), score: 1.0, evidence: Evidence::Model })
    }

    fn authors(html: &str) -> String {
        of(html).authors.join("; ")
    }

    #[test]
    fn texts_are_as_readers_see_them() {
        let script = |json: &str| format!("<script type='application/ld+json'>{json}</script>");
        let named =
            script(r#"{"@type":"Article","headline":"A &amp; B","author":{"name":"Ann O&#039;Lee"}}"#);
        assert_eq!(of(&named).authors, ["Ann O'Lee"]);
        assert_eq!(of(&named).title.as_deref(), Some("A & B"));
        let told = script(r#"{"@type":"Article","headline":"x","author":"Ann O&#039;Lee"}"#);
        assert_eq!(of(&told).authors, ["Ann O'Lee"]);
        assert_eq!(of("<html lang=en_US><p>x").lang.as_deref(), Some("en-US"));
    }

    #[test]
    fn json_ld_is_read_in_all_its_shapes() {
        let script = |json: &str| format!("<script type='application/ld+json'>{json}</script>");
        let article = r#"{"@type":"NewsArticle","headline":"The tale","datePublished":"2024-05-01T10:00:00+02:00",
            "dateModified":"2024-05-03","author":[{"@type":"Person","name":"Ann Lee"},"Bo Oh"],"publisher":{"name":"A Site"}}"#;
        let read = of(&script(article));
        assert_eq!(read.title.as_deref(), Some("The tale"));
        assert_eq!(read.authors, ["Ann Lee", "Bo Oh"]);
        assert_eq!(read.published.as_deref(), Some("2024-05-01T10:00:00+02:00"));
        assert_eq!((read.modified.as_deref(), read.site.as_deref()), (Some("2024-05-03"), Some("A Site")));
        assert_eq!(of(&script(&format!("[{article}]"))), read);
        assert_eq!(
            of(&script(&format!(r#"{{"@graph":[{{"@type":"WebSite","name":"x"}},{article}]}}"#))),
            read
        );
        assert_eq!(of(&(script("{broken") + &script(article))), read);
        let by_id = r##"{"@graph":[{"@type":["Article","Thing"],"author":{"@id":"#p"}},{"@id":"#p","@type":"Person","name":"Cy Do"}]}"##;
        assert_eq!(authors(&script(by_id)), "Cy Do");
        // Huge, or nested without end: as if it was not there.
        assert_eq!(authors(&script(&format!("{article}{}", " ".repeat(1 << 20)))), "");
        assert_eq!(of(&script(&"[".repeat(100_000))), of(""));
    }

    #[test]
    fn one_article_of_many_is_the_one_of_the_page() {
        let item = |url: &str, name: &str| {
            format!(r#"{{"@type":"Article","url":"{url}","author":{{"name":"{name}"}}}}"#)
        };
        let list = |first: &str| {
            let others = item("https://www.a.test/2", "Bo Oh");
            format!(
                "<script type=application/ld+json>[{others},{},{others}]</script>",
                item(first, "Ann Lee")
            )
        };
        assert_eq!(authors(&list("http://a.test/story/1")), "Ann Lee");
        assert_eq!(authors(&list("https://www.a.test/3")), "", "a list of articles says nothing of the page");
    }

    #[test]
    fn authors_are_names() {
        assert_eq!(authors("<meta name=author content='By Ann Lee and Bo Oh'>"), "Ann Lee; Bo Oh");
        assert_eq!(
            authors(
                "<meta name=citation_author content='Lee, Ann'><meta name=citation_author content='Oh, Bo'>"
            ),
            "Lee, Ann; Oh, Bo"
        );
        assert_eq!(
            authors("<meta property=article:author content=https://f.test/ann><a rel='author x'>Ann Lee</a>"),
            "Ann Lee"
        );
        assert_eq!(
            authors("<div itemprop=author><span itemprop=name>山田太郎</span> editor</div>"),
            "山田太郎"
        );
        assert_eq!(authors("<meta name=author content='admin'><meta name=author content=''>"), "");
        let many: Vec<String> = (0..9).map(|n| format!("<a rel=author>Name N{n}</a>")).collect();
        assert_eq!(authors(&many.concat()), "");
    }

    #[test]
    fn dates_come_from_where_they_are_said() {
        let published = |html: &str| of(html).published;
        let day = Some("2024-05-01".to_owned());
        assert_eq!(published("<meta name=DC.date.issued content=2024-05-01>"), day);
        assert_eq!(published("<meta name=citation_date content=2024/5/1>"), day);
        assert_eq!(
            published("<meta itemprop=datePublished content=2024-05-01><meta name=date content=2020-01-01>"),
            day
        );
        assert_eq!(
            published(
                "<main><h1>T</h1><p>x<time datetime=nonsense></time><time datetime=2024-05-01></time></main>"
            ),
            day
        );
        assert_eq!(
            published(&format!("<h1>T</h1>{}<time datetime=2024-05-01></time>", "<p>x</p>".repeat(200))),
            None
        );
        let both = of(
            "<meta property=article:published_time content=2024-05-01><meta property=article:modified_time content=2023-05-01>",
        );
        assert_eq!((both.published, both.modified), (day, None));
    }

    #[test]
    fn canonical_addresses_must_be_plausible() {
        let canonical =
            |href: &str| of(&format!("<link rel=canonical href='{href}'>")).canonical.map(String::from);
        assert_eq!(canonical("/story").as_deref(), Some("https://www.a.test/story"));
        assert_eq!(canonical("https://m.a.test/story#x").as_deref(), Some("https://m.a.test/story"));
        for dead in
            ["https://b.test/story", "/", "", "javascript:x", "https://u:p@a.test/story", "ftp://a.test/x"]
        {
            assert_eq!(canonical(dead), None, "{dead}");
        }
    }

    #[test]
    fn languages_are_tags() {
        assert_eq!(
            of("<html lang=ja><meta http-equiv=content-language content=en>").lang.as_deref(),
            Some("ja")
        );
        assert_eq!(
            of("<meta http-equiv=content-language content='en-GB, fr'>").lang.as_deref(),
            Some("en-GB")
        );
        assert_eq!(of("<meta property=og:locale content=de_DE>").lang.as_deref(), Some("de-DE"));
        assert_eq!(of("<meta http-equiv=content-language content='<b>'>").lang, None);
    }

    proptest::proptest! {
        #[test]
        fn anything_is_read(json in "[\\[\\]{}\":,a@]{0,40}", content in ".{0,30}") {
            of(&format!("<script type=application/ld+json>{json}</script><meta name=author content='{content}'><meta name=date content='{content}'>"));
        }
    }
}
