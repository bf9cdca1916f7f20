//! The interface of the reading page: a document that arrives page by page, and the history.

use crate::api::{answer, read_format};
use crate::app::{App, SharedApp};
use crate::error::{ApiError, Posted, Queried};
use crate::given::{GivenPage, web_url};
use crate::history::{HistoryEntry, ReadingId};
use crate::work::CancelOnDrop;
use axum::Json;
use axum::extract::{Path, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_core::Stream;
use serde::{Deserialize, Serialize};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use tokio::sync::mpsc;
use tsugi::document::content_html;
use tsugi::fetch::FetchImage;
use tsugi::{Document, Format, Part, Unavailable, Verdict};

const EVENTS: usize = 16;

/// Scores below this are marked as uncertain.
const SURE: f32 = 0.9;

/// An event of a document that is being joined.
#[derive(Debug)]
enum ReadEvent {
    Page(ReadPage),
    Document(Box<ReadDocument>),
    Failed(ApiError),
}

impl ReadEvent {
    fn written(&self) -> Result<Event, axum::Error> {
        match self {
            ReadEvent::Page(page) => Event::default().event("page").json_data(page),
            ReadEvent::Document(document) => Event::default().event("document").json_data(document),
            ReadEvent::Failed(error) => Event::default().event("failed").json_data(error),
        }
    }
}

/// The events of one document. Dropping them, because the client has gone, cancels the work.
struct Events {
    receiver: mpsc::Receiver<ReadEvent>,
    _cancel: CancelOnDrop,
}

impl Stream for Events {
    type Item = Result<Event, axum::Error>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.receiver.poll_recv(context).map(|event| event.map(|event| event.written()))
    }
}

/// Joins a document, and sends its pages as they come: `page` events, then one `document` or `failed`.
pub(crate) async fn read(
    State(app): State<SharedApp>,
    given: Posted<GivenPage>,
) -> Result<Response, ApiError> {
    let start = app.start(given?.0)?;
    let cancel = app.jobs.cancel();
    let (send, receiver) = mpsc::channel(EVENTS);
    let events = Events { receiver, _cancel: cancel.on_drop() };
    tokio::spawn(async move {
        let (shared, refused) = (Arc::clone(&app), send.clone());
        let job = move || {
            // Sending fails if the client has gone. That cancels the work; see `Events`.
            let joined = start.join(&cancel, |at, part| {
                drop(send.blocking_send(ReadEvent::Page(ReadPage::arrived(at, part))));
            });
            // Half a document, because somebody changed their mind, is not worth keeping.
            if cancel.is_set() {
                return;
            }
            let last = match finished(&shared, joined) {
                Ok(document) => ReadEvent::Document(Box::new(document)),
                Err(error) => ReadEvent::Failed(error),
            };
            drop(send.blocking_send(last));
        };
        if let Err(error) = app.jobs.start(job).await {
            drop(refused.send(ReadEvent::Failed(error)).await);
        }
    });
    Ok(Sse::new(events).keep_alive(KeepAlive::default()).into_response())
}

fn finished(app: &App, joined: Result<Document, Unavailable>) -> Result<ReadDocument, ApiError> {
    let document = joined?;
    if document.text.is_empty() {
        return Err(ApiError::no_content());
    }
    let id = ReadingId::of(&document.url);
    let shown = ReadDocument::of(&id, &document);
    app.history.keep(&id, &document, &shown)?;
    Ok(shown)
}

#[derive(Debug, Serialize)]
struct ReadDocument {
    authors: Vec<String>,
    complete: bool,
    id: ReadingId,
    lang: Option<String>,
    pages: Vec<ReadPage>,
    published: Option<String>,
    /// When it was read, in UTC.
    read: String,
    site: Option<String>,
    stopped: ReadStop,
    title: Option<String>,
    url: String,
    warnings: Vec<String>,
}

#[derive(Debug, Serialize)]
struct ReadPage {
    html: String,
    /// Counted from 1.
    number: usize,
    unsure: Vec<String>,
    url: String,
}

#[derive(Debug, Serialize)]
struct ReadStop {
    at: String,
    detail: String,
    reason: &'static str,
}

impl ReadPage {
    /// Returns a page as it arrives: with all of its content, also what pages repeat.
    fn arrived(at: usize, part: &Part) -> ReadPage {
        ReadPage {
            html: content_html(&part.page, &part.content),
            number: at + 1,
            unsure: unsure(part.score, part.content.score, part.verdict.as_ref()),
            url: part.page.url().to_string(),
        }
    }
}

