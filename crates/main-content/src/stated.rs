//! Blocks that a page states to be its content: `recipeIngredient`, `recipeInstructions`, and the questions and answers of
//! schema.org's JSON-LD. A block that says the same is content wherever it stands.
//!
//! Ingredients are short items in a box of their own, and look like a menu.

use super::context::{PageContext, heading_rank};
use super::furniture::lies_in;
use serde_json::Value;
use std::collections::BTreeSet;
use std::ops::Range;
use tsugi_page::{Content, NodeId, Page};

/// The names whose texts are content, as they stand in the data.
const NAMES: [&str; 4] = ["recipeIngredient", "recipeInstructions", "acceptedAnswer", "suggestedAnswer"];

/// The longest script that is read, in bytes, and the most scripts, values and levels of values.
const LONGEST: usize = 512 << 10;
const MOST_SCRIPTS: usize = 32;
const MOST_VALUES: usize = 20_000;
const DEEPEST: usize = 40;
/// The shortest text that is told from others, in letters and digits.
const SHORTEST: usize = 4;

/// Adds the stated blocks that the content lacks.
pub(crate) fn with_stated(context: &PageContext<'_>, content: Content) -> Content {
    let page = context.page();
    let texts = StatedTexts::of(context).texts;
    if texts.is_empty() {
        return content;
    }
    let blocks = &context.blocks().blocks;
    let is_in = |text: NodeId| lies_in(page, &content.nodes, text) && !lies_in(page, &content.without, text);
    let mut lacking = Vec::new();
    for block in blocks {
        let nodes = context.blocks().texts_of(block);
        let said = bare(nodes.iter().map(|id| page.data(*id)));
        lacking.push(
            said.chars().nth(SHORTEST - 1).is_some()
                && texts.contains(&said)
                && !nodes.iter().all(|id| is_in(*id)),
        );
    }
    let mut added = Vec::new();
    for run in runs(&lacking) {
        let first = blocks[run.start].texts().start;
        let texts = first..blocks[run.end - 1].texts().end;
        let before = run.start.checked_sub(1).map(|at| &blocks[at]);
        // The heading of the list belongs to it.
        let heading = before.filter(|block| heading_rank(page, block.owner) > 0);
        added.extend(heading.map(|block| block.owner));
        let owners = || blocks[run.clone()].iter().map(|block| block.owner);
        let last = blocks[run.end - 1].owner;
        let mut above =
            std::iter::once(blocks[run.start].owner).chain(page.ancestors(blocks[run.start].owner));
        let common = above.find(|id| page.contains(*id, last));
        let is_whole = |id: &NodeId| {
            let (start, end) = context.texts_inside(*id);
            texts.start <= start && end <= texts.end
        };
        match common.filter(is_whole) {
            Some(list) => added.push(list),
            None => added.extend(owners().filter(is_whole)),
        }
    }
    if added.is_empty() { content } else { with(page, content, added) }
}

/// Adds nodes to content, and takes them out of what is left out of it.
fn with(page: &Page, content: Content, added: Vec<NodeId>) -> Content {
    let added = page.outermost(added);
    let mut without: Vec<NodeId> = Vec::new();
    let mut left: Vec<NodeId> = content.without.iter().rev().copied().collect();
    while let Some(out) = left.pop() {
        if lies_in(page, &added, out) {
            continue;
        }
        // A node that holds some of them gives way to its other children.
        if added.iter().any(|id| page.contains(out, *id)) {
            let children: Vec<NodeId> = page.children(out).collect();
            left.extend(children.into_iter().rev());
        } else {
            without.push(out);
        }
    }
    let nodes = page.outermost(content.nodes.iter().copied().chain(added).collect());
    Content { nodes, without, ..content }
}

/// Returns the longest ranges of blocks that are marked; one that is not may stand between two, such as the name of a part.
fn runs(marked: &[bool]) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for at in (0..marked.len()).filter(|at| marked[*at]) {
        match runs.last_mut().filter(|run| at <= run.end + 1) {
            Some(run) => run.end = at + 1,
            None => runs.push(at..at + 1),
        }
    }
    runs
}

/// Returns the letters and digits of texts, in lower case.
fn bare<'t>(texts: impl Iterator<Item = &'t str>) -> String {
    texts
        .flat_map(str::chars)
        .filter(|c| c.is_alphanumeric())
        .flat_map(spelled)
        .flat_map(char::to_lowercase)
        .collect()
}

/// Data often spells fractions as their sign where the page has digits, or the other way round.
fn spelled(c: char) -> impl Iterator<Item = char> {
    let digits = match c {
        '½' => "12",
        '¼' => "14",
        '¾' => "34",
        '⅓' => "13",
        '⅔' => "23",
        '⅛' => "18",
        _ => "",
    };
    let own = if digits.is_empty() { Some(c) } else { None };
    digits.chars().chain(own)
}

/// The texts that the data of a page states, bare.
#[derive(Debug, Default)]
struct StatedTexts {
    texts: BTreeSet<String>,
    values: usize,
}

