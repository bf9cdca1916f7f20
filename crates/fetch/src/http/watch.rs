//! Who is told what a client does while others wait for it.

use std::fmt::Debug;
use std::time::Duration;
use tsugi_page::Url;

/// Why a request is put off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Pause {
    /// For [`HttpOptions::delay`](crate::HttpOptions::delay).
    Delay,
    /// The site's `robots.txt` asks for it (`Crawl-delay`).
    CrawlDelay,
    /// The host asked to be left alone (`Retry-After`), or failed and is asked anew after a while.
    Held,
}

/// Is told what a client does. Calls come from the threads that ask, before what they speak of.
pub trait Watch: Debug + Send + Sync {
    /// A request to a host is put off for so long.
    fn waits(&self, host: &str, time: Duration, why: Pause);

    /// An address is asked.
    fn asks(&self, url: &Url);
}
