//! Cross-validation by site, page by page: what the shipped models would do on sites they never saw.

use crate::dataset::{DataSet, DataSetError};
use crate::examples::{Examples, PageExample};
use crate::label::{Label, url_key};
use crate::measure::{PageCounts, TokenRule, token_f};
use crate::recipe::{TrainError, train_content, train_links};
use crate::scan::ScanLine;
use std::collections::BTreeMap;
use tsugi_learning::Params;
use tsugi_main_content::baseline::ByHalf;
use tsugi_main_content::{ContentDetector, ContentModelError};
use tsugi_next_link::NextLinkDetector;
use tsugi_next_link::baseline::{ByMarkup, ByText};
use tsugi_page::{FindContent, FindNext, Page};

/// Why an evaluation fails.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EvaluateError {
    /// A data set cannot be read.
    #[error(transparent)]
    Data(#[from] DataSetError),
    /// A model cannot be trained.
    #[error(transparent)]
    Train(#[from] TrainError),
    /// A model cannot be used.
    #[error(transparent)]
    Model(#[from] ContentModelError),
}

/// What to train and how to split.
#[derive(Debug, Clone)]
pub struct CrossValidation {
    /// Parameters of the link model.
    pub links: Params,
    /// Parameters of the content model.
    pub content: Params,
    /// Number of folds.
    pub folds: usize,
    /// The seed of folds and training.
    pub seed: u64,
}

/// Measures over some pages.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Measures {
    /// The next link, page by page.
    pub next: PageCounts,
    /// Sum of token F over the pages whose text is known.
    pub text_f_sum: f64,
    /// Number of those pages.
    pub text_pages: u64,
}

impl Measures {
    /// The mean token F; 0 without pages.
    pub fn text_f(&self) -> f64 {
        if self.text_pages == 0 { 0.0 } else { self.text_f_sum / self.text_pages as f64 }
    }

    fn add(&mut self, label: &Label, next: Option<&str>, text: &str) {
        if label.knows_next() {
            let right = label.next_keys();
            let is_right = next.is_some_and(|url| right.contains(&url_key(url)));
            self.next.add(next.is_some(), is_right, !right.is_empty());
        }
        if let Some(gold) = &label.text {
            self.text_f_sum += token_f(text, gold, TokenRule::of_source(label.source.as_deref()));
            self.text_pages += 1;
        }
    }
}

/// A method that is compared.
pub const METHODS: [&str; 4] = ["model", "text rule", "rel=next", "Kato's rule"];

/// The results of a cross-validation.
#[derive(Debug, Default)]
pub struct FullResult {
    /// Method → data set (or `all`) → measures.
    pub by_set: BTreeMap<&'static str, BTreeMap<String, Measures>>,
    /// Kind of page → measures of the model.
    pub by_kind: BTreeMap<String, Measures>,
    /// Data set → predictions of the model, in the order of its archive.
    pub predictions: BTreeMap<String, Vec<ScanLine>>,
    /// The thresholds of the folds: link, content.
    pub thresholds: Vec<(f32, f32)>,
}

/// Trains on all folds but one and predicts that one, for each fold.
///
/// `progress` is told of every trained fold and of every scored page.
///
/// # Errors
///
/// [`EvaluateError`] where data cannot be read or a fold cannot be trained.
///
/// # Determinism
///
/// Folds may train at the same time; the results do not depend on it.
pub fn cross_validate(
    sets: &[DataSet],
    examples: &Examples,
    plan: &CrossValidation,
    mut progress: impl FnMut(),
) -> Result<FullResult, EvaluateError> {
    let fold_of_group = examples.groups.folds(plan.folds, plan.seed);
    let fold_of = |page: &PageExample| fold_of_group[page.group];
    let detectors = (0..plan.folds)
        .map(|fold| {
            let rest: Vec<&PageExample> =
                examples.pages.iter().filter(|page| fold_of(page) != fold).collect();
            let trained = train_both(&rest, plan);
            progress();
            trained
        })
        .collect::<Result<Vec<_>, _>>()?;
    let mut result = FullResult {
        thresholds: detectors
            .iter()
            .map(|(next, content)| (next.threshold(), content.model().header.threshold))
            .collect(),
        ..FullResult::default()
    };
    for (set_index, set) in sets.iter().enumerate() {
        set.visit(None, |label_index, page| {
            progress();
            let fold = fold_of_group[examples.groups.group(set_index, label_index)];
            let (next, content) = &detectors[fold];
            let label = &set.labels()[label_index];
            let line = ScanLine { url: label.url.clone(), ..ScanLine::of(&page, next, content) };
            result.add(set, label, &page, &line);
            result.predictions.entry(set.name.clone()).or_default().push(line);
        })?;
    }
    Ok(result)
}

/// Trains both detectors, at the same time.
fn train_both(
    pages: &[&PageExample],
    plan: &CrossValidation,
) -> Result<(NextLinkDetector, ContentDetector), EvaluateError> {
    let (links, content) = std::thread::scope(|scope| {
        let content = scope.spawn(|| train_content(pages, &plan.content, plan.seed));
        (train_links(pages, &plan.links, plan.seed), content.join())
    });
    let content = content.unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
    Ok((NextLinkDetector::new(links?), ContentDetector::new(content)?))
}

impl FullResult {
    fn add(&mut self, set: &DataSet, label: &Label, page: &Page, line: &ScanLine) {
        let text = line.content.as_ref().map_or("", |content| &content.text);
        let next = line.next.as_ref().map(|next| next.url.as_str());
        let mut rows = vec![("model", next.map(str::to_owned), text.to_owned())];
        let found = |finder: &dyn FindNext| finder.find_next(page).map(|next| next.url.to_string());
        rows.push(("text rule", found(&ByText), String::new()));
        rows.push(("rel=next", found(&ByMarkup), String::new()));
        rows.push(("Kato's rule", None, page.text_of(&ByHalf.find_content(page, None).nodes)));
        for (method, next, text) in rows {
            let of_method = self.by_set.entry(method).or_default();
            for name in [set.name.as_str(), "all"] {
                of_method.entry(name.to_owned()).or_default().add(label, next.as_deref(), &text);
            }
        }
        let kind = label.kind.clone().unwrap_or_else(|| "unknown".to_owned());
        self.by_kind.entry(kind).or_default().add(label, next, text);
    }
}
