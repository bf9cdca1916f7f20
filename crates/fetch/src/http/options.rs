//! How pages are asked for.

use super::cache::CacheFolder;
use super::cookie_jar::CookieJar;
use super::guard::Guard;
use super::headers::SiteHeaders;
use super::watch::Watch;
use crate::exchange::Keep;
use std::sync::Arc;
use std::time::Duration;

/// How pages are asked for over HTTP.
#[derive(Debug, Clone)]
pub struct HttpOptions {
    /// The `User-Agent` header.
    pub user_agent: String,
    /// Headers of the user's own, and the sites that they are sent to.
    pub headers: SiteHeaders,
    /// The cookies that sites are sent, and may set; without a jar no cookie is kept or sent.
    pub cookies: Option<Arc<CookieJar>>,
    /// How long a connection may take to stand, name look-up included.
    pub connect_timeout: Duration,
    /// How long a page may take: bodies, redirects, and each `robots.txt` that is read for it included. Pauses that
    /// politeness asks for do not count, and neither does an attempt that failed and is made anew.
    pub total_timeout: Duration,
    /// The longest page, in bytes, as it is sent and after decompression; an image may have 16 MiB.
    pub max_body: u64,
    /// How many redirects are followed for one page.
    pub max_redirects: usize,
    /// Whether the proxy that the environment names (`https_proxy` and its like) is used.
    ///
    /// A proxy looks names up itself. The guard then checks what the name leads to here, before the request; a name
    /// that only the proxy can look up, or that leads elsewhere there, is the proxy's to refuse.
    pub proxy: bool,
    /// Which addresses may be connected to.
    pub guard: Guard,
    /// Whether `robots.txt` is kept to.
    pub robots: bool,
    /// The time between two requests to one host; between two pages a longer `Crawl-delay` of the site counts in its
    /// place. A `robots.txt` is asked for without it.
    pub delay: Duration,
    /// How often, for one page, a request is made anew that failed for a reason that may pass: no connection, a
    /// time-out, a body that breaks off, status 408, 425, 429, 500, 502, 503 or 504.
    pub retries: u32,
    /// The pause before the first new attempt; it doubles with each.
    pub back_off: Duration,
    /// The longest pause that a site gets by asking for it: a page that may only be fetched after a longer
    /// `Retry-After` or `Crawl-delay` is given up.
    pub patience: Duration,
    /// Where answers are kept for later runs; nowhere if `None`.
    ///
    /// A request with [`HttpOptions::headers`] or [`HttpOptions::cookies`] is neither answered from the cache nor kept
    /// in it, so that a page for one user is not shown to another.
    pub cache: Option<CacheFolder>,
    /// Who keeps what goes over the network.
    pub keep: Option<Arc<dyn Keep>>,
    /// Who is told of requests and of the pauses before them.
    pub watch: Option<Arc<dyn Watch>>,
}

impl Default for HttpOptions {
    /// The version and address of this program as user agent; 10 seconds to connect, 30 in all, 20 MiB, 10
    /// redirects, the environment's proxy; public addresses alone, `robots.txt` kept to, half a second between
    /// requests to one host, 2 retries after half a second and a second, 60 seconds of patience; no headers, no
    /// cookies, no cache.
    fn default() -> Self {
        HttpOptions {
            user_agent: concat!(
                "tsugi/",
                env!("CARGO_PKG_VERSION"),
                " (+",
                env!("CARGO_PKG_REPOSITORY"),
                ")"
            )
            .to_owned(),
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
