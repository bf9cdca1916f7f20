//! Where pages come from: the web or a set, and for the first page also the request itself.

use crate::browser::DrawPages;
use crate::error::ApiError;
use crate::history::PageKeeper;
use crate::room::{MemoryRoom, RoomShare};
use crate::work::Cancel;
use axum::http::StatusCode;
use serde::Deserialize;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tsugi::page::address;
use tsugi::pipeline::locked;
use tsugi::roles::RoleSet;
use tsugi::{
    Archive, Document, Fetch, FetchError, Http, JoinOptions, Part, Response, Tsugi, Unavailable, Url, Way,
};

const MOST_PAGES: usize = 1_000;

const MAX_TIME: Duration = Duration::from_mins(10);

/// `GivenPage` of `openapi.json`: the first page of a document, and how far to follow from it.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct GivenPage {
    pub(crate) url: String,
    /// Without it the page is fetched.
    pub(crate) html: Option<String>,
    pub(crate) max_pages: Option<usize>,
    /// What to keep of each page, as `--keep` of the command.
    pub(crate) keep: Option<String>,
    /// The set that all pages come from; without it, the web.
    pub(crate) set: Option<String>,
}

impl GivenPage {
    pub(crate) fn at(url: impl Into<String>) -> GivenPage {
        GivenPage { url: url.into(), ..GivenPage::default() }
    }
}

#[derive(Debug)]
pub(crate) enum PageSource {
    Web(Arc<Http>, Option<Arc<dyn DrawPages>>),
    Archive(Box<Archive>),
}

/// The start of a document: its first page, how far to follow, and where the other pages come from.
#[derive(Debug)]
pub(crate) struct JoinStart {
    pub(crate) url: Url,
    /// The most pages, if the request says so.
    pub(crate) max_pages: Option<usize>,
    html: Option<String>,
    options: JoinOptions,
    max_time: Duration,
    tsugi: Arc<Tsugi>,
    source: PageSource,
    /// What its pages take of the memory of all jobs.
    share: RoomShare,
    /// Gets the pages as they came, if they are to be kept.
    keeper: Option<Mutex<PageKeeper>>,
}

impl JoinStart {
    pub(crate) fn new(
        tsugi: &Arc<Tsugi>,
        room: &Arc<MemoryRoom>,
        source: PageSource,
        given: GivenPage,
    ) -> Result<JoinStart, ApiError> {
        let GivenPage { url, html, max_pages, keep, .. } = given;
        let mut options = JoinOptions::default();
        if let Some(most) = max_pages {
            if !(1..=MOST_PAGES).contains(&most) {
                return Err(ApiError::bad(format!("`max_pages` must be a number from 1 to {MOST_PAGES}")));
            }
            options = options.max_pages(most);
        }
        if let Some(names) = keep {
            let roles =
                RoleSet::kept(names.trim()).map_err(|error| ApiError::bad(format!("`keep`: {error}")))?;
            options = options.keep(roles);
        }
        if let PageSource::Web(_, Some(browser)) = &source {
            options = options.drawing(browser.drawing());
        }
        Ok(JoinStart {
            url: web_url(&url)?,
            max_pages,
            html,
            options,
            max_time: MAX_TIME,
            tsugi: Arc::clone(tsugi),
            source,
            share: room.share(),
            keeper: None,
        })
    }

    /// Ends joining after some time, if that is shorter than the usual one.
    pub(crate) fn within(self, time: Duration) -> JoinStart {
        JoinStart { max_time: time.min(MAX_TIME), ..self }
    }

    /// Gives each page as it came to a keeper.
    pub(crate) fn kept_by(self, keeper: PageKeeper) -> JoinStart {
        JoinStart { keeper: Some(Mutex::new(keeper)), ..self }
    }

