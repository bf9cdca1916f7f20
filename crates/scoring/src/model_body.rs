//! How trees or weights are laid out in a model file.
//!
//! Nodes are split into streams that each compress well: which column, which threshold, which leaf. Thresholds
//! and leaf values are numbers from tables of distinct values, kept bit for bit. Pre-order makes pointers
//! needless, so that no file can describe a tree with a loop. A linear model leaves the streams empty.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::bounded;
use crate::column::Schema;
use crate::flat::{Combination, FlatModel, ModelForm, Slope, SlopeSum, StructureError, Symbol};

/// The mark of a leaf in the stream of columns; column `c` is written as `c + 1`.
const LEAF: u16 = 0;

/// The kind of a model, and its numbers outside trees. Files number the variants.
#[derive(Debug, Default, Serialize, Deserialize)]
enum BodyKind {
    #[default]
    Averaged,
    Boosted(f32),
    Linear {
        base: f32,
        #[serde(deserialize_with = "bounded::list")]
        slopes: Vec<Slope>,
    },
}

#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct ModelBody {
    kind: BodyKind,
    /// For each node its column, or [`LEAF`].
    columns: Vec<u16>,
    /// The distinct thresholds of each column, in the order they first occur.
    #[serde(deserialize_with = "bounded::list")]
    thresholds: Vec<Vec<f32>>,
    /// For each split the place of its threshold in its column's table.
    threshold_of: Vec<u32>,
    /// The distinct leaf values, in the order they first occur.
    leaves: Vec<f32>,
    leaf_of: Vec<u32>,
    covers: Vec<u32>,
}

#[derive(Debug)]
pub(crate) enum ModelBodyError {
    /// The streams do not have the lengths they should, or name a table entry that is not there.
    Streams,
    Structure(StructureError),
}

#[derive(Default)]
struct ValueTable {
    values: Vec<f32>,
    places: BTreeMap<u32, u32>,
}

impl ValueTable {
    fn place(&mut self, value: f32) -> u32 {
        let next = u32::try_from(self.values.len()).unwrap_or(u32::MAX);
        *self.places.entry(value.to_bits()).or_insert_with(|| {
            self.values.push(value);
            next
        })
    }
}

impl ModelBody {
    pub(crate) fn of<S: Schema>(model: &FlatModel<S>) -> Self {
        let kind = match model.form() {
            ModelForm::Slopes(SlopeSum { base, slopes }) => {
                BodyKind::Linear { base: *base, slopes: slopes.clone() }
            }
            ModelForm::Trees(trees) => match trees.combination() {
                Combination::MeanOfLeaves => BodyKind::Averaged,
                Combination::LogisticOfSum { base } => BodyKind::Boosted(base),
            },
        };
        let mut body = Self { kind, ..Self::default() };
        let mut thresholds: Vec<ValueTable> = S::columns().iter().map(|_| ValueTable::default()).collect();
        let mut leaves = ValueTable::default();
        for symbol in model.symbols() {
            match symbol {
                Symbol::Split { column, threshold } => {
                    body.columns.push(column + 1);
                    body.threshold_of.push(thresholds[usize::from(column)].place(threshold));
                }
                Symbol::Leaf { value, cover } => {
                    body.columns.push(LEAF);
                    body.leaf_of.push(leaves.place(value));
                    body.covers.push(cover);
                }
            }
        }
        body.thresholds = thresholds.into_iter().map(|table| table.values).collect();
        body.leaves = leaves.values;
        body
    }

    pub(crate) fn model<S: Schema>(self) -> Result<FlatModel<S>, ModelBodyError> {
        let (splits, leaves) = (self.threshold_of.len(), self.leaf_of.len());
        let of_columns = self.thresholds.len() == S::columns().len();
        if !of_columns || splits + leaves != self.columns.len() || leaves != self.covers.len() {
            return Err(ModelBodyError::Streams);
        }
        let combination = match self.kind {
            BodyKind::Averaged => Combination::MeanOfLeaves,
            BodyKind::Boosted(base) => Combination::LogisticOfSum { base },
            BodyKind::Linear { .. } if !self.columns.is_empty() => return Err(ModelBodyError::Streams),
            BodyKind::Linear { base, slopes } => {
                return FlatModel::linear(base, slopes).map_err(ModelBodyError::Structure);
            }
        };
        let mut threshold_of = self.threshold_of.into_iter();
        let mut leaf_of = self.leaf_of.into_iter();
        let mut covers = self.covers.into_iter();
        let mut is_broken = false;
        // Nodes go into the model one by one: a list of them would take as much room again.
        let symbols = self.columns.into_iter().map_while(|column| {
            let symbol = if column == LEAF {
                let value = leaf_of.next().and_then(|place| self.leaves.get(place as usize).copied());
                value.zip(covers.next()).map(|(value, cover)| Symbol::Leaf { value, cover })
            } else {
                let column = column - 1;
                let table = self.thresholds.get(usize::from(column));
                let place = threshold_of.next();
                let threshold = table.zip(place).and_then(|(table, place)| table.get(place as usize));
                threshold.map(|&threshold| Symbol::Split { column, threshold })
            };
            is_broken |= symbol.is_none();
            symbol
        });
        let model = FlatModel::assemble(combination, symbols);
        if is_broken { Err(ModelBodyError::Streams) } else { model.map_err(ModelBodyError::Structure) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::{TwoColumns, by_hand};

    #[test]
    fn kinds_keep_their_bytes() {
        let bytes = |kind| postcard::to_stdvec(&kind).unwrap();
        // Files hold the base of trees as an optional number.
        assert_eq!(bytes(BodyKind::Averaged), postcard::to_stdvec(&None::<f32>).unwrap());
        assert_eq!(bytes(BodyKind::Boosted(1.5)), postcard::to_stdvec(&Some(1.5_f32)).unwrap());
        assert_eq!(bytes(BodyKind::Linear { base: 0.0, slopes: vec![] })[0], 2);
    }

    #[test]
    fn linear_models_come_without_trees() {
        let slopes = vec![Slope { weight: 1.0, mean: 0.5 }; 2];
        let linear = FlatModel::<TwoColumns>::linear(0.5, slopes.clone()).unwrap();
        assert_eq!(ModelBody::of(&linear).model::<TwoColumns>().unwrap(), linear);
        let with_trees = ModelBody {
            kind: BodyKind::Linear { base: 0.5, slopes: slopes.clone() },
            ..ModelBody::of(&by_hand(Combination::MeanOfLeaves))
        };
        assert!(matches!(with_trees.model::<TwoColumns>(), Err(ModelBodyError::Streams)));
        let kind = BodyKind::Linear { base: 0.5, slopes: slopes[1..].to_vec() };
        let too_few = ModelBody { kind, ..ModelBody::of(&linear) };
        assert!(matches!(
            too_few.model::<TwoColumns>(),
            Err(ModelBodyError::Structure(StructureError::Slopes(_)))
        ));
    }
}
