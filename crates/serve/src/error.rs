//! Errors as answers: a status, and an object with a word and a sentence.

use axum::Json;
use axum::extract::Query;
use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use tsugi::fetch::chain;
use tsugi::{FetchError, Unavailable};

/// The parameters of a query. Errors in them become an [`ApiError`], as all others.
pub(crate) type Queried<T> = Result<Query<T>, QueryRejection>;

pub(crate) type Posted<T> = Result<Json<T>, JsonRejection>;

/// `Problem` of `openapi.json`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct ApiError {
    #[serde(skip)]
    pub(crate) status: StatusCode,
    #[serde(rename = "error")]
    pub(crate) word: String,
    pub(crate) message: String,
}

impl ApiError {
    pub(crate) fn new(status: StatusCode, word: &str, message: impl Into<String>) -> ApiError {
        ApiError { status, word: word.to_owned(), message: message.into() }
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

impl From<QueryRejection> for ApiError {
    fn from(rejection: QueryRejection) -> ApiError {
        ApiError::bad(rejection.body_text())
    }
}

impl From<JsonRejection> for ApiError {
    fn from(rejection: JsonRejection) -> ApiError {
        ApiError::new(rejection.status(), "bad-request", rejection.body_text())
    }
}

/// A page that could not be fetched. To the client this server is a gateway.
impl From<Unavailable> for ApiError {
    fn from(error: Unavailable) -> ApiError {
        ApiError::new(StatusCode::BAD_GATEWAY, error.kind.as_str(), error.to_string())
    }
}

impl From<FetchError> for ApiError {
    fn from(error: FetchError) -> ApiError {
        ApiError::new(StatusCode::BAD_GATEWAY, error.word(), chain(&error))
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