impl StatedTexts {
    fn of(context: &PageContext<'_>) -> StatedTexts {
        let mut found = StatedTexts::default();
        for script in context.data.iter().take(MOST_SCRIPTS) {
            let json = context.page().string_value(*script);
            if json.len() > LONGEST || !NAMES.iter().any(|name| json.contains(name)) {
                continue;
            }
            if let Ok(value) = serde_json::from_str(json.trim()) {
                found.look(&value, 0);
            }
        }
        found
    }

    /// Looks for the names in a value.
    fn look(&mut self, value: &Value, depth: usize) {
        self.values += 1;
        if depth > DEEPEST || self.values > MOST_VALUES {
            return;
        }
        match value {
            Value::Array(items) => items.iter().for_each(|item| self.look(item, depth + 1)),
            Value::Object(fields) => {
                for (name, field) in fields {
                    if NAMES.contains(&name.as_str()) {
                        self.take(field, depth + 1);
                    } else {
                        self.look(field, depth + 1);
                    }
                }
            }
            _ => {}
        }
    }

    /// Takes a text, or those of steps, sections and answers.
    fn take(&mut self, value: &Value, depth: usize) {
        self.values += 1;
        if depth > DEEPEST || self.values > MOST_VALUES {
            return;
        }
        match value {
            Value::String(text) => {
                let lines = text.lines().map(|line| bare(std::iter::once(line)));
                self.texts.extend(lines.filter(|line| !line.is_empty()));
            }
            Value::Array(items) => items.iter().for_each(|item| self.take(item, depth + 1)),
            Value::Object(fields) => {
                for name in ["text", "itemListElement", "item"] {
                    if let Some(field) = fields.get(name) {
                        self.take(field, depth + 1);
                    }
                }
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page_of;
    use tsugi_page::Evidence;

    fn texts(html: &str, nodes: &[&str], without: &[&str]) -> String {
        let page = page_of(html);
        let found = |names: &[&str]| names.iter().filter_map(|name| page.first(name)).collect::<Vec<_>>();
        let content =
            Content { nodes: found(nodes), without: found(without), ..Content::nothing(Evidence::Model) };
        let content = with_stated(&PageContext::new(&page, None), content);
        assert!(content.nodes.is_sorted() && content.without.is_sorted());
        page.text_of_content(&content.nodes, &content.without)
    }

    const DATA: &str = r#"<script type="application/ld+json">{"@graph":[{"@type":"Recipe",
        "recipeIngredient":["1/2 cup flour","2 Eggs","salt"],
        "recipeInstructions":[{"@type":"HowToSection","itemListElement":[{"@type":"HowToStep","text":"Beat the eggs."}]}]}]}</script>"#;

    #[test]
    fn ingredients_are_content_wherever_they_stand() {
        let list = "<aside><h3>Ingredients</h3><ul><li><b>½ cup</b> flour</li><li>For the top</li><li>2 eggs</li></ul><a href=/x>Print</a></aside>";
        let html = format!("{DATA}<main><p>A cake of our own.</p></main>{list}<ol><li>Beat the eggs.</ol>");
        let expected = "A cake of our own.\nIngredients\n½ cup flour\nFor the top\n2 eggs\nBeat the eggs.";
        assert_eq!(texts(&html, &["main"], &[]), expected);
        // Left out of the content, beside something that stays out.
        let inside = format!("{DATA}<main><p>A cake of our own.</p>{list}</main>");
        let whole = "A cake of our own.\nIngredients\n½ cup flour\nFor the top\n2 eggs";
        assert_eq!(texts(&inside, &["main"], &["aside"]), whole);
    }

    #[test]
    fn nothing_is_added_without_data() {
        let html = "<main><p>A cake.</p></main><ul><li>2 eggs</ul>";
        assert_eq!(texts(html, &["main"], &[]), "A cake.");
        assert_eq!(
            texts(&format!("{DATA}{html}<ul><li>salt of the earth</ul>"), &["main"], &[]),
            "A cake.\n2 eggs"
        );
    }

    #[test]
    fn odd_data_is_left_aside() {
        let deep = format!("{}1{}", "[".repeat(200), "]".repeat(200));
        for data in
            ["{", "[]", "null", r#"{"recipeIngredient":3}"#, &format!(r#"{{"recipeIngredient":{deep}}}"#)]
        {
            let html = format!("<script type=application/ld+json>{data}</script><p>One");
            assert_eq!(texts(&html, &["p"], &[]), "One", "{data}");
        }
    }

    proptest::proptest! {
        #[test]
        fn content_stays_well_formed(html in "(<(ul|li|div|p|h2|b)>|</(ul|li|div|p)>|2 eggs|Beat the eggs.|other ){0,30}") {
            let page = page_of(&format!("{DATA}{html}"));
            let nodes: Vec<NodeId> = page.first("ul").into_iter().collect();
            let without: Vec<NodeId> = page.first("li").into_iter().filter(|li| nodes.iter().any(|ul| page.contains(*ul, *li))).collect();
            let content = Content { nodes, without, ..Content::nothing(Evidence::Model) };
            let content = with_stated(&PageContext::new(&page, None), content);
            proptest::prop_assert_eq!(page.outermost(content.nodes.clone()), content.nodes.clone());
            proptest::prop_assert_eq!(page.outermost(content.without.clone()), content.without.clone());
        }
    }
}