    /// Returns the keeper with its pages.
    pub(crate) fn take_keeper(&mut self) -> Option<PageKeeper> {
        let keeper = self.keeper.take()?;
        Some(keeper.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner))
    }

    pub(crate) fn tsugi(&self) -> &Tsugi {
        &self.tsugi
    }

    /// Returns a page, or why it cannot be had before `until`.
    fn get(&self, url: &Url, way: &Way, until: Instant, cancel: &Cancel) -> Result<Response, Unavailable> {
        let response = match &self.html {
            Some(html) if *url == self.url && *way == Way::Fetched => Response {
                url: url.clone(),
                status: 200,
                content_type: Some("text/html; charset=utf-8".to_owned()),
                link: None,
                body: html.clone().into_bytes(),
            },
            _ => {
                let came = match (&self.source, way) {
                    (PageSource::Web(http, _), Way::Fetched) => {
                        http.fetch_until(url, until, &|| cancel.is_set())
                    }
                    (PageSource::Web(http, Some(browser)), way) => {
                        browser.draw(url, way, http, &self.tsugi, &|| cancel.is_set())
                    }
                    (PageSource::Archive(archive), Way::Fetched) => archive.fetch(url),
                    (PageSource::Web(_, None) | PageSource::Archive(_), _) => {
                        Err(FetchError::NotStored { url: url.clone() })
                    }
                };
                came.map_err(|error| {
                    let is_late = Instant::now() >= until;
                    if is_late { Unavailable::late(url) } else { error.into_unavailable(url) }
                })?
            }
        };
        if let (PageSource::Web(_, Some(browser)), Way::Fetched) = (&self.source, way) {
            browser.remember(url, &response);
        }
        if !self.share.take(response.body.len(), cancel) {
            return Err(FetchError::Unwanted { url: url.clone() }.into_unavailable(url));
        }
        if let Some(keeper) = &self.keeper {
            locked(keeper).keep(url, way, &response);
        }
        Ok(response)
    }

    /// Returns the first page, as a browser draws it if it needs one that is there.
    pub(crate) fn first(&self, cancel: &Cancel) -> Result<Response, Unavailable> {
        let until = Instant::now() + self.max_time;
        let answer = self.get(&self.url, &Way::Fetched, until, cancel)?;
        let PageSource::Web(_, Some(browser)) = &self.source else { return Ok(answer) };
        if !self.tsugi.look(&answer.page()).is_wanted_drawn(browser.drawing()) {
            return Ok(answer);
        }
        // What the address answered is better than nothing.
        Ok(self.get(&self.url, &Way::Drawn, until, cancel).unwrap_or(answer))
    }

    /// Extracts the first page.
    pub(crate) fn extract(&self, cancel: &Cancel) -> Result<Document, Unavailable> {
        Ok(self.tsugi.extract(self.first(cancel)?.page(), &self.options))
    }

    /// Joins the pages. `came` gets each page that is kept, with its position. A cancelled document ends early.
    pub(crate) fn join(
        &self,
        cancel: &Cancel,
        mut came: impl FnMut(usize, &Part),
    ) -> Result<Document, Unavailable> {
        let until = Instant::now() + self.max_time;
        let mut seen = 0;
        let joined = self.tsugi.follow(self.url.clone(), &self.options).run_drawn(|url, way, parts| {
            report(parts, &mut seen, &mut came);
            if cancel.is_set() {
                return None;
            }
            if Instant::now() >= until {
                return Some(Err(Unavailable::late(url)));
            }
            let came = self.get(url, way, until, cancel);
            // What fails because nobody waits any more says nothing of the site.
            (came.is_ok() || !cancel.is_set()).then_some(came)
        })?;
        report(&joined.parts, &mut seen, &mut came);
        Ok(joined.into_document())
    }
}

/// Gives the pages after the first `seen` to `came`.
fn report(parts: &[Part], seen: &mut usize, came: &mut impl FnMut(usize, &Part)) {
    for (at, part) in parts.iter().enumerate().skip(*seen) {
        came(at, part);
    }
    *seen = parts.len().max(*seen);
}

