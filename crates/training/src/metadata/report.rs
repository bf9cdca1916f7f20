//! The report of metadata.

use super::{FieldResult, MetadataLine};
use crate::dataset::DataSet;
use crate::tables::{Report, ReportDraft, ReportValue, figure, table};
use std::collections::BTreeMap;

type FieldColumn = (&'static str, fn(&MetadataLine) -> FieldResult);

const FIELDS: [FieldColumn; 3] = [
    ("title", |line| line.title),
    ("day of publication", |line| line.published),
    ("authors", |line| line.authors),
];

#[derive(Default)]
struct FieldCounts {
    expected: usize,
    given: usize,
    right: usize,
}

impl FieldCounts {
    fn add(&mut self, found: FieldResult) {
        self.expected += usize::from(found.expected);
        self.given += usize::from(found.expected && found.by.is_some());
        self.right += usize::from(found.expected && found.right);
    }
}

/// A row for each data set and field of which some value is expected.
pub(crate) fn fields_table(sets: &[DataSet], lines: &[MetadataLine]) -> ReportValue {
    let mut by_set = Vec::new();
    for (at, set) in sets.iter().enumerate() {
        for (name, field) in FIELDS {
            let mut counts = FieldCounts::default();
            lines.iter().filter(|line| line.set == at).for_each(|line| counts.add(field(line)));
            if counts.expected > 0 {
                by_set.push((set.name.as_str(), name, counts));
            }
        }
    }
    table(
        by_set,
        &[
            ("data set", &|row| row.0.into()),
            ("field", &|row| row.1.into()),
            ("expected", &|row| row.2.expected.into()),
            ("given", &|row| row.2.given.into()),
            ("right", &|row| row.2.right.into()),
            ("precision", &|row| share(row.2.right, row.2.given)),
            ("recall", &|row| share(row.2.right, row.2.expected)),
        ],
    )
}

/// Reports the results by field and data set, and by source.
pub fn metadata_report(sets: &[DataSet], lines: &[MetadataLine]) -> Report {
    let mut by_source = Vec::new();
    for (name, field) in FIELDS {
        let mut sources: BTreeMap<&str, FieldCounts> = BTreeMap::new();
        for found in lines.iter().map(field).filter(|found| found.expected) {
            if let Some(by) = found.by {
                sources.entry(by).or_default().add(found);
            }
        }
        by_source.extend(sources.into_iter().map(|(source, counts)| (name, source, counts)));
    }
    let mut draft = ReportDraft::default();
    draft.put("fields", fields_table(sets, lines));
    let sources = table(
        by_source,
        &[
            ("field", &|row| row.0.into()),
            ("source", &|row| row.1.into()),
            ("given", &|row| row.2.given.into()),
            ("right", &|row| row.2.right.into()),
            ("precision", &|row| share(row.2.right, row.2.given)),
        ],
    );
    draft.put("sources", sources);
    draft.finish(include_str!("report.md"))
}

fn share(part: usize, whole: usize) -> ReportValue {
    figure((whole > 0).then(|| part as f64 / whole as f64))
}
