//! Pages and images from the network: politely, safely, and within limits.
//!
//! Neither the links of a page nor the answers of a server are trusted: [`Guard`] says which addresses may be connected
//! to, and time, size and redirects are limited. `robots.txt`, `Crawl-delay` and `Retry-After` are obeyed, and requests
//! to one host are sent one after another, [`HttpOptions::delay`] apart. A host that leaves five requests in a row
//! unanswered is left alone for half a minute, and for longer each time that it fails again, up to ten minutes.
//!
//! ```text
//! Url ─robots→ ─cache→ fresh ──────────────────────────────────────────────────────→ keep → Response
//!                 └→ ─breaker→ ─pace→ ─guard→ request → answer ─again?─→ ─cache→ ───┘
//! ```

mod answer;
mod breaker;
mod cache;
mod client;
mod connections;
mod cookie_jar;
mod cookies;
mod download;
mod driver;
#[cfg(feature = "fuzzing")]
pub mod fuzzing;
mod guard;
mod headers;
mod options;
mod pace;
mod proxy;
pub(crate) mod relay;
mod retry;
mod robots;
mod watch;

pub use cache::CacheFolder;
pub use cookie_jar::{CookieError, CookieJar, CookieProblem};
pub use download::{Download, HeldFile};
pub use guard::{AllowedPlace, Guard, PlaceError};
pub use headers::{HeaderError, SiteHeaders};
pub use options::HttpOptions;
pub use watch::{Pause, RetryReason, Watch};

use crate::error::FetchError;
use crate::exchange::Wanted;
use crate::fetch::{Fetch, FetchImage};
use crate::media::{checked_image, checked_page};
use crate::redirect::{is_redirect, redirected};
use answer::{Ask, HttpAnswer};
use breaker::Breaker;
use cache::{Cache, CachedAnswer};
use client::{Client, is_silence};
use driver::{never, runs_tasks};
use http::header::COOKIE;
use http::{HeaderMap, HeaderValue};
use pace::{HostTurn, Pace, Shut};
use robots::Sites;
use std::time::{Duration, Instant};
use tsugi_page::{Response, Url, address};

/// The most redirects of a `robots.txt` that are followed.
// RFC 9309, section 2.3.1.2.
const ROBOTS_REDIRECTS: usize = 5;

struct PageBudget<'w> {
    time: Duration,
    retries: u32,
    waiting: Waiting<'w>,
}

/// How long whoever asked waits.
#[derive(Clone, Copy)]
struct Waiting<'w> {
    until: Option<Instant>,
    /// Whether they are gone already.
    is_gone: &'w dyn Fn() -> bool,
}

impl Waiting<'_> {
    const TO_THE_END: Waiting<'static> = Waiting { until: None, is_gone: &never };
}

impl PageBudget<'_> {
    /// Returns the time that a request may take now.
    fn left(&self) -> Duration {
        self.waiting
            .until
            .map_or(self.time, |until| self.time.min(until.saturating_duration_since(Instant::now())))
    }
}

/// Fetches pages over http and https.
///
/// Redirects are followed here, not by the library, so that each target is checked like the first address: http or
/// https, allowed by [`HttpOptions::guard`] and by the `robots.txt` of its own site. Bodies are decompressed here too
/// (gzip, deflate, brotli), with the code that reads archives, and the length limit applies to the result.
/// [`HttpOptions::headers`] and [`HttpOptions::cookies`] go to the sites that they are for. Without these no cookie is
/// kept or sent. A user name and password in an address are dropped, since a page may have chosen it; give the user's own
/// addresses to [`SiteHeaders::new`].
///
/// Threads that share a client take turns at each host. It waits, so on a thread that runs the tasks of an asynchronous
/// runtime every request is [`FetchError::Executor`]: call it from tokio's `spawn_blocking`.
#[derive(Debug)]
pub struct Http {
    client: Client,
    sites: Sites,
    pace: Pace,
    breaker: Breaker,
    cache: Option<Cache>,
    options: HttpOptions,
}

impl Http {
    /// Sets up a client, without connecting.
    ///
    /// TLS is rustls. Its provider is the default of the process, or else that of the feature `ring` (on by default) or
    /// `aws-lc-rs`. The operating system's rules decide which certificates are valid.
    ///
    /// # Errors
    ///
    /// [`FetchError::Client`] if the user agent is not a valid header value, the system's certificates are missing, or there is
    /// no TLS provider;
    /// [`FetchError::Cache`] if the cache's folder cannot be created.
    pub fn new(options: HttpOptions) -> Result<Http, FetchError> {
        let client = Client::new(&options)?;
        let open = |folder| Cache::open(folder, &options.user_agent, options.max_body);
        let cache = options.cache.clone().map(open).transpose()?;
        let pace = Pace::new(options.delay, options.patience);
        Ok(Http { client, sites: Sites::default(), pace, breaker: Breaker::default(), cache, options })
    }

