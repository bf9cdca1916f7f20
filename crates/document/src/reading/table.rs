//! Which tables hold data, and which only lay out a page.

use std::collections::BTreeMap;
use tsugi_page::walk::Step;
use tsugi_page::{Content, NodeId, Page, Tag};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TableKind {
    /// A layout: its cells are blocks of the text.
    Layout,
    /// Data: cells with only words.
    Plain,
    /// Data: also cells with lists, quotations, code or paragraphs, or that span several rows or columns.
    Rich,
}

/// The number of characters from which a cell with blocks is part of the page's text.
const LONG_CELL: u32 = 1000;

/// The same, for a table without heads, caption or border.
const LONG_UNMARKED: u32 = 400;

/// The number of characters up to which the first cell of a row is a key.
const LONG_KEY: u32 = 60;

#[derive(Debug, Default)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts about a table")]
struct TableFacts {
    rows: usize,
    /// The cells of the open row, and of the longest one.
    cells: usize,
    columns: usize,
    /// Whether markup says that it is data: heads, a caption, a border.
    is_marked: bool,
    /// Whether it is a layout: by its role, or by headings in its cells.
    is_layout: bool,
    /// Whether a cell holds a table.
    has_tables: bool,
    /// Whether a row is more than a few words and what a list says about them.
    is_no_key_list: bool,
    spans: bool,
    /// Whether a cell holds lists, quotations, code or several paragraphs.
    has_blocks: bool,
    longest: u32,
    paragraphs: usize,
}

impl TableFacts {
    fn kind(&self) -> TableKind {
        let is_small = self.columns < 2 || (self.rows < 2 && !self.is_marked);
        let is_text = if self.is_marked {
            self.has_blocks && self.longest > LONG_CELL
        } else {
            let has_keys = self.columns == 2 && !self.is_no_key_list;
            (self.has_blocks && !has_keys) || self.longest > LONG_UNMARKED || self.has_tables
        };
        if self.is_layout || is_small || is_text {
            TableKind::Layout
        } else if self.has_blocks || self.spans {
            TableKind::Rich
        } else {
            TableKind::Plain
        }
    }

    fn see(&mut self, page: &Page, id: NodeId, tag: &str) {
        let spans =
            |name| page.attribute(id, name).is_some_and(|value| !matches!(value.trim(), "" | "0" | "1"));
        match tag {
            "tr" => {
                self.rows += 1;
                self.cells = 0;
            }
            "td" | "th" => {
                self.cells += 1;
                self.is_no_key_list |= self.cells == 1 && page.totals(id).characters > LONG_KEY;
                self.columns = self.columns.max(self.cells);
                self.longest = self.longest.max(page.totals(id).characters);
                self.spans |= spans("colspan") || spans("rowspan");
                self.is_marked |= tag == "th" || page.attribute(id, "scope").is_some();
                self.paragraphs = 0;
            }
            // A caption after the rows would be written above them.
            "caption" => {
                self.is_marked = true;
                self.spans |= self.rows > 0;
            }
            "thead" | "tfoot" => self.is_marked = true,
            "p" => {
                self.paragraphs += 1;
                self.has_blocks |= self.paragraphs > 1;
                self.is_no_key_list |= self.paragraphs > 1;
            }
            "ul" | "ol" | "dl" => {
                self.has_blocks = true;
                self.is_no_key_list |= self.cells == 1;
            }
            "pre" | "blockquote" | "details" | "figure" | "hr" => {
                (self.has_blocks, self.is_no_key_list) = (true, true);
            }
            "h1" | "h2" | "h3" | "h4" | "form" | "article" | "section" | "nav" => self.is_layout = true,
            _ => {}
        }
    }

    fn of(page: &Page, table: NodeId) -> TableFacts {
        let value = |name| page.attribute(table, name).map(str::trim).unwrap_or_default();
        let is_layout = matches!(value("role"), "presentation" | "none");
        let is_marked = !matches!(value("border"), "" | "0") || !value("summary").is_empty();
        TableFacts { is_marked, is_layout, ..TableFacts::default() }
    }
}

