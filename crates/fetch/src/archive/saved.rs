//! Fetching through an archive: pages that it has come from there, all others from the web, and are saved.

use super::record::Refusal;
use super::store::Store;
use crate::error::FetchError;
use crate::exchange::Wanted;
use crate::fetch::{Fetch, FetchImage};
use crate::locked::locked;
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use tsugi_page::{Response, Url, address};

/// Fetches pages from an archive, and pages that it does not have from the web.
///
/// `live` must save its answers in the same archive (as a [`Keep`](crate::Keep)). Every answer is then read back from
/// the archive, failures included, so a replay of the archive gives exactly the same answers.
///
/// A page in the archive is not requested again. An address that had no page in an earlier run (it failed, or was not a
/// page) is requested once more in this run.
///
/// # Examples
///
/// ```no_run
/// use std::{path::Path, sync::Arc};
/// use tsugi_fetch::{Fetch, Http, HttpOptions, Saved, Store};
/// let store = Arc::new(Store::open(Path::new("a.warc.gz"), "tsugi/0.1.0", || "2026-01-02T03:04:05Z".into())?);
/// let live = Http::new(HttpOptions::new("my-reader/1.0").keep(store.clone()))?;
/// let page = Saved::new(store, live).fetch(&"https://a.test/1".parse()?)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Saved<F> {
    store: Arc<Store>,
    live: F,
    asked: Mutex<BTreeSet<(Wanted, String)>>,
}

impl<F> Saved<F> {
    /// Fetches through `store`, where `live` must save its answers.
    pub fn new(store: Arc<Store>, live: F) -> Saved<F> {
        Saved { store, live, asked: Mutex::default() }
    }

    fn get(
        &self,
        url: &Url,
        wanted: Wanted,
        held: impl Fn(&Url) -> Result<Response, FetchError>,
        ask: impl FnOnce(&Url) -> Result<Response, FetchError>,
    ) -> Result<Response, FetchError> {
        let url = address::without_userinfo(&address::without_fragment(url));
        let found = held(&url);
        let key = (wanted, url.as_str().to_owned());
        if found.is_ok() || locked(&self.asked).contains(&key) {
            return found;
        }
        match ask(&url) {
            Ok(_) => {}
            // These are about this machine; another run may well get the page.
            Err(error) if matches!(error.word(), "keep" | "cache" | "archive" | "client" | "file") => {
                return Err(error);
            }
            Err(error) => {
                let recorded = |error: &FetchError| Refusal::of(&url, wanted, error);
                // A saved answer of an unwanted status or type gives the same error again.
                if held(&url).err().as_ref().map(recorded) != Some(recorded(&error)) {
                    let keep = |source| FetchError::Keep { url: url.clone(), source };
                    self.store.keep_failure(&url, wanted, &error).map_err(keep)?;
                }
            }
        }
        locked(&self.asked).insert(key);
        held(&url)
    }
}

impl<F> Saved<F> {
    /// Returns a page as a browser drew it (see [`Store::keep_drawn`]): from the archive, or else by `draw`, whose answer or
    /// failure is kept.
    ///
    /// # Errors
    ///
    /// That of `draw`, or the recorded one; [`FetchError::Keep`] if it cannot be written.
    pub fn drawn(
        &self,
        url: &Url,
        number: u16,
        draw: impl FnOnce() -> Result<Response, FetchError>,
    ) -> Result<Response, FetchError> {
        let keep = |source| FetchError::Keep { url: url.clone(), source };
        self.get(
            url,
            Wanted::Drawn(number),
            |at| self.store.drawn(at, number),
            |at| {
                let page = draw()?;
                self.store.keep_drawn(at, number, &page).map_err(keep)?;
                Ok(page)
            },
        )
    }
}

impl<F: Fetch> Fetch for Saved<F> {
    fn fetch(&self, url: &Url) -> Result<Response, FetchError> {
        self.get(url, Wanted::Page, |url| self.store.fetch(url), |url| self.live.fetch(url))
    }
}

impl<F: FetchImage> FetchImage for Saved<F> {
    fn fetch_image(&self, url: &Url) -> Result<Response, FetchError> {
        self.get(url, Wanted::Image, |url| self.store.fetch_image(url), |url| self.live.fetch_image(url))
    }
}
