//! The report of metadata, as Markdown.

use super::{FieldResult, MetadataLine};
use crate::dataset::DataSet;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// A field and its name in the tables.
type Field = (&'static str, fn(&MetadataLine) -> FieldResult);

const FIELDS: [Field; 3] = [
    ("title", |line| line.title),
    ("day of publication", |line| line.published),
    ("authors", |line| line.authors),
];

/// Writes what was found, by field and data set, and by source.
pub fn metadata_report(sets: &[DataSet], lines: &[MetadataLine]) -> String {
    let mut out = String::from(
        "# What pages say of themselves\n\n\
         A title is right if it is equal to the expected one but for white space and the shape of quotes; a day, if both \
         dates have it in the offset that they are written with, or in UTC; authors, if the set of names is the expected \
         one. Given: of the pages of which a value is expected, those where one was found. Precision: right of given; \
         recall: right of expected. Where nothing is expected nothing is known, and nothing is counted.\n\n\
         | data set | field | expected | given | right | precision | recall |\n\
         | --- | --- | ---: | ---: | ---: | ---: | ---: |\n",
    );
    for (at, set) in sets.iter().enumerate() {
        for (name, field) in FIELDS {
            let of_set = lines.iter().filter(|line| line.set == at).map(field);
            row(&mut out, &format!("{} | {name}", set.name), of_set);
        }
    }
    out.push_str(
        "\n## By source\n\n| field | source | given | right | precision |\n| --- | --- | ---: | ---: | ---: |\n",
    );
    for (name, field) in FIELDS {
        let mut sources: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
        for found in lines.iter().map(field).filter(|found| found.expected) {
            if let Some(by) = found.by {
                let (given, right) = sources.entry(by).or_default();
                *given += 1;
                *right += usize::from(found.right);
            }
        }
        for (source, (given, right)) in sources {
            let _ = writeln!(out, "| {name} | {source} | {given} | {right} | {} |", share(right, given));
        }
    }
    out
}

fn row(out: &mut String, name: &str, found: impl Iterator<Item = FieldResult>) {
    let found: Vec<FieldResult> = found.filter(|found| found.expected).collect();
    let given = found.iter().filter(|found| found.by.is_some()).count();
    let right = found.iter().filter(|found| found.right).count();
    let expected = found.len();
    let (precision, recall) = (share(right, given), share(right, expected));
    let _ = writeln!(out, "| {name} | {expected} | {given} | {right} | {precision} | {recall} |");
}

fn share(part: usize, whole: usize) -> String {
    if whole == 0 { "–".to_owned() } else { format!("{:.3}", part as f64 / whole as f64) }
}