/// The parts of tables that are other elements, by their roles: what they are called in HTML.
pub(crate) type TableParts = BTreeMap<NodeId, &'static str>;

/// Finds the tables that only roles make. A table within another is part of a cell.
pub(super) fn parts(page: &Page, content: &Content) -> TableParts {
    let mut parts = TableParts::new();
    for id in content.nodes.iter().flat_map(|root| page.subtree(*root)) {
        let is_table = page.class(id).line && !page.is(id, "table") && role(page, id) == Some("table");
        if is_table && !page.ancestors(id).any(|above| parts.contains_key(&above)) {
            parts.extend(of_roles(page, id).unwrap_or_default());
        }
    }
    parts
}

fn role(page: &Page, id: NodeId) -> Option<&str> {
    page.attribute(id, "role").map(str::trim).filter(|_| page.is_html(id))
}

/// Returns the parts of a table; `None` if it holds anything but groups of rows, or rows, and these anything but cells.
fn of_roles(page: &Page, table: NodeId) -> Option<TableParts> {
    let within = |id: NodeId, roles: &[&str]| -> Option<Vec<NodeId>> {
        let is_blank = |child: NodeId| !page.is_element(child) && page.text(child).is_empty();
        let held: Vec<NodeId> = page.children(id).filter(|child| !is_blank(*child)).collect();
        let is_part =
            |id: &NodeId| page.is_element(*id) && role(page, *id).is_some_and(|role| roles.contains(&role));
        (!held.is_empty() && held.iter().all(is_part)).then_some(held)
    };
    let mut parts = TableParts::from([(table, "table")]);
    let groups = within(table, &["rowgroup"]).unwrap_or_default();
    parts.extend(groups.iter().map(|group| (*group, "tbody")));
    for holder in if groups.is_empty() { vec![table] } else { groups } {
        for row in within(holder, &["row"])? {
            parts.insert(row, "tr");
            let cells = within(row, &["cell", "columnheader", "rowheader"])?;
            parts.extend(
                cells
                    .into_iter()
                    .map(|cell| (cell, if role(page, cell) == Some("cell") { "td" } else { "th" })),
            );
        }
    }
    Some(parts)
}

/// Returns the kind of each table in a page's content.
///
/// Tables with headings in them are layouts, and so are those of one row or column. Without heads, caption or border, so are
/// tables whose cells hold blocks, tables or long texts: posts of a forum, columns of a page. A list beside a few words is a value
/// beside its key.
// The criteria are those of Firefox's accessibility engine (`HTMLTableAccessible::IsProbablyLayoutTable`).
pub(super) fn kinds(page: &Page, content: &Content, parts: &TableParts) -> BTreeMap<NodeId, TableKind> {
    let tag = |id: NodeId| parts.get(&id).copied().unwrap_or_else(|| page.tag(id));
    let mut kinds = BTreeMap::new();
    let mut open: Vec<(NodeId, TableFacts)> = Vec::new();
    // Most content has no table.
    let is_table = |id: NodeId| page.is_tag(id, Tag::Table) || parts.contains_key(&id);
    for root in content.nodes.iter().filter(|root| page.subtree(**root).any(is_table)) {
        let mut walk = page.walk(*root);
        while let Some(step) = walk.next() {
            match step {
                Step::Enter(id) if page.class(id).hidden || content.without.binary_search(&id).is_ok() => {
                    walk.skip_children();
                }
                Step::Enter(id) if page.is_html(id) && tag(id) == "table" => {
                    if let Some((_, outer)) = open.last_mut() {
                        (outer.has_blocks, outer.has_tables) = (true, true);
                    }
                    let facts = TableFacts::of(page, id);
                    let is_marked = facts.is_marked || parts.contains_key(&id);
                    open.push((id, TableFacts { is_marked, ..facts }));
                }
                Step::Enter(id) => {
                    if let Some((_, seen)) = open.last_mut()
                        && page.is_html(id)
                    {
                        seen.see(page, id, tag(id));
                    }
                }
                Step::Leave(id) => {
                    if let Some((table, seen)) = open.pop_if(|(table, _)| *table == id) {
                        kinds.insert(table, seen.kind());
                    }
                }
            }
        }
    }
    kinds
}

