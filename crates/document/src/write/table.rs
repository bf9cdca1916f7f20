//! Tables in Markdown: with pipes if possible, as HTML if not.

use super::html;
use crate::shape::PageShape;
use tsugi_page::NodeId;

#[derive(Debug, Default)]
pub(crate) struct PipeTable {
    rows: Vec<Vec<String>>,
}

impl PipeTable {
    pub(crate) fn start_row(&mut self) {
        self.rows.push(Vec::new());
    }

    pub(crate) fn push_cell(&mut self, cell: &str) {
        if self.rows.is_empty() {
            self.start_row();
        }
        if let Some(row) = self.rows.last_mut() {
            row.push(cell.to_owned());
        }
    }

    /// Returns the rows as text, with tabs between the cells.
    pub(crate) fn plain_lines(self) -> Vec<String> {
        let lines = self.rows.iter().map(|row| row.join("\t"));
        lines.filter(|line| !line.trim().is_empty()).collect()
    }

    pub(crate) fn lines(mut self) -> Vec<String> {
        self.rows.retain(|row| row.iter().any(|cell| !cell.is_empty()));
        let width = self.rows.iter().map(Vec::len).max().unwrap_or_default();
        // Markdown requires a head.
        if let Some(head) = self.rows.first_mut() {
            head.resize(width, String::new());
        }
        let mut lines = Vec::with_capacity(self.rows.len() + 1);
        for row in &self.rows {
            let cells: Vec<String> = row.iter().map(|cell| with_pipes_escaped(cell)).collect();
            lines.push(format!("| {} |", cells.join(" | ")));
        }
        if !lines.is_empty() {
            lines.insert(1, format!("|{}", " --- |".repeat(width)));
        }
        lines
    }
}

/// Escapes the pipes in code and addresses; those in text are escaped already.
fn with_pipes_escaped(cell: &str) -> String {
    let mut escaped = String::with_capacity(cell.len());
    for c in cell.chars() {
        if c == '|' && !escaped.ends_with('\\') {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

/// Returns a table as HTML, one row per line and without blank lines, at which Markdown would stop reading HTML.
pub(crate) fn markup(shape: PageShape<'_>, table: NodeId) -> Vec<String> {
    let html = html::of_node(shape, table);
    let mut lines = String::with_capacity(html.len());
    let (mut rest, mut in_pre) = (html.as_str(), false);
    while let Some(at) = rest.find(['<', '\n']) {
        lines.push_str(&rest[..at]);
        rest = &rest[at..];
        if let Some(after) = rest.strip_prefix('\n') {
            lines.push_str(if in_pre { "&#10;" } else { " " });
            rest = after;
            continue;
        }
        let tag = &rest[..=rest.find('>').unwrap_or(rest.len() - 1)];
        in_pre = if tag.starts_with("<pre") { true } else { in_pre && tag != "</pre>" };
        if matches!(tag, "<tr>" | "</table>") && !lines.ends_with('\n') {
            lines.push('\n');
        }
        // Values may hold newlines too.
        lines.push_str(&tag.replace('\n', " "));
        rest = &rest[tag.len()..];
    }
    lines.push_str(rest);
    lines.lines().map(str::trim_end).filter(|line| !line.is_empty()).map(str::to_owned).collect()
}
