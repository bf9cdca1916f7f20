//! Model cards: the facts of a model and its columns, as Markdown.

use crate::arguments::TrainTask;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;
use tsugi_main_content::{BlockColumns, CandidateColumns, RoleColumns};
use tsugi_next_link::{LinkColumns, PairColumns};
use tsugi_scoring::{Bundle, Column, Schema};
use tsugi_training::seen_sites::SITES_NOTE;

pub(crate) fn tool_version() -> String {
    format!("tsugi {}", env!("CARGO_PKG_VERSION"))
}

pub(crate) fn card_of(path: &Path, facts: &[(&str, String)]) -> String {
    let name = path.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let mut out = format!("# {name}\n\n| | |\n| --- | --- |\n");
    for (what, fact) in facts {
        let _ = writeln!(out, "| {what} | {fact} |");
    }
    out
}

/// Returns the notes of a model file that people read.
pub(crate) fn shown_notes(notes: &BTreeMap<String, String>) -> impl Iterator<Item = (&str, String)> {
    let shown = notes.iter().filter(|(what, _)| *what != SITES_NOTE);
    shown.map(|(what, fact)| (what.as_str(), fact.clone()))
}

pub(crate) fn columns_table(out: &mut String, columns: &[Column]) {
    out.push_str("\n| column | unit | what it says | source |\n| --- | --- | --- | --- |\n");
    for column in columns {
        let _ = writeln!(out, "{}", column.card_row());
    }
}

pub(crate) fn bundle_card(bundle: &Bundle, task: TrainTask, path: &Path, bytes: usize) -> String {
    let about = &bundle.about;
    let trained = about.trained_on;
    let parts = bundle.parts().map(|(name, length)| format!("{name} {length}"));
    let mut facts = vec![
        ("kind", about.kind.clone()),
        ("trained by", about.tool_version.clone()),
        ("seed", about.seed.to_string()),
        ("data digest", format!("`{}`", about.data_digest)),
        ("pages / sites", format!("{} / {}", trained.pages, trained.sites)),
        ("rows / positive", format!("{} / {}", trained.rows, trained.positives)),
        ("parts, bytes", parts.collect::<Vec<_>>().join(", ")),
        ("size", format!("{bytes} bytes")),
    ];
    facts.extend(shown_notes(&about.notes));
    let mut out = card_of(path, &facts);
    match task {
        TrainTask::NextLink => columns_table(&mut out, LinkColumns::columns()),
        TrainTask::Continuation => columns_table(&mut out, PairColumns::columns()),
        TrainTask::Roles => columns_table(&mut out, RoleColumns::columns()),
        #[cfg(feature = "papers")]
        TrainTask::Crf => columns_table(&mut out, tsugi_papers::block_crf::TreeBlockColumns::columns()),
        TrainTask::Content => {
            out.push_str("\n## Text blocks\n");
            columns_table(&mut out, BlockColumns::columns());
            out.push_str("\n## Candidates\n");
            columns_table(&mut out, CandidateColumns::columns());
        }
    }
    out
}
