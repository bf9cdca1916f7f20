//! Rows with labels: the training data.

use std::fmt::{self, Display};

use tsugi_scoring::{Matrix, MatrixError, Schema};

/// One of the two classes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// Rows to be found.
    Positive,
    /// Everything else.
    Negative,
}

impl Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Positive => "positive",
            Self::Negative => "negative",
        })
    }
}

/// Rows and the label of each, to be balanced and fitted on.
#[derive(Clone, Debug)]
pub struct LabelledRows<S: Schema> {
    x: Matrix<S>,
    y: Vec<bool>,
}

impl<S: Schema> PartialEq for LabelledRows<S> {
    fn eq(&self, other: &Self) -> bool {
        self.x == other.x && self.y == other.y
    }
}

impl<S: Schema> LabelledRows<S> {
    /// Pairs rows with their labels; `true` is the positive class.
    ///
    /// # Errors
    ///
    /// [`MatrixError::Labels`] if there is not one label for each row.
    pub fn new(x: Matrix<S>, y: Vec<bool>) -> Result<Self, MatrixError> {
        if x.rows() == y.len() {
            Ok(Self { x, y })
        } else {
            Err(MatrixError::Labels { rows: x.rows(), labels: y.len() })
        }
    }

    /// The rows, `(n, d)`.
    pub fn x(&self) -> &Matrix<S> {
        &self.x
    }

    /// The labels, one for each row.
    pub fn y(&self) -> &[bool] {
        &self.y
    }

    /// Number of positive rows.
    pub fn positives(&self) -> usize {
        self.y.iter().filter(|&&label| label).count()
    }

    pub(crate) fn negatives(&self) -> usize {
        self.y.len() - self.positives()
    }

    pub(crate) fn into_parts(self) -> (Matrix<S>, Vec<bool>) {
        (self.x, self.y)
    }

    pub(super) fn missing_class(&self) -> Option<Class> {
        if self.positives() == 0 {
            Some(Class::Positive)
        } else if self.negatives() == 0 {
            Some(Class::Negative)
        } else {
            None
        }
    }
}

pub(crate) fn view<S: Schema>(x: &Matrix<S>) -> ndarray::ArrayView2<'_, f32> {
    let shape = (x.rows(), S::columns().len());
    ndarray::ArrayView2::from_shape(shape, x.values()).expect("a matrix holds `n · d` values")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::TestPlane;

    #[test]
    fn every_row_needs_a_label() {
        let x = Matrix::<TestPlane>::from_rows([[0.0, 1.0], [2.0, 3.0]]).unwrap();
        let error = LabelledRows::new(x.clone(), vec![true]).unwrap_err();
        assert_eq!(error.to_string(), "expected one label for each of 2 rows, found 1 labels");
        let rows = LabelledRows::new(x, vec![true, false]).unwrap();
        assert_eq!((rows.positives(), rows.negatives()), (1, 1));
    }
}
