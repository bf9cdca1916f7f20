//! Codes rows of numbers as attributes: the bins that their values fall in.

use serde::{Deserialize, Serialize};

use tsugi_scoring::{Matrix, Schema, bounded};

/// The bins of each column, and the attribute of each bin.
///
/// Every row has the first attribute. The lowest bin of a column has no attribute, so that most rows have few.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct Coding {
    /// By column: the greatest value of each bin but the last, ascending.
    #[serde(deserialize_with = "bounded::list")]
    pub(crate) cuts: Vec<Vec<f32>>,
}

impl Coding {
    pub(crate) fn attributes(&self) -> usize {
        1 + self.cuts.iter().map(Vec::len).sum::<usize>()
    }

    pub(crate) fn columns(&self) -> usize {
        self.cuts.len()
    }

    pub(crate) fn is_sound(&self) -> bool {
        let ascending = |cuts: &Vec<f32>| cuts.windows(2).all(|pair| pair[0] < pair[1]);
        let finite = |cuts: &Vec<f32>| cuts.iter().all(|cut| cut.is_finite());
        self.cuts.iter().all(|cuts| cuts.len() < 255 && ascending(cuts) && finite(cuts))
    }

    /// Returns the attributes of a row, in ascending order.
    pub(crate) fn attributes_of(&self, row: &[f32], mut each: impl FnMut(usize)) {
        each(0);
        let mut first = 1;
        for (cuts, value) in self.cuts.iter().zip(row) {
            let bin = usize::from(code(cuts, *value));
            if bin > 0 {
                each(first + bin - 1);
            }
            first += cuts.len();
        }
    }
}

/// Returns the bin of a value: the number of cuts below it.
pub(crate) fn code(cuts: &[f32], value: f32) -> u8 {
    // There are at most 254 cuts.
    u8::try_from(cuts.partition_point(|cut| *cut < value)).unwrap_or(u8::MAX)
}

#[derive(Debug, Default)]
pub(crate) struct Coded {
    attributes: Vec<u16>,
    ends: Vec<usize>,
}

impl Coded {
    pub(crate) fn of<S: Schema>(coding: &Coding, rows: &Matrix<S>) -> Self {
        let mut coded = Self::default();
        for row in rows.iter() {
            // A column has fewer than 256 bins; a model with more attributes than a code can tell is refused.
            coding
                .attributes_of(row, |attribute| coded.attributes.push(u16::try_from(attribute).unwrap_or(0)));
            coded.ends.push(coded.attributes.len());
        }
        coded
    }

    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(crate) fn rows(&self) -> impl Iterator<Item = &[u16]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, end)| &self.attributes[start..*end])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chain::samples::ChainPlane;

    #[test]
    fn values_become_attributes_and_back() {
        let rows = Matrix::<ChainPlane>::from_rows([[0.0, 5.0], [0.0, 5.0], [2.0, 5.0], [4.0, 5.0]]).unwrap();
        let coding = Coding { cuts: vec![vec![1.0, 3.0], Vec::new()] };
        assert_eq!((coding.attributes(), coding.columns()), (3, 2));
        let coded = Coded::of(&coding, &rows);
        assert_eq!(coded.rows().collect::<Vec<_>>(), [&[0][..], &[0], &[0, 1], &[0, 2]]);
        assert!(coding.is_sound());
        assert!(!Coding { cuts: vec![vec![1.0, 1.0]] }.is_sound());
        assert!(!Coding { cuts: vec![vec![f32::NAN]] }.is_sound());
    }
}
