//! Which tables are tables, and how Markdown writes them.

use crate::shape::Shape;
use std::collections::BTreeSet;
use tsugi_page::NodeId;
use tsugi_page::walk::Step;

/// Finds the tables that Markdown can express: at least two columns, and cells that hold words only.
///
/// Tables that hold other tables, lists, headings, quotations, or code are there for layout more often than
/// not; their cells are written as blocks.
pub(crate) fn plain_tables(shape: Shape<'_>) -> BTreeSet<NodeId> {
    let page = shape.page;
    let mut plain = BTreeSet::new();
    // Of each open table: is it plain, how many cells has the row, how many had the longest one?
    let mut open: Vec<(NodeId, bool, usize, usize)> = Vec::new();
    for root in &shape.nodes {
        let mut walk = page.walk(*root);
        while let Some(step) = walk.next() {
            match step {
                Step::Enter(id) if shape.leaves_out(id) => walk.skip_children(),
                Step::Enter(id) => {
                    let tag = if page.is_html(id) { page.tag(id) } else { "" };
                    let Some((_, is_plain, cells, most)) = open.last_mut() else {
                        if tag == "table" {
                            open.push((id, true, 0, 0));
                        }
                        continue;
                    };
                    match tag {
                        "td" | "th" => {
                            *cells += 1;
                            *most = (*most).max(*cells);
                        }
                        "tr" => *cells = 0,
                        // It would be written above what it stands behind.
                        "caption" if *most > 0 => *is_plain = false,
                        "h1" | "h2" | "h3" | "h4" | "h5" | "h6" | "ul" | "ol" | "dl" | "pre"
                        | "blockquote" | "hr" => *is_plain = false,
                        "table" => {
                            *is_plain = false;
                            open.push((id, true, 0, 0));
                        }
                        _ => {}
                    }
                }
                Step::Leave(id) => {
                    if let Some((table, is_plain, _, most)) = open.last().copied()
                        && table == id
                    {
                        open.pop();
                        if is_plain && most > 1 {
                            plain.insert(id);
                        }
                    }
                }
            }
        }
    }
    plain
}

/// A table under construction.
#[derive(Debug, Default)]
pub(crate) struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(crate) fn start_row(&mut self) {
        self.rows.push(Vec::new());
    }

    pub(crate) fn push_cell(&mut self, cell: &str) {
        if self.rows.is_empty() {
            self.start_row();
        }
        if let Some(row) = self.rows.last_mut() {
            row.push(with_pipes_escaped(cell));
        }
    }

    /// Writes the table: the first row is the head, as Markdown wants one, and as wide as the widest row.
    pub(crate) fn lines(mut self) -> Vec<String> {
        self.rows.retain(|row| row.iter().any(|cell| !cell.is_empty()));
        let width = self.rows.iter().map(Vec::len).max().unwrap_or_default();
        if let Some(head) = self.rows.first_mut() {
            head.resize(width, String::new());
        }
        let line = |row: &Vec<String>| format!("| {} |", row.join(" | "));
        let mut lines: Vec<String> = self.rows.iter().map(line).collect();
        if !lines.is_empty() {
            lines.insert(1, format!("|{}", " --- |".repeat(width)));
        }
        lines
    }
}

/// Escapes the pipes that code and addresses hold; in text they are escaped already.
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
