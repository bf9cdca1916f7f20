//! Errors as answers: a status, and an object with a word and a sentence.

use crate::words;
use axum::Json;
use axum::extract::rejection::JsonRejection;
use axum::extract::{FromRequest, FromRequestParts, Query, Request};
use axum::http::request::Parts;
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::error::Error;
use tsugi::fetch::chain;
use tsugi::page::UnavailableKind;
use tsugi::{FetchError, Unavailable};

/// The parameters of a query. Types that deny unknown fields refuse misspelt parameters by name. `key`, the token, is no
/// parameter of any of them.
#[derive(Debug)]
pub(crate) struct Queried<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequestParts<S> for Queried<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Queried<T>, ApiError> {
        let query = parts.uri.query().unwrap_or_default();
        let without_key: Vec<&str> = query.split('&').filter(|pair| !pair.starts_with("key=")).collect();
        let uri = Uri::try_from(format!("/?{}", without_key.join("&")))
            .map_err(|_| ApiError::bad("the address of the request cannot be read"))?;
        match Query::try_from_uri(&uri) {
            Ok(Query(query)) => Ok(Queried(query)),
            Err(refused) => Err(ApiError::bad(words::of_parameters(&innermost(&refused)))),
        }
    }
}

/// A body of JSON. Types that deny unknown fields refuse misspelt ones by name.
#[derive(Debug)]
pub(crate) struct Posted<T>(pub(crate) T);

impl<T: DeserializeOwned, S: Send + Sync> FromRequest<S> for Posted<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, state: &S) -> Result<Posted<T>, ApiError> {
        match Json::from_request(request, state).await {
            Ok(Json(value)) => Ok(Posted(value)),
            Err(refused) => Err(ApiError::new(refused.status(), "bad-request", of_json(&refused))),
        }
    }
}

fn of_json(refused: &JsonRejection) -> String {
    match refused {
        JsonRejection::MissingJsonContentType(_) => {
            "the body must be JSON, with `Content-Type: application/json`".to_owned()
        }
        JsonRejection::JsonSyntaxError(_) => format!("the body is no JSON: {}", innermost(refused)),
        JsonRejection::JsonDataError(_) => words::of_parameters(&innermost(refused)),
        _ => refused.body_text(),
    }
}

/// Returns the words of the first cause of an error: what is around it names the libraries that it went through.
fn innermost(error: &dyn Error) -> String {
    let mut cause = error;
    while let Some(deeper) = cause.source() {
        cause = deeper;
    }
    cause.to_string()
}

/// `Problem` of `openapi.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct ApiError {
    #[serde(skip)]
    pub(crate) status: StatusCode,
    #[serde(rename = "error")]
    pub(crate) word: String,
    /// What is wrong, and what to do, in a sentence for people.
    pub(crate) message: String,
    /// What a program or a person who looks for the cause wants to know besides.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) detail: Option<String>,
}

impl ApiError {
    pub(crate) fn new(status: StatusCode, word: &str, message: impl Into<String>) -> ApiError {
        ApiError { status, word: word.to_owned(), message: message.into(), detail: None }
    }

    fn of_page(kind: &UnavailableKind, detail: String) -> ApiError {
        let message = words::of_failure(kind, &detail);
        ApiError { detail: Some(detail), ..ApiError::new(StatusCode::BAD_GATEWAY, kind.as_str(), message) }
    }

    pub(crate) fn bad(message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::BAD_REQUEST, "bad-request", message)
    }

    pub(crate) fn no_content() -> ApiError {
        let message = "no main content was found on the page";
        ApiError::new(StatusCode::UNPROCESSABLE_ENTITY, "no-content", message)
    }

    pub(crate) fn not_found(message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::NOT_FOUND, "not-found", message)
    }

    /// An error of this server or its disk.
    pub(crate) fn internal(message: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", message)
    }

    pub(crate) fn busy() -> ApiError {
        let message = "too many pages are being read; try again in a moment";
        ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "busy", message)
    }
}

/// A page that could not be fetched. To the client this server is a gateway.
impl From<Unavailable> for ApiError {
    fn from(error: Unavailable) -> ApiError {
        ApiError::of_page(&error.kind, error.to_string())
    }
}

impl From<FetchError> for ApiError {
    fn from(error: FetchError) -> ApiError {
        ApiError::of_page(error.kind(), chain(&error))
    }
}

impl From<std::io::Error> for ApiError {
    fn from(error: std::io::Error) -> ApiError {
        ApiError::internal(format!("cannot read or write the data of this server: {error}"))
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        (self.status, Json(self)).into_response()
    }
}
