//! Rows of finite numbers under the columns of a schema.

use std::marker::PhantomData;
use std::sync::OnceLock;

use crate::column::{Column, Range, Schema};
use crate::quick::Tiles;

/// Why rows were refused.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MatrixError {
    /// A row has more or fewer values than the schema has columns.
    #[error("expected a row of {expected} values, found {found}")]
    Width {
        /// Columns of the schema.
        expected: usize,
        /// Values of the row.
        found: usize,
    },
    /// A value is infinite or not a number.
    #[error("expected a finite value in column `{column}` of row {row}, found `{value}`")]
    NotFinite {
        /// The row, from 0.
        row: usize,
        /// The name of the column.
        column: &'static str,
        /// The value.
        value: f32,
    },
    /// A value lies outside the range that its column declares.
    #[error("expected {range} in column `{column}` of row {row}, found `{value}`")]
    OutOfRange {
        /// The row, from 0.
        row: usize,
        /// The name of the column.
        column: &'static str,
        /// What the column declares.
        range: Range,
        /// The value.
        value: f32,
    },
    /// The numbers of rows and labels differ.
    #[error("expected one label for each of {rows} rows, found {labels} labels")]
    Labels {
        /// Rows of the matrix.
        rows: usize,
        /// Labels given.
        labels: usize,
    },
}

/// `n` rows of finite values in the `d` columns of the schema, in the units that it gives them.
#[derive(Clone)]
pub struct Matrix<S> {
    values: Vec<f32>,
    rows: usize,
    /// The rows as they are scored, if they were.
    tiles: OnceLock<Tiles>,
    schema: PhantomData<S>,
}

/// Number of rows up to which they stay laid out: those of most pages. Of more, as training has, each portion of so many rows
/// is laid out when it is scored, so that the matrix takes no more room.
const MOST_LAID_OUT: usize = 4096;

impl<S: Schema> Matrix<S> {
    /// Returns a matrix without rows.
    pub fn new() -> Self {
        Self::of(Vec::new(), 0)
    }

    /// Returns a matrix without rows, with room for `rows`.
    pub fn with_capacity(rows: usize) -> Self {
        Self::of(Vec::with_capacity(rows.saturating_mul(S::columns().len())), 0)
    }

    fn of(values: Vec<f32>, rows: usize) -> Self {
        Self { values, rows, tiles: OnceLock::new(), schema: PhantomData }
    }

    /// Returns a matrix of the given rows.
    ///
    /// # Errors
    ///
    /// As for [`push`](Self::push), at the first row that is refused.
    pub fn from_rows<R: AsRef<[f32]>>(rows: impl IntoIterator<Item = R>) -> Result<Self, MatrixError> {
        let mut matrix = Self::new();
        for row in rows {
            matrix.push(row.as_ref())?;
        }
        Ok(matrix)
    }

    /// Adds one row at the end.
    ///
    /// # Errors
    ///
    /// * [`MatrixError::Width`] if the row is not as wide as the schema.
    /// * [`MatrixError::NotFinite`] if a value is infinite or not a number. The matrix is left as it was.
    pub fn push(&mut self, row: &[f32]) -> Result<(), MatrixError> {
        let columns = S::columns();
        if row.len() != columns.len() {
            return Err(MatrixError::Width { expected: columns.len(), found: row.len() });
        }
        // Nearly all rows are finite: the row is checked as a whole first, which is faster.
        let all_finite = row.iter().fold(true, |all, value| all & value.is_finite());
        if !all_finite
            && let Some((column, &value)) = columns.iter().zip(row).find(|(_, value)| !value.is_finite())
        {
            return Err(MatrixError::NotFinite { row: self.rows, column: column.name, value });
        }
        self.values.extend_from_slice(row);
        self.rows += 1;
        self.tiles.take();
        Ok(())
    }

    /// Adds the rows of `other` at the end.
    pub fn append(&mut self, other: &Self) {
        self.values.extend_from_slice(&other.values);
        self.rows += other.rows;
        self.tiles.take();
    }

    /// Returns some of the rows, in this order.
    ///
    /// # Panics
    ///
    /// If there is no such row.
    #[must_use]
    pub fn select(&self, rows: &[usize]) -> Self {
        let mut selected = Self::with_capacity(rows.len());
        for row in rows {
            selected.values.extend_from_slice(self.row(*row));
        }
        selected.rows = rows.len();
        selected
    }

    /// Returns the rows without their last column, for ablations.
    ///
    /// A learner that draws columns at each split would still draw a column that was only made constant.
    pub fn without_last(&self) -> Matrix<WithoutLast<S>> {
        let columns = WithoutLast::<S>::columns().len();
        let values = self.iter().flat_map(|row| &row[..columns]).copied().collect();
        Matrix::of(values, self.rows)
    }

