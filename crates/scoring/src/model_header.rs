//! The header of a model file.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::bounded;
use crate::column::{Column, Schema, fingerprint};
use crate::model_file::FORMAT_VERSION;
use crate::params::Params;

/// A column as recorded in a model file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ColumnMark {
    /// Its name.
    pub name: String,
    /// Digest of its name, unit and range.
    pub mark: u64,
}

/// The size of the training data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrainedOn {
    /// Number of pages.
    pub pages: u64,
    /// Number of websites.
    pub sites: u64,
    /// Number of rows.
    pub rows: u64,
    /// Number of positive rows.
    pub positives: u64,
}

/// Where a model comes from, and how to use it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ModelHeader {
    /// Version of the file format.
    pub format: u16,
    /// Name of the schema.
    pub schema: String,
    /// The columns in order.
    #[serde(deserialize_with = "bounded::list")]
    pub columns: Vec<ColumnMark>,
    /// Digest of the schema, as given by [`fingerprint`].
    pub fingerprint: u64,
    /// Digest of the training data in hexadecimal digits; empty if not recorded.
    pub data_digest: String,
    /// The seed of training.
    pub seed: u64,
    /// The parameters of training.
    pub params: Params,
    /// The least score that counts as positive.
    pub threshold: f32,
    /// Size of the training data.
    pub trained_on: TrainedOn,
    /// Anything else, such as the median of a column, or figures reached.
    #[serde(deserialize_with = "bounded::map")]
    pub notes: BTreeMap<String, String>,
    /// Name and version of the program that trained.
    pub tool_version: String,
}

impl ModelHeader {
    /// Returns a header for a model of schema `S` with threshold 0.5 and no record of the data.
    pub fn new<S: Schema>(params: Params, seed: u64) -> Self {
        Self {
            format: FORMAT_VERSION,
            schema: S::NAME.to_owned(),
            columns: S::columns().iter().map(column_mark).collect(),
            fingerprint: fingerprint::<S>(),
            data_digest: String::new(),
            seed,
            params,
            threshold: 0.5,
            trained_on: TrainedOn::default(),
            notes: BTreeMap::new(),
            tool_version: String::new(),
        }
    }
}

fn column_mark(column: &Column) -> ColumnMark {
    ColumnMark { name: column.name.to_owned(), mark: column.mark() }
}
