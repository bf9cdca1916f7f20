//! The interface of Full-Text RSS, which feed readers know: `makefulltextfeed.php` and `extract.php`.

use crate::app::{App, SharedApp};
use crate::articles::JoinedArticle;
use crate::error::{ApiError, Queried};
use crate::feed_out::{FeedFormat, FullEntry, FullFeed};
use crate::given::{GivenPage, web_url};
use crate::links::LinkTreatment;
use crate::work::Cancel;
use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use feed_rs::model::{Entry, Feed, Link};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tsugi::fetch::HeldFile;
use tsugi::page::{Content, Evidence};
use tsugi::page::{address, escaped};
use tsugi::{Page, Url};

/// Entries of a feed to join: the default, and the most.
const ENTRIES: usize = 10;
const MOST_ENTRIES: usize = 50;

/// How long the articles of a feed are joined. Entries after that keep the words of the feed.
const FEED_TIME: Duration = Duration::from_mins(5);

/// The parameters of Full-Text RSS that have a meaning here. Others are ignored, as there.
#[derive(Debug, Deserialize)]
pub(crate) struct FeedQuery {
    url: String,
    format: Option<String>,
    max: Option<usize>,
    links: Option<String>,
    exc: Option<String>,
    summary: Option<String>,
}

/// What a request wants of a feed.
#[derive(Debug, Clone, Copy)]
struct FeedWishes {
    /// The most entries.
    most: usize,
    links: LinkTreatment,
    /// Leave out entries whose article cannot be read.
    excludes: bool,
    /// Say in a few sentences what an article is about.
    summary: bool,
    /// When joining ends.
    until: Instant,
}

impl FeedWishes {
    fn of(query: &FeedQuery) -> Result<FeedWishes, ApiError> {
        Ok(FeedWishes {
            most: query.max.unwrap_or(ENTRIES).min(MOST_ENTRIES),
            links: LinkTreatment::of(query.links.as_deref())?,
            excludes: is_on(query.exc.as_deref()),
            summary: is_on(query.summary.as_deref()),
            until: Instant::now() + FEED_TIME,
        })
    }

    fn treated(self, entry: FullEntry) -> FullEntry {
        let summary = entry.summary.filter(|_| self.summary);
        FullEntry { html: self.links.treat(&entry.html), summary, ..entry }
    }
}

fn is_on(value: Option<&str>) -> bool {
    matches!(value, Some("1" | "true" | "on"))
}

/// Answers with a feed whose entries are whole articles. A page that is no feed becomes a feed of one article.
pub(crate) async fn full_text_feed(
    State(app): State<SharedApp>,
    asked: Queried<FeedQuery>,
) -> Result<Response, ApiError> {
    let asked = asked.0;
    let format = FeedFormat::of(asked.format.as_deref())?;
    let wishes = FeedWishes::of(&asked)?;
    let url = feed_url(&asked.url)?;
    let feed = app.run(move |app, cancel| whole(app, &url, wishes, cancel)).await?;
    Ok(([(header::CONTENT_TYPE, format.media_type())], feed.write(format)?).into_response())
}

fn feed_url(text: &str) -> Result<Url, ApiError> {
    match text.trim().strip_prefix("feed://") {
        Some(rest) => web_url(&format!("http://{rest}")),
        None => web_url(text),
    }
}

fn whole(app: &App, url: &Url, wishes: FeedWishes, cancel: &Cancel) -> Result<FullFeed, ApiError> {
    let download = app.http.download(url, &HeldFile::default())?;
    let body = download.body.unwrap_or_default();
    // Our own writer makes the HTML of entries safe.
    let parser =
        feed_rs::parser::Builder::new().base_uri(Some(download.url.as_str())).sanitize_content(false).build();
    if let Ok(feed) = parser.parse(body.as_slice()) {
        return Ok(full(app, feed, &download.url, wishes, cancel));
    }
    let article = joined(app, url, FEED_TIME, cancel)?;
    let title = article.title.clone().unwrap_or_else(|| url.to_string());
    let entry = wishes.treated(FullEntry::of_article(url.to_string(), &article));
    Ok(FullFeed { title, url: url.clone(), description: None, entries: vec![entry] })
}

fn full(app: &App, feed: Feed, url: &Url, wishes: FeedWishes, cancel: &Cancel) -> FullFeed {
    let home = web_link(&feed.links, url, |rel| rel != Some("self"));
    let entries = feed.entries.into_iter().take(wishes.most);
    let entries = entries.filter_map(|entry| full_entry(app, entry, url, wishes, cancel));
    FullFeed {
        title: feed.title.map_or_else(|| url.to_string(), |title| title.content),
        url: home.unwrap_or_else(|| url.clone()),
        description: feed.description.map(|text| text.content),
        entries: entries.collect(),
    }
}

