//! Where pages come from: the web, archives and files.

use crate::engine::PyEngine;
use crate::errors::{self, ArchiveError, FileError, OptionError};
use crate::fetch::{PyAnswer, answer, wait};
use crate::joined::PyFollowing;
use pyo3::prelude::*;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tsugi::fetch::{FetchImage, Guard, HttpOptions, PlaceError, SiteHeaders, file_url};
use tsugi::pipeline::locked;
use tsugi::{Archive, Fetch, FetchError, Files, Http, Response, Tsugi, Url, Way};
use tsugi_render::{Drawn, Handle, SharedBrowser};

fn seconds(name: &str, seconds: f64) -> PyResult<Duration> {
    Duration::try_from_secs_f64(seconds)
        .map_err(|_| OptionError::new_err(format!("{name}={seconds} is no number of seconds")))
}

/// The web.
#[derive(Debug)]
#[pyclass(frozen, module = "tsugi._tsugi", name = "Http")]
pub(crate) struct PyHttp(Arc<Web>);

/// The client, and the browser that draws pages with it.
#[derive(Debug)]
struct Web {
    http: Arc<Http>,
    browser: SharedBrowser,
    draws: bool,
    /// What is to be told.
    notes: Mutex<Vec<String>>,
}

#[pymethods]
impl PyHttp {
    #[new]
    #[expect(clippy::too_many_arguments, reason = "Python names them")]
    fn new(
        user_agent: Option<String>,
        headers: Vec<String>,
        header_sites: Vec<String>,
        timeout: f64,
        delay: f64,
        retries: u32,
        max_body: u64,
        robots: bool,
        allow_private: Vec<String>,
        draws: bool,
        browser_path: Option<PathBuf>,
    ) -> PyResult<PyHttp> {
        let user_agent = user_agent.as_deref().unwrap_or(concat!("tsugi/", env!("CARGO_PKG_VERSION")));
        let mut guard = Guard::public();
        for place in allow_private {
            let place = place.parse().map_err(|error: PlaceError| {
                errors::because::<OptionError, _>(&format!("allow_private: `{place}`"))(error)
            })?;
            guard = guard.and(place);
        }
        let sites: Vec<Url> = header_sites.iter().map(|site| errors::url(site)).collect::<PyResult<_>>()?;
        let because = errors::because::<OptionError, _>("headers");
        let headers = SiteHeaders::new(headers.iter().map(String::as_str), &sites).map_err(because)?;
        let options = HttpOptions::new(user_agent)
            .headers(headers)
            .total_timeout(seconds("timeout", timeout)?)
            .delay(seconds("delay", delay)?)
            .retries(retries)
            .max_body(max_body)
            .robots(robots)
            .guard(guard);
        let because = errors::because::<OptionError, _>("the client cannot be set up");
        let folders = std::env::var_os("PATH").unwrap_or_default();
        let browser = SharedBrowser::new(browser_path, folders, &options);
        let http = Arc::new(Http::new(options).map_err(because)?);
        Ok(PyHttp(Arc::new(Web { http, browser, draws, notes: Mutex::default() })))
    }

    fn fetch<'py>(&self, py: Python<'py>, url: &str) -> PyResult<PyAnswer<'py>> {
        let (web, url) = (Arc::clone(&self.0), errors::url(url)?);
        let asked = url.clone();
        answer(py, &url, wait(py, move || web.http.fetch(&asked))?)
    }

    fn fetch_image<'py>(&self, py: Python<'py>, url: &str) -> PyResult<PyAnswer<'py>> {
        let (web, url) = (Arc::clone(&self.0), errors::url(url)?);
        let asked = url.clone();
        answer(py, &url, wait(py, move || web.http.fetch_image(&asked))?)
    }

    /// Returns the page of an address as a browser shows it.
    fn draw<'py>(
        &self,
        py: Python<'py>,
        engine: &Bound<'py, PyEngine>,
        url: &str,
    ) -> PyResult<PyAnswer<'py>> {
        let (web, tsugi, url) = (Arc::clone(&self.0), engine.get().0.clone(), errors::url(url)?);
        let asked = url.clone();
        answer(py, &url, wait(py, move || web.get(&asked, &Way::Drawn, &tsugi))?)
    }

    /// Gets the page that a document wants next, and gives it to it.
    fn advance(
        &self,
        py: Python<'_>,
        engine: &Bound<'_, PyEngine>,
        following: &Bound<'_, PyFollowing>,
    ) -> PyResult<()> {
        let following = following.get();
        let Some((url, way)) = py.detach(|| following.next_page()) else { return Ok(()) };
        let (web, tsugi, wanted) = (Arc::clone(&self.0), engine.get().0.clone(), way.clone());
        let answer =
            wait(py, move || web.get(&url, &wanted, &tsugi).map_err(|error| error.into_unavailable(&url)))?;
        py.detach(|| following.take_page(answer, way != Way::Fetched))
    }

    /// Takes what is to be told of pages that were drawn.
    fn notes(&self) -> Vec<String> {
        std::mem::take(&mut *locked(&self.0.notes))
    }
}

