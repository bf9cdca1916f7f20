//! Where the pages of a join come from: an archive, the web, or the web by way of an archive.

use anyhow::Context;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tsugi::fetch::HttpOptions;
use tsugi::fetch::{FetchImage, Keep, Saved, SiteHeaders, Store, Watch};
use tsugi::{Archive, Fetch, FetchError, Files, Http, Response, Url};
use tsugi_terminal::interrupt::Interrupt;
use tsugi_terminal::progress::Narrator;
use tsugi_terminal::source::{
    SourceArgument, folder_of_stdin, local_page, names_no_page, open_archive, open_file, open_store,
    save_cookies, stored_page,
};

#[derive(Debug, Clone)]
pub(crate) enum PagesFrom {
    Archive(PathBuf),
    Web { http: Box<HttpOptions>, save: Option<PathBuf> },
    Files,
}

impl PagesFrom {
    /// Returns the same, with own headers for the sites of `urls`.
    pub(crate) fn with_headers(&self, headers: &[String], urls: &[Url]) -> anyhow::Result<PagesFrom> {
        let mut from = self.clone();
        if let PagesFrom::Web { http, .. } = &mut from {
            http.headers = SiteHeaders::new(headers.iter().map(String::as_str), urls)?;
        }
        Ok(from)
    }
}

#[derive(Debug)]
pub(crate) enum PageSource {
    Archive(Archive),
    Web(Http),
    Saved(Saved<Http>, Arc<Store>),
}

impl PageSource {
    /// Opens the archive that pages come from, or sets up fetching from the web; `None` if all pages are files. `watch`
    /// follows the requests; with --verbose they are printed instead.
    pub(crate) fn open(
        from: &PagesFrom,
        watch: Option<Arc<dyn Watch>>,
    ) -> anyhow::Result<Option<Arc<PageSource>>> {
        let watch = Narrator::if_wanted().or(watch);
        Ok(match from {
            PagesFrom::Archive(path) => Some(PageSource::Archive(open_archive(path)?)),
            PagesFrom::Web { http, save } => {
                let mut http = HttpOptions::clone(http);
                http.watch = watch;
                Some(match save {
                    None => PageSource::Web(Http::new(http)?),
                    Some(path) => PageSource::saved(&http, path)?,
                })
            }
            PagesFrom::Files => None,
        }
        .map(Arc::new))
    }

    /// Gets a page or an image; `None` if Ctrl-C comes first, or the end of the time.
    pub(crate) fn unless<T: Send + 'static>(
        self: &Arc<PageSource>,
        interrupt: &Interrupt,
        url: &Url,
        get: fn(&PageSource, &Url) -> T,
    ) -> Option<T> {
        if !self.asks_sites() {
            return (!interrupt.ends()).then(|| get(self, url));
        }
        let (pages, url) = (Arc::clone(self), url.clone());
        interrupt.unless(move || get(&pages, &url))
    }

    fn saved(http: &HttpOptions, path: &Path) -> anyhow::Result<PageSource> {
        let store = open_store(path)?;
        let keep: Arc<dyn Keep> = store.clone();
        let http = http.clone().keep(keep).build()?;
        Ok(PageSource::Saved(Saved::new(store.clone(), http), store))
    }

    /// Writes the archive and the cookies to disk, at the end of a run.
    pub(crate) fn finish(&self, from: &PagesFrom) -> anyhow::Result<()> {
        if let PagesFrom::Web { http, .. } = from {
            save_cookies(http)?;
        }
        self.sync()
    }

    pub(crate) fn sync(&self) -> anyhow::Result<()> {
        match self {
            PageSource::Archive(_) | PageSource::Web(_) => Ok(()),
            PageSource::Saved(_, store) => Ok(store.sync()?),
        }
    }

    /// Returns `true` if pages come from sites, which are asked for one page at a time.
    pub(crate) fn asks_sites(&self) -> bool {
        !matches!(self, PageSource::Archive(_))
    }
}

/// Where a document begins, and where its pages come from.
pub(crate) struct Beginning<'a> {
    pub(crate) url: Url,
    /// The first page, if it does not come from `rest`.
    first: Option<Response>,
    rest: LaterPages<'a>,
}

enum LaterPages<'a> {
    Source(&'a Arc<PageSource>),
    Files(Files),
}

impl<'a> Beginning<'a> {
    pub(crate) fn of(
        source: &str,
        given: Option<&Url>,
        pages: Option<&'a Arc<PageSource>>,
    ) -> anyhow::Result<Beginning<'a>> {
        let is_archive = pages.is_some_and(|pages| matches!(**pages, PageSource::Archive(_)));
        let pages = pages.map(LaterPages::Source);
        if given.is_none() && is_archive {
            let rest = pages.context("there is no archive")?;
            return Ok(Beginning { url: stored_page(source)?, first: None, rest });
        }
        let source = SourceArgument::of(source)?;
        match (&source, given) {
            (SourceArgument::Archive(path), _) => Err(names_no_page(path)),
            (SourceArgument::Web(url), _) => {
                Ok(Beginning { url: url.clone(), first: None, rest: pages.context("there is no client")? })
            }
            (SourceArgument::File(path), None) => {
                let (url, files) = open_file(path)?;
                Ok(Beginning { url, first: None, rest: LaterPages::Files(files) })
            }
            (_, given) => {
                let (url, first) = local_page(&source, given)?;
                let rest = match pages {
                    Some(pages) => pages,
                    None => LaterPages::Files(folder_of_stdin()?),
                };
                Ok(Beginning { url, first: Some(first?), rest })
            }
        }
    }

    /// Gets a page; `None` if Ctrl-C comes first, or the end of the time.
    pub(crate) fn get(&self, url: &Url, interrupt: &Interrupt) -> Option<Result<Response, FetchError>> {
        if let Some(first) = self.first.as_ref().filter(|_| *url == self.url) {
            return Some(Ok(first.clone()));
        }
        match &self.rest {
            LaterPages::Source(pages) => pages.unless(interrupt, url, PageSource::fetch),
            LaterPages::Files(files) => (!interrupt.ends()).then(|| files.fetch(url)),
        }
    }
}

impl Fetch for PageSource {
    fn fetch(&self, url: &Url) -> Result<Response, FetchError> {
        match self {
            PageSource::Archive(archive) => archive.fetch(url),
            PageSource::Web(http) => http.fetch(url),
            PageSource::Saved(saved, _) => saved.fetch(url),
        }
    }
}

impl FetchImage for PageSource {
    fn fetch_image(&self, url: &Url) -> Result<Response, FetchError> {
        match self {
            PageSource::Archive(archive) => archive.fetch_image(url),
            PageSource::Web(http) => http.fetch_image(url),
            PageSource::Saved(saved, _) => saved.fetch_image(url),
        }
    }
}
