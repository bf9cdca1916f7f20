//! What the columns of a matrix mean: name, unit, range, and where the definition comes from.

use std::fmt::{self, Debug, Display};

use crate::hash::Fnv1a64;

/// The unit of a column's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Unit {
    /// 1 if something holds, else 0.
    Flag,
    /// A number of things.
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
    /// The output of another model.
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

/// The values that a column may have, both ends included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// The smallest value.
    pub low: f32,
    /// The largest value; may be infinite.
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

    /// Returns `true` if `value` is in the range.
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
    /// The unit of the values.
    pub unit: Unit,
    /// The values that may occur.
    pub range: Range,
    /// The meaning of a value, as a template for [`phrase`](Self::phrase):
    ///
    /// - `{yes|no}`, for flags and scores: `yes` for a flag that is set or a score above `neutral`, else `no`.
    /// - `{step}`, for differences between two numbers: “one after”, “3 before”, “the same as”.
    /// - Any other text names a quantity; the value follows it.
    pub doc: &'static str,
    /// Who defined it, and where.
    pub source: &'static str,
    /// The value that stands for “unknown”, if there is one; no known value is as low.
    pub unknown: Option<f32>,
    /// The score that speaks neither for nor against; of no meaning for other units.
    pub neutral: f32,
}

impl Column {
    /// Declares a column whose values are always known, and for a score, 0 is neutral.
    pub const fn new(
        name: &'static str,
        unit: Unit,
        range: Range,
        doc: &'static str,
        source: &'static str,
    ) -> Self {
        Self { name, unit, range, doc, source, unknown: None, neutral: 0.0 }
    }

    /// Returns the column with `value` standing for “unknown”.
    #[must_use]
    pub const fn unknown_at(self, value: f32) -> Self {
        Self { unknown: Some(value), ..self }
    }

    /// Returns the column with `value` as its neutral score, such as the log-odds of the share of positive rows.
    #[must_use]
    pub const fn neutral_at(self, value: f32) -> Self {
        Self { neutral: value, ..self }
    }

    /// Returns the column's row in the table of a model card: name, unit, meaning of a high value, source.
    ///
    /// # Examples
    ///
    /// ```
    /// use tsugi_scoring::{Column, Range, Unit};
    /// let flag = Column::new("bold", Unit::Flag, Range::flag(), "text {is|is not} bold", "own");
    /// assert_eq!(flag.card_row(), "| `bold` | flag | text is bold | own |");
    /// let step = Column::new("step", Unit::Count, Range::any(), "page number: {step} the current page", "own");
    /// assert_eq!(step.card_row(), "| `step` | count | page number: steps after the current page | own |");
    /// ```
    pub fn card_row(&self) -> String {
        format!(
            "| `{}` | {} | {} | {} |",
            self.name,
            self.unit,
            self.filled(true, "steps after"),
            self.source
        )
    }

    /// Returns the meaning of a value, as a phrase.
    ///
    /// # Examples
    ///
    /// ```
    /// use tsugi_scoring::{Column, Range, Unit};
    /// let column = |unit, doc| Column::new("sample", unit, Range::any(), doc, "own");
    ///
    /// let flag = column(Unit::Flag, "text {is|is not} bold");
    /// assert_eq!((flag.phrase(1.0), flag.phrase(0.0)), ("text is bold".into(), "text is not bold".into()));
    /// let score = column(Unit::Score, "class names: {like|unlike} a pager").neutral_at(-5.0);
    /// assert_eq!((score.phrase(-2.2), score.phrase(-5.6)), ("class names: like a pager".into(), "class names: unlike a pager".into()));
    /// let step = column(Unit::Count, "page number: {step} the current page").unknown_at(-1_000.0);
    /// assert_eq!(step.phrase(1.0), "page number: one after the current page");
    /// assert_eq!(step.phrase(-1_000.0), "page number: unknown");
    /// assert_eq!(column(Unit::Ratio, "share of the text in links").phrase(0.25), "share of the text in links: 25 %");
    /// assert_eq!(column(Unit::Count, "words on the page").phrase(558.0), "words on the page: 558");
    /// ```
    pub fn phrase(&self, value: f32) -> String {
        if self.unknown.is_some_and(|unknown| value <= unknown) {
            let quantity = self.doc.split_once(": ").map_or(self.doc, |(quantity, _)| quantity);
            return format!("{quantity}: unknown");
        }
        let is_yes = if self.unit == Unit::Flag { value >= 0.5 } else { value > self.neutral };
        let filled = self.filled(is_yes, &step(value));
        match self.unit {
            _ if filled != self.doc => filled,
            Unit::Ratio if (0.0..=1.0).contains(&value) => format!("{filled}: {:.0} %", value * 100.0),
            _ => format!("{filled}: {}", number(value)),
        }
    }

    fn filled(&self, is_yes: bool, step: &str) -> String {
        let choice = || {
            let (before, rest) = self.doc.split_once('{')?;
            let (choices, after) = rest.split_once('}')?;
            let chosen = choices.split_once('|').map_or(step, |(yes, no)| if is_yes { yes } else { no });
            Some([before, chosen, after].concat())
        };
        choice().unwrap_or_else(|| self.doc.to_owned())
    }

    /// Returns a digest of the parts that models rely on: name, unit and range.
    pub(crate) fn mark(&self) -> u64 {
        self.add_to(Fnv1a64::new()).finish()
    }

    fn add_to(&self, digest: Fnv1a64) -> Fnv1a64 {
        let digest = digest.closed(self.name).closed(&self.unit.to_string());
        digest.bytes(&self.range.low.to_bits().to_le_bytes()).bytes(&self.range.high.to_bits().to_le_bytes())
    }
}