#[cfg(test)]
mod tests {
    use super::*;
    use tsugi_page::Evidence;

    fn kind(html: &str) -> TableKind {
        let page = Page::from_text(html, &"https://a.test/".parse().unwrap());
        let nodes = page.first("body").into_iter().collect();
        let content = Content { nodes, without: Vec::new(), score: 1.0, evidence: Evidence::Model };
        let parts = parts(&page, &content);
        let table = page.first("table").or_else(|| parts.keys().next().copied()).unwrap();
        kinds(&page, &content, &parts)[&table]
    }

    #[test]
    fn roles_make_tables() {
        let row =
            |kind: &str| format!("<div role=row><span role={kind}>a</span> <span role={kind}>b</span></div>");
        let rows = format!("{}{}", row("columnheader"), row("cell"));
        assert_eq!(kind(&format!("<div role=table>{rows}</div>")), TableKind::Plain);
        assert_eq!(kind(&format!("<div role=table><div role=rowgroup>{rows}</div></div>")), TableKind::Plain);
        for html in [
            "<div role=table><div role=row><p role=cell>a</div><p>b</div>",
            "<div role=table>a<div role=row><p role=cell>a</div></div>",
            "<div role=table><div role=row>a</div></div>",
            "<div role=table></div><div role=row><p role=cell>c</div>",
        ] {
            let page = Page::from_text(html, &"https://a.test/".parse().unwrap());
            let nodes = page.first("body").into_iter().collect();
            let content = Content { nodes, ..Content::nothing(Evidence::Model) };
            assert!(parts(&page, &content).is_empty(), "{html}");
        }
    }

    #[test]
    fn tables_are_told_from_layout() {
        let long = "So it went on and on. ".repeat(60);
        for (html, expected) in [
            ("<table><tr><th>A<th>B<tr><td>1<td>2</table>", TableKind::Plain),
            ("<table><tr><td>a<td>1<tr><td>b<td>2</table>", TableKind::Plain),
            ("<table><tr><th colspan=2>A<tr><td>1<td>2</table>", TableKind::Rich),
            ("<table><tr><th>A<th>B<tr><td>1<td><ul><li>x<li>y</ul></table>", TableKind::Rich),
            ("<table border=1><tr><td>1<td><p>x<p>y</table>", TableKind::Rich),
            ("<table><tr><td>Mon<td><ul><li>x</ul><tr><td>Tue<td><ul><li>y</ul></table>", TableKind::Rich),
            ("<table><tr><td><ul><li>x</ul><td>1<tr><td>2<td></table>", TableKind::Layout),
            ("<table><tr><td>1<td><ul><li>x</ul><td>2<tr><td>2<td></table>", TableKind::Layout),
            ("<table><tr><td>1<td><p>x<p>y<tr><td>2<td></table>", TableKind::Layout),
            (
                "<table><tr><th>A<th>B<tr><td>1<td><table><tr><td>x<td>y<tr><td>z<td>w</table></table>",
                TableKind::Rich,
            ),
            ("<table><tr><td><h2>News</h2><td>x<tr><td>y<td>z</table>", TableKind::Layout),
            ("<table role=presentation><tr><td>1<td>2<tr><td>1<td>2</table>", TableKind::Layout),
            ("<table><tr><td>1<td>2</table>", TableKind::Layout),
            ("<table><tr><td>1<tr><td>2</table>", TableKind::Layout),
            ("<table><tr><td><table><tr><td>1</table><td>2<tr><td>1<td>2</table>", TableKind::Layout),
        ] {
            assert_eq!(kind(html), expected, "{html}");
        }
        let thread = format!("<table><tr><th>Author<th>Message<tr><td>Ann<td><p>{long}<p>{long}</table>");
        assert_eq!(kind(&thread), TableKind::Layout);
        assert_eq!(
            kind(&format!("<table><tr><td>Ann<td>{long}<tr><td>Bo<td>{long}</table>")),
            TableKind::Layout
        );
    }
}
