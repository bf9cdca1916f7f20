//! `/api/join`, `/api/extract`, `/api/next`: what the command does, for programs.

use crate::app::Shared;
use crate::error::Problem;
use crate::given::GivenPage;
use axum::Json;
use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::extract::{Query, State};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use serde_json::{Value, json};
use tsugi::{Document, ExtractOptions, Format, Page, Tsugi};

/// What a `GET` asks for.
#[derive(Debug, Deserialize)]
pub(crate) struct Asked {
    url: String,
    format: Option<String>,
    max_pages: Option<usize>,
}

/// The format that a `POST` asks for.
#[derive(Debug, Deserialize)]
pub(crate) struct AskedFormat {
    format: Option<String>,
}

/// What follows the question mark; a mistake in it is answered as every other [`Problem`] is.
pub(crate) type Queried<T> = Result<Query<T>, QueryRejection>;
type GivenBody = Result<Json<GivenPage>, JsonRejection>;

impl From<QueryRejection> for Problem {
    fn from(rejection: QueryRejection) -> Problem {
        Problem::bad(rejection.body_text())
    }
}

impl From<JsonRejection> for Problem {
    fn from(rejection: JsonRejection) -> Problem {
        Problem::new(rejection.status(), "bad-request", rejection.body_text())
    }
}

/// What a document is made of.
#[derive(Debug, Clone, Copy)]
enum Task {
    Join,
    Extract,
}

pub(crate) async fn join(State(app): State<Shared>, asked: Queried<Asked>) -> Result<Response, Problem> {
    fetched(app, Task::Join, asked?.0).await
}

pub(crate) async fn join_given(
    State(app): State<Shared>,
    asked: Queried<AskedFormat>,
    given: GivenBody,
) -> Result<Response, Problem> {
    document(app, Task::Join, asked?.0.format, given?.0).await
}

pub(crate) async fn extract(State(app): State<Shared>, asked: Queried<Asked>) -> Result<Response, Problem> {
    fetched(app, Task::Extract, asked?.0).await
}

pub(crate) async fn extract_given(
    State(app): State<Shared>,
    asked: Queried<AskedFormat>,
    given: GivenBody,
) -> Result<Response, Problem> {
    document(app, Task::Extract, asked?.0.format, given?.0).await
}

pub(crate) async fn next(State(app): State<Shared>, asked: Queried<Asked>) -> Result<Response, Problem> {
    let Asked { url, .. } = asked?.0;
    next_of(app, GivenPage { url, ..GivenPage::default() }).await
}

pub(crate) async fn next_given(State(app): State<Shared>, given: GivenBody) -> Result<Response, Problem> {
    next_of(app, given?.0).await
}

async fn fetched(app: Shared, task: Task, asked: Asked) -> Result<Response, Problem> {
    let Asked { url, format, max_pages } = asked;
    document(app, task, format, GivenPage { url, max_pages, ..GivenPage::default() }).await
}

/// Makes a document and writes it.
async fn document(
    app: Shared,
    task: Task,
    format: Option<String>,
    given: GivenPage,
) -> Result<Response, Problem> {
    let format: Format = match format {
        Some(word) => word.parse().map_err(|error: tsugi::FormatError| Problem::bad(error.to_string()))?,
        None => Format::Json,
    };
    let start = app.start(given)?;
    let tsugi = std::sync::Arc::clone(&app.tsugi);
    let written = app.work.run(move |cancel| -> Result<Vec<u8>, Problem> {
        let document = match task {
            Task::Join => start.join(cancel, |_, _| ())?,
            Task::Extract => tsugi.extract(start.first()?.page(), ExtractOptions::default()),
        };
        written(&document, format)
    });
    Ok(answer(format, written.await??))
}

/// Writes a document; one without text is an error.
pub(crate) fn written(document: &Document, format: Format) -> Result<Vec<u8>, Problem> {
    if document.text.is_empty() {
        return Err(Problem::no_content());
    }
    let mut bytes = Vec::new();
    document.write(format, &mut bytes)?;
    Ok(bytes)
}

/// Returns the media type of a format.
pub(crate) fn media_type(format: Format) -> &'static str {
    match format {
        Format::Markdown => "text/markdown; charset=utf-8",
        Format::Html => "text/html; charset=utf-8",
        Format::Text => "text/plain; charset=utf-8",
        Format::Json => "application/json",
        Format::Epub => "application/epub+zip",
    }
}

/// Answers with a document. HTML of others is in a sandbox, although our writer let nothing active through.
pub(crate) fn answer(format: Format, bytes: Vec<u8>) -> Response {
    let policy = "sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";
    ([(header::CONTENT_TYPE, media_type(format)), (header::CONTENT_SECURITY_POLICY, policy)], bytes)
        .into_response()
}

/// Says which page is next.
async fn next_of(app: Shared, given: GivenPage) -> Result<Response, Problem> {
    let start = app.start(given)?;
    let tsugi = std::sync::Arc::clone(&app.tsugi);
    let found =
        app.work.run(move |_| -> Result<Value, Problem> { Ok(next_link(&tsugi, &start.first()?.page())) });
    Ok(Json(found.await??).into_response())
}

/// Returns the next link of a page as JSON; `next` is `null` if there is none.
pub(crate) fn next_link(tsugi: &Tsugi, page: &Page) -> Value {
    let look = tsugi.look(page);
    let next = look.next().map(|next| {
        json!({
            "url": next.url.as_str(),
            "relation": next.relation.to_string(),
            "score": next.score,
            "by": next.evidence.to_string(),
        })
    });
    let behind = look.unfollowable().map(|node| page.text(node));
    json!({"url": page.url().as_str(), "next": next, "unfollowable": behind, "threshold": look.threshold()})
}
