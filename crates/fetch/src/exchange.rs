//! What goes over the network, for those who keep it.

use std::io;
use tsugi_page::Url;

/// What is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wanted {
    /// A page.
    Page,
    /// An image that a page shows.
    Image,
    /// A `robots.txt`.
    Robots,
    /// A file of any type ([`Http::download`](crate::Http::download)); never kept.
    File,
}

/// One request and its answer: a page, an image, a redirect, an error, a `robots.txt`.
#[derive(Debug, Clone, Copy)]
pub struct Exchange<'a> {
    /// The address that was asked, fragment dropped.
    pub url: &'a Url,
    /// What was asked for, which need not be what came.
    pub wanted: Wanted,
    /// The HTTP status.
    pub status: u16,
    /// The headers as served, names in lower case, in the order in which they came; without `set-cookie`.
    pub headers: &'a [(String, String)],
    /// The body, decompressed; empty where it was not read.
    pub body: &'a [u8],
}

impl Exchange<'_> {
    /// Returns the value of the first header with a name, which is given in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str())
    }
}

/// Keeps what goes over the network.
pub trait Keep: std::fmt::Debug + Send + Sync {
    /// Keeps an exchange before its answer is used.
    ///
    /// # Errors
    ///
    /// What writing says; the page is then not used.
    fn keep(&self, exchange: &Exchange<'_>) -> io::Result<()>;
}
