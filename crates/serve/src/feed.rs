//! What readers of Full-Text RSS ask for: `makefulltextfeed.php` and `extract.php`.

use crate::api::Queried;
use crate::app::Shared;
use crate::articles::Article;
use crate::error::Problem;
use crate::feed_out::{FeedFormat, FullEntry, FullFeed};
use crate::given::GivenPage;
use crate::given::web_url;
use crate::work::Cancel;
use axum::Json;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use feed_rs::model::{Entry, Feed};
use serde::Deserialize;
use serde_json::json;
use std::sync::Arc;
use tsugi::{Page, Unavailable, Url};
use tsugi_fetch::HeldFile;
use tsugi_page::address;

/// Entries of a feed that are joined if the request does not say how many, and the most.
const ENTRIES: usize = 10;
const MOST_ENTRIES: usize = 50;

/// The parameters of Full-Text RSS that are understood; others are ignored, as it does.
#[derive(Debug, Deserialize)]
pub(crate) struct Asked {
    url: String,
    format: Option<String>,
    max: Option<usize>,
}

/// Reads a feed and answers with one of whole articles. A page that is no feed becomes a feed of one article.
pub(crate) async fn full_text_feed(
    State(app): State<Shared>,
    asked: Queried<Asked>,
) -> Result<Response, Problem> {
    let Asked { url, format, max } = asked?.0;
    let format = FeedFormat::of(format.as_deref())?;
    let most = max.unwrap_or(ENTRIES).min(MOST_ENTRIES);
    let url = feed_url(&url)?;
    let shared = Arc::clone(&app);
    let feed = app.work.run(move |cancel| whole(&shared, &url, most, cancel)).await??;
    Ok(([(header::CONTENT_TYPE, format.media_type())], feed.write(format)?).into_response())
}

/// Reads the address of a feed; `feed://` stands for `http://`.
fn feed_url(text: &str) -> Result<Url, Problem> {
    match text.strip_prefix("feed://") {
        Some(rest) => web_url(&format!("http://{rest}")),
        None => web_url(text),
    }
}

/// Fetches a feed and joins its articles.
fn whole(app: &Shared, url: &Url, most: usize, cancel: &Cancel) -> Result<FullFeed, Problem> {
    let download = app.http.download(url, &HeldFile::default()).map_err(Unavailable::from)?;
    let body = download.body.unwrap_or_default();
    let parser =
        feed_rs::parser::Builder::new().base_uri(Some(download.url.as_str())).sanitize_content(false).build();
    let Ok(feed) = parser.parse(body.as_slice()) else {
        let article = joined(app, url, cancel)?;
        let title = article.title.clone().unwrap_or_else(|| url.to_string());
        let entry = FullEntry::of_article(url.to_string(), &article);
        return Ok(FullFeed { title, url: url.clone(), description: None, entries: vec![entry] });
    };
    Ok(full(app, feed, &download.url, most, cancel))
}

fn full(app: &Shared, feed: Feed, url: &Url, most: usize, cancel: &Cancel) -> FullFeed {
    let home = feed.links.iter().find(|link| link.rel.as_deref() != Some("self"));
    let home = home.and_then(|link| address::join(url, &link.href)).filter(address::is_web);
    let entries = feed.entries.into_iter().take(most).map(|entry| full_entry(app, entry, url, cancel));
    FullFeed {
        title: feed.title.map_or_else(|| url.to_string(), |title| title.content),
        url: home.unwrap_or_else(|| url.clone()),
        description: feed.description.map(|text| text.content),
        entries: entries.collect(),
    }
}

/// Joins the article of an entry. What the feed says of it stays; if it cannot be joined, the feed's own words do, too.
fn full_entry(app: &Shared, entry: Entry, feed: &Url, cancel: &Cancel) -> FullEntry {
    let link = entry.links.iter().find(|link| link.rel.as_deref().is_none_or(|rel| rel == "alternate"));
    let link = link.and_then(|link| address::join(feed, &link.href)).filter(address::is_web);
    let article = match &link {
        Some(link) if !cancel.is_set() => joined(app, link, cancel),
        _ => Err(Problem::bad("the entry has no link")),
    };
    let published = entry.published.or(entry.updated).map(|time| time.to_rfc3339());
    let authors: Vec<String> = entry.authors.into_iter().filter_map(|author| author.name).collect();
    let title = entry.title.map(|title| title.content);
    match article {
        Ok(article) => {
            let full = FullEntry::of_article(entry.id, &article);
            FullEntry {
                title: title.or(full.title),
                authors: if authors.is_empty() { full.authors } else { authors },
                published: published.or(full.published),
                ..full
            }
        }
        Err(problem) => {
            let words =
                entry.content.and_then(|content| content.body).or(entry.summary.map(|text| text.content));
            let url = link.as_ref().unwrap_or(feed);
            FullEntry {
                id: entry.id,
                url: url.clone(),
                title,
                authors,
                published,
                html: fallback(&words.unwrap_or_default(), url, &problem.message),
            }
        }
    }
}

/// Returns what the feed itself says of an article as safe HTML, and why there is no more.
fn fallback(html: &str, url: &Url, why: &str) -> String {
    let page = Page::from_text(html, url);
    let nodes = page.first("body").into_iter().collect();
    let content =
        tsugi::Content { nodes, without: Vec::new(), score: 1.0, evidence: tsugi::Evidence::Markup };
    let own = tsugi::content_html(&page, &content);
    format!("{own}<p><em>The article could not be read: {}</em></p>", quick_xml::escape::escape(why))
}

fn joined(app: &Shared, url: &Url, cancel: &Cancel) -> Result<Arc<Article>, Problem> {
    let given = GivenPage { url: url.to_string(), ..GivenPage::default() };
    app.articles.get(&app.start(given)?, cancel)
}

/// `extract.php`: one article as JSON.
pub(crate) async fn extract(State(app): State<Shared>, asked: Queried<Asked>) -> Result<Response, Problem> {
    let url = web_url(&asked?.0.url)?;
    let shared = Arc::clone(&app);
    let asked = url.clone();
    let article = app.work.run(move |cancel| joined(&shared, &asked, cancel)).await??;
    let words = article.text.split_whitespace().count();
    Ok(Json(json!({
        "title": article.title,
        "excerpt": article.description,
        "date": article.published,
        "author": if article.authors.is_empty() { None } else { Some(article.authors.join(", ")) },
        "language": article.lang,
        "url": url.as_str(),
        "effective_url": article.url.as_str(),
        "domain": address::bare_host(&article.url),
        "word_count": words,
        "og_url": null,
        "og_title": null,
        "og_description": null,
        "og_image": article.image.as_ref().map(Url::as_str),
        "og_type": null,
        "twitter_card": null,
        "twitter_site": null,
        "twitter_creator": null,
        "twitter_image": null,
        "twitter_title": null,
        "twitter_description": null,
        "content": article.html,
    }))
    .into_response())
}
