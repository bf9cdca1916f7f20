//! Options of the HTTP client.

use super::cache::CacheFolder;
use super::cookie_jar::CookieJar;
use super::guard::Guard;
use super::headers::SiteHeaders;
use super::watch::Watch;
use crate::exchange::Keep;
use std::sync::Arc;
use std::time::Duration;

/// Options of an [`Http`](crate::Http) client.
#[derive(Debug, Clone)]
pub struct HttpOptions {
    /// The `User-Agent` header. Whoever asks many pages of a site should say there how to be reached
    /// (`my-reader/1.0 (+mailto:me@example.org)`).
    pub user_agent: String,
    /// More request headers, and the sites that they are sent to.
    pub headers: SiteHeaders,
    /// The cookies to send and to update; without a jar no cookie is kept or sent.
    pub cookies: Option<Arc<CookieJar>>,
    /// Time limit for connecting, including name look-up.
    pub connect_timeout: Duration,
    /// Time limit for one page, including its body, redirects, and each `robots.txt` that is read for it. Politeness
    /// delays do not count, nor do failed attempts that are retried.
    pub total_timeout: Duration,
    /// The longest page in bytes, both as sent and after decompression. Images may have 16 MiB.
    pub max_body: u64,
    /// The most redirects to follow for one page.
    pub max_redirects: usize,
    /// Whether to use the proxy that the environment names (`https_proxy` and the like).
    ///
    /// A proxy looks names up itself. The guard then checks the addresses that the name has here, before the request.
    /// If only the proxy can look the name up, or finds other addresses, the proxy has to refuse it.
    pub proxy: bool,
    /// Which IP addresses may be connected to.
    pub guard: Guard,
    /// Whether to obey `robots.txt`.
    pub robots: bool,
    /// The time between two requests to one host, from when one is sent until the next is. If the site's `Crawl-delay` is
    /// longer, it applies instead between pages, images and the steps of redirects, but not to a `robots.txt`.
    pub delay: Duration,
    /// Retries per page after a transient failure: no connection, a timeout, a body that breaks off, or status 408,
    /// 425, 429, 500, 502, 503 or 504.
    pub retries: u32,
    /// The pause before the first retry; it doubles with each.
    pub back_off: Duration,
    /// The longest pause that a site may ask for. A page with a longer `Retry-After` or `Crawl-delay` is given up, unless
    /// that time has passed already.
    pub patience: Duration,
    /// Where answers are cached for later runs; nowhere if `None`.
    ///
    /// A request with [`HttpOptions::headers`] or [`HttpOptions::cookies`] is neither answered from the cache nor kept
    /// in it, so that a page for one user is not shown to another.
    pub cache: Option<CacheFolder>,
    /// Saves every answer, for example in an archive.
    pub keep: Option<Arc<dyn Keep>>,
    /// Follows requests, answers and pauses.
    pub watch: Option<Arc<dyn Watch>>,
}

impl Default for HttpOptions {
    /// Returns the options of a polite guest: this program's name and version as user agent; 10 seconds to connect and
    /// 30 in all; 20 MiB; 10 redirects; the environment's proxy; public addresses only; `robots.txt` obeyed; half a
    /// second between requests to one host; 2 retries, after half a second and a second; 60 seconds of patience; no
    /// headers, cookies or cache.
    fn default() -> Self {
        HttpOptions {
            user_agent: concat!("tsugi/", env!("CARGO_PKG_VERSION")).to_owned(),
            headers: SiteHeaders::default(),
            cookies: None,
            connect_timeout: Duration::from_secs(10),
            total_timeout: Duration::from_secs(30),
            max_body: 20 << 20,
            max_redirects: 10,
            proxy: true,
            guard: Guard::public(),
            robots: true,
            delay: Duration::from_millis(500),
            retries: 2,
            back_off: Duration::from_millis(500),
            patience: Duration::from_mins(1),
            cache: None,
            keep: None,
            watch: None,
        }
    }
}
