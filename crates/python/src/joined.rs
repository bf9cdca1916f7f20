//! Following next links, and the document of the pages.

use crate::errors::{self, OptionError, TsugiError};
use crate::fetch::PyPage;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::cell::{Cell, RefCell};
use std::ops::Range;
use std::sync::Mutex;
use tsugi::document::{DocumentPage, EpubOptions, Images};
use tsugi::page::UnavailableKind;
use tsugi::pipeline::locked;
use tsugi::{Document, Following, Format, JoinOptions, Response, Tsugi, Unavailable, Url, Verdict, Way};

/// A verdict for Python: (score, holds, ((what, weight), …)).
pub(crate) type PyVerdict = (f32, bool, Vec<(String, f32)>);

pub(crate) fn judged(verdict: Verdict) -> PyVerdict {
    let reasons = verdict.reasons.into_iter().map(|reason| (reason.what, reason.weight));
    (verdict.score, verdict.holds, reasons.collect())
}

/// A document that is being joined.
#[derive(Debug)]
#[pyclass(frozen, module = "tsugi._tsugi", name = "Following")]
pub(crate) struct PyFollowing(Mutex<Option<Following>>);

const FINISHED: &str = "the document is finished";

impl PyFollowing {
    pub(crate) fn new(tsugi: &Tsugi, start: Url, options: &JoinOptions) -> PyFollowing {
        PyFollowing(Mutex::new(Some(tsugi.follow(start, options))))
    }

    /// Returns the page that is wanted next, and how.
    pub(crate) fn next_page(&self) -> Option<(Url, Way)> {
        let following = locked(&self.0);
        let following = following.as_ref()?;
        Some((following.wanted()?.clone(), following.way()))
    }

    /// Takes the page that is wanted.
    pub(crate) fn take_page(&self, answer: Result<Response, Unavailable>, is_drawn: bool) -> PyResult<()> {
        self.advance(|following| {
            if is_drawn {
                following.give_drawn(answer);
            } else {
                following.give(answer);
            }
        })
    }

    fn advance(&self, by: impl FnOnce(&mut Following)) -> PyResult<()> {
        let mut following = locked(&self.0);
        by(following.as_mut().ok_or_else(|| TsugiError::new_err(FINISHED))?);
        Ok(())
    }
}

#[pymethods]
impl PyFollowing {
    /// Returns the address of the page to give next; `None` once the sequence has ended.
    #[getter]
    fn wanted(&self, py: Python<'_>) -> Option<String> {
        py.detach(|| Some(locked(&self.0).as_ref()?.wanted()?.to_string()))
    }

    /// Returns the addresses of the pages so far.
    fn pages(&self, py: Python<'_>) -> Vec<String> {
        py.detach(|| {
            let following = locked(&self.0);
            let parts = following.iter().flat_map(Following::parts);
            parts.map(|part| part.page.url().to_string()).collect()
        })
    }

    fn give(&self, py: Python<'_>, page: PyPage) -> PyResult<()> {
        // A response that is no page counts as a missing page.
        let response = page.unchecked()?;
        py.detach(|| self.take_page(Ok(response), false))
    }

    fn miss(&self, py: Python<'_>, word: String, message: String) -> PyResult<()> {
        py.detach(|| {
            self.advance(|following| {
                following.miss(UnavailableKind::named(&word), message);
            })
        })
    }

    fn finish(&self, py: Python<'_>) -> PyResult<PyDocument> {
        py.detach(|| {
            let following = locked(&self.0).take().ok_or_else(|| TsugiError::new_err(FINISHED))?;
            let joined = following.finish().map_err(|error| errors::unavailable(&error))?;
            Ok(PyDocument::of(joined.into_document()))
        })
    }
}

/// A document.
#[derive(Debug)]
#[pyclass(frozen, module = "tsugi._tsugi", name = "Joined")]
pub(crate) struct PyDocument(Document);

impl PyDocument {
    pub(crate) fn of(document: Document) -> PyDocument {
        PyDocument(document)
    }
}

fn page_fields<'py>(
    py: Python<'py>,
    page: &DocumentPage,
    characters: &Range<usize>,
) -> PyResult<Bound<'py, PyDict>> {
    let fields = PyDict::new(py);
    fields.set_item("url", page.url.as_str())?;
    fields.set_item("score", page.score)?;
    fields.set_item("by", &page.by)?;
    fields.set_item("content_by", page.content_by)?;
    fields.set_item("content_score", page.content_score)?;
    fields.set_item("rule", &page.rule)?;
    fields.set_item("start", characters.start)?;
    fields.set_item("end", characters.end)?;
    fields.set_item("removed", page.removed)?;
    fields.set_item("comments", &page.comments)?;
    fields.set_item("verdict", page.verdict.clone().map(judged))?;
    Ok(fields)
}

