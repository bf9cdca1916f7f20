//! Where pages come from: the web, or the request itself for the first one.

use crate::error::Problem;
use crate::work::Cancel;
use axum::http::StatusCode;
use serde::Deserialize;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tsugi::{
    Archive, Document, Fetch, FetchError, Http, Limits, Part, Response, Tsugi, Unavailable, Url, stitch,
};
use tsugi_page::address;

/// The most pages that a request may ask for.
const MOST_PAGES: usize = 1_000;

/// The longest time for one document.
const MAX_TIME: Duration = Duration::from_mins(10);

/// A page that is at hand, and how far to follow from it.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct GivenPage {
    /// Its address.
    pub(crate) url: String,
    /// Its HTML; without it the page is fetched.
    pub(crate) html: Option<String>,
    /// The most pages to join.
    pub(crate) max_pages: Option<usize>,
    /// The set that all pages come from, in place of the web.
    pub(crate) set: Option<String>,
}

/// Where pages come from that are not at hand.
#[derive(Debug)]
enum Pages {
    Web(Arc<Http>),
    Set(Box<Archive>),
}

/// Where a document begins, and what is fetched with.
#[derive(Debug)]
pub(crate) struct Start {
    pub(crate) url: Url,
    html: Option<String>,
    limits: Limits,
    tsugi: Arc<Tsugi>,
    pages: Pages,
}

impl Start {
    /// The same beginning, with a set's archive in place of the web.
    pub(crate) fn within(self, archive: Archive) -> Start {
        Start { pages: Pages::Set(Box::new(archive)), ..self }
    }

    pub(crate) fn with(tsugi: &Arc<Tsugi>, http: &Arc<Http>, given: GivenPage) -> Result<Start, Problem> {
        let GivenPage { url, html, max_pages, .. } = given;
        let mut limits = Limits::default();
        if let Some(most) = max_pages {
            let most = NonZeroUsize::new(most).filter(|most| most.get() <= MOST_PAGES);
            let message = format!("`max_pages` must be a number from 1 to {MOST_PAGES}");
            limits.max_pages = most.ok_or_else(|| Problem::bad(message))?;
        }
        Ok(Start {
            url: web_url(&url)?,
            html,
            limits,
            tsugi: Arc::clone(tsugi),
            pages: Pages::Web(Arc::clone(http)),
        })
    }

    pub(crate) fn tsugi(&self) -> &Tsugi {
        &self.tsugi
    }

    /// Gets a page.
    fn get(&self, url: &Url) -> Result<Response, Unavailable> {
        match &self.html {
            Some(html) if *url == self.url => Ok(Response {
                url: url.clone(),
                status: 200,
                content_type: Some("text/html; charset=utf-8".to_owned()),
                body: html.clone().into_bytes(),
            }),
            _ => self.fetch(url).map_err(Unavailable::from),
        }
    }

    fn fetch(&self, url: &Url) -> Result<Response, FetchError> {
        match &self.pages {
            Pages::Web(http) => http.fetch(url),
            Pages::Set(archive) => archive.fetch(url),
        }
    }

    /// Gets the first page.
    pub(crate) fn first(&self) -> Result<Response, Unavailable> {
        self.get(&self.url)
    }

    /// Joins the pages. `came` is told of each page that is held; the document ends early if it is cancelled.
    pub(crate) fn join(
        &self,
        cancel: &Cancel,
        mut came: impl FnMut(usize, &Part),
    ) -> Result<Document, Unavailable> {
        let until = Instant::now() + MAX_TIME;
        let mut told = 0;
        let mut tell = |parts: &[Part]| {
            for part in parts.iter().skip(told) {
                came(told, part);
                told += 1;
            }
        };
        let get = |url: &Url, parts: &[Part]| {
            tell(parts);
            (!cancel.is_set())
                .then(|| if Instant::now() < until { self.get(url) } else { Err(Unavailable::late(url)) })
        };
        let joined = self.tsugi.follow(self.url.clone(), self.limits).run(get)?;
        tell(&joined.parts);
        Ok(stitch(joined))
    }
}

/// Reads the address of a web page. A user name and password are dropped, and so is the fragment.
pub(crate) fn web_url(text: &str) -> Result<Url, Problem> {
    const LONGEST: usize = 8_192;
    let url = text.trim().parse().ok().filter(|_| text.len() <= LONGEST).filter(address::is_web);
    let url = url.ok_or_else(|| {
        Problem::new(StatusCode::BAD_REQUEST, "bad-url", "`url` must be an http or https address")
    })?;
    Ok(address::without_userinfo(&address::without_fragment(&url)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_of_the_web() {
        assert_eq!(web_url(" https://u:p@a.test/x#y ").unwrap().as_str(), "https://a.test/x");
        for text in ["", "a.test", "file:///etc/passwd", "javascript:alert(1)", "data:text/html,x"] {
            assert_eq!(web_url(text).unwrap_err().word, "bad-url", "{text}");
        }
        assert!(web_url(&format!("https://a.test/{}", "x".repeat(10_000))).is_err());
    }
}
