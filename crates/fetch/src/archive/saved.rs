//! Fetching that loses nothing: what is held comes from the archive, the rest from the web, by way of the archive.

use super::record::Refusal;
use super::store::Store;
use crate::error::FetchError;
use crate::exchange::Wanted;
use crate::fetch::{Fetch, FetchImage};
use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tsugi_page::{Response, Url, address};

/// Gets pages from an archive that grows, and from the web what it does not hold.
///
/// `live` must keep what it gets in the same archive (a [`Keep`](crate::Keep)). Every answer is then read from the
/// archive, failures included, so that a replay of the archive answers word for word as this did.
///
/// An address whose page is held is not asked again. One that gave none in an earlier run (it failed, or what came is
/// no page) is asked again once in this run, and then no more.
///
/// # Examples
///
/// ```no_run
/// use std::{path::Path, sync::Arc};
/// use tsugi_fetch::{Fetch, Http, HttpOptions, Saved, Store};
/// let store = Arc::new(Store::open(Path::new("a.warc.gz"), "tsugi/0.1.0", || "2026-01-02T03:04:05Z".into())?);
/// let live = Http::new(HttpOptions { keep: Some(store.clone()), ..HttpOptions::default() })?;
/// let page = Saved::new(store, live).fetch(&"https://a.test/1".parse()?)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Saved<F> {
    store: Arc<Store>,
    live: F,
    /// Addresses that were asked in this run, and for what.
    asked: Mutex<BTreeSet<(Wanted, String)>>,
}

impl<F> Saved<F> {
    /// Fetches through `store`; `live` must keep what it gets there.
    pub fn new(store: Arc<Store>, live: F) -> Saved<F> {
        Saved { store, live, asked: Mutex::default() }
    }

    fn asked(&self) -> MutexGuard<'_, BTreeSet<(Wanted, String)>> {
        self.asked.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gets what is held, else asks with `ask`, once, and gets what is held then.
    fn get(
        &self,
        url: &Url,
        wanted: Wanted,
        held: impl Fn(&Url) -> Result<Response, FetchError>,
        ask: impl FnOnce(&Url) -> Result<Response, FetchError>,
    ) -> Result<Response, FetchError> {
        let url = address::without_fragment(url);
        let found = held(&url);
        let key = (wanted, url.as_str().to_owned());
        if found.is_ok() || self.asked().contains(&key) {
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
                // A status or a type that is refused speaks for itself.
                if held(&url).err().as_ref().map(recorded) != Some(recorded(&error)) {
                    let keep = |source| FetchError::Keep { url: url.clone(), source };
                    self.store.keep_failure(&url, wanted, &error).map_err(keep)?;
                }
            }
        }
        self.asked().insert(key);
        held(&url)
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
