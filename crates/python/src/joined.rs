//! Following next links, and the document that comes of it.

use crate::errors::{self, OptionError, TsugiError};
use crate::fetch::Given;
use pyo3::exceptions::PyOSError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::sync::{Mutex, MutexGuard, PoisonError};
use tsugi::{Document, EpubOptions, Format, Images, Limits, Tsugi, Unavailable, Url, Verdict, stitch};

/// A verdict for Python: (score, holds, ((what, weight), …)).
pub(crate) type Judged = (f32, bool, Vec<(String, f32)>);

pub(crate) fn judged(verdict: Verdict) -> Judged {
    let reasons = verdict.reasons.into_iter().map(|reason| (reason.what, reason.weight));
    (verdict.score, verdict.holds, reasons.collect())
}

/// A document that is being joined.
#[derive(Debug)]
#[pyclass(frozen, module = "tsugi._tsugi")]
pub(crate) struct Following(Mutex<Option<tsugi::Following>>);

const FINISHED: &str = "the document is finished";

impl Following {
    pub(crate) fn new(tsugi: &Tsugi, start: Url, limits: Limits) -> Following {
        Following(Mutex::new(Some(tsugi.follow(start, limits))))
    }

    fn locked(&self) -> MutexGuard<'_, Option<tsugi::Following>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn take(&self, answer: Result<tsugi::Response, Unavailable>) -> PyResult<()> {
        let mut following = self.locked();
        let following = following.as_mut().ok_or_else(|| TsugiError::new_err(FINISHED))?;
        following.give(answer);
        Ok(())
    }
}

#[pymethods]
impl Following {
    /// Returns the address of the page to give next.
    #[getter]
    fn wanted(&self, py: Python<'_>) -> Option<String> {
        py.detach(|| Some(self.locked().as_ref()?.wanted()?.to_string()))
    }

    /// Returns the addresses of the pages so far.
    fn pages(&self, py: Python<'_>) -> Vec<String> {
        let url = |part: &tsugi::Part| part.page.url().to_string();
        py.detach(|| self.locked().iter().flat_map(tsugi::Following::parts).map(url).collect())
    }

    fn give(&self, py: Python<'_>, page: Given) -> PyResult<()> {
        // What is no page is a missing page.
        let answer = page.answer()?;
        py.detach(|| self.take(answer))
    }

    fn miss(&self, py: Python<'_>, word: String, message: String) -> PyResult<()> {
        py.detach(|| self.take(Err(Unavailable::named(word, message))))
    }

    fn finish(&self, py: Python<'_>) -> PyResult<Joined> {
        py.detach(|| {
            let following = self.locked().take().ok_or_else(|| TsugiError::new_err(FINISHED))?;
            let start = following.wanted().cloned();
            match following.finish() {
                Ok(joined) => Ok(Joined::of(stitch(joined))),
                Err(error) => {
                    let nowhere = || Url::parse("about:blank");
                    let url = start.map_or_else(nowhere, Ok).map_err(|_| TsugiError::new_err(FINISHED))?;
                    Err(errors::unavailable(&url, error))
                }
            }
        })
    }
}

/// A document.
#[derive(Debug)]
#[pyclass(frozen, module = "tsugi._tsugi")]
pub(crate) struct Joined(Document);

impl Joined {
    pub(crate) fn of(document: Document) -> Joined {
        Joined(document)
    }
}

#[pymethods]
impl Joined {
    /// Returns the fields, for Python's class of documents.
    fn fields<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let Document { url, title, authors, published, modified, lang, canonical, site, .. } = &self.0;
        let Document { description, image, section, tags, pages, text, stopped, warnings, .. } = &self.0;
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
        fields.set_item("complete", self.0.is_complete())?;
        fields.set_item("warnings", warnings)?;
        fields.set_item("stopped", (stopped.reason.as_str(), stopped.at.as_str(), &stopped.detail))?;
        let mut rows = Vec::new();
        for page in pages {
            let row = PyDict::new(py);
            row.set_item("url", page.url.as_str())?;
            row.set_item("score", page.score)?;
            row.set_item("by", &page.by)?;
            row.set_item("content_by", page.content_by)?;
            row.set_item("content_score", page.content_score)?;
            row.set_item("rule", &page.rule)?;
            row.set_item("start", page.start)?;
            row.set_item("end", page.end)?;
            row.set_item("removed", page.removed)?;
            row.set_item("comments", &page.comments)?;
            row.set_item("verdict", page.verdict.clone().map(judged))?;
            rows.push(row);
        }
        fields.set_item("pages", rows)?;
        Ok(fields)
    }

    fn render<'py>(&self, py: Python<'py>, format: &str) -> PyResult<Bound<'py, PyBytes>> {
        let format: Format =
            format.parse().map_err(|error| errors::because::<OptionError>("format")(&error))?;
        let bytes = py.detach(|| {
            let mut bytes = Vec::new();
            self.0.write(format, &mut bytes).map(|()| bytes)
        });
        Ok(PyBytes::new(py, &bytes?))
    }

    fn json_line(&self, py: Python<'_>) -> String {
        py.detach(|| self.0.json_line())
    }

    /// Returns an e-book with the images that `fetch` returns as bytes, and the number of those left out.
    fn epub_with_images<'py>(
        &self,
        py: Python<'py>,
        fetch: &Bound<'py, PyAny>,
    ) -> PyResult<(Bound<'py, PyBytes>, usize)> {
        let failed = std::cell::RefCell::new(None);
        let left_out = std::cell::Cell::new(0_usize);
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
