//! `/api/pages` and `/api/batch`: lines of JSON that are sent as they come.

use crate::app::{App, SharedApp};
use crate::error::{ApiError, Posted, Queried};
use crate::given::{GivenPage, JoinStart};
use crate::words;
use crate::work::{Cancel, CancelOnDrop};
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use futures_core::Stream;
use serde::{Deserialize, Serialize};
use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use tokio::sync::mpsc;
use tsugi::page::Content;
use tsugi::{Document, Part};

const LINES: usize = 16;

/// The most articles of a batch.
const MOST_ARTICLES: usize = 100;

/// Lines as the body of an answer. Dropping them, because the client has gone, cancels the work.
struct Lines {
    receiver: mpsc::Receiver<Bytes>,
    _cancel: CancelOnDrop,
}

impl Stream for Lines {
    type Item = io::Result<Bytes>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.receiver.poll_recv(context).map(|line| line.map(Ok))
    }
}

/// Sends lines of JSON to a client.
struct LineSender(mpsc::Sender<Bytes>);

impl LineSender {
    /// A client that has gone gets nothing. That cancels the work; see [`Lines`].
    fn send(&self, line: &impl Serialize) {
        if let Ok(mut bytes) = serde_json::to_vec(line) {
            bytes.push(b'\n');
            drop(self.0.blocking_send(bytes.into()));
        }
    }
}

fn lines(app: SharedApp, job: impl FnOnce(&App, &LineSender, &Cancel) + Send + 'static) -> Response {
    let cancel = app.jobs.cancel();
    let (send, receiver) = mpsc::channel(LINES);
    let body = Lines { receiver, _cancel: cancel.on_drop() };
    tokio::spawn(async move {
        let (shared, sender) = (Arc::clone(&app), LineSender(send.clone()));
        if let Err(error) = app.jobs.start(move || job(&shared, &sender, &cancel)).await {
            let line = serde_json::to_vec(&StreamLine::Failed(error)).unwrap_or_default();
            drop(send.send(line.into()).await);
        }
    });
    ([(header::CONTENT_TYPE, "application/x-ndjson")], Body::from_stream(body)).into_response()
}

/// A line of `/api/pages`.
#[derive(Debug, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
enum StreamLine {
    /// A page as it came: with all of its content, also what pages repeat.
    Page {
        number: usize,
        text: String,
        tokens: usize,
        url: String,
    },
    /// The end: what is known of the whole.
    Document(DocumentLine),
    Failed(ApiError),
}

#[derive(Debug, Serialize)]
struct DocumentLine {
    authors: Vec<String>,
    complete: bool,
    ended: String,
    pages: usize,
    published: Option<String>,
    title: Option<String>,
    tokens: usize,
    url: String,
}

impl DocumentLine {
    fn of(document: &Document) -> DocumentLine {
        DocumentLine {
            authors: document.authors.clone(),
            complete: document.is_complete(),
            ended: words::of_end(document),
            pages: document.pages.len(),
            published: document.published.clone(),
            title: document.title.clone(),
            tokens: words::tokens(&document.text),
            url: document.url.to_string(),
        }
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PagesQuery {
    url: String,
    max_pages: Option<usize>,
    keep: Option<String>,
}

/// Sends the pages of a document as they come, a line each, and a last line about the whole.
pub(crate) async fn pages(
    State(app): State<SharedApp>,
    asked: Queried<PagesQuery>,
) -> Result<Response, ApiError> {
    let PagesQuery { url, max_pages, keep } = asked.0;
    let start = app.start(GivenPage { max_pages, keep, ..GivenPage::at(url) })?;
    Ok(lines(app, move |_, sender, cancel| {
        let joined = start.join(cancel, |at, part| {
            let text = text_of(part);
            let (tokens, url) = (words::tokens(&text), part.page.url().to_string());
            sender.send(&StreamLine::Page { number: at + 1, text, tokens, url });
        });
        sender.send(&match joined {
            Ok(document) if document.text.is_empty() => StreamLine::Failed(ApiError::no_content()),
            Ok(document) => StreamLine::Document(DocumentLine::of(&document)),
            Err(error) => StreamLine::Failed(error.into()),
        });
    }))
}

fn text_of(part: &Part) -> String {
    let Content { nodes, without, .. } = &part.content;
    part.page.text_of_content(nodes, without)
}

/// A batch: the first pages of several documents.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct BatchRequest {
    urls: Vec<String>,
    max_pages: Option<usize>,
    keep: Option<String>,
}

/// A line of a batch: the document of an address, or why there is none.
#[derive(Debug, Serialize)]
struct BatchLine<'a> {
    /// The address as it was asked.
    asked: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    document: Option<DocumentLine>,
    #[serde(skip_serializing_if = "Option::is_none")]
    failed: Option<ApiError>,
    #[serde(skip_serializing_if = "Option::is_none")]
    markdown: Option<String>,
}

/// Joins several documents, one after the other, and sends a line for each as soon as it is there.
pub(crate) async fn batch(
    State(app): State<SharedApp>,
    asked: Posted<BatchRequest>,
) -> Result<Response, ApiError> {
    let BatchRequest { urls, max_pages, keep } = asked.0;
    if !(1..=MOST_ARTICLES).contains(&urls.len()) {
        return Err(ApiError::bad(format!("`urls` must have 1 to {MOST_ARTICLES} addresses")));
    }
    let start = |url: &String| app.start(GivenPage { max_pages, keep: keep.clone(), ..GivenPage::at(url) });
    // Wrong addresses are told before anything is fetched.
    let starts: Vec<JoinStart> = urls.iter().map(start).collect::<Result<_, _>>()?;
    Ok(lines(app, move |_, sender, cancel| {
        for (url, start) in urls.iter().zip(starts) {
            if cancel.is_set() {
                return;
            }
            let line = match start.join(cancel, |_, _| ()) {
                Ok(document) if document.text.is_empty() => BatchLine::failed(url, ApiError::no_content()),
                Ok(document) => BatchLine::of(url, &document),
                Err(error) => BatchLine::failed(url, error.into()),
            };
            sender.send(&line);
        }
    }))
}

impl<'a> BatchLine<'a> {
    fn failed(asked: &'a str, error: ApiError) -> BatchLine<'a> {
        BatchLine { asked, document: None, failed: Some(error), markdown: None }
    }

    fn of(asked: &'a str, document: &Document) -> BatchLine<'a> {
        match crate::api::written(document, tsugi::Format::Markdown) {
            Err(error) => BatchLine::failed(asked, error),
            Ok(bytes) => BatchLine {
                asked,
                document: Some(DocumentLine::of(document)),
                failed: None,
                markdown: Some(String::from_utf8_lossy(&bytes).into_owned()),
            },
        }
    }
}