    /// Checks that every value lies in the range that its column declares.
    ///
    /// # Errors
    ///
    /// [`MatrixError::OutOfRange`] for the first value that does not.
    pub fn check_ranges(&self) -> Result<(), MatrixError> {
        for (row, values) in self.iter().enumerate() {
            for (column, &value) in S::columns().iter().zip(values) {
                if !column.range.contains(value) {
                    let (range, column) = (column.range, column.name);
                    return Err(MatrixError::OutOfRange { row, column, range, value });
                }
            }
        }
        Ok(())
    }

    /// Returns the values of one row.
    ///
    /// # Panics
    ///
    /// If there is no row `i`.
    pub fn row(&self, i: usize) -> &[f32] {
        assert!(i < self.rows, "row {i} of a matrix with {} rows", self.rows);
        let columns = S::columns().len();
        &self.values[i * columns..(i + 1) * columns]
    }

    /// Iterates over the rows in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[f32]> {
        (0..self.rows).map(|row| self.row(row))
    }

    /// Visits the rows as [`Quick`](crate::quick::Quick) scores them, in portions, each with the scores of its rows.
    pub(crate) fn in_tiles(&self, scores: &mut [f32], mut visit: impl FnMut(&Tiles, &mut [f32])) {
        let width = self.columns_len();
        if self.rows <= MOST_LAID_OUT {
            return visit(self.tiles.get_or_init(|| Tiles::of(&self.values, width)), scores);
        }
        let portions = self.values.chunks(MOST_LAID_OUT * width.max(1));
        for (values, scores) in portions.zip(scores.chunks_mut(MOST_LAID_OUT)) {
            visit(&Tiles::of(values, width), scores);
        }
    }

    /// Number of rows, `n`.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// Number of columns, `d`.
    pub fn columns_len(&self) -> usize {
        S::columns().len()
    }

    /// All values, row after row.
    pub fn values(&self) -> &[f32] {
        &self.values
    }
}

/// The columns of a schema without the last one.
#[derive(Clone, Copy, Debug)]
pub struct WithoutLast<S>(PhantomData<S>);

impl<S: Schema> Schema for WithoutLast<S> {
    const NAME: &'static str = "without-last";

    fn columns() -> &'static [Column] {
        S::columns().split_last().map_or(&[], |(_, others)| others)
    }
}

impl<S: Schema> Default for Matrix<S> {
    fn default() -> Self {
        Self::new()
    }
}

impl<S: Schema> PartialEq for Matrix<S> {
    fn eq(&self, other: &Self) -> bool {
        self.rows == other.rows && self.values == other.values
    }
}

impl<S: Schema> std::fmt::Debug for Matrix<S> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Matrix").field("schema", &S::NAME).field("rows", &self.rows).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::TwoColumns;

    #[test]
    fn a_row_of_the_wrong_width_is_refused() {
        let mut matrix = Matrix::<TwoColumns>::new();
        let error = matrix.push(&[1.0]).unwrap_err();
        assert_eq!(error.to_string(), "expected a row of 2 values, found 1");
    }

    #[test]
    fn a_value_that_is_not_finite_names_its_column() {
        let mut matrix = Matrix::<TwoColumns>::from_rows([[0.0, 0.0]]).unwrap();
        let error = matrix.push(&[1.0, f32::NAN]).unwrap_err();
        assert_eq!(error.to_string(), "expected a finite value in column `y` of row 1, found `NaN`");
        assert_eq!(matrix.rows(), 1, "a refused row leaves no trace");
    }

    #[test]
    fn an_ablated_column_is_gone() {
        let matrix = Matrix::<TwoColumns>::from_rows([[1.0, 2.0], [3.0, 4.0]]).unwrap();
        let without = matrix.without_last();
        assert_eq!((without.values(), without.rows(), without.columns_len()), (&[1.0, 3.0][..], 2, 1));
        assert_eq!(WithoutLast::<TwoColumns>::columns(), &TwoColumns::columns()[..1]);
        let nothing = without.without_last();
        assert_eq!((nothing.rows(), nothing.row(1)), (2, &[][..]));
    }

    #[test]
    fn ranges_are_checked_on_request() {
        let matrix = Matrix::<TwoColumns>::from_rows([[1.0, 2.0], [-20_000.0, 4.0]]).unwrap();
        let error = matrix.check_ranges().unwrap_err();
        assert_eq!(error.to_string(), "expected -1000 to 1000 in column `x` of row 1, found `-20000`");
    }

    #[test]
    fn appended_rows_follow() {
        let mut matrix = Matrix::<TwoColumns>::from_rows([[1.0, 2.0]]).unwrap();
        matrix.append(&Matrix::from_rows([[3.0, 4.0]]).unwrap());
        assert_eq!((matrix.rows(), matrix.row(1)), (2, &[3.0, 4.0][..]));
    }
}