fn step(value: f32) -> String {
    let direction = if value > 0.0 { "after" } else { "before" };
    match value.abs() {
        0.0 => "the same as".to_owned(),
        1.0 => format!("one {direction}"),
        steps => format!("{} {direction}", number(steps)),
    }
}

fn number(value: f32) -> String {
    // Zero is never negative.
    let value = value + 0.0;
    let digits = if value.fract() == 0.0 { value.to_string() } else { format!("{value:.2}") };
    digits.replace('-', "−")
}

/// The columns of a matrix, as a type: rows of one kind cannot be scored by a model of another.
pub trait Schema: Copy + Debug + 'static {
    /// Name of the schema, as stored in model files.
    const NAME: &'static str;

    /// The columns, in the order of the values in a row.
    fn columns() -> &'static [Column];
}

/// Returns the position of the column with this name, if the schema has one.
pub fn column_index<S: Schema>(name: &str) -> Option<usize> {
    S::columns().iter().position(|column| column.name == name)
}

/// Checks that the columns of a schema explain themselves, and that its model card agrees with them.
///
/// # Errors
///
/// A message if a name is not unique, a template does not fit its unit, or `card` lacks the row of a column.
pub fn check_columns<S: Schema>(card: &str) -> Result<(), String> {
    for (at, column) in S::columns().iter().enumerate() {
        let name = column.name;
        let [yes, no] = [1.0, column.neutral].map(|value| column.phrase(value));
        let is_choice = column.doc.contains('|');
        let fits_unit = match column.unit {
            Unit::Flag => is_choice,
            Unit::Score => true,
            _ => !is_choice,
        };
        if S::columns()[..at].iter().any(|other| other.name == name) {
            return Err(format!("`{name}` is declared twice"));
        }
        if !fits_unit || yes == no || yes.contains(['{', '|', '}']) {
            return Err(format!("the doc of `{name}` does not fit its unit: {}", column.doc));
        }
        let row = column.card_row();
        if !card.lines().any(|line| line == row) {
            return Err(format!("the card has no row {row}"));
        }
    }
    Ok(())
}

/// Returns a digest of a schema: its name and the name, unit and range of every column, in order.
///
/// A model stores the digest of the schema it was trained on, and cannot be loaded for another schema. The wording of
/// `doc` and `source` and the values of `unknown` and `neutral` do not count. The digest is an [`Fnv1a64`].
pub fn fingerprint<S: Schema>() -> u64 {
    let name = Fnv1a64::new().closed(S::NAME);
    S::columns().iter().fold(name, |digest, column| column.add_to(digest)).finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::schema;

    const DEPTH: Column = Column::new("depth", Unit::Edges, Range::at_least(0.0), "depth", "own");
    const TEXT: Column = Column::new("text", Unit::Characters, Range::at_least(0.0), "text", "own");
    schema!(Plain, "sample", DEPTH, TEXT);
    schema!(
        Reworded,
        "sample",
        Column { doc: "edges from the root", source: "a paper", unknown: Some(-1.0), neutral: -5.0, ..DEPTH },
        TEXT
    );
    schema!(Renamed, "sample", Column { name: "level", ..DEPTH }, TEXT);
    schema!(OtherUnit, "sample", Column { unit: Unit::Count, ..DEPTH }, TEXT);
    schema!(OtherRange, "sample", Column { range: Range::at_least(1.0), ..DEPTH }, TEXT);
    schema!(Swapped, "sample", TEXT, DEPTH);
    schema!(Shorter, "sample", DEPTH);

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
    fn numbers_are_written_for_readers() {
        let phrase = |column: Column, value| column.phrase(value).split_once(": ").unwrap().1.to_owned();
        assert_eq!([-3.0, -0.0, 2.5, 1234.0].map(|value| phrase(DEPTH, value)), ["−3", "0", "2.50", "1234"]);
        let step = Column { doc: "number: {step} the last", ..DEPTH };
        let phrases = [-2.0, -1.0, 0.0, 1.0, 2.5].map(|value| phrase(step, value));
        let expected =
            ["2 before the last", "one before the last", "the same as the last", "one after the last"];
        assert_eq!(
            (&phrases[..4], phrases[4].as_str()),
            (&expected.map(String::from)[..], "2.50 after the last")
        );
    }

    #[test]
    fn columns_that_do_not_explain_themselves_are_found() {
        const FLAG: Column = Column::new("bold", Unit::Flag, Range::flag(), "text {is|is not} bold", "own");
        schema!(Good, "sample", DEPTH, FLAG);
        schema!(Twice, "sample", DEPTH, DEPTH);
        schema!(Half, "sample", Column { doc: "text is bold", ..FLAG });
        schema!(Choice, "sample", Column { doc: "{a|no} depth", ..DEPTH });
        let card = format!("{}\n{}\n", DEPTH.card_row(), FLAG.card_row());
        assert_eq!(check_columns::<Good>(&card), Ok(()));
        let wrong = [
            check_columns::<Good>(&FLAG.card_row()),
            check_columns::<Twice>(&card),
            check_columns::<Half>(&card),
            check_columns::<Choice>(&card),
        ];
        let messages = wrong.map(|result| result.unwrap_err());
        assert!(messages[0].starts_with("the card has no row | `depth`"), "{messages:?}");
        assert_eq!(messages[1], "`depth` is declared twice");
        assert_eq!(messages[2], "the doc of `bold` does not fit its unit: text is bold");
        assert_eq!(messages[3], "the doc of `depth` does not fit its unit: {a|no} depth");
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