/// Returns the address of the first link whose `rel` fits.
fn web_link(links: &[Link], base: &Url, fits: impl Fn(Option<&str>) -> bool) -> Option<Url> {
    let link = links.iter().find(|link| fits(link.rel.as_deref()))?;
    address::join(base, &link.href).filter(address::is_web)
}

/// Joins the article of an entry. The feed's own title, authors and date win; its own text is kept if joining fails, unless
/// such entries are not wanted.
fn full_entry(app: &App, entry: Entry, feed: &Url, wishes: FeedWishes, cancel: &Cancel) -> Option<FullEntry> {
    let link = web_link(&entry.links, feed, |rel| rel.is_none_or(|rel| rel == "alternate"));
    let left = wishes.until.saturating_duration_since(Instant::now());
    let article = match &link {
        Some(link) if !cancel.is_set() && !left.is_zero() => joined(app, link, left, cancel),
        Some(_) => Err(ApiError::bad("the time for the feed was up")),
        None => Err(ApiError::bad("the entry has no link")),
    };
    let published = entry.published.or(entry.updated).map(|time| time.to_rfc3339());
    let authors: Vec<String> = entry.authors.into_iter().filter_map(|author| author.name).collect();
    let title = entry.title.map(|title| title.content);
    let own_summary = entry.summary.map(|text| text.content);
    let full = match article {
        Ok(article) => {
            let full = FullEntry::of_article(entry.id, &article);
            FullEntry {
                title: title.or(full.title),
                authors: if authors.is_empty() { full.authors } else { authors },
                published: published.or(full.published),
                summary: full.summary.or(own_summary),
                ..full
            }
        }
        Err(_) if wishes.excludes => return None,
        Err(error) => {
            let own = entry.content.and_then(|content| content.body).or_else(|| own_summary.clone());
            let url = link.unwrap_or_else(|| feed.clone());
            let html = fallback(&own.unwrap_or_default(), &url, &error.message);
            FullEntry { id: entry.id, url, title, authors, published, html, summary: own_summary }
        }
    };
    Some(wishes.treated(full))
}

/// Returns the feed's own HTML of an article, made safe, and why there is no more.
fn fallback(html: &str, url: &Url, why: &str) -> String {
    let page = Page::from_text(html, url);
    let nodes = page.first("body").into_iter().collect();
    let content = Content { nodes, without: Vec::new(), score: 1.0, evidence: Evidence::Markup };
    let own = tsugi::document::content_html(&page, &content);
    format!("{own}<p><em>The article could not be read: {}</em></p>", escaped(why))
}

fn joined(app: &App, url: &Url, time: Duration, cancel: &Cancel) -> Result<Arc<JoinedArticle>, ApiError> {
    app.articles.get(&app.start(GivenPage::at(url.as_str()))?.within(time), cancel, |_| ())
}

/// An article in the form of Full-Text RSS. Clients expect all fields; those of type `()` are always `null`.
#[derive(Debug, Default, Serialize)]
pub(crate) struct FullTextArticle {
    author: Option<String>,
    content: String,
    date: Option<String>,
    domain: String,
    effective_url: String,
    excerpt: Option<String>,
    language: Option<String>,
    og_description: (),
    og_image: Option<String>,
    og_title: (),
    og_type: (),
    og_url: (),
    title: Option<String>,
    twitter_card: (),
    twitter_creator: (),
    twitter_description: (),
    twitter_image: (),
    twitter_site: (),
    twitter_title: (),
    url: String,
    word_count: usize,
}

/// `extract.php`: one article as JSON.
pub(crate) async fn extract(
    State(app): State<SharedApp>,
    asked: Queried<FeedQuery>,
) -> Result<Json<FullTextArticle>, ApiError> {
    let url = feed_url(&asked.0.url)?;
    let asked = url.clone();
    let article = app.run(move |app, cancel| joined(app, &asked, FEED_TIME, cancel)).await?;
    Ok(Json(FullTextArticle {
        author: (!article.authors.is_empty()).then(|| article.authors.join(", ")),
        content: article.html.clone(),
        date: article.published.clone(),
        domain: address::bare_host(&article.url).to_owned(),
        effective_url: article.url.to_string(),
        excerpt: article.description.clone(),
        language: article.lang.clone(),
        og_image: article.image.as_ref().map(Url::to_string),
        title: article.title.clone(),
        url: url.into(),
        word_count: article.text.split_whitespace().count(),
        ..FullTextArticle::default()
    }))
}
