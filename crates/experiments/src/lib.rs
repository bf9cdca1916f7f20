//! Data sets, labels, splits by site, training and evaluation.
//!
//! ```
//! use tsugi_experiments::{DataSet, PaperExamples, PaperTrainer, cross_validate, figures_by_set, train_paper_links};
//! use tsugi_learning::{Algorithm, Params};
//!
//! // Read a folder with an archive of pages and a file of labels.
//! let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../datasets");
//! let sets = [DataSet::open(folder.as_ref())?];
//! let examples = PaperExamples::read(&sets, || ())?;
//!
//! // Train a model of the thesis' features on all pages.
//! let params = Params::of(Algorithm::Tree);
//! let pages: Vec<_> = examples.pages.iter().collect();
//! let model = train_paper_links(&pages, &params, 1)?;
//! assert_eq!((model.header.trained_on.pages, model.header.trained_on.sites), (11, 4));
//!
//! // Measure how such models do on sites that they were not trained on.
//! let trainer = PaperTrainer { examples: &examples, links: params.clone(), content: params, seed: 1 };
//! let result = cross_validate(&sets, &examples.groups, &trainer, (4, 1), || (), |_, _| ())?;
//! let figures = figures_by_set(&sets, result.model());
//! assert!(figures.contains_key("datasets") && figures.contains_key("all"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A data set is a folder with an archive of pages and a file of labels ([`DataSet`]). Labels can be made from siteinfo
//! ([`label_page`]) and corrected ([`Correction`]). Labelled pages become examples:
//!
//! - of the shipped models ([`LabelledPages`], trained by [`ModelTrainer`]);
//! - of the thesis' features ([`PaperExamples`], trained by [`train_paper_links`] and [`train_paper_content`]);
//! - of pairs of pages that do or do not continue each other ([`PairExamples`], trained by [`PairTrainer`]);
//! - of sequences of blocks ([`CrfExamples`], trained by [`CrfTrainer`]).
//!
//! Protocols evaluate: the thesis' own ([`run_paper`]); cross-validation by site with any trainer ([`cross_validate`]),
//! with intervals over sites ([`Figures`]) and floors ([`Floors`]); learned items ([`evaluate_items`]); methods that compare
//! the pages of a site ([`evaluate_page_sets`]); chains ([`evaluate_crf`]); stated metadata ([`evaluate_metadata`]).
//!
//! No site is ever on two sides ([`Groups`]), and every parameter is chosen on the training side. This crate prints nothing
//! and writes no files.
//!
//! ```text
//! DataSet ─visit→ Page + Label ─read→ examples ─Groups::folds→ training | held-out ─Trainer→ detectors ─Verdict→ Figures
//! ```

mod content;
mod content_trials;
mod corrections;
mod crf;
mod cross_validation;
mod dataset;
mod figures;
mod floors;
mod html;
mod items;
mod joins;
mod label;
mod labelled_pages;
mod labelling;
mod link_trials;
mod links;
mod measure;
mod metadata;
mod page_sets;
mod pairs;
mod paper;
mod report;
mod sites;
mod snapshots;
mod train_error;
mod verdict;

pub use content::TrainPlan;
pub use content_trials::{CommentTrial, ContentTrial, Excess};
pub use corrections::{Correction, CorrectionsError};
pub use crf::{
    CrfExamples, CrfLine, CrfPage, CrfPageResult, CrfResult, CrfTrainError, CrfTrainer, TrainedCrf,
    crf_figures, crf_report, evaluate_crf,
};
pub use cross_validation::{CrossValidation, EvaluateError, Prediction, Trainer, cross_validate};
pub use dataset::{Complaint, DataDigest, DataSet, DataSetError};
pub use figures::{FigureError, Growth, growth};
pub use floors::{Floors, Measured, Shortfall};
pub use items::{ItemLine, ItemSite, ItemsResult, evaluate_items, items_report};
pub use joins::{JoinFigures, JoinedDocument, Joins, join_figures};
pub use label::{Label, url_key};
pub use labelled_pages::{LabelledPages, ModelTrainer, Wanted};
pub use labelling::{Agreement, REPRODUCED, label_page};
pub use link_trials::{LinkLine, LinkLook, LinkTrial, evaluate_links};
pub use links::{LinkParams, LinkTrainError};
pub use metadata::{FieldResult, MetadataLine, evaluate_metadata, metadata_report};
pub use page_sets::{
    Gold, KeptVerdict, PageSetLine, PageSetSite, PageSetsResult, Times, evaluate_page_sets, kept_report,
    page_sets_report, page_sets_times,
};
pub use pairs::{PairExamples, PairParams, PairTrainError, PairTrainer};
pub use paper::{
    ContentExample, DEFAULT_LEAF, LinkExample, PageExample, PaperExamples, PaperPlan, PaperResult,
    PaperTrainer, paper_report, run_paper, train_paper_content, train_paper_links,
};
pub use report::{Report, cross_validation_report, figures_by_set};
pub use sites::{Groups, mix};
pub use train_error::TrainError;
pub use verdict::{Figures, Verdict};
