//! Which controls may be pressed.

use serde_json::Value;
use std::sync::LazyLock;

/// Words of controls that are never pressed, by what they do.
const WORDS: &str = include_str!("words.txt");

/// A control to press, as a page shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Handle {
    /// Its tag, in lower case.
    pub tag: String,
    /// The start of its label: its text, or an attribute that says the same.
    pub label: String,
    /// How many elements of the tag and the label are before it.
    pub before: usize,
}

struct NeverPressed {
    /// What it does, and the word.
    whole: Vec<(&'static str, &'static str)>,
    beginnings: Vec<(&'static str, &'static str)>,
    anywhere: Vec<(&'static str, &'static str)>,
}

static NEVER: LazyLock<NeverPressed> = LazyLock::new(|| {
    let mut never = NeverPressed { whole: Vec::new(), beginnings: Vec::new(), anywhere: Vec::new() };
    let mut group = "";
    for line in WORDS.lines().filter(|line| !line.starts_with('#')) {
        if let Some(name) = line.strip_prefix('[').and_then(|line| line.strip_suffix(']')) {
            group = if name == "sign-in" { "sign in" } else { name };
        } else if let Some(strings) = line.strip_prefix('~') {
            never.anywhere.extend(strings.split_whitespace().map(|word| (group, word)));
        } else {
            for word in line.split_whitespace() {
                match word.strip_suffix('*') {
                    Some(start) => never.beginnings.push((group, start)),
                    None => never.whole.push((group, word)),
                }
            }
        }
    }
    never
});

/// Returns what a control seems to do that is never done (`buy`, `send`, `delete`, `sign in`, `consent`), by its words.
pub fn forbidden(words: &str) -> Option<&'static str> {
    let words = words.to_lowercase();
    let tokens = || words.split(|c: char| !c.is_alphanumeric() && c != '-').filter(|word| !word.is_empty());
    let whole = NEVER.whole.iter().find(|(_, word)| tokens().any(|token| token == *word));
    let begins = || NEVER.beginnings.iter().find(|(_, start)| tokens().any(|token| token.starts_with(start)));
    let anywhere = || NEVER.anywhere.iter().find(|(_, word)| words.contains(word));
    whole.or_else(begins).or_else(anywhere).map(|(group, _)| *group)
}

/// Returns why a control that was found in a page is not pressed; `None` if it may be.
pub(crate) fn refusal(found: &Value) -> Option<String> {
    let text = |name: &str| found[name].as_str().unwrap_or_default();
    let is = |name: &str| found[name].as_bool().unwrap_or_default();
    if found.is_null() {
        return Some("it is not there any more".to_owned());
    }
    if is("disabled") {
        return Some("it is disabled".to_owned());
    }
    if !is("shown") {
        return Some("it is not shown".to_owned());
    }
    if let Some(what) = forbidden(text("words")) {
        return Some(format!("it looks like a control to {what}"));
    }
    if is("fields") {
        return Some("its form has fields to fill in".to_owned());
    }
    if is("elsewhere") {
        return Some("its form is for another host".to_owned());
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn what_changes_something_is_never_pressed() {
        for (words, expected) in [
            ("Load more", None),
            ("Next page", None),
            ("Weitere laden", None),
            ("Afficher plus", None),
            ("もっと見る", None),
            ("更多", None),
            ("Следующая", None),
            ("Buy now", Some("buy")),
            ("Jetzt kaufen", Some("buy")),
            ("Ajouter au panier", Some("buy")),
            ("購入手続きへ", Some("buy")),
            ("Send comment", Some("send")),
            ("Kommentar absenden", Some("send")),
            ("Delete all", Some("delete")),
            ("Удалить", Some("delete")),
            ("Sign in to read more", Some("sign in")),
            ("ログインして続きを読む", Some("sign in")),
            ("Accept & continue", Some("consent")),
            ("Alle akzeptieren", Some("consent")),
            ("同意して次へ", Some("consent")),
        ] {
            assert_eq!(forbidden(words), expected, "{words}");
        }
    }

    #[test]
    fn a_control_must_be_there_and_free() {
        let found = json!({"shown": true, "disabled": false, "words": "Load more", "fields": false, "elsewhere": false});
        assert_eq!(refusal(&found), None);
        for (name, value) in [("shown", false), ("disabled", true), ("fields", true), ("elsewhere", true)] {
            let mut other = found.clone();
            other[name] = value.into();
            assert!(refusal(&other).is_some(), "{name}");
        }
        assert!(refusal(&Value::Null).is_some());
    }
}
