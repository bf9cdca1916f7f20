//! Lists of words that are held as text files.
//!
//! The name of a group stands in brackets, its entries on the lines below it; `#` opens a comment. A group may be
//! opened again. What an entry is, the list says: a whole line, or each of the words on it.

use std::collections::BTreeSet;

/// Returns the lines of a list that hold something, each with the name of its group.
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

/// Returns the words of a list, parted by white space, each with the name of its group.
pub fn words(list: &str) -> impl Iterator<Item = (&str, &str)> {
    lines(list).flat_map(|(group, line)| line.split_ascii_whitespace().map(move |word| (group, word)))
}

/// Returns what is wrong with a list, if anything is; for the tests of those who hold one.
///
/// A list is wrong where an entry stands in no group or twice in one, where a group is unknown or empty, and where
/// white space that nobody sees opens or ends a line. `entries` are those of the list, by [`lines`] or [`words`].
///
/// # Examples
///
/// ```
/// use tsugi_page::word_list::{fault, words};
/// let fault = |list| fault(list, words(list), |group| group == "next");
/// assert_eq!(fault("[next]\nnext forward"), None);
/// assert_eq!(fault("[next]\nnext next").as_deref(), Some("`next` stands twice in `next`"));
/// assert_eq!(fault("[nxt]\nnext").as_deref(), Some("`nxt` is no group"));
/// assert_eq!(fault("[next]").as_deref(), Some("`next` is empty"));
/// ```
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
            (Some(group), _) if !is_group(group) => return Some(format!("`{group}` is no group")),
            (Some(group), _) => open = Some((group, false)),
            (None, Some((group, _))) => open = Some((group, true)),
            (None, None) => return Some(format!("`{line}` stands in no group")),
        }
    }
    match open {
        None => return Some("no group".to_owned()),
        Some((group, false)) => return Some(format!("`{group}` is empty")),
        Some((_, true)) => {}
    }
    let mut seen = BTreeSet::new();
    let twice = entries.into_iter().find(|entry| !seen.insert(*entry));
    twice.map(|(group, entry)| format!("`{entry}` stands twice in `{group}`"))
}

fn is_read(line: &str) -> bool {
    !line.is_empty() && !line.starts_with('#')
}

/// The name of the group that a line opens.
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
            ("b\n[a]\nb", "`b` stands in no group"),
            ("[a]\n[a]\nb", "`a` is empty"),
            ("[a]\nb\n[a]\nc\n[a]", "`a` is empty"),
            ("[a]\nb\n\n[a]\nc b", "`b` stands twice in `a`"),
            ("[a]\nb ", "white space around `b`"),
            ("[a]\nb\n \n", "white space around ``"),
            ("[a]\nb\n[c]\nd", "`c` is no group"),
        ] {
            assert_eq!(fault(list, words(list), |group| group == "a").as_deref(), Some(what), "{list}");
        }
        let list = "# a\n[a]\nb c\nb\n\n# b\n[a]\nd";
        assert_eq!(fault(list, lines(list), |group| group == "a"), None);
    }
}
