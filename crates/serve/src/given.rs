//! Where pages come from: the web, or the request itself for the first one.

use crate::app::{App, web_url};
use crate::error::Problem;
use crate::sets::Name;
use crate::work::Cancel;
use serde::Deserialize;
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tsugi::{
    Archive, Document, Fetch, FetchError, Following, Http, Limits, Part, Response, StopReason, Tsugi,
    Unavailable, Url, stitch,
};

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
    Set(Archive),
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
    pub(crate) fn of(app: &App, given: GivenPage) -> Result<Start, Problem> {
        let archive = match &given.set {
            Some(set) => Some(app.sets.archive(&Name::read(set)?)?),
            None => None,
        };
        let start = Start::with(&app.tsugi, &app.http, given)?;
        Ok(match archive {
            Some(archive) => Start { pages: Pages::Set(archive), ..start },
            None => start,
        })
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
        let mut following: Following<&Tsugi> = self.tsugi.follow(self.url.clone(), self.limits);
        let mut told = 0;
        while let Some(url) = following.wanted().filter(|_| !cancel.is_set()) {
            let answer = if Instant::now() < until { self.get(url) } else { Err(late(url)) };
            following.give(answer);
            for part in following.parts().iter().skip(told) {
                came(told, part);
                told += 1;
            }
        }
        following.finish().map(stitch)
    }
}

fn late(url: &Url) -> Unavailable {
    Unavailable {
        word: StopReason::MaxTime.as_str().to_owned(),
        message: format!("the time limit was reached before `{url}` was fetched"),
    }
}
