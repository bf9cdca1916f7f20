//! Learners, data sets, labels, splits by site, training and evaluation of tsugi's models.
//!
//! A data set is a folder with an archive of pages and a file of labels ([`dataset::DataSet`]). Labels can be made from
//! siteinfo ([`labelling`]) and corrected ([`corrections`]). Labelled pages become examples of the shipped models
//! ([`labelled_pages`]) and of pairs of pages that do or do not continue each other ([`pairs`]).
//!
//! Cross-validation by site measures any trainer ([`cross_validation`]), with intervals over sites ([`verdict`]) and floors
//! ([`floors`]). Model files and the answers of other programs are measured beside each other ([`side_by_side`]), on sites that no
//! model saw ([`seen_sites`]). Learned items ([`items`]) and stated metadata ([`metadata`]) are measured, too. Made-up sites teach and judge what
//! stored pages cannot ([`made_up`]).
//!
//! No site is ever on two sides ([`sites::SiteGroups`]), and every parameter is chosen on the training side. This crate prints
//! nothing and writes no files. Equal data, parameters and seeds give equal results.
//!
//! ```text
//! DataSet ─visit→ Page + Label ─read→ examples ─Groups::folds→ training | held-out ─Trainer→ detectors ─Verdict→ Figures
//! ```

pub mod agreement;
pub mod content;
pub mod content_trials;
pub mod conventions;
pub mod corrections;
pub mod cross_validation;
pub mod css_labels;
pub mod dataset;
pub mod figures;
pub mod floors;
pub mod html;
pub mod items;
pub mod joins;
pub mod label;
pub mod labelled_pages;
pub mod labelling;
pub mod links;
pub mod made_up;
pub mod measure;
pub mod metadata;
mod paired;
pub mod pairs;
pub mod random;
mod readdressed;
pub mod report;
pub mod seen_sites;
pub mod side_by_side;
pub mod sites;
pub mod tables;
pub mod train_error;
pub mod verdict;
