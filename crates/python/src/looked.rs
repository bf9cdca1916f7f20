//! The facts about one page.

use crate::errors::TsugiError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use tsugi::document::{content_html, content_markdown};
use tsugi::metadata::Metadata;
use tsugi::page::{Content, Evidence};
use tsugi::scan::ScanContent;
use tsugi::{NextLink, Page, Response, Tsugi};

/// A next link: (url, score, relation, by, xpath).
pub(crate) type PyNext = (String, f32, &'static str, String, String);

pub(crate) fn next(page: &Page, link: &NextLink) -> PyNext {
    let NextLink { url, node, relation, score, evidence } = link;
    (url.to_string(), *score, relation.as_str(), evidence.as_str().to_owned(), page.location_path(*node))
}

/// The facts about a page. It keeps the tree, for formats that are asked for later.
#[derive(Debug)]
#[pyclass(frozen, module = "tsugi._tsugi", name = "Looked")]
pub(crate) struct PyLook {
    /// The page of the content: as drawn by its scripts, if the content comes from its data.
    page: Page,
    content: Content,
    next: Option<PyNext>,
    leads_to: Option<String>,
    #[pyo3(get)]
    unfollowable: Option<String>,
    #[pyo3(get)]
    comments: Option<String>,
    #[pyo3(get)]
    doubt: Option<String>,
}

impl PyLook {
    pub(crate) fn of(tsugi: &Tsugi, response: Response) -> PyLook {
        let page = response.page();
        // The page does not need the bytes any more.
        drop(response);
        let look = tsugi.look(&page);
        let next = look.next().map(|link| next(&page, link));
        let leads_to = look.leads_to().map(String::from);
        let unfollowable = if next.is_none() { look.unfollowable() } else { None };
        let unfollowable = unfollowable.map(|node| page.location_path(node));
        let comments = look.comments().map(|comments| comments.text());
        let doubt = look.doubt();
        let content = look.content().as_content().clone();
        let drawn = look.into_drawn();
        let page = drawn.unwrap_or(page);
        PyLook { page, content, next, leads_to, unfollowable, comments, doubt }
    }

    /// Returns the address that joining asks for next, on the page as its scripts would draw it.
    pub(crate) fn follows(&self, tsugi: &Tsugi) -> Option<String> {
        if self.content.evidence != Evidence::Embedded {
            return self.leads_to.clone();
        }
        tsugi.look(&self.page).leads_to().map(String::from)
    }

    /// Returns the approximate size of the tree, in bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.page.text_bytes() + 64 * self.page.node_count()
    }
}

#[pymethods]
impl PyLook {
    #[getter]
    fn url(&self) -> &str {
        self.page.url().as_str()
    }

    #[getter]
    fn next(&self) -> Option<PyNext> {
        self.next.clone()
    }

    #[getter]
    fn score(&self) -> f32 {
        self.content.score
    }

    #[getter]
    fn by(&self) -> &str {
        self.content.evidence.as_str()
    }

    /// Returns the siteinfo item that found the content, if one did.
    #[getter]
    fn rule(&self) -> Option<&str> {
        self.content.evidence.rule()
    }

    /// Returns (text, paths of nodes, paths of the nodes left out of these).
    fn content(&self, py: Python<'_>) -> PyResult<(String, Vec<String>, Vec<String>)> {
        let found = py.detach(|| ScanContent::of(&self.page, &self.content));
        let found = found.map_err(|error| TsugiError::new_err(format!("{}: {error}", self.page.url())))?;
        Ok((found.text, found.nodes, found.without))
    }

    fn html(&self, py: Python<'_>) -> String {
        py.detach(|| content_html(&self.page, &self.content))
    }

    fn markdown(&self, py: Python<'_>) -> String {
        py.detach(|| content_markdown(&self.page, &self.content))
    }

    fn metadata<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let said = py.detach(|| Metadata::of(&self.page, &self.content));
        let fields = PyDict::new(py);
        fields.set_item("title", said.title.map(|title| title.value))?;
        fields.set_item("authors", said.authors.map(|authors| authors.value).unwrap_or_default())?;
        fields.set_item("published", said.published.map(|published| published.value))?;
        fields.set_item("modified", said.modified.map(|modified| modified.value))?;
        fields.set_item("language", said.lang.map(|lang| lang.value))?;
        fields.set_item("canonical", said.canonical.map(String::from))?;
        fields.set_item("site", said.site.map(|site| site.value))?;
        fields.set_item("description", said.description.map(|description| description.value))?;
        fields.set_item("image", said.image.map(|image| String::from(image.value)))?;
        fields.set_item("section", said.section.map(|section| section.value))?;
        fields.set_item("tags", said.tags)?;
        Ok(fields)
    }
}
