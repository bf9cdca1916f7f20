//! The `OpenAPI` document.

use axum::http::header;
use axum::response::IntoResponse;

/// Describes the interface for programs. A test compares it with the routes.
pub(crate) const OPENAPI: &str = include_str!("openapi.json");

pub(crate) async fn document() -> impl IntoResponse {
    ([(header::CONTENT_TYPE, "application/json")], OPENAPI)
}
