//! Models and rules.

use crate::errors::{self, ModelError, OptionError, RulesError};
use crate::fetch::PyPage;
use crate::joined::{PyDocument, PyFollowing, PyVerdict, judged};
use crate::looked::{PyLook, PyNext, next};
use crate::warc::{PyGoingOn, PyRecords};
use pyo3::prelude::*;
use std::path::PathBuf;
use tsugi::models::{ContentModel, Focus, JudgeModel, LinkModel};
use tsugi::page::Relation;
use tsugi::roles::RoleSet;
use tsugi::rules::Siteinfo;
use tsugi::{Comments, Drawing, JoinOptions, Tsugi};

/// The models and the rules.
#[derive(Debug)]
#[pyclass(frozen, module = "tsugi._tsugi", name = "Engine")]
pub(crate) struct PyEngine(pub(crate) Tsugi);

#[pymethods]
impl PyEngine {
    #[new]
    fn new(
        py: Python<'_>,
        rules: Option<Vec<u8>>,
        next_model: Option<Vec<u8>>,
        content_model: Option<Vec<u8>>,
        continuation_model: Option<Vec<u8>>,
        focus: &str,
    ) -> PyResult<PyEngine> {
        let focus = match focus {
            "precision" => Focus::Precision,
            "recall" => Focus::Recall,
            _ => Focus::Balanced,
        };
        py.detach(|| {
            let mut tsugi = Tsugi::new();
            if let Some(json) = rules {
                let because = errors::because::<RulesError, _>("the rules cannot be used");
                tsugi = tsugi.with_rules(Siteinfo::read_dump(&json).map_err(because)?);
            }
            if let Some(model) = next_model {
                let because = errors::because::<ModelError, _>("next_model cannot be used");
                tsugi = tsugi.with_next_model(LinkModel::from_bytes(&model).map_err(because)?);
            }
            if let Some(model) = content_model {
                let because = errors::because::<ModelError, _>("content_model cannot be used");
                let model = ContentModel::from_bytes(&model).map_err(because)?;
                tsugi = tsugi.with_content_model(model);
            }
            if let Some(model) = continuation_model {
                let because = errors::because::<ModelError, _>("continuation_model cannot be used");
                tsugi = tsugi.with_judge(Some(JudgeModel::from_bytes(&model).map_err(because)?));
            }
            Ok(PyEngine(tsugi.with_focus(focus)))
        })
    }

    fn look(&self, py: Python<'_>, page: PyPage) -> PyResult<PyLook> {
        let response = page.response()?;
        Ok(py.detach(|| PyLook::of(&self.0, response)))
    }

    fn next(&self, py: Python<'_>, page: PyPage) -> PyResult<Option<PyNext>> {
        let response = page.response()?;
        Ok(py.detach(|| {
            let page = response.page();
            let look = self.0.look(&page);
            look.next().map(|link| next(&page, link))
        }))
    }

    fn follows(&self, py: Python<'_>, looked: &Bound<'_, PyLook>) -> Option<String> {
        let looked = looked.get();
        py.detach(|| looked.follows(&self.0))
    }

    fn extract(&self, py: Python<'_>, page: PyPage, shown: PyShown) -> PyResult<PyDocument> {
        let response = page.response()?;
        let options = shown.options()?;
        Ok(py.detach(|| PyDocument::of(self.0.extract(response.page(), &options))))
    }

    /// Returns the text of a document.
    fn extract_text(&self, py: Python<'_>, page: PyPage, shown: PyShown) -> PyResult<String> {
        let response = page.response()?;
        let options = shown.options()?;
        Ok(py.detach(|| self.0.extract_text(response.page(), &options)))
    }

    /// Returns (score, holds, ((what, weight), …)); `None` if the first page has no link.
    fn verify(&self, py: Python<'_>, before: PyPage, after: PyPage) -> PyResult<Option<PyVerdict>> {
        let (before, after) = (before.response()?, after.response()?);
        Ok(py.detach(|| {
            let (before, after) = (before.page(), after.page());
            self.0.look(&before).is_continued_by(&self.0.look(&after)).map(judged)
        }))
    }

    #[expect(clippy::too_many_arguments, reason = "Python names them")]
    fn follow(
        &self,
        url: &str,
        max_pages: usize,
        min_score: Option<f32>,
        relation: Option<&str>,
        from_start: bool,
        single_page: bool,
        drawing: &str,
        shown: PyShown,
    ) -> PyResult<PyFollowing> {
        if max_pages == 0 {
            return Err(OptionError::new_err("max_pages must be 1 or more"));
        }
        let relation = relation.map(|word| if word == "page" { Relation::Page } else { Relation::Chapter });
        let because = errors::because::<OptionError, _>("min_score");
        let options = shown
            .options()?
            .max_pages(max_pages)
            .min_score(min_score)
            .map_err(because)?
            .relation(relation)
            .from_start(from_start)
            .single_page(single_page)
            .drawing(drawing_of(drawing));
        Ok(PyFollowing::new(&self.0, errors::url(url)?, &options))
    }

    #[pyo3(signature = (path, workers, going_on=None))]
    fn scan_warc(&self, path: PathBuf, workers: usize, going_on: Option<PyGoingOn>) -> PyResult<PyRecords> {
        PyRecords::open(self.0.clone(), path, workers, going_on)
    }
}

/// What a document keeps: (keep, comments, links, images, tables).
#[derive(FromPyObject)]
pub(crate) struct PyShown(String, String, bool, bool, bool);

impl PyShown {
    fn options(self) -> PyResult<JoinOptions> {
        let PyShown(keep, comments, links, images, tables) = self;
        let roles = RoleSet::kept(&keep).map_err(errors::because::<OptionError, _>("keep"))?;
        let options = JoinOptions::default().keep(roles).comments(comments_of(&comments));
        Ok(options.links(links).images(images).tables(tables))
    }
}

fn comments_of(word: &str) -> Comments {
    match word {
        "keep" => Comments::Keep,
        "only" => Comments::Only,
        _ => Comments::Drop,
    }
}

fn drawing_of(word: &str) -> Drawing {
    match word {
        "auto" => Drawing::Needed,
        "always" => Drawing::Always,
        _ => Drawing::Never,
    }
}
