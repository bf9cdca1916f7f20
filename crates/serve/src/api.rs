//! `/api/join`, `/api/extract`, `/api/next`: the command, for programs.

use crate::app::SharedApp;
use crate::error::{ApiError, Posted, Queried};
use crate::given::GivenPage;
use crate::words;
use axum::Json;
use axum::extract::State;
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodRouter, get};
use rmcp::schemars;
use serde::{Deserialize, Serialize};
use tsugi::{Document, Format, NextLink, Page, Tsugi};

/// How many tokens a language model makes of the text, as estimated by [`words::tokens`].
const TOKENS: HeaderName = HeaderName::from_static("x-tsugi-tokens");

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct DocumentQuery {
    url: String,
    format: Option<String>,
    max_pages: Option<usize>,
    keep: Option<String>,
}

/// The parameters of a request about one page.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PageQuery {
    url: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct FormatQuery {
    format: Option<String>,
}

#[derive(Debug, Clone, Copy)]
pub(crate) enum DocumentTask {
    Join,
    Extract,
}

/// Returns the handlers of a task: `GET` names the first page, `POST` may hold it.
pub(crate) fn documents(task: DocumentTask) -> MethodRouter<SharedApp> {
    get(move |State(app), asked: Queried<DocumentQuery>| async move {
        let DocumentQuery { url, format, max_pages, keep } = asked.0;
        document(app, task, format, GivenPage { max_pages, keep, ..GivenPage::at(url) }).await
    })
    .post(move |State(app), asked: Queried<FormatQuery>, given: Posted<GivenPage>| async move {
        document(app, task, asked.0.format, given.0).await
    })
}

pub(crate) async fn next(
    State(app): State<SharedApp>,
    asked: Queried<PageQuery>,
) -> Result<Json<NextAnswer>, ApiError> {
    next_of(app, GivenPage::at(asked.0.url)).await
}

pub(crate) async fn next_given(
    State(app): State<SharedApp>,
    given: Posted<GivenPage>,
) -> Result<Json<NextAnswer>, ApiError> {
    next_of(app, given.0).await
}

async fn document(
    app: SharedApp,
    task: DocumentTask,
    format: Option<String>,
    given: GivenPage,
) -> Result<Response, ApiError> {
    let format = format.map_or(Ok(Format::Json), |word| read_format(&word))?;
    let start = app.start(given)?;
    let written = app.run(move |_, cancel| {
        let document = match task {
            DocumentTask::Join => start.join(cancel, |_, _| ())?,
            DocumentTask::Extract => start.extract(cancel)?,
        };
        Ok((words::tokens(&document.text), written(&document, format)?))
    });
    let (tokens, bytes) = written.await?;
    let mut response = answer(format, bytes);
    response.headers_mut().insert(TOKENS, HeaderValue::from(tokens));
    Ok(response)
}

pub(crate) fn read_format(word: &str) -> Result<Format, ApiError> {
    word.parse().map_err(|error: tsugi::document::FormatError| ApiError::bad(error.to_string()))
}

/// Writes a document. One without text is an error.
pub(crate) fn written(document: &Document, format: Format) -> Result<Vec<u8>, ApiError> {
    if document.text.is_empty() {
        return Err(ApiError::no_content());
    }
    let mut bytes = Vec::new();
    document.write(format, &mut bytes)?;
    Ok(bytes)
}

fn media_type(format: Format) -> &'static str {
    match format {
        Format::Markdown => "text/markdown; charset=utf-8",
        Format::Html => "text/html; charset=utf-8",
        Format::Text => "text/plain; charset=utf-8",
        Format::Json => "application/json",
        Format::Epub => "application/epub+zip",
    }
}

/// Answers with a document. HTML is in a sandbox, as a second wall behind the writer, which drops everything active.
pub(crate) fn answer(format: Format, bytes: Vec<u8>) -> Response {
    let policy = "sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'";
    ([(header::CONTENT_TYPE, media_type(format)), (header::CONTENT_SECURITY_POLICY, policy)], bytes)
        .into_response()
}

async fn next_of(app: SharedApp, given: GivenPage) -> Result<Json<NextAnswer>, ApiError> {
    let start = app.start(given)?;
    app.run(move |app, cancel| Ok(NextAnswer::of(&app.tsugi, &start.first(cancel)?.page()))).await.map(Json)
}

/// The next link of a page
// `NextPage` of `openapi.json`.
#[derive(Debug, Serialize, schemars::JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
pub(crate) struct NextAnswer {
    /// The best candidate; null if there is none
    next: Option<FoundNext>,
    /// The score from which it leads to the next page
    threshold: f64,
    /// Why a next page that there is cannot be followed
    unfollowable: Option<String>,
    url: String,
}

#[derive(Debug, Serialize, schemars::JsonSchema)]
#[schemars(crate = "rmcp::schemars")]
pub(crate) struct FoundNext {
    /// What found it: `model`, `rule` or `markup`
    by: String,
    /// The number of its element in a frame.
    #[serde(skip_serializing_if = "Option::is_none")]
    node: Option<usize>,
    /// `page` of the same article, or `chapter` of the same book
    relation: &'static str,
    /// From 0 to 1
    score: f64,
    url: String,
}

impl FoundNext {
    fn of(link: &NextLink) -> FoundNext {
        FoundNext { node: None, ..FoundNext::in_frame(link) }
    }

    pub(crate) fn in_frame(link: &NextLink) -> FoundNext {
        FoundNext {
            by: link.evidence.to_string(),
            node: Some(link.node.index()),
            relation: link.relation.as_str(),
            score: link.score.into(),
            url: link.url.to_string(),
        }
    }
}

impl NextAnswer {
    pub(crate) fn of(tsugi: &Tsugi, page: &Page) -> NextAnswer {
        let look = tsugi.look(page);
        NextAnswer {
            next: look.next().map(FoundNext::of),
            threshold: look.threshold().into(),
            unfollowable: look.unfollowable().map(|node| page.text(node)),
            url: page.url().to_string(),
        }
    }
}
