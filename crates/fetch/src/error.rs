//! Errors of fetching pages and images.

#[cfg(feature = "archive")]
use crate::archive::error::ArchiveError;
use crate::special::{is_off_limits, special};
use std::error::Error;
use std::net::IpAddr;
use std::path::PathBuf;
use tsugi_page::{Unavailable, UnavailableKind, Url};

/// Why a page or an image could not be fetched.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FetchError {
    /// The archive or folder does not hold the address.
    #[error("`{url}` is not stored")]
    NotStored {
        /// The address, or the redirect's target that is missing.
        url: Url,
    },
    /// The archive holds a revisit of the address, but not the answer that it refers to.
    #[error("`{url}` is stored as a revisit of {of}, which is not in the archive")]
    Revisit {
        /// The address.
        url: Url,
        /// The answer that it refers to: an address, or "an earlier answer".
        of: String,
    },
    /// The status is not 2xx.
    #[error("`{url}` answered with status {status}")]
    Status {
        /// The address that answered.
        url: Url,
        /// The HTTP status.
        status: u16,
    },
    /// The answer is a part of the body (status 206), though the whole was requested.
    #[error("`{url}` answered with a part of its content only (status 206)")]
    Partial {
        /// The address that answered.
        url: Url,
    },
    /// The answer is not a web page.
    #[error("`{url}` is {what}, not a web page")]
    NotHtml {
        /// The address that answered.
        url: Url,
        /// What the answer is: a media type, or a noun with an article ("a PDF").
        what: String,
    },
    /// The answer is not an image of a supported type.
    #[error("`{url}` is {what}, not a JPEG, PNG, GIF or WebP image")]
    NotImage {
        /// The address that answered.
        url: Url,
        /// What the answer is: a media type, or a noun.
        what: String,
    },
    /// The body is longer than the limit.
    #[error("`{url}` is longer than {limit} bytes")]
    TooLarge {
        /// The address that answered.
        url: Url,
        /// The limit, in bytes after decompression.
        limit: u64,
    },
    /// The body's compression is unknown or its data corrupt.
    #[error("body of `{url}` cannot be decoded as `{coding}`")]
    Coding {
        /// The address that answered.
        url: Url,
        /// The `Content-Encoding`.
        coding: String,
    },
    /// The time limit was reached.
    #[error("`{url}` took too long to answer")]
    Timeout {
        /// The requested address.
        url: Url,
    },
    /// Whoever asked waits for the answer no longer.
    #[error("`{url}` was not read, because nobody waits for it any more")]
    Unwanted {
        /// The requested address.
        url: Url,
    },
    /// There were too many redirects, perhaps in a circle.
    #[error("`{url}` redirects more than {limit} times")]
    TooManyRedirects {
        /// The first address.
        url: Url,
        /// The most redirects that are followed.
        limit: usize,
    },
    /// A redirect has no target, or one that is not http or https.
    #[error("`{url}` redirects to `{location}`, which is not an http or https address")]
    BadRedirect {
        /// The address that redirects.
        url: Url,
        /// The `Location` header; empty if there is none.
        location: String,
    },
    /// The source does not support the address's scheme.
    #[error("`{url}` has the scheme `{}`; only {expected} can be fetched", url.scheme())]
    Scheme {
        /// The address.
        url: Url,
        /// The supported schemes.
        expected: &'static str,
    },
    /// The site's rules for robots forbid the request.
    #[error("`{url}` may not be fetched: {rule}")]
    Disallowed {
        /// The address.
        url: Url,
        /// The rule, or why the rules are unknown.
        rule: String,
    },
    /// The connection failed.
    #[error("no answer from `{url}`")]
    Network {
        /// The requested address.
        url: Url,
        /// What failed.
        source: Box<dyn Error + Send + Sync>,
    },
    /// The address leads to this machine or to its network, not to a public host.
    #[error("`{url}` leads to {address}, {}", why_refused(*address))]
    Private {
        /// The requested address.
        url: Url,
        /// The IP address that it leads to.
        address: IpAddr,
    },
    /// The server asked for a longer pause than [`HttpOptions::patience`](crate::HttpOptions::patience).
    #[error(
        "the host of `{url}` answered with status {status} and asked for a retry after {after} s; the limit is {limit} s"
    )]
    Later {
        /// The requested address.
        url: Url,
        /// The HTTP status.
        status: u16,
        /// The pause that the server asked for (`Retry-After`), in seconds.
        after: u64,
        /// The longest pause, in seconds.
        limit: u64,
    },
    /// The host left too many requests in a row unanswered, so it is not asked for a while.
    #[error(
        "the host of `{url}` left {failures} requests in a row unanswered; it is asked again in {after} s"
    )]
    HostDown {
        /// The address that was not requested.
        url: Url,
        /// The number of requests without an answer.
        failures: u32,
        /// When the host is asked again, in seconds from now.
        after: u64,
    },
    /// The cache cannot be used.
    #[error("cannot use the cache folder `{}`", path.display())]
    Cache {
        /// The cache's folder.
        path: PathBuf,
        /// What failed.
        source: std::io::Error,
    },
    /// The file is outside the folder that may be read.
    #[error("`{}` is outside folder `{}` and may not be read", path.display(), folder.display())]
    NotBelow {
        /// The file, with symbolic links resolved.
        path: PathBuf,
        /// The folder.
        folder: PathBuf,
    },
    /// The file cannot be read.
    #[error("cannot read `{}`", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What failed.
        source: std::io::Error,
    },
    /// The answer could not be saved ([`Keep`](crate::Keep)), so it was not used.
    #[error("cannot save the answer of `{url}`")]
    Keep {
        /// The address that answered.
        url: Url,
        /// The error of writing.
        source: std::io::Error,
    },
    /// Fetching failed before: when an archive was written ([`Store`](crate::Store)), or for the `robots.txt` of the
    /// site a short while ago.
    #[error("{message}")]
    Recorded {
        /// The [`FetchError::kind`] of that error.
        kind: UnavailableKind,
        /// The message of that error.
        message: String,
    },
    /// The archive cannot be read.
    #[cfg(feature = "archive")]
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// The calling thread runs tasks of an asynchronous runtime, and would stop them while it waits.
    #[error(
        "`{url}` cannot be fetched on a thread that runs asynchronous tasks; call from `spawn_blocking`, or fetch with a client of your own"
    )]
    Executor {
        /// The requested address.
        url: Url,
    },
    /// A browser went on in the page, and nothing new came.
    #[error("{why}")]
    NothingMore {
        /// The address of the page.
        url: Url,
        /// What was done, and what came of it: a phrase.
        why: String,
    },
    /// There is no browser, or it could not draw the page.
    #[error("a browser cannot draw `{url}`")]
    Browser {
        /// The address of the page.
        url: Url,
        /// What failed.
        source: Box<dyn Error + Send + Sync>,
    },
    /// The storage or the client of somebody else failed.
    #[error("cannot get `{url}`")]
    Other {
        /// The address.
        url: Url,
        /// What failed.
        source: Box<dyn Error + Send + Sync>,
    },
    /// The HTTP client cannot be set up.
    #[error("cannot set up the HTTP client")]
    Client {
        /// What failed.
        source: Box<dyn Error + Send + Sync>,
    },
}

