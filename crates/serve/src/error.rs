//! Errors as answers: a status, and an object with a word and a sentence.

use axum::Json;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde_json::json;
use tsugi::Unavailable;

/// An error that the client is told.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Problem {
    pub(crate) status: StatusCode,
    /// Names the kind of error.
    pub(crate) word: String,
    pub(crate) message: String,
}

impl Problem {
    pub(crate) fn new(status: StatusCode, word: &str, message: impl Into<String>) -> Problem {
        Problem { status, word: word.to_owned(), message: message.into() }
    }

    pub(crate) fn bad(message: impl Into<String>) -> Problem {
        Problem::new(StatusCode::BAD_REQUEST, "bad-request", message)
    }

    pub(crate) fn no_content() -> Problem {
        let message = "no main content was found on the page";
        Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "no-content", message)
    }

    pub(crate) fn not_found(message: impl Into<String>) -> Problem {
        Problem::new(StatusCode::NOT_FOUND, "not-found", message)
    }

    /// The server's own fault, or that of its disk.
    pub(crate) fn internal(message: impl Into<String>) -> Problem {
        Problem::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", message)
    }

    pub(crate) fn busy() -> Problem {
        let message = "too many pages are being read; try again in a moment";
        Problem::new(StatusCode::SERVICE_UNAVAILABLE, "busy", message)
    }
}

/// A page that could not be fetched: the fault of the other server, as far as the client is concerned.
impl From<Unavailable> for Problem {
    fn from(error: Unavailable) -> Problem {
        Problem::new(StatusCode::BAD_GATEWAY, &error.word, error.message)
    }
}

impl From<std::io::Error> for Problem {
    fn from(error: std::io::Error) -> Problem {
        Problem::internal(format!("cannot read or write the data of this server: {error}"))
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        (self.status, Json(json!({"error": self.word, "message": self.message}))).into_response()
    }
}
