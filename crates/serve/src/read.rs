//! The reading page's own interface: a document that arrives page by page, and the history.

use crate::api::{Queried, answer};
use crate::app::Shared;
use crate::error::Problem;
use crate::given::GivenPage;
use crate::given::web_url;
use crate::history::ReadingId;
use crate::work::CancelOnDrop;
use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{Path, State};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures_core::Stream;
use serde::Deserialize;
use serde_json::{Value, json};
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use tokio::sync::mpsc;
use tsugi::{Document, DocumentPage, Format, Part, Unavailable, Verdict, content_html};
use tsugi_fetch::FetchImage;

/// Events that wait for a slow client.
const EVENTS: usize = 16;

/// Scores below this are marked as uncertain.
const SURE: f32 = 0.9;

/// The events of one document. Dropping them, because the client has gone, cancels the work.
struct Events {
    receiver: mpsc::Receiver<(&'static str, Value)>,
    _cancel: CancelOnDrop,
}

impl Stream for Events {
    type Item = Result<Event, Infallible>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let received = self.receiver.poll_recv(context);
        received
            .map(|event| event.map(|(name, data)| Ok(Event::default().event(name).data(data.to_string()))))
    }
}

/// Joins a document; its pages are sent as they come: `page` events, then one `document` or `failed`.
pub(crate) async fn read(
    State(app): State<Shared>,
    given: Result<Json<GivenPage>, JsonRejection>,
) -> Result<Response, Problem> {
    let start = app.start(given?.0)?;
    let cancel = app.work.cancel();
    let (send, receiver) = mpsc::channel(EVENTS);
    let events = Events { receiver, _cancel: cancel.on_drop() };
    tokio::spawn(async move {
        let (shared, failed) = (Arc::clone(&app), send.clone());
        let job = move || {
            // A client that has gone cancels the work; see `Events`.
            let tell = |name, data| drop(send.blocking_send((name, data)));
            let joined = start.join(&cancel, |at, part| tell("page", arrived(at, part)));
            // Half a document, because somebody changed his mind, is not worth keeping.
            if cancel.is_set() {
                return;
            }
            match finished(&shared, joined) {
                Ok(reading) => tell("document", reading),
                Err(problem) => tell("failed", said(&problem)),
            }
        };
        if let Err(problem) = app.work.start(job).await {
            drop(failed.send(("failed", said(&problem))).await);
        }
    });
    Ok(Sse::new(events).keep_alive(KeepAlive::default()).into_response())
}

fn said(problem: &Problem) -> Value {
    json!({"error": problem.word, "message": problem.message})
}

/// Keeps a joined document, and returns what the page shows of it.
fn finished(app: &Shared, joined: Result<Document, Unavailable>) -> Result<Value, Problem> {
    let document = joined?;
    if document.text.is_empty() {
        return Err(Problem::no_content());
    }
    let id = ReadingId::of(&document.url);
    let reading = reading(&id, &document);
    app.history.keep(&id, &document, &reading)?;
    Ok(reading)
}

/// A page as it arrives: its own content, before what pages repeat is taken out.
fn arrived(at: usize, part: &Part) -> Value {
    json!({
        "number": at + 1,
        "url": part.page.url().as_str(),
        "html": content_html(&part.page, &part.content),
        "unsure": unsure(part.score, part.content.score, part.verdict.as_ref()),
    })
}

/// What the reading page shows of a document.
fn reading(id: &ReadingId, document: &Document) -> Value {
    let page = |(at, page): (usize, &DocumentPage)| {
        json!({
            "number": at + 1,
            "url": page.url.as_str(),
            "html": document.page_html(at),
            "unsure": unsure(page.score, page.content_score, page.verdict.as_ref()),
        })
    };
    json!({
        "id": id.as_str(),
        "url": document.url.as_str(),
        "title": document.title,
        "authors": document.authors,
        "published": document.published,
        "lang": document.lang,
        "site": document.site,
        "read": jiff::Timestamp::now().to_string(),
        "complete": document.is_complete(),
        "stopped": {"reason": document.stopped.reason.as_str(), "detail": document.stopped.detail, "at": document.stopped.at.as_str()},
        "warnings": document.warnings,
        "pages": document.pages.iter().enumerate().map(page).collect::<Vec<_>>(),
    })
}

/// Says in words what is uncertain about a page.
fn unsure(link: f32, content: f32, verdict: Option<&Verdict>) -> Vec<String> {
    let mut words = Vec::new();
    let percent = |score: f32| format!("{:.0} %", 100.0 * score);
    if link < SURE {
        words.push(format!(
            "the link to this page is the next-page link with a probability of {}",
            percent(link)
        ));
    }
    if let Some(verdict) = verdict.filter(|verdict| verdict.score < SURE) {
        let against = verdict.reasons.iter().find(|reason| reason.weight < 0.0);
        let why = against.map_or_else(String::new, |reason| format!(": {}", reason.what));
        words.push(format!(
            "it continues the page before with a probability of {}{why}",
            percent(verdict.score)
        ));
    }
    if content < SURE {
        words.push(format!("what is content on it is expected to be right to {}", percent(content)));
    }
    words
}

/// What to look for.
#[derive(Debug, Deserialize)]
pub(crate) struct Search {
    #[serde(default)]
    q: String,
}

pub(crate) async fn history(State(app): State<Shared>, asked: Queried<Search>) -> Result<Response, Problem> {
    let (shared, Search { q }) = (Arc::clone(&app), asked?.0);
    let found = app.work.run(move |_| shared.history.search(&q)).await??;
    Ok(Json(json!({"documents": found})).into_response())
}

pub(crate) async fn document(State(app): State<Shared>, Path(id): Path<String>) -> Result<Response, Problem> {
    let reading = app.history.reading(&ReadingId::read(&id)?)?;
    Ok(([(header::CONTENT_TYPE, "application/json")], reading).into_response())
}

pub(crate) async fn forget(State(app): State<Shared>, Path(id): Path<String>) -> Result<StatusCode, Problem> {
    app.history.forget(&ReadingId::read(&id)?)?;
    Ok(StatusCode::NO_CONTENT)
}

/// The format of a download.
#[derive(Debug, Deserialize)]
pub(crate) struct Wanted {
    format: String,
}

pub(crate) async fn download(
    State(app): State<Shared>,
    Path(id): Path<String>,
    asked: Queried<Wanted>,
) -> Result<Response, Problem> {
    let id = ReadingId::read(&id)?;
    let format: Format =
        asked?.0.format.parse().map_err(|error: tsugi::FormatError| Problem::bad(error.to_string()))?;
    let mut response = answer(format, app.history.file(&id, format)?);
    let disposition = format!("attachment; filename=\"tsugi-{}.{format}\"", id.as_str());
    if let Ok(value) = HeaderValue::from_str(&disposition) {
        response.headers_mut().insert(header::CONTENT_DISPOSITION, value);
    }
    Ok(response)
}

/// Which image to fetch.
#[derive(Debug, Deserialize)]
pub(crate) struct WantedImage {
    url: String,
}

/// Fetches an image of a document, as the reading page may ask nobody else. It needs the token, because it makes this server
/// fetch something that no document names yet.
pub(crate) async fn image(
    State(app): State<Shared>,
    asked: Queried<WantedImage>,
) -> Result<Response, Problem> {
    let url = web_url(&asked?.0.url)?;
    let http = Arc::clone(&app.http);
    let fetched = app.work.run(move |_| http.fetch_image(&url).map_err(Unavailable::from)).await??;
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
