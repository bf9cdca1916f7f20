//! What the columns of a matrix mean: name, unit, range, and where the definition comes from.

use std::fmt::{self, Debug, Display};

use crate::hash::Fnv1a64;

/// What one step of a column's value counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Unit {
    /// 1 if something holds, else 0.
    Flag,
    /// How many of something.
    Count,
    /// Unicode scalar values.
    Characters,
    /// Unicode scalar values for each element.
    CharactersPerElement,
    /// Elements of a page.
    Elements,
    /// Edges of a tree, for depths and distances.
    Edges,
    /// Position in a list, from 0.
    Index,
    /// A part divided by its whole, or a similarity.
    Ratio,
    /// What a model made of the row: a probability.
    Score,
}

impl Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Flag => "flag",
            Self::Count => "count",
            Self::Characters => "characters",
            Self::CharactersPerElement => "characters per element",
            Self::Elements => "elements",
            Self::Edges => "edges",
            Self::Index => "index",
            Self::Ratio => "ratio",
            Self::Score => "score",
        })
    }
}

/// The values that a column may hold, both ends included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// The least value.
    pub low: f32,
    /// The greatest value; infinite if there is none.
    pub high: f32,
}

impl Range {
    /// From 0 to 1, for a flag. Balancing may place a row between two flags, so fractions are allowed.
    pub const fn flag() -> Self {
        Self { low: 0.0, high: 1.0 }
    }

    /// From 0 to 1, for a ratio.
    pub const fn unit() -> Self {
        Self { low: 0.0, high: 1.0 }
    }

    /// From `low` upwards.
    pub const fn at_least(low: f32) -> Self {
        Self { low, high: f32::INFINITY }
    }

    /// Any finite number.
    pub const fn any() -> Self {
        Self { low: f32::NEG_INFINITY, high: f32::INFINITY }
    }

    /// Whether `value` lies in the range.
    pub fn contains(self, value: f32) -> bool {
        self.low <= value && value <= self.high
    }
}

impl Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} to {}", self.low, self.high)
    }
}

/// One feature of a candidate, declared once for matrices, model files, explanations and documentation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Column {
    /// Short name in `snake_case`, unique in its schema.
    pub name: &'static str,
    /// What the value counts.
    pub unit: Unit,
    /// The values that may occur.
    pub range: Range,
    /// What the value says, in one sentence.
    pub doc: &'static str,
    /// Who defined it, and where.
    pub source: &'static str,
}

impl Column {
    /// Declares a column.
    pub const fn new(
        name: &'static str,
        unit: Unit,
        range: Range,
        doc: &'static str,
        source: &'static str,
    ) -> Self {
        Self { name, unit, range, doc, source }
    }

    /// What a value says, as a phrase.
    ///
    /// # Examples
    ///
    /// ```
    /// use tsugi_learning::{Column, Range, Unit};
    /// let flag = Column::new("bold", Unit::Flag, Range::flag(), "the text is bold", "own");
    /// assert_eq!((flag.phrase(1.0), flag.phrase(0.0)), ("the text is bold".into(), "not: the text is bold".into()));
    /// let share = Column::new("covered", Unit::Ratio, Range::unit(), "share of the text in links", "own");
    /// assert_eq!(share.phrase(0.25), "share of the text in links: 25 %");
    /// let depth = Column::new("depth", Unit::Edges, Range::at_least(0.0), "edges from the root", "own");
    /// assert_eq!(depth.phrase(7.0), "edges from the root: 7");
    /// ```
    pub fn phrase(&self, value: f32) -> String {
        let doc = self.doc;
        match self.unit {
            Unit::Flag if value >= 0.5 => doc.to_owned(),
            Unit::Flag => format!("not: {doc}"),
            Unit::Ratio if (0.0..=1.0).contains(&value) => format!("{doc}: {:.0} %", value * 100.0),
            _ if value.fract() == 0.0 => format!("{doc}: {value}"),
            _ => format!("{doc}: {value:.2}"),
        }
    }

