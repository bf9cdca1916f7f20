//! Texts that an address must hold for an expression to match.

use super::syntax::Node;

/// Most texts of one expression.
const MAX_TEXTS: usize = 32;
/// Nearly every address holds these, and what is part of them.
const EVERYWHERE: [&str; 2] = ["https://www.", "http://www."];
/// Many addresses hold these, and what is part of them.
const COMMON: [&str; 10] = [
    ".com/", ".co.jp/", ".net/", ".org/", ".html", "index.php?", "search?q=", "/page/", "/blog/",
    "/archives/",
];

/// Returns texts one of which is part of every address that matches; `None` where no telling ones are known.
pub(crate) fn required(node: &Node) -> Option<Vec<String>> {
    let mut search = Search::default();
    search.walk(node);
    search.flush();
    search.best
}

#[derive(Default)]
struct Search {
    /// The characters just before this place that every match holds, one after the other.
    run: String,
    best: Option<Vec<String>>,
    weight: usize,
}

impl Search {
    fn walk(&mut self, node: &Node) {
        match node {
            Node::Unit(unit) => self.unit(Some(*unit)),
            Node::Set(set) => self.unit(set.only()),
            // These take no characters: what stands before and after them touches.
            Node::Empty | Node::Start | Node::End | Node::Boundary { .. } | Node::Look { .. } => {}
            Node::Group { node, .. } => self.walk(node),
            Node::Concat(nodes) => nodes.iter().for_each(|node| self.walk(node)),
            Node::Back(_) => self.flush(),
            Node::Alternate(branches) => {
                self.flush();
                let texts: Option<Vec<Vec<String>>> = branches.iter().map(required).collect();
                self.offer(texts.map(|texts| texts.concat()));
            }
            Node::Repeat { node, min, .. } => {
                self.flush();
                self.offer(if *min > 0 { required(node) } else { None });
            }
        }
    }

    /// Half a surrogate pair ends the run like any other unit that is not known.
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

    /// Keeps the texts whose commonest one is the rarest.
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
