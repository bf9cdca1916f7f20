//! Requests and their answers, as they can be saved.

use std::io;
use tsugi_page::Url;

/// The kind of resource that is requested.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Wanted {
    /// A page.
    Page,
    /// An image on a page.
    Image,
    /// A `robots.txt`.
    Robots,
    /// A file of any type: a download ([`Http::download`](crate::Http::download)), which is not handed to [`Keep`], or what a
    /// browser draws a page of ([`Http::relay`](crate::Http::relay)).
    File,
    /// A page as a browser drew it: 0 as it opened, a higher number after going on in it so many times.
    Drawn(u16),
}

/// One request and its answer: a page, an image, a redirect, an error, a `robots.txt`.
#[derive(Debug, Clone, Copy)]
pub struct Exchange<'a> {
    /// The requested address, without its fragment.
    pub url: &'a Url,
    /// What was requested, which may differ from what came.
    pub wanted: Wanted,
    /// The HTTP status.
    pub status: u16,
    /// The headers as served, names in lower case, in the order in which they came; without `set-cookie`.
    pub headers: &'a [(String, String)],
    /// The body, decompressed; empty if it was not read.
    pub body: &'a [u8],
}

impl Exchange<'_> {
    /// Returns the value of the first header with a name, which is given in lower case.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(found, _)| found == name).map(|(_, value)| value.as_str())
    }
}

/// Saves every answer from the network.
pub trait Keep: std::fmt::Debug + Send + Sync {
    /// Saves an exchange before its answer is used.
    ///
    /// # Errors
    ///
    /// The error of writing; the answer is then not used.
    fn keep(&self, exchange: &Exchange<'_>) -> io::Result<()>;
}
