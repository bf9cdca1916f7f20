//! The interface of the reading page: a document that arrives page by page, and the history.

use crate::api::{answer, read_format};
use crate::app::{App, SharedApp};
use crate::error::{ApiError, Posted, Queried};
use crate::given::{GivenPage, JoinStart, web_url};
use crate::history::{
    HistoryEntry, HistoryShelf, KeptPages, MarkChange, PageKeeper, ReadingId, ReadingMark, write,
};
use crate::words;
use crate::work::{Cancel, CancelOnDrop};
use axum::Json;
use axum::extract::{Path, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_core::Stream;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::{Duration, Instant};
use tokio::sync::mpsc;
use tsugi::document::{ImagePlace, Images, content_html};
use tsugi::{Document, Drawing, Format, JoinOptions, Part, Url, Verdict};

const EVENTS: usize = 16;

/// How long one picture is fetched, or all of an EPUB.
const PICTURES_TIME: Duration = Duration::from_mins(2);

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
    let given = given.0;
    let start = app.start(given)?;
    let cancel = app.jobs.cancel();
    let (send, receiver) = mpsc::channel(EVENTS);
    let events = Events { receiver, _cancel: cancel.on_drop() };
    tokio::spawn(async move {
        let (shared, refused) = (Arc::clone(&app), send.clone());
        let job = move || {
            let read = read_and_keep(&shared, start, &cancel, |at, part| {
                // Sending fails if the client has gone. That cancels the work; see `Events`.
                drop(send.blocking_send(ReadEvent::Page(ReadPage::arrived(at, part))));
            });
            let last = match read {
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

/// Joins a document and puts it into the history. A document that somebody stopped is kept as far as it came, unless an
/// earlier reading of it is there.
fn read_and_keep(
    app: &App,
    start: JoinStart,
    cancel: &Cancel,
    came: impl FnMut(usize, &Part),
) -> Result<ReadDocument, ApiError> {
    let folder = app.history.begin()?;
    let asked = start.url.clone();
    let mut start = start.kept_by(PageKeeper::new(&folder)?);
    let document = start.join(cancel, came)?;
    if let Some(pages) = start.take_keeper() {
        pages.finish(&folder)?;
    }
    if document.text.is_empty() {
        return Err(ApiError::no_content());
    }
    let id = ReadingId::of(&document.url);
    let mut shown = ReadDocument::of(&id, &asked, &document);
    if !(cancel.is_set() && app.history.folder(&id).is_ok()) {
        app.history.keep(folder, &id, &document, &shown)?;
    }
    shown.mark = app.history.mark(&id);
    Ok(shown)
}

#[derive(Debug, Serialize)]
struct ReadDocument {
    /// The address that was asked for, which may redirect to `url`.
    asked: String,
    authors: Vec<String>,
    complete: bool,
    /// How it ended, for readers.
    ended: String,
    id: ReadingId,
    lang: Option<String>,
    /// Whether it is read from right to left.
    right_to_left: bool,
    mark: ReadingMark,
    /// How long reading takes.
    minutes: usize,
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
    fn of(id: &ReadingId, asked: &Url, document: &Document) -> ReadDocument {
        let pages = document.pages.iter().enumerate().map(|(at, page)| ReadPage {
            html: document.page_html(at),
            number: at + 1,
            unsure: unsure(page.score, page.content_score, page.verdict.as_ref()),
            url: page.url.to_string(),
        });
        ReadDocument {
            asked: asked.to_string(),
            authors: document.authors.clone(),
            complete: document.is_complete(),
            ended: words::of_end(document),
            id: id.clone(),
            lang: document.lang.clone(),
            right_to_left: document.is_right_to_left(),
            mark: ReadingMark::default(),
            minutes: words::minutes(&document.text),
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
#[serde(deny_unknown_fields)]
pub(crate) struct HistoryQuery {
    #[serde(default)]
    q: String,
    #[serde(default)]
    shelf: HistoryShelf,
}

#[derive(Debug, Serialize)]
pub(crate) struct HistoryList {
    documents: Vec<HistoryEntry>,
}

pub(crate) async fn history(
    State(app): State<SharedApp>,
    asked: Queried<HistoryQuery>,
) -> Result<Json<HistoryList>, ApiError> {
    let HistoryQuery { q, shelf } = asked.0;
    let documents = app.run(move |app, _| Ok(app.history.search(&q, shelf)?)).await?;
    Ok(Json(HistoryList { documents }))
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct AddressQuery {
    url: String,
}

/// Answers with the document that was read at an address, or that an address led to.
pub(crate) async fn at_address(
    State(app): State<SharedApp>,
    asked: Queried<AddressQuery>,
) -> Result<Response, ApiError> {
    let url = web_url(&asked.0.url)?;
    let reading = app.run(move |app, _| kept(app, &app.history.find(&url)?)).await?;
    Ok(reading.into_response())
}

pub(crate) async fn document(
    State(app): State<SharedApp>,
    Path(id): Path<String>,
) -> Result<Response, ApiError> {
    let id = ReadingId::read(&id)?;
    let reading = app.run(move |app, _| kept(app, &id)).await?;
    Ok(reading.into_response())
}

/// Returns a kept document with its mark of today.
fn kept(app: &App, id: &ReadingId) -> Result<Json<Value>, ApiError> {
    let mut reading: Value =
        serde_json::from_slice(&app.history.reading(id)?).map_err(std::io::Error::from)?;
    if let Some(fields) = reading.as_object_mut() {
        let mark = serde_json::to_value(app.history.mark(id)).map_err(std::io::Error::from)?;
        fields.insert("mark".to_owned(), mark);
    }
    Ok(Json(reading))
}

pub(crate) async fn mark(
    State(app): State<SharedApp>,
    Path(id): Path<String>,
    change: Posted<MarkChange>,
) -> Result<Json<ReadingMark>, ApiError> {
    let id = ReadingId::read(&id)?;
    app.run(move |app, _| app.history.change_mark(&id, change.0)).await.map(Json)
}

pub(crate) async fn forget(
    State(app): State<SharedApp>,
    Path(id): Path<String>,
) -> Result<StatusCode, ApiError> {
    let id = ReadingId::read(&id)?;
    app.run(move |app, _| app.history.forget(&id)).await?;
    Ok(StatusCode::NO_CONTENT)
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct DownloadQuery {
    format: String,
}

/// Answers with a file named after the title. An EPUB has its pictures, which are fetched when it is first asked for.
pub(crate) async fn download(
    State(app): State<SharedApp>,
    Path(id): Path<String>,
    asked: Queried<DownloadQuery>,
) -> Result<Response, ApiError> {
    let id = ReadingId::read(&id)?;
    let format: Format = read_format(&asked.0.format)?;
    let (stem, bytes) = app
        .run(move |app, cancel| {
            let entry = app.history.entry(&id)?;
            let url = entry.url.parse().map_err(|_| ApiError::internal("the history is damaged"))?;
            let bytes = match format {
                Format::Epub => with_pictures(app, &id, cancel),
                _ => None,
            };
            let bytes = bytes.map_or_else(|| app.history.file(&id, format), Ok)?;
            Ok((words::file_stem(entry.title.as_deref(), &url), bytes))
        })
        .await?;
    let mut response = answer(format, bytes);
    let name = utf8_percent_encode(&format!("{stem}.{format}"), NON_ALPHANUMERIC).to_string();
    if let Ok(value) = HeaderValue::from_str(&format!("attachment; filename*=UTF-8''{name}")) {
        response.headers_mut().insert(header::CONTENT_DISPOSITION, value);
    }
    Ok(response)
}

/// Returns an EPUB with its pictures; `None` if the pages that it is made of were not kept. It is kept for the next time,
/// unless the time was up before all pictures were asked for.
fn with_pictures(app: &App, id: &ReadingId, cancel: &Cancel) -> Option<Vec<u8>> {
    const NAME: &str = "pictures.epub";
    let folder = app.history.folder(id).ok()?;
    if let Ok(kept) = std::fs::read(folder.join(NAME)) {
        return Some(kept);
    }
    let url: Url = app.history.entry(id).ok()?.url.parse().ok()?;
    let pages = KeptPages::open(&folder)?;
    // Pages that were drawn were kept so.
    let options = JoinOptions::default().drawing(Drawing::Needed);
    let joined = app.tsugi.follow(url, &options).run_drawn(|url, way, _| Some(pages.get(url, way))).ok()?;
    let document = joined.into_document();
    let until = Instant::now() + PICTURES_TIME;
    let is_over = || cancel.is_set() || Instant::now() > until;
    let get = |url: &Url| Some(app.http.fetch_image_until(url, until, &is_over).ok()?.body);
    let images = Images::of(&document, get, |_| ());
    let mut bytes = Vec::new();
    document.write_with_images(Format::Epub, &images, ImagePlace::Embedded, &mut bytes).ok()?;
    if !is_over() {
        // If it cannot be kept, it is made again the next time.
        let _ = write(&folder.join(NAME), &bytes);
    }
    Some(bytes)
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct ImageQuery {
    url: String,
}

/// Fetches an image of a document, because the reading page's policy lets it ask no other server. It needs the token: it
/// makes this server fetch any URL.
pub(crate) async fn image(
    State(app): State<SharedApp>,
    asked: Queried<ImageQuery>,
) -> Result<Response, ApiError> {
    let url = web_url(&asked.0.url)?;
    let until = Instant::now() + PICTURES_TIME;
    let fetched =
        app.run(move |app, cancel| Ok(app.http.fetch_image_until(&url, until, &|| cancel.is_set())?));
    let fetched = fetched.await?;
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