    /// Digest of what a model relies on: name, unit and range.
    pub(crate) fn mark(&self) -> u64 {
        self.add_to(Fnv1a64::new()).finish()
    }

    fn add_to(&self, digest: Fnv1a64) -> Fnv1a64 {
        let digest = digest.closed(self.name).closed(&self.unit.to_string());
        digest.bytes(&self.range.low.to_bits().to_le_bytes()).bytes(&self.range.high.to_bits().to_le_bytes())
    }
}

/// The columns of a matrix, as a type, so that rows of one kind cannot be scored by a model of another.
pub trait Schema: Copy + Debug + 'static {
    /// Name of the schema, as stored in model files.
    const NAME: &'static str;

    /// The columns, in the order of the values in a row.
    fn columns() -> &'static [Column];
}

/// The position of the column with this name, if the schema has one.
pub fn column_index<S: Schema>(name: &str) -> Option<usize> {
    S::columns().iter().position(|column| column.name == name)
}

/// Digest of a schema: its name and the name, unit and range of every column, in order.
///
/// A model stores the digest of the schema it was trained on, and is refused where another is expected.
/// The wording of `doc` and `source` does not count. The digest is an [`Fnv1a64`].
pub fn fingerprint<S: Schema>() -> u64 {
    let name = Fnv1a64::new().closed(S::NAME);
    S::columns().iter().fold(name, |digest, column| column.add_to(digest)).finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    macro_rules! schema {
        ($type:ident, $($column:expr),+) => {
            #[derive(Clone, Copy, Debug)]
            struct $type;
            impl Schema for $type {
                const NAME: &'static str = "sample";
                fn columns() -> &'static [Column] {
                    const { &[$($column),+] }
                }
            }
        };
    }

    const DEPTH: Column = Column::new("depth", Unit::Edges, Range::at_least(0.0), "depth", "own");
    const TEXT: Column = Column::new("text", Unit::Characters, Range::at_least(0.0), "text", "own");
    schema!(Plain, DEPTH, TEXT);
    schema!(Reworded, Column { doc: "edges from the root", source: "a paper", ..DEPTH }, TEXT);
    schema!(Renamed, Column { name: "level", ..DEPTH }, TEXT);
    schema!(OtherUnit, Column { unit: Unit::Count, ..DEPTH }, TEXT);
    schema!(OtherRange, Column { range: Range::at_least(1.0), ..DEPTH }, TEXT);
    schema!(Swapped, TEXT, DEPTH);
    schema!(Shorter, DEPTH);

    #[test]
    fn fingerprint_changes_with_what_a_model_relies_on() {
        let plain = fingerprint::<Plain>();
        assert_eq!(plain, fingerprint::<Reworded>(), "wording must not invalidate models");
        for (what, other) in [
            ("name", fingerprint::<Renamed>()),
            ("unit", fingerprint::<OtherUnit>()),
            ("range", fingerprint::<OtherRange>()),
            ("order", fingerprint::<Swapped>()),
            ("number of columns", fingerprint::<Shorter>()),
        ] {
            assert_ne!(plain, other, "{what} must change the fingerprint");
        }
    }

    #[test]
    fn digests_are_those_of_model_files() {
        assert_eq!((DEPTH.mark(), fingerprint::<Plain>()), (0x0798_2ecf_e1be_6341, 0x26a2_515e_62f7_2880));
    }

    #[test]
    fn ranges_include_their_ends() {
        assert!(Range::unit().contains(1.0) && Range::unit().contains(0.0));
        assert!(!Range::at_least(0.0).contains(-1.0));
        assert!(!Range::any().contains(f32::NAN));
    }

    #[test]
    fn a_column_is_found_by_its_name() {
        assert_eq!(column_index::<Plain>("text"), Some(1));
        assert_eq!(column_index::<Plain>("texts"), None);
    }
}