/// Reads the address of a web page. Drops user name, password and fragment.
pub(crate) fn web_url(text: &str) -> Result<Url, ApiError> {
    const LONGEST: usize = 8_192;
    let url = with_scheme(text).parse().ok().filter(|_| text.len() <= LONGEST).filter(address::is_web);
    let url = url.ok_or_else(|| {
        let message = "this is no address of a web page; one looks like https://example.org/article";
        ApiError::new(StatusCode::BAD_REQUEST, "bad-url", message)
    })?;
    Ok(address::without_userinfo(&address::without_fragment(&url)))
}

/// Returns an address as people paste it, with its scheme: `http` for this machine and for numbers, `https` for names.
fn with_scheme(text: &str) -> String {
    let text = text.trim();
    let authority = text.split(['/', '?', '#']).next().unwrap_or_default();
    let (host, port) = authority.split_once(':').unwrap_or((authority, "0"));
    let has_scheme = !port.starts_with(|c: char| c.is_ascii_digit());
    if has_scheme || host.is_empty() || host.contains(char::is_whitespace) {
        return text.to_owned();
    }
    let is_near = host.eq_ignore_ascii_case("localhost") || host.parse::<IpAddr>().is_ok();
    if is_near {
        format!("http://{text}")
    } else if host.contains('.') {
        format!("https://{text}")
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::work::JobQueue;
    use tsugi::Drawing;

    /// A browser that draws until nobody waits.
    #[derive(Debug)]
    struct EndlessBrowser;

    impl DrawPages for EndlessBrowser {
        fn drawing(&self) -> Drawing {
            Drawing::Always
        }

        fn remember(&self, _: &Url, _: &Response) {}

        fn draw(
            &self,
            asked: &Url,
            _: &Way,
            _: &Arc<Http>,
            _: &Tsugi,
            is_gone: &dyn Fn() -> bool,
        ) -> Result<Response, FetchError> {
            while !is_gone() {
                std::thread::yield_now();
            }
            Err(FetchError::Unwanted { url: asked.clone() })
        }
    }

    #[test]
    fn drawing_ends_when_nobody_waits() {
        let http = Arc::new(Http::builder("test/1").build().unwrap());
        let source = PageSource::Web(http, Some(Arc::new(EndlessBrowser)));
        let given = serde_json::from_str(r#"{"url": "https://a.test/"}"#).unwrap();
        let start = JoinStart::new(&Arc::new(Tsugi::new()), &MemoryRoom::new(), source, given).unwrap();
        let cancel = JobQueue::new().cancel();
        drop(cancel.on_drop());
        let until = Instant::now() + MAX_TIME;
        assert!(start.get(&start.url, &Way::Drawn, until, &cancel).is_err());
    }

    #[test]
    fn addresses_without_scheme_get_one() {
        for (text, whole) in [
            ("example.com/a?b=c:d", "https://example.com/a?b=c:d"),
            (" 127.0.0.1:9101/feed.xml ", "http://127.0.0.1:9101/feed.xml"),
            ("localhost:8177/x", "http://localhost:8177/x"),
            ("example.com:8080/x", "https://example.com:8080/x"),
            ("http://a.test/", "http://a.test/"),
            ("javascript:alert(1)", "javascript:alert(1)"),
            ("file:///etc/passwd", "file:///etc/passwd"),
            ("/etc/passwd", "/etc/passwd"),
            ("word", "word"),
            ("two words.", "two words."),
            ("", ""),
        ] {
            assert_eq!(with_scheme(text), whole);
        }
    }

    #[test]
    fn addresses_are_of_the_web() {
        assert_eq!(web_url(" https://u:p@a.test/x#y ").unwrap().as_str(), "https://a.test/x");
        assert_eq!(web_url("a.test/x").unwrap().as_str(), "https://a.test/x");
        for text in ["", "a", "file:///etc/passwd", "javascript:alert(1)", "data:text/html,x"] {
            assert_eq!(web_url(text).unwrap_err().word, "bad-url", "{text}");
        }
        assert!(web_url(&format!("https://a.test/{}", "x".repeat(10_000))).is_err());
    }
}