impl ReadDocument {
    fn of(id: &ReadingId, document: &Document) -> ReadDocument {
        let pages = document.pages.iter().enumerate().map(|(at, page)| ReadPage {
            html: document.page_html(at),
            number: at + 1,
            unsure: unsure(page.score, page.content_score, page.verdict.as_ref()),
            url: page.url.to_string(),
        });
        ReadDocument {
            authors: document.authors.clone(),
            complete: document.is_complete(),
            id: id.clone(),
            lang: document.lang.clone(),
            pages: pages.collect(),
            published: document.published.clone(),
            read: jiff::Timestamp::now().to_string(),
            site: document.site.clone(),
            stopped: ReadStop {
                at: document.stopped.at.to_string(),
                detail: document.stopped.detail.clone(),
                reason: document.stopped.reason.as_str(),
            },
            title: document.title.clone(),
            url: document.url.to_string(),
            warnings: document.warnings.clone(),
        }
    }
}

/// Returns the uncertainties about a page, in words.
fn unsure(link: f32, content: f32, verdict: Option<&Verdict>) -> Vec<String> {
    let mut words = Vec::new();
    if link < SURE {
        let percent = percent(link);
        words.push(format!("the link to this page is the next-page link with a probability of {percent}"));
    }
    if let Some(verdict) = verdict.filter(|verdict| verdict.score < SURE) {
        let against = verdict.reasons.iter().find(|reason| reason.weight < 0.0);
        let why = against.map_or_else(String::new, |reason| format!(": {}", reason.what));
        let percent = percent(verdict.score);
        words.push(format!("it continues the page before with a probability of {percent}{why}"));
    }
    if content < SURE {
        words.push(format!("what is content on it is expected to be right to {}", percent(content)));
    }
    words
}

fn percent(score: f32) -> String {
    format!("{:.0} %", 100.0 * score)
}

#[derive(Debug, Deserialize)]
pub(crate) struct HistoryQuery {
    #[serde(default)]
    q: String,
}

#[derive(Debug, Serialize)]
pub(crate) struct HistoryList {
    documents: Vec<HistoryEntry>,
}

pub(crate) async fn history(
    State(app): State<SharedApp>,
    asked: Queried<HistoryQuery>,
) -> Result<Json<HistoryList>, ApiError> {
    let HistoryQuery { q } = asked?.0;
    let documents = app.run(move |app, _| Ok(app.history.search(&q)?)).await?;
    Ok(Json(HistoryList { documents }))
}

pub(crate) async fn document(
    State(app): State<SharedApp>,
    Path(id): Path<String>,
) -> Result<Response, ApiError> {
    let reading = app.history.reading(&ReadingId::read(&id)?)?;
    Ok(([(header::CONTENT_TYPE, "application/json")], reading).into_response())
}

pub(crate) async fn forget(
    State(app): State<SharedApp>,
    Path(id): Path<String>,
) -> Result<StatusCode, ApiError> {
    app.history.forget(&ReadingId::read(&id)?)?;
    Ok(StatusCode::NO_CONTENT)
}

#[derive(Debug, Deserialize)]
pub(crate) struct DownloadQuery {
    format: String,
}

pub(crate) async fn download(
    State(app): State<SharedApp>,
    Path(id): Path<String>,
    asked: Queried<DownloadQuery>,
) -> Result<Response, ApiError> {
    let id = ReadingId::read(&id)?;
    let format: Format = read_format(&asked?.0.format)?;
    let mut response = answer(format, app.history.file(&id, format)?);
    let disposition = format!("attachment; filename=\"tsugi-{}.{format}\"", id.as_str());
    if let Ok(value) = HeaderValue::from_str(&disposition) {
        response.headers_mut().insert(header::CONTENT_DISPOSITION, value);
    }
    Ok(response)
}

#[derive(Debug, Deserialize)]
pub(crate) struct ImageQuery {
    url: String,
}

/// Fetches an image of a document, because the reading page's policy lets it ask no other server. It needs the token: it
/// makes this server fetch any URL.
pub(crate) async fn image(
    State(app): State<SharedApp>,
    asked: Queried<ImageQuery>,
) -> Result<Response, ApiError> {
    let url = web_url(&asked?.0.url)?;
    let fetched = app.run(move |app, _| Ok(app.http.fetch_image(&url)?)).await?;
    let media = image_type(&fetched.body);
    Ok(([(header::CONTENT_TYPE, media)], fetched.body).into_response())
}

/// Returns the media type of an image that was checked: JPEG, PNG, GIF or WebP.
fn image_type(bytes: &[u8]) -> &'static str {
    match bytes {
        [0xff, 0xd8, ..] => "image/jpeg",
        [0x89, b'P', ..] => "image/png",
        [b'G', b'I', b'F', ..] => "image/gif",
        _ => "image/webp",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_sure_is_not_marked() {
        assert!(unsure(1.0, 0.97, None).is_empty());
        let marks = unsure(0.5, 0.4, None);
        assert_eq!(marks.len(), 2);
        assert!(marks[0].contains("50 %") && marks[1].contains("40 %"), "{marks:?}");
    }
}
