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
///
/// # Examples
///
/// ```
/// use std::time::Duration;
/// use tsugi_fetch::Http;
/// let http = Http::builder("my-reader/1.0 (+mailto:me@example.org)").delay(Duration::from_secs(2)).build()?;
/// # Ok::<(), tsugi_fetch::FetchError>(())
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct HttpOptions {
    /// The `User-Agent` header.
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

impl HttpOptions {
    /// Returns the options of a polite guest of this name: 10 seconds to connect and 30 in all; 20 MiB; 10 redirects; the
    /// environment's proxy; public addresses only; `robots.txt` obeyed; half a second between requests to one host; 2 retries, after
    /// half a second and a second; 60 seconds of patience; no headers, cookies or cache.
    ///
    /// The name is the `User-Agent` header. It should say how you can be reached: `my-reader/1.0 (+mailto:me@example.org)`.
    pub fn new(user_agent: impl Into<String>) -> HttpOptions {
        HttpOptions {
            user_agent: user_agent.into(),
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

    /// Sets [`HttpOptions::headers`](#structfield.headers).
    #[must_use]
    pub fn headers(mut self, headers: SiteHeaders) -> Self {
        self.headers = headers;
        self
    }

    /// Sets [`HttpOptions::cookies`](#structfield.cookies).
    #[must_use]
    pub fn cookies(mut self, cookies: impl Into<Option<Arc<CookieJar>>>) -> Self {
        self.cookies = cookies.into();
        self
    }

    /// Sets [`HttpOptions::connect_timeout`](#structfield.connect_timeout).
    #[must_use]
    pub fn connect_timeout(mut self, connect_timeout: Duration) -> Self {
        self.connect_timeout = connect_timeout;
        self
    }

    /// Sets [`HttpOptions::total_timeout`](#structfield.total_timeout).
    #[must_use]
    pub fn total_timeout(mut self, total_timeout: Duration) -> Self {
        self.total_timeout = total_timeout;
        self
    }

    /// Sets [`HttpOptions::max_body`](#structfield.max_body).
    #[must_use]
    pub fn max_body(mut self, max_body: u64) -> Self {
        self.max_body = max_body;
        self
    }

    /// Sets [`HttpOptions::max_redirects`](#structfield.max_redirects).
    #[must_use]
    pub fn max_redirects(mut self, max_redirects: usize) -> Self {
        self.max_redirects = max_redirects;
        self
    }

    /// Sets [`HttpOptions::proxy`](#structfield.proxy).
    #[must_use]
    pub fn proxy(mut self, proxy: bool) -> Self {
        self.proxy = proxy;
        self
    }

    /// Sets [`HttpOptions::guard`](#structfield.guard).
    #[must_use]
    pub fn guard(mut self, guard: Guard) -> Self {
        self.guard = guard;
        self
    }

    /// Sets [`HttpOptions::robots`](#structfield.robots).
    #[must_use]
    pub fn robots(mut self, robots: bool) -> Self {
        self.robots = robots;
        self
    }

    /// Sets [`HttpOptions::delay`](#structfield.delay).
    #[must_use]
    pub fn delay(mut self, delay: Duration) -> Self {
        self.delay = delay;
        self
    }

    /// Sets [`HttpOptions::retries`](#structfield.retries).
    #[must_use]
    pub fn retries(mut self, retries: u32) -> Self {
        self.retries = retries;
        self
    }

    /// Sets [`HttpOptions::back_off`](#structfield.back_off).
    #[must_use]
    pub fn back_off(mut self, back_off: Duration) -> Self {
        self.back_off = back_off;
        self
    }

    /// Sets [`HttpOptions::patience`](#structfield.patience).
    #[must_use]
    pub fn patience(mut self, patience: Duration) -> Self {
        self.patience = patience;
        self
    }

    /// Sets [`HttpOptions::cache`](#structfield.cache).
    #[must_use]
    pub fn cache(mut self, cache: impl Into<Option<CacheFolder>>) -> Self {
        self.cache = cache.into();
        self
    }

    /// Sets [`HttpOptions::keep`](#structfield.keep).
    #[must_use]
    pub fn keep(mut self, keep: Arc<dyn Keep>) -> Self {
        self.keep = Some(keep);
        self
    }

    /// Sets [`HttpOptions::watch`](#structfield.watch).
    #[must_use]
    pub fn watch(mut self, watch: Arc<dyn Watch>) -> Self {
        self.watch = Some(watch);
        self
    }
}
