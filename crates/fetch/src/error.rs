//! Why pages and images cannot be had.

use crate::archive::error::ArchiveError;
use crate::special::special;
use std::error::Error;
use std::net::IpAddr;
use std::path::PathBuf;
use tsugi_page::{Unavailable, Url};

/// Why a page, or an image, cannot be had.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FetchError {
    /// The archive or folder does not hold the address.
    #[error("`{url}` is not stored")]
    NotStored {
        /// The address, or the redirect's target that is missing.
        url: Url,
    },
    /// The answer is no success.
    #[error("`{url}` answered with status {status}, expected 2xx")]
    Status {
        /// The address that answered.
        url: Url,
        /// The HTTP status.
        status: u16,
    },
    /// The answer is no page.
    #[error("`{url}` is {what}, not a web page")]
    NotHtml {
        /// The address that answered.
        url: Url,
        /// What came: a media type, or words for it with an article ("a PDF").
        what: String,
    },
    /// The answer is no image that can be used.
    #[error("`{url}` is {what}, expected a JPEG, PNG, GIF or WebP image")]
    NotImage {
        /// The address that answered.
        url: Url,
        /// What came: a media type, or words for something else.
        what: String,
    },
    /// The body is longer than wanted.
    #[error("`{url}` is longer than {limit} bytes")]
    TooLarge {
        /// The address that answered.
        url: Url,
        /// The limit, in bytes after decompression.
        limit: u64,
    },
    /// The body's compression is unknown or broken.
    #[error("body of `{url}` cannot be decoded as `{coding}`")]
    Coding {
        /// The address that answered.
        url: Url,
        /// The `Content-Encoding`.
        coding: String,
    },
    /// The answer took too long.
    #[error("`{url}` took too long to answer")]
    Timeout {
        /// The address that was asked.
        url: Url,
    },
    /// One redirect followed another, or they run in a circle.
    #[error("`{url}` redirects more than {limit} times")]
    TooManyRedirects {
        /// The address that was asked first.
        url: Url,
        /// How many redirects are followed.
        limit: usize,
    },
    /// A redirect leads nowhere, or out of the web.
    #[error("`{url}` redirects to `{location}`, expected an http or https address")]
    BadRedirect {
        /// The address that redirects.
        url: Url,
        /// The `Location` header; empty where there is none.
        location: String,
    },
    /// The address is not one that this source can get.
    #[error("`{url}` has the scheme `{}`, expected {expected}", url.scheme())]
    Scheme {
        /// The address.
        url: Url,
        /// The schemes that can be had.
        expected: &'static str,
    },
    /// The site asks not to fetch this.
    #[error("`{url}` may not be fetched: {rule}")]
    Disallowed {
        /// The address.
        url: Url,
        /// The rule that says so.
        rule: String,
    },
    /// The connection failed.
    #[error("no answer from `{url}`")]
    Network {
        /// The address that was asked.
        url: Url,
        /// What failed.
        source: Box<dyn Error + Send + Sync>,
    },
    /// The address leads to where only this machine or its network can get.
    #[error(
        "`{url}` leads to {address}, {}; only public addresses are fetched (--allow-private lifts this)",
        special(*address).unwrap_or("an address that is not allowed")
    )]
    Private {
        /// The address that was asked for.
        url: Url,
        /// The IP address that it leads to.
        address: IpAddr,
    },
    /// The server wants to be left alone for longer than one waits, and is.
    #[error(
        "the host of `{url}` answered with status {status} and asks to come back after {after} s, longer than the {limit} s that are waited"
    )]
    Later {
        /// The address that was asked for.
        url: Url,
        /// The HTTP status.
        status: u16,
        /// How long the server wants to be left alone (`Retry-After`), in seconds.
        after: u64,
        /// The longest time that is waited, in seconds.
        limit: u64,
    },
    /// The cache cannot be used.
    #[error("the cache `{}` cannot be used", path.display())]
    Cache {
        /// Its folder.
        path: PathBuf,
        /// What failed.
        source: std::io::Error,
    },
    /// The file lies outside of the folder that may be read.
    #[error("`{}` does not lie below `{}`", path.display(), folder.display())]
    NotBelow {
        /// The file, symbolic links resolved.
        path: PathBuf,
        /// The folder.
        folder: PathBuf,
    },
    /// The file cannot be read.
    #[error("`{}` cannot be read", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What failed.
        source: std::io::Error,
    },
    /// What came cannot be kept, so it is not used.
    #[error("what `{url}` answered cannot be kept")]
    Keep {
        /// The address that answered.
        url: Url,
        /// What writing says.
        source: std::io::Error,
    },
    /// The page could not be had when the archive was written; see [`Store`](crate::Store).
    #[error("{message}")]
    Recorded {
        /// What went wrong then: a [`FetchError::word`].
        word: String,
        /// What was said then.
        message: String,
    },
    /// The archive cannot be read.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// The HTTP client cannot be set up.
    #[error("the HTTP client cannot be set up")]
    Client {
        /// What failed.
        source: Box<dyn Error + Send + Sync>,
    },
}

impl FetchError {
    /// Returns the word that stands for what went wrong, in output and in archives.
    pub fn word(&self) -> &str {
        match self {
            FetchError::NotStored { .. } => "not-stored",
            FetchError::Status { .. } => "status",
            FetchError::NotHtml { .. } => "not-html",
            FetchError::NotImage { .. } => "not-image",
            FetchError::TooLarge { .. } => "too-large",
            FetchError::Coding { .. } => "coding",
            FetchError::Timeout { .. } => "timeout",
            FetchError::TooManyRedirects { .. } => "too-many-redirects",
            FetchError::BadRedirect { .. } => "bad-redirect",
            FetchError::Scheme { .. } => "scheme",
            FetchError::Disallowed { .. } => "robots",
            FetchError::Network { .. } => "network",
            FetchError::Private { .. } => "private",
            FetchError::Later { .. } => "later",
            FetchError::Cache { .. } => "cache",
            FetchError::NotBelow { .. } => "not-below",
            FetchError::Io { .. } => "file",
            FetchError::Keep { .. } => "keep",
            FetchError::Recorded { word, .. } => word,
            FetchError::Archive(_) => "archive",
            FetchError::Client { .. } => "client",
        }
    }
}

impl From<FetchError> for Unavailable {
    fn from(error: FetchError) -> Unavailable {
        Unavailable { word: error.word().to_owned(), message: chain(&error) }
    }
}

/// Writes an error and its causes on one line; a cause that its error already tells of is left out.
pub fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        let words = error.to_string();
        if !text.contains(&words) {
            text.push_str(": ");
            text.push_str(&words);
        }
        cause = error.source();
    }
    text
}
