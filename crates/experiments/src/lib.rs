//! Data sets, labelling, splits by site, training and evaluation.
//!
//! A data set is a folder with an archive of pages and a file of labels ([`DataSet`]). Labelled pages become
//! examples: for the full models ([`LabelledPages`], trained by [`ModelTrainer`]) and for those of the thesis' features
//! ([`Examples`]; a recipe balances the rows, fits a model and chooses its threshold: [`train_links`],
//! [`train_content`]). Stored sequences give pairs of pages that do or do not continue each other ([`PairExamples`],
//! trained on by [`PairTrainer`]). Protocols evaluate: the thesis' own ([`run_paper`]) and cross-validation by site
//! over whole pages with any trainer ([`cross_validate`]), whose figures come with intervals over sites ([`Figures`])
//! and may be held to floors ([`Floors`]); page-set methods, measured by blocks ([`evaluate_page_sets`]). Labels can be made from siteinfo ([`label_page`]) and corrected
//! ([`Correction`]).
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
mod examples;
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
mod page_sets;
mod pairs;
mod paper;
mod recipe;
mod report;
mod sites;
mod snapshots;
mod verdict;

pub use content::{ContentPage, TrainPlan, train_main_content};
pub use corrections::{Correction, CorrectionsError};
pub use crf::{
    CrfExamples, CrfLine, CrfMethod, CrfPage, CrfPageResult, CrfResult, CrfTrainError, CrfTrainer,
    MethodVerdict, Overlaps, PageKind, PageOverlap, TrainedCrf, crf_figures, crf_report, evaluate_crf,
};
pub use cross_validation::{
    CrossValidation, EvaluateError, MODEL, PaperTrainer, Prediction, Trainer, cross_validate,
};
pub use dataset::{Complaint, DataDigest, DataSet, DataSetError};
pub use examples::{ContentExample, Examples, LinkExample, PageExample};
pub use figures::{FigureError, Growth, HeatMap, growth, heat_map};
pub use floors::{Floors, Measured, Shortfall};
pub use html::html_report;
pub use items::{
    Answerer, FEW, ItemAnswer, ItemLine, ItemPage, ItemSite, ItemsResult, SiteItem, evaluate_items, is_right,
    items_report,
};
pub use joins::{JoinFigures, JoinedDocument, Joins, join_figures};
pub use label::{Label, url_key};
pub use labelled_pages::{LabelledPages, ModelTrainer, Wanted};
pub use labelling::{Agreement, REPRODUCED, label_page};
pub use links::{LinkPage, LinkParams, LinkTrainError, train_next_link};
pub use measure::{PageCounts, TokenRule, character_f, token_f};
pub use page_sets::{
    Gold, KeptFigures, KeptVerdict, LEARNED_FROM, PAGES_OF_A_SET, PageSetLine, PageSetMethod, PageSetPage,
    PageSetSite, PageSetsResult, Rates, Step, Times, evaluate_page_sets, kept_report, page_sets_report,
    page_sets_times,
};
pub use pairs::{PairExample, PairExamples, PairKind, PairParams, PairSources, PairTrainError, PairTrainer};
pub use paper::report::Report;
pub use paper::{
    CHOICES, CONTENT_METHODS, Choice, ChoiceEffect, LINK_METHODS, Method, MethodResult, PaperPlan,
    PaperResult, Repeats, SideCounts, SplitResult, WorstPage, run_paper,
};
pub use recipe::{DEFAULT_LEAF, TrainError, default_forest, train_content, train_links};
pub use report::{cross_validation_report, figures_by_set, paper_report};
pub use sites::{Groups, mix};
pub use snapshots::{
    ChangeKind, HistoryAnswer, HistoryResult, SnapshotMethod, SnapshotSite, SnapshotsResult,
    evaluate_snapshots, snapshots_table,
};
pub use verdict::{Figures, NextVerdict, TextVerdict, Verdict};
