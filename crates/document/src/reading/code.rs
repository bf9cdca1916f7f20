//! Code: its language, and the line numbers beside it.

use tsugi_page::{Attr, NodeId, Page, Tag};

/// Class names of line numbers.
const GUTTERS: &[&str] = &[
    "blob-num", "code-line-number", "gl", "gutter", "hljs-ln-numbers", "line-number", "line-numbers",
    "line-numbers-rows", "line_numbers", "lineno", "linenodiv", "linenos", "linenumber", "linenumbers", "ln",
    "lnt", "rouge-gutter",
];

/// Returns `true` if an element holds line numbers: only numbers, a class that says so, and in or beside code.
pub(super) fn is_gutter(page: &Page, id: NodeId) -> bool {
    let is_named = class(page, id)
        .split_ascii_whitespace()
        .any(|class| GUTTERS.binary_search_by(|gutter| (*gutter).cmp(class)).is_ok());
    if !is_named {
        return false;
    }
    let text = page.string_value(id);
    let has_digits = text.bytes().any(|byte| byte.is_ascii_digit());
    let is_numbers =
        text.chars().all(|c| c.is_ascii_digit() || c.is_whitespace() || matches!(c, '.' | ':' | '|' | '│'));
    let is_code = |id: NodeId| matches!(page.tag(id), "pre" | "code");
    let in_code = || page.ancestors(id).take(8).any(|above| is_code(above) || page.is(above, "table"));
    let holds_code = || page.subtree(id).take(8).any(is_code);
    let beside_code = || page.next_sibling(id).is_some_and(|next| page.subtree(next).take(8).any(is_code));
    has_digits && is_numbers && (in_code() || holds_code() || beside_code())
}

/// Returns `true` if an element is the label of a highlighter that names the language of the code beside it.
pub(super) fn is_label(page: &Page, id: NodeId) -> bool {
    /// The most elements to look at on each side.
    const NEAR: usize = 4;
    let named = matches!(page.known_tag(id), Tag::Span | Tag::Div)
        && class(page, id)
            .split_ascii_whitespace()
            .any(|class| matches!(class, "lang" | "code-lang" | "language-label" | "code-block-lang"));
    if !named {
        return false;
    }
    let label = page.string_value(id).trim().to_ascii_lowercase();
    let around = page.parent(id).into_iter().flat_map(|parent| page.child_elements(parent).take(NEAR));
    let mut code = around.flat_map(|beside| page.subtree(beside).take(NEAR)).filter(|id| page.is(*id, "pre"));
    code.any(|pre| language(page, pre) == label)
}

/// Returns the language of the code in a `pre`, from its class, that of the `code` in it, or those around it: `language-rust`,
/// `lang-c++`, `highlight-python3`, `highlight-source-js`, `brush: java`, `sourceCode haskell`. Empty if none names it.
pub(crate) fn language(page: &Page, pre: NodeId) -> String {
    /// How far up and down to look for classes.
    const NEAR: usize = 8;
    let below = page.subtree(pre).skip(1).take(NEAR).filter(|id| page.is(*id, "code"));
    let stated = |id: NodeId| {
        let stated = ["data-lang", "data-language"].into_iter().find_map(|name| page.attribute(id, name));
        stated.filter(|name| is_language(name))
    };
    let own = below.chain([pre]).find_map(|id| stated(id).or_else(|| of_class(class(page, id), "lang-")));
    let around = || {
        let is_part = |id: &NodeId| !matches!(page.tag(*id), "body" | "article" | "main" | "section");
        let mut above = page.ancestors(pre).take(NEAR).take_while(is_part);
        // `lang-de` is the language of the text around the code.
        above.find_map(|id| stated(id).or_else(|| of_class(class(page, id), "language-")))
    };
    own.or_else(around).map(str::to_ascii_lowercase).unwrap_or_default()
}

