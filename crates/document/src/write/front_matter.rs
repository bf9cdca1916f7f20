//! YAML front matter: metadata above the Markdown or text of a document.
//!
//! # Source
//!
//! YAML 1.2.2, <https://yaml.org/spec/1.2.2/>: sections 5.1 (which characters may stand as they are), 5.7 (escapes) and
//! 7.3.1 (double-quoted scalars).

use crate::document::Document;
use std::fmt::Write;
use tsugi_page::Url;

/// Returns the block with its two `---` lines and the blank line after it.
pub(super) fn block(document: &Document) -> String {
    let mut out = String::from("---\n");
    push_text(&mut out, "title", document.title.as_deref());
    push_list(&mut out, "authors", &document.authors);
    push_text(&mut out, "published", document.published.as_deref());
    push_text(&mut out, "modified", document.modified.as_deref());
    push_text(&mut out, "language", document.lang.as_deref());
    push_text(&mut out, "source", Some(document.url.as_str()));
    push_text(&mut out, "canonical", document.canonical.as_ref().map(Url::as_str));
    push_text(&mut out, "site", document.site.as_deref());
    push_text(&mut out, "description", document.description.as_deref());
    push_text(&mut out, "image", document.image.as_ref().map(Url::as_str));
    push_text(&mut out, "section", document.section.as_deref());
    push_list(&mut out, "tags", &document.tags);
    let _ = writeln!(out, "pages: {}\n---\n", document.pages.len());
    out
}

fn push_text(out: &mut String, name: &str, value: Option<&str>) {
    if let Some(value) = value {
        let _ = writeln!(out, "{name}: {}", quoted(value));
    }
}

fn push_list(out: &mut String, name: &str, values: &[String]) {
    if !values.is_empty() {
        let _ = writeln!(out, "{name}:");
    }
    for value in values {
        let _ = writeln!(out, "  - {}", quoted(value));
    }
}

/// Returns a text as a double-quoted scalar on one line. YAML 1.1, which knows more line breaks, reads it the same way.
fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => {
                out.push('\\');
                out.push(c);
            }
            ' '..='~'
            | '\u{a0}'..='\u{2027}'
            | '\u{202a}'..='\u{fefe}'
            | '\u{ff00}'..='\u{fffd}'
            | '\u{10000}'.. => out.push(c),
            _ => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::quoted;
    use saphyr::{LoadableYamlNode, Yaml};

    fn read(yaml: &str) -> Option<String> {
        let documents = Yaml::load_from_str(yaml).ok()?;
        documents.first()?.as_str().map(str::to_owned)
    }

    #[test]
    fn texts_are_quoted_so_that_they_read_back() {
        for text in [
            "",
            "plain",
            "- a",
            "a: b",
            "yes",
            "null",
            "1.0",
            "2024-05-01",
            "#x",
            " x ",
            "it's \"so\" \\n",
            "a\nb\tc",
            "\u{0}\u{1f}\u{7f}\u{85}\u{9f}",
            "\u{2028}\u{2029}\u{feff}\u{ffff}",
            "雪 🌙",
            "---",
            "%x",
            "&a *b !c",
        ] {
            let yaml = quoted(text);
            assert_eq!(read(&yaml).as_deref(), Some(text), "{yaml}");
            assert!(!yaml.contains(['\n', '\u{85}', '\u{2028}']), "{yaml}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_text_reads_back(text in "\\PC{0,8}|(?s:.{0,8})") {
            proptest::prop_assert_eq!(read(&quoted(&text)), Some(text));
        }
    }
}
