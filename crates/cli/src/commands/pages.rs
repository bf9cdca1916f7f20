//! Where the pages of a join come from: an archive, the web, or the web by way of an archive.

use crate::interrupt::Interrupt;
use crate::output::complain;
use crate::plan::PagesFrom;
use crate::source::open_archive;
use anyhow::Context;
use std::path::Path;
use std::sync::Arc;
use tsugi::{Archive, Fetch, FetchError, Http, HttpOptions, Response, Url};
use tsugi_fetch::{FetchImage, Keep, Saved, Store, Watch};

/// Where pages come from.
#[derive(Debug)]
pub(crate) enum Pages {
    /// An archive, and nothing else.
    Archive(Archive),
    /// The web.
    Web(Http),
    /// The web; what it answers is kept in the archive.
    Saved(Saved<Http>, Arc<Store>),
}

impl Pages {
    /// Opens the archive that pages come from, or sets up fetching from the web; `None` where only files are named.
    /// `watch` is told what is asked of the web.
    pub(crate) fn open(
        from: &PagesFrom,
        watch: Option<Arc<dyn Watch>>,
    ) -> anyhow::Result<Option<Arc<Pages>>> {
        Ok(match from {
            PagesFrom::Archive(path) => Some(Pages::Archive(open_archive(path)?)),
            PagesFrom::Web { http, save } => {
                let http = HttpOptions { watch, ..HttpOptions::clone(http) };
                Some(match save {
                    None => Pages::Web(Http::new(http)?),
                    Some(path) => Pages::saved(&http, path)?,
                })
            }
            PagesFrom::Files => None,
        }
        .map(Arc::new))
    }

    /// Gets a page or an image; `None` if Ctrl-C comes first.
    pub(crate) fn unless<T: Send + 'static>(
        self: &Arc<Pages>,
        interrupt: &Interrupt,
        url: &Url,
        get: fn(&Pages, &Url) -> T,
    ) -> Option<T> {
        if !self.asks_sites() {
            return (!interrupt.came()).then(|| get(self, url));
        }
        let (pages, url) = (Arc::clone(self), url.clone());
        interrupt.unless(move || get(&pages, &url))
    }

    /// Sets up fetching from the web; what it answers is kept in an archive.
    fn saved(http: &HttpOptions, path: &Path) -> anyhow::Result<Pages> {
        let software = concat!("tsugi/", env!("CARGO_PKG_VERSION"));
        let store = Store::open(path, software, now)
            .with_context(|| format!("nothing can be kept in `{}`", path.display()))?;
        for problem in store.problems() {
            complain(&format!("{}: {problem}", path.display()));
        }
        if store.cut() > 0 {
            complain(&format!("{}: {} bytes of a torn record are cut off", path.display(), store.cut()));
        }
        let store = Arc::new(store);
        let keep: Arc<dyn Keep> = store.clone();
        let http = Http::new(HttpOptions { keep: Some(keep), ..http.clone() })?;
        Ok(Pages::Saved(Saved::new(store.clone(), http), store))
    }

    /// Brings what was kept to the disk.
    pub(crate) fn sync(&self) -> anyhow::Result<()> {
        match self {
            Pages::Archive(_) | Pages::Web(_) => Ok(()),
            Pages::Saved(_, store) => Ok(store.sync()?),
        }
    }

    /// Says whether pages are asked of a site, which is to be asked one at a time.
    pub(crate) fn asks_sites(&self) -> bool {
        !matches!(self, Pages::Archive(_))
    }
}

impl Fetch for Pages {
    fn fetch(&self, url: &Url) -> Result<Response, FetchError> {
        match self {
            Pages::Archive(archive) => archive.fetch(url),
            Pages::Web(http) => http.fetch(url),
            Pages::Saved(saved, _) => saved.fetch(url),
        }
    }
}

impl FetchImage for Pages {
    fn fetch_image(&self, url: &Url) -> Result<Response, FetchError> {
        match self {
            Pages::Archive(archive) => archive.fetch_image(url),
            Pages::Web(http) => http.fetch_image(url),
            Pages::Saved(saved, _) => saved.fetch_image(url),
        }
    }
}

/// The time of a record: UTC, to the microsecond, so that no two records of one address are the same.
fn now() -> String {
    format!("{:.6}", jiff::Timestamp::now())
}
