//! Where pages come from: the web or a set, and for the first page also the request itself.

use crate::error::ApiError;
use crate::work::Cancel;
use axum::http::StatusCode;
use serde::Deserialize;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tsugi::page::address;
use tsugi::{Archive, Document, Fetch, Http, JoinOptions, Part, Response, Tsugi, Unavailable, Url};

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
    Web(Arc<Http>),
    Archive(Box<Archive>),
}

/// The start of a document: its first page, how far to follow, and where the other pages come from.
#[derive(Debug)]
pub(crate) struct JoinStart {
    pub(crate) url: Url,
    html: Option<String>,
    options: JoinOptions,
    tsugi: Arc<Tsugi>,
    source: PageSource,
}

impl JoinStart {
    pub(crate) fn new(
        tsugi: &Arc<Tsugi>,
        source: PageSource,
        given: GivenPage,
    ) -> Result<JoinStart, ApiError> {
        let GivenPage { url, html, max_pages, .. } = given;
        let mut options = JoinOptions::default();
        if let Some(most) = max_pages {
            if !(1..=MOST_PAGES).contains(&most) {
                return Err(ApiError::bad(format!("`max_pages` must be a number from 1 to {MOST_PAGES}")));
            }
            options = options.max_pages(most);
        }
        Ok(JoinStart { url: web_url(&url)?, html, options, tsugi: Arc::clone(tsugi), source })
    }

    pub(crate) fn tsugi(&self) -> &Tsugi {
        &self.tsugi
    }

    fn get(&self, url: &Url) -> Result<Response, Unavailable> {
        if let Some(html) = self.html.as_ref().filter(|_| *url == self.url) {
            return Ok(Response {
                url: url.clone(),
                status: 200,
                content_type: Some("text/html; charset=utf-8".to_owned()),
                link: None,
                body: html.clone().into_bytes(),
            });
        }
        let fetched = match &self.source {
            PageSource::Web(http) => http.fetch(url),
            PageSource::Archive(archive) => archive.fetch(url),
        };
        fetched.map_err(|error| error.into_unavailable(url))
    }

    pub(crate) fn first(&self) -> Result<Response, Unavailable> {
        self.get(&self.url)
    }

    /// Joins the pages. `came` gets each page that is kept, with its position. A cancelled document ends early.
    pub(crate) fn join(
        &self,
        cancel: &Cancel,
        mut came: impl FnMut(usize, &Part),
    ) -> Result<Document, Unavailable> {
        let until = Instant::now() + MAX_TIME;
        let mut seen = 0;
        let joined = self.tsugi.follow(self.url.clone(), &self.options).run(|url, parts| {
            report(parts, &mut seen, &mut came);
            if cancel.is_set() {
                return None;
            }
            Some(if Instant::now() < until { self.get(url) } else { Err(Unavailable::late(url)) })
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
    let url = text.trim().parse().ok().filter(|_| text.len() <= LONGEST).filter(address::is_web);
    let url = url.ok_or_else(|| {
        ApiError::new(StatusCode::BAD_REQUEST, "bad-url", "`url` must be an http or https address")
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