    /// Returns options for a client, which go by this name: see [`HttpOptions::new`].
    pub fn builder(user_agent: impl Into<String>) -> HttpOptions {
        HttpOptions::new(user_agent)
    }

    fn permitted(&self, url: &Url, budget: &mut PageBudget<'_>) -> Result<Option<Duration>, FetchError> {
        if !self.options.robots {
            return Ok(None);
        }
        let is_gone = budget.waiting.is_gone;
        self.sites.check(url, is_gone, |robots| self.read_robots(robots, budget)).map_err(|error| match error
        {
            // The page is on the same host.
            FetchError::Private { url: refused, address } if refused.host() == url.host() => {
                FetchError::Private { url: url.clone(), address }
            }
            FetchError::HostDown { url: refused, failures, after } if refused.host() == url.host() => {
                FetchError::HostDown { url: url.clone(), failures, after }
            }
            error => error,
        })
    }

    /// Fetches a `robots.txt`; the last redirect if there are too many.
    fn read_robots(&self, robots: &Url, budget: &mut PageBudget<'_>) -> Result<HttpAnswer, FetchError> {
        let mut at = robots.clone();
        let mut redirects = 0;
        loop {
            let answer = self.ask(&self.request(&at, Wanted::Robots), Duration::ZERO, budget)?;
            self.keep(&answer, Wanted::Robots)?;
            let target = if is_redirect(answer.status) { answer.header("location") } else { None };
            match target.map(|location| redirected(&at, location)) {
                Some(Ok(target)) if redirects < ROBOTS_REDIRECTS => at = target,
                _ => return Ok(answer),
            }
            redirects += 1;
        }
    }

