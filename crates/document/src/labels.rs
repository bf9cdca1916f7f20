//! What software writes beside the words of people.

use std::collections::BTreeSet;
use std::sync::LazyLock;
use tsugi_page::word_list;

const LISTS: &str = include_str!("lists/labels.txt");

static LABELS: LazyLock<BTreeSet<(&str, &str)>> = LazyLock::new(|| word_list::lines(LISTS).collect());

/// Returns `true` if a text, in lower case, is a label of a group.
pub(crate) fn is_label(group: &str, text: &str) -> bool {
    LABELS.contains(&(group, text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_well_formed() {
        let is_group = |group: &str| matches!(group, "topic label" | "topic word" | "copy" | "portrait");
        assert_eq!(word_list::fault(LISTS, word_list::lines(LISTS), is_group), None);
        assert!(LABELS.iter().all(|(_, label)| *label == label.to_lowercase()));
        assert!(is_label("copy", "kopieren") && !is_label("copy", "topic"));
    }
}
