//! Data sets, labelling, splits by site, training and evaluation.
//!
//! A data set is a folder with an archive of pages and a file of labels ([`DataSet`]). Labelled pages become examples:
//! for the shipped models ([`LabelledPages`], trained by [`ModelTrainer`]) and for those of the thesis' features
//! ([`PaperExamples`]; a recipe balances the rows, fits a model and chooses its threshold: [`train_paper_links`],
//! [`train_paper_content`]). Stored sequences give pairs of pages that do or do not continue each other
//! ([`PairExamples`], trained on by [`PairTrainer`]).
//!
//! Protocols evaluate: the thesis' own ([`run_paper`]); cross-validation by site over whole pages with any trainer
//! ([`cross_validate`]), whose figures come with intervals over sites ([`Figures`]) and may be held to floors
//! ([`Floors`]); page-set methods, measured by blocks ([`evaluate_page_sets`]). Labels can be made from siteinfo
//! ([`label_page`]) and corrected ([`Correction`]).
//!
//! No site is ever on two sides ([`Groups`]), and everything that is chosen is chosen on the training side.
//! This crate prints nothing and writes no files.
//!
//! ```text
//! DataSet ─visit→ Page + Label ─read→ examples ─Groups::folds→ training | held-out ─Trainer→ detectors ─Verdict→ Figures
//! ```

mod content;
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
pub use links::{LinkParams, LinkTrainError};
pub use metadata::{FieldResult, MetadataLine, evaluate_metadata, metadata_report};
pub use page_sets::{
    Gold, KeptVerdict, PageSetLine, PageSetSite, PageSetsResult, Times, evaluate_page_sets, kept_report,
    page_sets_report, page_sets_times,
};
pub use pairs::{PairExamples, PairParams, PairTrainError, PairTrainer};
pub use paper::{
    ContentExample, DEFAULT_LEAF, LinkExample, PageExample, PaperExamples, PaperPlan, PaperResult,
    PaperTrainer, default_forest, paper_report, run_paper, train_paper_content, train_paper_links,
};
pub use report::{Report, cross_validation_report, figures_by_set};
pub use sites::{Groups, mix};
pub use train_error::TrainError;
pub use verdict::{Figures, Verdict};
