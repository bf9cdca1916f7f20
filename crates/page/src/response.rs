//! What an address answered, wherever the answer came from, or why it answered nothing.

use crate::{Page, charset};
use url::Url;

/// What an address answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Response {
    /// The address that answered, after redirects, fragment dropped.
    pub url: Url,
    /// The HTTP status; 200 for a file.
    pub status: u16,
    /// The `Content-Type` header, as it came.
    pub content_type: Option<String>,
    /// The body, decompressed.
    pub body: Vec<u8>,
}

impl Response {
    /// Returns the body as a page; the charset of the header counts.
    pub fn page(&self) -> Page {
        let declared = self.content_type.as_deref().and_then(charset::from_content_type);
        Page::parse(&self.body, &self.url, declared)
    }
}

/// Why a page could not be had, in words that outlive what failed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Unavailable {
    /// The word that stands for the reason in output: `robots`, `timeout`, `not-stored`, ….
    pub word: String,
    /// The reason, on one line.
    pub message: String,
}
