//! Word lists in text files.
//!
//! A line in brackets names a group; its entries follow. `#` starts a comment. A group may continue later. An entry is a
//! line or a word, depending on the list.

use std::collections::BTreeSet;

/// Returns the non-empty lines of a list, each with the name of its group.
///
/// # Examples
///
/// ```
/// use tsugi_page::word_list::{lines, words};
/// let list = "# Labels.\n[next]\nnext page\n\n[more]\nmore";
/// assert!(lines(list).eq([("next", "next page"), ("more", "more")]));
/// assert!(words(list).eq([("next", "next"), ("next", "page"), ("more", "more")]));
/// ```
pub fn lines(list: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut group = "";
    list.lines().filter(|line| is_read(line)).filter_map(move |line| match head(line) {
        Some(name) => {
            group = name;
            None
        }
        None => Some((group, line)),
    })
}

/// Returns the words of a list, separated by white space, each with the name of its group.
pub fn words(list: &str) -> impl Iterator<Item = (&str, &str)> {
    lines(list).flat_map(|(group, line)| line.split_ascii_whitespace().map(move |word| (group, word)))
}

/// Returns what is wrong with a list, if anything; for tests of lists.
///
/// Faults are an entry outside a group or twice in one, an unknown or empty group, and white space at the start or end of
/// a line. `entries` are those of the list, by [`lines`] or [`words`].
pub fn fault<'l>(
    list: &'l str,
    entries: impl IntoIterator<Item = (&'l str, &'l str)>,
    is_group: impl Fn(&str) -> bool,
) -> Option<String> {
    let mut open = None;
    for line in list.lines() {
        if line.trim() != line {
            return Some(format!("white space around `{}`", line.trim()));
        }
        if !is_read(line) {
            continue;
        }
        match (head(line), open) {
            (Some(_), Some((group, false))) => return Some(format!("`{group}` is empty")),
            (Some(group), _) if !is_group(group) => return Some(format!("unknown group `{group}`")),
            (Some(group), _) => open = Some((group, false)),
            (None, Some((group, _))) => open = Some((group, true)),
            (None, None) => return Some(format!("`{line}` is outside a group")),
        }
    }
    match open {
        None => return Some("no group".to_owned()),
        Some((group, false)) => return Some(format!("`{group}` is empty")),
        Some((_, true)) => {}
    }
    let mut seen = BTreeSet::new();
    let twice = entries.into_iter().find(|entry| !seen.insert(*entry));
    twice.map(|(group, entry)| format!("`{entry}` occurs twice in `{group}`"))
}

fn is_read(line: &str) -> bool {
    !line.is_empty() && !line.starts_with('#')
}

fn head(line: &str) -> Option<&str> {
    line.strip_prefix('[')?.strip_suffix(']')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_found() {
        for (list, what) in [
            ("# [a]\n", "no group"),
            ("b\n[a]\nb", "`b` is outside a group"),
            ("[a]\n[a]\nb", "`a` is empty"),
            ("[a]\nb\n[a]\nc\n[a]", "`a` is empty"),
            ("[a]\nb\n\n[a]\nc b", "`b` occurs twice in `a`"),
            ("[a]\nb ", "white space around `b`"),
            ("[a]\nb\n \n", "white space around ``"),
            ("[a]\nb\n[c]\nd", "unknown group `c`"),
        ] {
            assert_eq!(fault(list, words(list), |group| group == "a").as_deref(), Some(what), "{list}");
        }
        let list = "# a\n[a]\nb c\nb\n\n# b\n[a]\nd";
        assert_eq!(fault(list, lines(list), |group| group == "a"), None);
    }
}