    fn request<'a>(&self, url: &'a Url, wanted: Wanted) -> Ask<'a> {
        let mut own = self.options.headers.sent_to(url);
        let mut cookies: Vec<_> = own.get_all(COOKIE).iter().map(HeaderValue::as_bytes).collect();
        let kept = self.options.cookies.as_ref().and_then(|jar| jar.header(url));
        cookies.extend(kept.as_ref().map(String::as_bytes));
        if let Ok(mut value) = HeaderValue::from_bytes(&cookies.join(&b"; "[..]))
            && !value.is_empty()
        {
            value.set_sensitive(true);
            own.insert(COOKIE, value);
        }
        Ask { url, wanted, conditions: HeaderMap::new(), own, errand: None }
    }

    /// Gets the answer of an address, from the cache if possible; `crawl_delay` is the time between pages that its site
    /// asks for.
    fn get(
        &self,
        url: &Url,
        wanted: Wanted,
        crawl_delay: Duration,
        budget: &mut PageBudget<'_>,
    ) -> Result<HttpAnswer, FetchError> {
        let mut ask = self.request(url, wanted);
        // An answer to one user's headers and cookies is not for others.
        let Some(cache) = self.cache.as_ref().filter(|_| ask.own.is_empty()) else {
            return self.ask(&ask, crawl_delay, budget);
        };
        let stale = match cache.find(url, wanted) {
            Some(CachedAnswer::Fresh(answer)) => {
                self.tell(|watch| watch.reuses(&answer.exchange(wanted)));
                return Ok(answer);
            }
            Some(CachedAnswer::Stale(stale)) => Some(*stale),
            None => None,
        };
        ask.conditions = stale.as_ref().map(cache::Stale::conditions).unwrap_or_default();
        let mut answer = self.ask(&ask, crawl_delay, budget)?;
        if let Some(stale) = stale
            && answer.status == 304
        {
            answer = match cache.confirmed(stale, &answer) {
                Some(confirmed) => {
                    self.tell(|watch| watch.reuses(&confirmed.exchange(wanted)));
                    confirmed
                }
                None => self.ask(&Ask { conditions: HeaderMap::new(), ..ask }, crawl_delay, budget)?,
            };
        }
        cache.store(&answer, wanted)?;
        Ok(answer)
    }

    fn turn<'a>(
        &'a self,
        ask: &Ask<'a>,
        crawl_delay: Duration,
        is_gone: &dyn Fn() -> bool,
    ) -> Result<HostTurn<'a>, FetchError> {
        let url = ask.url;
        let host = url.host_str().unwrap_or_default();
        self.breaker.check(url, Instant::now())?;
        let of_site = (ask.wanted != Wanted::Robots).then_some(crawl_delay);
        let tell = |time, why| self.tell(|watch| watch.waits(host, time, why));
        let turn = self.pace.take_turn(host, of_site, is_gone, tell);
        let turn = turn.map_err(|shut| self.shut_out(url, shut, crawl_delay))?;
        // While it waited, others may have asked in vain.
        self.breaker.check(url, Instant::now())?;
        Ok(turn)
    }

    fn shut_out(&self, url: &Url, shut: Shut, crawl_delay: Duration) -> FetchError {
        let limit = self.options.patience.as_secs();
        match shut {
            Shut::Unwanted => FetchError::Unwanted { url: url.clone() },
            Shut::Closed { after, status } => {
                FetchError::Later { url: url.clone(), status, after: after.as_secs(), limit }
            }
            Shut::TooSlow => {
                let wanted = crawl_delay.as_secs();
                let rule = format!(
                    "its site asks for {wanted} s between requests (`Crawl-delay`); the limit is {limit} s"
                );
                FetchError::Disallowed { url: url.clone(), rule }
            }
        }
    }

    /// Sends a request, and retries after transient failures. `crawl_delay` is the time between pages that the site asks
    /// for.
    fn ask(
        &self,
        ask: &Ask<'_>,
        crawl_delay: Duration,
        budget: &mut PageBudget<'_>,
    ) -> Result<HttpAnswer, FetchError> {
        let HttpOptions { retries, back_off, patience, .. } = self.options;
        let host = ask.url.host_str().unwrap_or_default();
        loop {
            let turn = self.turn(ask, crawl_delay, budget.waiting.is_gone)?;
            if (budget.waiting.is_gone)() {
                return Err(FetchError::Unwanted { url: ask.url.clone() });
            }
            if budget.left().is_zero() {
                return Err(FetchError::Timeout { url: ask.url.clone() });
            }
            self.tell(|watch| watch.asks(ask.url));
            let begin = Instant::now();
            let mut outcome = self.client.ask(ask, budget.left(), budget.waiting.is_gone);
            turn.left(self.client.left(begin));
            if outcome.is_err() && (budget.waiting.is_gone)() {
                // What fails because nobody waits any more says nothing of the host.
                outcome = Err(FetchError::Unwanted { url: ask.url.clone() });
            } else {
                self.breaker.note(ask.url, !outcome.as_ref().is_err_and(is_silence), Instant::now());
            }
            self.tell(|watch| match &outcome {
                Ok(answer) => watch.answers(&answer.exchange(ask.wanted)),
                Err(error) => watch.fails(ask.url, error),
            });
            let wanted = outcome.as_ref().map_or(Duration::ZERO, |answer| {
                let wanted = retry::asked_for(answer).unwrap_or_default();
                if wanted > patience {
                    self.pace.close(host, wanted, answer.status);
                }
                wanted
            });
            let in_vain =
                wanted.max(crawl_delay) > patience || self.breaker.check(ask.url, Instant::now()).is_err();
            let pause = wanted.max(retry::back_off(back_off, retries - budget.retries)).min(patience);
            let is_late = budget.waiting.until.is_some_and(|until| Instant::now() + pause >= until);
            if budget.retries == 0 || is_late || in_vain || !retry::may_pass(&outcome) {
                budget.time = budget.time.saturating_sub(begin.elapsed());
                return outcome;
            }
            self.tell(|watch| {
                let reason = match &outcome {
                    Ok(answer) => RetryReason::Status(answer.status),
                    Err(error) => RetryReason::Error(error),
                };
                watch.retries(ask.url, pause, reason);
            });
            self.pace.hold(host, pause);
            drop(turn);
            budget.retries -= 1;
        }
    }

    fn tell(&self, event: impl FnOnce(&dyn Watch)) {
        if let Some(watch) = &self.options.watch {
            event(watch.as_ref());
        }
    }

    fn keep(&self, answer: &HttpAnswer, wanted: Wanted) -> Result<(), FetchError> {
        let kept = self.options.keep.as_ref().map_or(Ok(()), |keep| keep.keep(&answer.exchange(wanted)));
        kept.map_err(|source| FetchError::Keep { url: answer.url.clone(), source })
    }

    /// Fetches a page as [`Fetch::fetch`] does, but waits for no answer after `until`, and for none once `is_gone` is true. That
    /// is asked several times a second, so it must answer at once.
    ///
    /// # Errors
    ///
    /// Any [`FetchError`]; [`FetchError::Timeout`] if the time is over before an answer is there, [`FetchError::Unwanted`] if
    /// `is_gone` is.
    pub fn fetch_until(
        &self,
        url: &Url,
        until: Instant,
        is_gone: &dyn Fn() -> bool,
    ) -> Result<Response, FetchError> {
        checked_page(self.visit(url, Wanted::Page, Waiting { until: Some(until), is_gone })?)
    }

    /// Fetches an image as [`FetchImage::fetch_image`] does, but waits no longer than [`Http::fetch_until`].
    ///
    /// # Errors
    ///
    /// As [`Http::fetch_until`].
    pub fn fetch_image_until(
        &self,
        url: &Url,
        until: Instant,
        is_gone: &dyn Fn() -> bool,
    ) -> Result<Response, FetchError> {
        checked_image(self.visit(url, Wanted::Image, Waiting { until: Some(until), is_gone })?)
    }

    fn visit(&self, url: &Url, asked_for: Wanted, waiting: Waiting<'_>) -> Result<Response, FetchError> {
        let answer = self.travel(url, waiting, |at, crawl_delay, budget| {
            let answer = self.get(at, asked_for, crawl_delay, budget)?;
            self.keep(&answer, asked_for)?;
            Ok(answer)
        })?;
        self.check_patience(&answer)?;
        Ok(answer.into_response())
    }

    fn check_patience(&self, answer: &HttpAnswer) -> Result<(), FetchError> {
        let patience = self.options.patience;
        match retry::asked_for(answer).filter(|after| *after > patience) {
            Some(after) => {
                let (url, status) = (answer.url.clone(), answer.status);
                Err(FetchError::Later { url, status, after: after.as_secs(), limit: patience.as_secs() })
            }
            None => Ok(()),
        }
    }

    /// Follows redirects. `ask` is called with each address and the time between pages that its site asks for.
    fn travel(
        &self,
        url: &Url,
        waiting: Waiting<'_>,
        ask: impl Fn(&Url, Duration, &mut PageBudget<'_>) -> Result<HttpAnswer, FetchError>,
    ) -> Result<HttpAnswer, FetchError> {
        if runs_tasks() {
            return Err(FetchError::Executor { url: url.clone() });
        }
        let HttpOptions { total_timeout, max_redirects, retries, .. } = self.options;
        let mut budget = PageBudget { time: total_timeout, retries, waiting };
        // A page may have chosen this address; the user's own passwords are in `SiteHeaders`.
        let mut at = address::without_userinfo(&address::without_fragment(url));
        for _ in 0..=max_redirects {
            if !address::is_web(&at) {
                return Err(FetchError::Scheme { url: at, expected: "http or https" });
            }
            // Every site on the way has rules of its own.
            let crawl_delay = self.permitted(&at, &mut budget)?.unwrap_or_default();
            let answer = ask(&at, crawl_delay, &mut budget)?;
            if !is_redirect(answer.status) {
                return Ok(answer);
            }
            at = redirected(&at, answer.header("location").unwrap_or_default())?;
        }
        Err(FetchError::TooManyRedirects { url: address::without_userinfo(url), limit: max_redirects })
    }
}

impl HttpOptions {
    /// Sets up a client: see [`Http::new`].
    ///
    /// # Errors
    ///
    /// As [`Http::new`].
    pub fn build(self) -> Result<Http, FetchError> {
        Http::new(self)
    }
}

impl Fetch for Http {
    fn fetch(&self, url: &Url) -> Result<Response, FetchError> {
        checked_page(self.visit(url, Wanted::Page, Waiting::TO_THE_END)?)
    }
}

impl FetchImage for Http {
    fn fetch_image(&self, url: &Url) -> Result<Response, FetchError> {
        checked_image(self.visit(url, Wanted::Image, Waiting::TO_THE_END)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn other_schemes_are_refused() {
        let http = Http::new(HttpOptions::new("tsugi-test")).unwrap();
        for dead in ["file:///etc/passwd", "ftp://a.test/", "data:text/html,x"] {
            let refused = http.fetch(&dead.parse().unwrap());
            assert!(matches!(refused, Err(FetchError::Scheme { .. })), "{dead}");
        }
        let bad = HttpOptions::new("a\nb");
        assert!(matches!(Http::new(bad), Err(FetchError::Client { .. })));
    }
}
