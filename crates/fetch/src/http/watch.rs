//! Events of a client, for progress and logs.

use crate::error::FetchError;
use crate::exchange::Exchange;
use std::fmt::Debug;
use std::time::Duration;
use tsugi_page::Url;

/// Why a request waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Pause {
    /// The delay between requests to one host: [`HttpOptions::delay`](crate::HttpOptions::delay).
    Delay,
    /// The site's `robots.txt` asks for it (`Crawl-delay`).
    CrawlDelay,
    /// The host asked for a pause (`Retry-After`), or a request failed and will be retried.
    Held,
}

/// Why a request is sent again.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum RetryReason<'a> {
    /// The answer had this HTTP status.
    Status(u16),
    /// There was no answer, or it broke off.
    Error(&'a FetchError),
}

/// Follows what a client does, to show progress or a log.
///
/// Calls come from the threads that fetch, so those about different requests may alternate.
pub trait Watch: Debug + Send + Sync {
    /// A request to a host will wait for `time`.
    fn waits(&self, host: &str, time: Duration, why: Pause);

    /// A request is about to be sent: for a page, an image, a `robots.txt`, a redirect's target, or once more.
    fn asks(&self, url: &Url);

    /// An answer came, of any status. The body is empty if it was not read: for redirects, most errors, and files of an
    /// unwanted type.
    fn answers(&self, _exchange: &Exchange<'_>) {}

    /// A request got no answer that can be used.
    fn fails(&self, _url: &Url, _error: &FetchError) {}

    /// A request will be sent again after `pause`. [`Watch::answers`] or [`Watch::fails`] told of the attempt before.
    fn retries(&self, _url: &Url, _pause: Duration, _reason: RetryReason<'_>) {}

    /// An answer is taken from [`HttpOptions::cache`](crate::HttpOptions::cache), either without a request or because
    /// the server confirmed it (status 304).
    fn reuses(&self, _exchange: &Exchange<'_>) {}
}