#[pymethods]
impl PyDocument {
    #[getter]
    fn text(&self) -> &str {
        &self.0.text
    }

    #[getter]
    fn language(&self) -> Option<&str> {
        self.0.lang.as_deref()
    }

    /// Returns `true` if title and date are known.
    #[getter]
    fn is_described(&self) -> bool {
        self.0.title.is_some() && self.0.published.is_some()
    }

    fn front_matter(&self, py: Python<'_>) -> String {
        py.detach(|| self.0.front_matter())
    }

    /// Returns the fields, for Python's class of documents.
    fn fields<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let Document { url, title, authors, published, modified, lang, canonical, site, .. } = &self.0;
        let Document {
            description, image, section, tags, pages, text, parts, stopped, tried, warnings, ..
        } = &self.0;
        let fields = PyDict::new(py);
        fields.set_item("url", url.as_str())?;
        fields.set_item("title", title)?;
        fields.set_item("authors", authors)?;
        fields.set_item("published", published)?;
        fields.set_item("modified", modified)?;
        fields.set_item("language", lang)?;
        fields.set_item("canonical", canonical.as_ref().map(Url::as_str))?;
        fields.set_item("site", site)?;
        fields.set_item("description", description)?;
        fields.set_item("image", image.as_ref().map(Url::as_str))?;
        fields.set_item("section", section)?;
        fields.set_item("tags", tags)?;
        fields.set_item("text", text)?;
        let parts: Vec<_> = std::iter::zip(parts, self.0.part_characters())
            .map(|(part, characters)| (part.role, characters.start, characters.end))
            .collect();
        fields.set_item("parts", parts)?;
        fields.set_item("complete", self.0.is_complete())?;
        fields.set_item("warnings", warnings)?;
        let tried: Vec<_> = tried
            .iter()
            .map(|tried| (tried.url.as_str(), tried.score, tried.verdict, &tried.refused))
            .collect();
        fields.set_item("tried", tried)?;
        fields.set_item("stopped", (stopped.reason.as_str(), stopped.at.as_str(), &stopped.detail))?;
        let pages: Vec<_> = std::iter::zip(pages, &self.0.page_characters())
            .map(|(page, characters)| page_fields(py, page, characters))
            .collect::<PyResult<_>>()?;
        fields.set_item("pages", pages)?;
        Ok(fields)
    }

    fn render<'py>(&self, py: Python<'py>, format: &str) -> PyResult<Bound<'py, PyBytes>> {
        let format: Format = format.parse().map_err(errors::because::<OptionError, _>("format"))?;
        let bytes = py.detach(|| {
            let mut bytes = Vec::new();
            self.0.write(format, &mut bytes).map(|()| bytes)
        });
        Ok(PyBytes::new(py, &bytes?))
    }

    fn json_line(&self, py: Python<'_>) -> String {
        py.detach(|| self.0.json_line())
    }

    /// Returns an e-book, and the number of images left out of it. `fetch` returns the bytes of an image, or `None`.
    fn epub_with_images<'py>(
        &self,
        py: Python<'py>,
        fetch: &Bound<'py, PyAny>,
    ) -> PyResult<(Bound<'py, PyBytes>, usize)> {
        // An exception of `fetch` is raised at the end: images are fetched from within Rust's code.
        let failed = RefCell::new(None);
        let left_out = Cell::new(0_usize);
        let get = |url: &Url| {
            if failed.borrow().is_some() {
                return None;
            }
            let image = fetch.call1((url.as_str(),)).and_then(|image| image.extract::<Option<Vec<u8>>>());
            let image = image.unwrap_or_else(|error| {
                *failed.borrow_mut() = Some(error);
                None
            });
            if image.is_none() {
                left_out.set(left_out.get() + 1);
            }
            image
        };
        let images = Images::of(&self.0, get, |_| left_out.set(left_out.get() + 1));
        if let Some(error) = failed.into_inner() {
            return Err(error);
        }
        let bytes = py.detach(|| {
            let mut bytes = Vec::new();
            let options = EpubOptions { images: Some(&images), ..EpubOptions::default() };
            self.0.write_epub(&options, &mut bytes).map(|()| bytes)
        });
        let bytes = bytes.map_err(|error| PyOSError::new_err(error.to_string()))?;
        Ok((PyBytes::new(py, &bytes), left_out.get()))
    }
}
