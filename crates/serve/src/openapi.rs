//! The `OpenAPI` document.

use axum::http::header;
use axum::response::IntoResponse;

/// Describes the interface for programs. Tests compare it with the routes and their answers.
pub(crate) const OPENAPI: &str = include_str!("openapi.json");

pub(crate) async fn document() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json")], OPENAPI)
}
