//! The columns of a pair, declared once, by topic.

mod content;
mod feature;
mod head;
mod links;
mod onward;
mod url;

use super::facts::{Pair, PairView};
use feature::PairFeature;
use std::sync::LazyLock;
use tsugi_scoring::{Column, Schema};

/// The columns of a pair of pages.
#[derive(Debug, Clone, Copy)]
pub struct PairColumns;

impl Schema for PairColumns {
    const NAME: &'static str = "continuation/full";

    fn columns() -> &'static [Column] {
        static COLUMNS: LazyLock<Vec<Column>> =
            LazyLock::new(|| features().map(|feature| feature.column).collect());
        &COLUMNS
    }
}

impl Pair<'_> {
    /// Returns the row of the pair, in the order of the columns.
    pub fn row(&self) -> Vec<f32> {
        let view = PairView::of(self);
        features().map(|feature| feature.value(&view)).collect()
    }
}

fn features() -> impl Iterator<Item = &'static PairFeature> {
    [links::FEATURES, onward::FEATURES, url::FEATURES, head::FEATURES, content::FEATURES]
        .into_iter()
        .flatten()
}