fn class(page: &Page, id: NodeId) -> &str {
    page.value(id, Attr::Class).unwrap_or_default()
}

/// Returns the language that a class names after a prefix, or in the style of a highlighter.
fn of_class<'c>(class: &'c str, prefix: &str) -> Option<&'c str> {
    let words = || class.split([' ', '\t', '\n', ';']).filter(|word| !word.is_empty());
    let named = words().find_map(|word| {
        let known =
            [prefix, "language-", "highlight-source-", "highlight-text-", "highlight-", "brush:", "src-"];
        known.into_iter().find_map(|prefix| word.strip_prefix(prefix))
    });
    // `hljs python`, `sourceCode haskell`, `brush: java`.
    let after = || {
        let mut words = words();
        words.find(|word| matches!(*word, "hljs" | "sourceCode" | "brush:" | "CodeMirror"))?;
        words.find(|word| !word.ends_with(':'))
    };
    named.filter(|name| is_language(name)).or_else(|| after().filter(|name| is_language(name)))
}

/// Returns `true` if a text may name a language, and is none of the words that highlighters use beside names.
fn is_language(name: &str) -> bool {
    const NONE: &[&str] = &[
        "auto", "default", "highlight", "hljs", "none", "notranslate", "plain", "plaintext", "text",
        "undefined", "wrapper",
    ];
    (1..=20).contains(&name.len())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '#' | '-' | '.'))
        && name.starts_with(|c: char| c.is_ascii_alphabetic())
        && !NONE.contains(&name.to_ascii_lowercase().as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(html: &str) -> Page {
        Page::from_text(html, &"https://a.test/".parse().unwrap())
    }

    #[test]
    fn languages_are_read_from_all_highlighters() {
        for (html, expected) in [
            ("<pre><code class='x language-rust'>a", "rust"),
            ("<pre class='lang-c++'>a", "c++"),
            ("<div class='highlight-python3 notranslate'><div class=highlight><pre>a", "python3"),
            ("<div class='highlight highlight-source-shell'><pre>a", "shell"),
            (
                "<div class='language-ruby highlighter-rouge'><div class=highlight><pre class=highlight><code>a",
                "ruby",
            ),
            ("<pre class='brush: js; toolbar: false'>a", "js"),
            ("<pre class='sourceCode haskell'><code class='sourceCode haskell'>a", "haskell"),
            ("<pre><code class='hljs python'>a", "python"),
            ("<div class=highlight><pre><code data-lang=Go>a", "go"),
            ("<pre class=highlight>a", ""),
            ("<div class='highlight-default notranslate'><pre>a", ""),
            ("<pre class='language-<x>'>a", ""),
        ] {
            let page = page(html);
            assert_eq!(language(&page, page.first("pre").unwrap()), expected, "{html}");
        }
    }

    #[test]
    fn gutters_are_told_from_numbers() {
        assert!(GUTTERS.is_sorted());
        let is_gutter = |html: &str, tag: &str| {
            let page = page(html);
            super::is_gutter(&page, page.first(tag).unwrap())
        };
        assert!(is_gutter(
            "<table><tr><td class=linenos><pre>1\n2</pre><td class=code><pre>a\nb</pre></table>",
            "td"
        ));
        assert!(is_gutter("<pre><span class=lineno>1 </span>a</pre>", "span"));
        assert!(!is_gutter("<pre><span class=mi>1</span>a</pre>", "span"), "a number in code");
        assert!(!is_gutter("<table><tr><td class=gutter>Chapter 1<td>a</table>", "td"));
        assert!(!is_gutter("<p class=ln>12</p>", "p"), "no code near");
        let is_label = |html: &str| {
            let page = page(html);
            super::is_label(&page, page.first("span").unwrap())
        };
        assert!(is_label(
            "<div class=language-python><button></button><span class=lang>python</span><pre><code>a"
        ));
        assert!(!is_label("<p><span class=lang>English</span> only"));
    }
}