impl FetchError {
    /// Returns the kind of the error.
    pub fn kind(&self) -> &UnavailableKind {
        match self {
            FetchError::NotStored { .. } | FetchError::Revisit { .. } => &UnavailableKind::NotStored,
            FetchError::Status { .. } => &UnavailableKind::Status,
            FetchError::Partial { .. } => &UnavailableKind::Partial,
            FetchError::NotHtml { .. } => &UnavailableKind::NotHtml,
            FetchError::NotImage { .. } => &UnavailableKind::NotImage,
            FetchError::TooLarge { .. } => &UnavailableKind::TooLarge,
            FetchError::Coding { .. } => &UnavailableKind::Coding,
            FetchError::Timeout { .. } => &UnavailableKind::Timeout,
            FetchError::Unwanted { .. } => &UnavailableKind::NotFetched,
            FetchError::TooManyRedirects { .. } => &UnavailableKind::TooManyRedirects,
            FetchError::BadRedirect { .. } => &UnavailableKind::BadRedirect,
            FetchError::Scheme { .. } => &UnavailableKind::Scheme,
            FetchError::Disallowed { .. } => &UnavailableKind::Robots,
            FetchError::Network { .. } => &UnavailableKind::Network,
            FetchError::Private { .. } => &UnavailableKind::Private,
            FetchError::Later { .. } => &UnavailableKind::Later,
            FetchError::HostDown { .. } => &UnavailableKind::HostDown,
            FetchError::Cache { .. } => &UnavailableKind::Cache,
            FetchError::NotBelow { .. } => &UnavailableKind::NotBelow,
            FetchError::Io { .. } => &UnavailableKind::File,
            FetchError::Keep { .. } => &UnavailableKind::Keep,
            FetchError::Recorded { kind, .. } => kind,
            #[cfg(feature = "archive")]
            FetchError::Archive(_) => &UnavailableKind::Archive,
            FetchError::Executor { .. } => &UnavailableKind::Executor,
            FetchError::Client { .. } => &UnavailableKind::Client,
            FetchError::NothingMore { .. } => &UnavailableKind::NothingMore,
            FetchError::Browser { .. } => &UnavailableKind::Browser,
            FetchError::Other { .. } => &UnavailableKind::Failed,
        }
    }

    /// Returns the name of the kind in output and in archives.
    pub fn word(&self) -> &str {
        self.kind().as_str()
    }

    /// Returns the error as the reason why the page of an address is unavailable.
    pub fn into_unavailable(self, url: &Url) -> Unavailable {
        Unavailable::new(self.kind().clone(), url, chain(&self)).caused_by(self)
    }
}

fn why_refused(address: IpAddr) -> String {
    let what = special(address).unwrap_or("an address that is not allowed");
    if is_off_limits(address) {
        return format!("{what}; such addresses are never fetched");
    }
    format!("{what}; only public addresses are fetched, and those that are allowed")
}

/// Returns an error and its causes as one line. A cause that the text already contains is left out.
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