impl Web {
    /// Gets a page as it is wanted.
    fn get(&self, asked: &Url, way: &Way, tsugi: &Tsugi) -> Result<Response, FetchError> {
        let content = |response: &Response| tsugi.look(&response.page()).content().text();
        let drawn = match way {
            Way::Fetched => {
                let answer = self.http.fetch(asked)?;
                if self.draws {
                    self.browser.remember(asked, &answer);
                }
                return Ok(answer);
            }
            Way::Onward(number, control) => {
                let handle = control.as_ref().map(|control| Handle {
                    tag: control.tag.clone(),
                    label: control.label.clone(),
                    before: control.before,
                });
                self.browser.go_on(asked, *number, handle.as_ref(), &self.http, &content, &|| false)?
            }
            _ => self.browser.draw(asked, &self.http, &content, &|| false)?,
        };
        let Drawn { page, is_late } = drawn;
        if is_late {
            locked(&self.notes).push(format!("{}: still changing when its time was up", page.url));
        }
        Ok(page)
    }
}

/// A WARC archive.
#[derive(Debug)]
#[pyclass(frozen, module = "tsugi._tsugi", name = "Archive")]
pub(crate) struct PyArchive(Archive);

#[pymethods]
impl PyArchive {
    #[new]
    fn new(py: Python<'_>, path: PathBuf) -> PyResult<PyArchive> {
        let because = format!("`{}` cannot be used", path.display());
        let archive = py.detach(|| Archive::open(&path));
        archive.map(PyArchive).map_err(|error| errors::because::<ArchiveError, _>(&because)(&error))
    }

    fn fetch<'py>(&self, py: Python<'py>, url: &str) -> PyResult<PyAnswer<'py>> {
        let url = errors::url(url)?;
        answer(py, &url, py.detach(|| self.0.fetch(&url)))
    }

    fn fetch_image<'py>(&self, py: Python<'py>, url: &str) -> PyResult<PyAnswer<'py>> {
        let url = errors::url(url)?;
        answer(py, &url, py.detach(|| self.0.fetch_image(&url)))
    }

    /// Gets the page that a document wants next, and gives it to it. What a browser drew before is not drawn again.
    fn advance(&self, py: Python<'_>, following: &Bound<'_, PyFollowing>) -> PyResult<()> {
        let following = following.get();
        py.detach(|| {
            let Some((url, way)) = following.next_page() else { return Ok(()) };
            let drawn = self.0.drawn(&url, way.drawn_number().unwrap_or_default());
            let is_drawn = drawn.is_ok() || way != Way::Fetched;
            let answer = if is_drawn { drawn } else { self.0.fetch(&url) };
            following.take_page(answer.map_err(|error| error.into_unavailable(&url)), is_drawn)
        })
    }

    fn urls(&self) -> Vec<String> {
        self.0.urls().map(ToString::to_string).collect()
    }

    fn problems(&self) -> Vec<(u64, String)> {
        self.0.problems().iter().map(|problem| (problem.offset, problem.to_string())).collect()
    }
}

/// The files below a folder.
#[derive(Debug)]
#[pyclass(frozen, module = "tsugi._tsugi", name = "Files")]
pub(crate) struct PyFiles(Files);

#[pymethods]
impl PyFiles {
    #[new]
    fn new(folder: PathBuf) -> PyResult<PyFiles> {
        let because = format!("cannot read the folder `{}`", folder.display());
        Files::below(&folder).map(PyFiles).map_err(errors::because::<FileError, _>(&because))
    }

    fn fetch<'py>(&self, py: Python<'py>, url: &str) -> PyResult<PyAnswer<'py>> {
        let url = errors::url(url)?;
        answer(py, &url, py.detach(|| self.0.fetch(&url)))
    }

    /// Returns the address of a file.
    #[staticmethod]
    fn address(path: PathBuf) -> PyResult<String> {
        let url = file_url(&path).map_err(|error| FileError::new_err(tsugi::fetch::chain(&error)))?;
        Ok(url.into())
    }
}
