//! The columns that moved a score.

use crate::column::{Column, Schema};

/// A column, its value, and its part in the score or its log-odds.
pub(crate) type ColumnReason = (&'static Column, f32, f64);

pub(crate) fn reasons_of<S: Schema>(row: &[f32], contributions: Vec<f64>) -> Vec<ColumnReason> {
    let columns = S::columns().iter().zip(row).zip(contributions);
    let moved = columns.filter(|(_, part)| *part != 0.0);
    let mut reasons: Vec<_> = moved.map(|((column, value), part)| (column, *value, part)).collect();
    reasons.sort_by(|a, b| b.2.abs().total_cmp(&a.2.abs()));
    reasons
}
