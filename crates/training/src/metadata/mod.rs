//! Stated metadata compared with expected values: titles, days of publication, authors.

mod report;

pub(crate) use report::fields_table;
pub use report::metadata_report;

use crate::dataset::{Complaint, DataSet, DataSetError};
use crate::label::PageLabel;
use jiff::Timestamp;
use jiff::tz::TimeZone;
use serde::Serialize;
use std::collections::BTreeSet;
use tsugi::Tsugi;
use tsugi::metadata::{Metadata, Said};
use tsugi_page::text;

/// The result for one field of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct FieldResult {
    /// `true` if a value is expected. Where none is, nothing is known of the field: the page may well have it.
    pub(crate) expected: bool,
    /// Where the page says it, by the word of its source; `None` if nothing was found.
    pub(crate) by: Option<&'static str>,
    pub(crate) right: bool,
}

/// The results for one page: a line of an evaluation, without text of the page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct MetadataLine {
    /// The place of its data set.
    #[serde(skip)]
    pub set: usize,
    pub(crate) url: String,
    /// Its title: right if equal but for white space and the shape of quotes; case counts.
    pub(crate) title: FieldResult,
    /// The day of publication: right if it is the expected one, each in the offset that it is written with or in UTC.
    pub(crate) published: FieldResult,
    /// Its authors: right if the set of names is the expected one, whatever the case and the order.
    pub(crate) authors: FieldResult,
}

/// Reads the statements of pages with the label `metadata`.
///
/// The models that ship find the main content, by which the headline is told from other headings; `step` is called for each
/// page.
///
/// # Errors
///
/// [`DataSetError`] if an archive cannot be opened.
pub fn evaluate_metadata(
    sets: &[DataSet],
    mut step: impl FnMut(),
) -> Result<(Vec<MetadataLine>, Vec<Complaint>), DataSetError> {
    let tsugi = Tsugi::new();
    let (mut lines, mut complaints) = (Vec::new(), Vec::new());
    for (set, data) in sets.iter().enumerate() {
        let found = data.visit(None, |at, page| {
            let label = &data.labels()[at];
            if label.knows_metadata() {
                lines.push(metadata_line(set, label, &tsugi.look(&page).metadata()));
            }
            step();
        })?;
        complaints.extend(found);
    }
    Ok((lines, complaints))
}

pub(crate) fn metadata_line(set: usize, label: &PageLabel, found: &Metadata) -> MetadataLine {
    let text_of = |name: &str| label.others.get(name).and_then(|value| value.as_str());
    let (title, published, author) = (text_of("title"), text_of("published"), text_of("author"));
    MetadataLine {
        set,
        url: label.url.clone(),
        title: field(title, found.title.as_ref(), |said, title| folded(said) == folded(title)),
        published: field(published, found.published.as_ref(), |said, day| is_same_day(said, day)),
        authors: field(author, found.authors.as_ref(), |said, names| are_same_names(said, names)),
    }
}

fn field<T>(
    expected: Option<&str>,
    found: Option<&Said<T>>,
    is_same: impl Fn(&T, &str) -> bool,
) -> FieldResult {
    let right = expected.zip(found).is_some_and(|(expected, said)| is_same(&said.value, expected));
    FieldResult { expected: expected.is_some(), by: found.map(|said| said.by.as_str()), right }
}

fn folded(text: &str) -> String {
    let plain = |c: char| match c {
        '‘' | '’' | '‚' | '‛' => '\'',
        '“' | '”' | '„' | '‟' => '"',
        c => c,
    };
    text::fold(text).chars().map(plain).collect()
}

/// The days that a date may mean: as written, and in UTC.
fn days(date: &str) -> BTreeSet<String> {
    let written = date.get(..10).map(str::to_owned);
    let utc =
        date.parse::<Timestamp>().ok().map(|time| time.to_zoned_datetime(TimeZone::UTC).date().to_string());
    written.into_iter().chain(utc).collect()
}

fn is_same_day(one: &str, other: &str) -> bool {
    !days(one).is_disjoint(&days(other))
}

fn are_same_names(found: &[String], expected: &str) -> bool {
    let key = |name: &str| folded(name).to_lowercase();
    if key(&found.join(", ")) == key(expected) {
        return true;
    }
    let expected = expected.split([',', ';', '&']).flat_map(|names| names.split(" and ")).map(key);
    let expected: BTreeSet<String> = expected.filter(|name| !name.is_empty()).collect();
    found.iter().map(|name| key(name)).collect::<BTreeSet<String>>() == expected
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_are_the_same_in_one_offset_or_in_utc() {
        assert!(is_same_day("2024-05-01", "2024-05-01T23:30:00.000Z"));
        assert!(is_same_day("2024-05-01T23:30:00-05:00", "2024-05-02T04:30:00.000Z"));
        assert!(!is_same_day("2024-05-01", "2024-05-02T00:30:00.000Z"));
    }

    #[test]
    fn names_are_compared_as_sets() {
        let found = ["Ann Lee".to_owned(), "Bo Oh".to_owned()];
        assert!(are_same_names(&found, "bo oh and Ann Lee") && are_same_names(&found, "Ann Lee, Bo Oh"));
        assert!(!are_same_names(&found, "Ann Lee") && !are_same_names(&found[..1], "Ann Lee, Bo Oh"));
        assert!(are_same_names(&["Lee, Ann".to_owned()], "Lee, Ann"));
        assert_eq!(folded(" “It’s”  so "), "\"It's\" so");
    }
}
