//! The lines of the pages that are held, to tell what is new.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use tsugi_page::text;

/// Lines of so many characters or more tell pages apart; shorter ones stand on many.
const LONG: usize = 20;

/// The lines of a page's text, as digests.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Lines {
    all: BTreeSet<u64>,
    long: BTreeSet<u64>,
    characters: usize,
}

impl Lines {
    /// Reads the lines of a text; white space is folded, blank lines count for nothing.
    pub(crate) fn of(text: &str) -> Lines {
        let mut lines = Lines::default();
        for line in text.lines().map(text::fold).filter(|line| !line.is_empty()) {
            let mut digest = DefaultHasher::new();
            line.hash(&mut digest);
            let (digest, characters) = (digest.finish(), line.chars().count());
            lines.all.insert(digest);
            if characters >= LONG {
                lines.long.insert(digest);
            }
            lines.characters += characters;
        }
        lines
    }

    /// Returns how many characters the lines have.
    pub(crate) fn characters(&self) -> usize {
        self.characters
    }

    /// Returns the share of these lines that others have, in [0, 1]: of the long ones, where there are some.
    pub(crate) fn share_in(&self, other: &Lines) -> f32 {
        let (own, others) =
            if self.long.is_empty() { (&self.all, &other.all) } else { (&self.long, &other.long) };
        if own.is_empty() {
            return 0.0;
        }
        own.intersection(others).count() as f32 / own.len() as f32
    }
}

/// What is held of all pages.
#[derive(Debug, Default)]
pub(crate) struct Held {
    lines: BTreeSet<u64>,
    nodes: usize,
}

impl Held {
    /// Adds a page.
    pub(crate) fn add(&mut self, lines: &Lines, nodes: usize) {
        self.lines.extend(&lines.all);
        self.nodes += nodes;
    }

    /// Returns how many nodes the pages have.
    pub(crate) fn nodes(&self) -> usize {
        self.nodes
    }

    /// Says what a page lacks to go on from those that are held.
    pub(crate) fn lack(&self, lines: &Lines) -> Option<&'static str> {
        if lines.all.is_empty() {
            Some("its main content is blank")
        } else if lines.all.is_subset(&self.lines) {
            Some("its main content has nothing that the pages before it do not have")
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_lines_are_told_from_held_ones() {
        let mut held = Held::default();
        held.add(&Lines::of("Title\none"), 3);
        held.add(&Lines::of("Title\ntwo"), 4);
        assert_eq!(held.nodes(), 7);
        assert!(held.lack(&Lines::of(" \n ")).is_some_and(|why| why.contains("blank")));
        assert!(held.lack(&Lines::of("one\n two ")).is_some_and(|why| why.contains("nothing")));
        assert_eq!(held.lack(&Lines::of("Title\nthree")), None);
    }

    #[test]
    fn long_lines_decide_where_there_are_some() {
        let page = Lines::of("A line with enough characters.\nshare");
        let whole = Lines::of("A line  with enough characters.\nAnother line with many characters.");
        assert_eq!(page.share_in(&whole), 1.0);
        assert_eq!(whole.share_in(&page), 0.5);
        assert_eq!(Lines::of("short\nshare").share_in(&page), 0.5, "1 of 2");
        assert_eq!(Lines::of("").share_in(&page), 0.0);
        assert_eq!(page.characters(), 30 + 5);
    }
}
