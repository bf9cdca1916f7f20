//! Finds texts that an address must contain for an expression to match.

use super::syntax::SyntaxNode;

const MAX_TEXTS: usize = 32;
/// Texts that, in whole or in part, nearly every address contains.
const EVERYWHERE: [&str; 2] = ["https://www.", "http://www."];
/// Texts that, in whole or in part, many addresses contain.
const COMMON: [&str; 10] = [
    ".com/", ".co.jp/", ".net/", ".org/", ".html", "index.php?", "search?q=", "/page/", "/blog/",
    "/archives/",
];

/// Returns texts of which every matching address contains at least one; `None` if no distinctive ones are known.
pub(crate) fn required(node: &SyntaxNode) -> Option<Vec<String>> {
    let mut search = LiteralSearch::default();
    search.walk(node);
    search.flush();
    search.best
}

#[derive(Default)]
struct LiteralSearch {
    /// The characters right before this position that every match contains.
    run: String,
    best: Option<Vec<String>>,
    weight: usize,
}

impl LiteralSearch {
    fn walk(&mut self, node: &SyntaxNode) {
        match node {
            SyntaxNode::Unit(unit) => self.unit(Some(*unit)),
            SyntaxNode::Set(set) => self.unit(set.only()),
            // These take no characters: what is before and after them is adjacent.
            SyntaxNode::Empty
            | SyntaxNode::Start
            | SyntaxNode::End
            | SyntaxNode::Boundary { .. }
            | SyntaxNode::Look { .. } => {}
            SyntaxNode::Group { node, .. } => self.walk(node),
            SyntaxNode::Concat(nodes) => nodes.iter().for_each(|node| self.walk(node)),
            SyntaxNode::Back(_) => self.flush(),
            SyntaxNode::Alternate(branches) => {
                self.flush();
                let texts: Option<Vec<Vec<String>>> = branches.iter().map(required).collect();
                self.offer(texts.map(|texts| texts.concat()));
            }
            SyntaxNode::Repeat { node, min, .. } => {
                self.flush();
                self.offer(if *min > 0 { required(node) } else { None });
            }
        }
    }

    /// Adds a unit to the run. Half a surrogate pair ends it, like any unknown unit.
    fn unit(&mut self, unit: Option<u16>) {
        match unit.and_then(|unit| char::from_u32(unit.into())) {
            Some(c) => self.run.push(c),
            None => self.flush(),
        }
    }

    fn flush(&mut self) {
        let run = std::mem::take(&mut self.run);
        self.offer(Some(vec![run]));
    }

    /// Keeps the texts if the most common of them is rarer than that of the texts so far.
    fn offer(&mut self, texts: Option<Vec<String>>) {
        let Some(texts) = texts.filter(|texts| texts.len() <= MAX_TEXTS) else { return };
        let weight = texts.iter().map(|text| weight(text)).min().unwrap_or_default();
        if weight > self.weight {
            (self.best, self.weight) = (Some(texts), weight);
        }
    }
}

fn weight(text: &str) -> usize {
    if EVERYWHERE.iter().any(|all| all.contains(text)) {
        0
    } else if COMMON.iter().any(|common| common.contains(text)) {
        1
    } else {
        text.len()
    }
}
