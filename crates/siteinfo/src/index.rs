//! Narrows down the items that can match an address, by texts that the address must contain.

use crate::item::Item;
use aho_corasick::{Input, automaton::Automaton, nfa::contiguous::NFA};
use std::collections::BTreeMap;

#[derive(Debug)]
pub(crate) struct LiteralIndex {
    /// Finds texts; `None` if it could not be built, and every item is tried.
    texts: Option<NFA>,
    items: Vec<Vec<usize>>,
    always: Vec<usize>,
}

impl LiteralIndex {
    pub(crate) fn new(items: &[Item]) -> LiteralIndex {
        let (mut by_text, mut always) = (BTreeMap::<&str, Vec<usize>>::new(), Vec::new());
        for (index, item) in items.iter().enumerate() {
            match item.url.required() {
                Some(texts) => texts.iter().for_each(|text| by_text.entry(text).or_default().push(index)),
                None => always.push(index),
            }
        }
        let texts = NFA::new(by_text.keys()).ok();
        if texts.is_none() {
            always = (0..items.len()).collect();
        }
        LiteralIndex { texts, items: by_text.into_values().collect(), always }
    }

    pub(crate) fn candidates(&self, url: &str) -> Vec<usize> {
        let mut found = self.always.clone();
        if let Some(texts) = &self.texts {
            let mut seen = vec![false; self.items.len()];
            for hit in texts.try_find_overlapping_iter(Input::new(url)).into_iter().flatten() {
                let text = hit.pattern().as_usize();
                if !std::mem::replace(&mut seen[text], true) {
                    found.extend_from_slice(&self.items[text]);
                }
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}
