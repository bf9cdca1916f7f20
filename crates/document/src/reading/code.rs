//! Code: its language, and the line numbers beside it.

use tsugi_page::{Attr, NodeId, Page, Tag};

const GUTTERS: &[&str] = &[
    "blob-num", "code-line-number", "gl", "gutter", "hljs-ln-numbers", "line-number", "line-numbers",
    "line-numbers-rows", "line_numbers", "lineno", "linenodiv", "linenos", "linenumber", "linenumbers", "ln",
    "lnt", "rouge-gutter",
];

/// Returns `true` if an element holds line numbers: only numbers, a class that says so, and in or beside code.
pub(super) fn is_gutter(page: &Page, id: NodeId) -> bool {
    let is_named =
        class(page, id).split_ascii_whitespace().any(|class| GUTTERS.binary_search(&class).is_ok());
    is_named && is_numbers(page.string_value(id)) && is_near_code(page, id)
}

fn is_numbers(text: &str) -> bool {
    text.bytes().any(|byte| byte.is_ascii_digit())
        && text.chars().all(|c| c.is_ascii_digit() || c.is_whitespace() || matches!(c, '.' | ':' | '|' | '│'))
}

fn is_near_code(page: &Page, id: NodeId) -> bool {
    const NEAR: usize = 8;
    page.ancestors(id).take(NEAR).any(|above| is_code(page, above) || page.is(above, "table"))
        || page.subtree(id).take(NEAR).any(|below| is_code(page, below))
        || page
            .next_sibling(id)
            .is_some_and(|next| page.subtree(next).take(NEAR).any(|below| is_code(page, below)))
}

fn is_code(page: &Page, id: NodeId) -> bool {
    matches!(page.tag(id), "pre" | "code")
}

/// Returns `true` if an element is the label of a highlighter that names the language of the code beside it.
pub(super) fn is_label(page: &Page, id: NodeId) -> bool {
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
    const NEAR: usize = 8;
    let below = page.subtree(pre).skip(1).take(NEAR).filter(|id| page.is(*id, "code"));
    let own = below.chain([pre]).find_map(|id| named(page, id, "lang-"));
    let mut around = page
        .ancestors(pre)
        .take(NEAR)
        .take_while(|id| !matches!(page.tag(*id), "body" | "article" | "main" | "section"));
    // `lang-de` is the language of the text around the code.
    let language = own.or_else(|| around.find_map(|id| named(page, id, "language-")));
    language.map(str::to_ascii_lowercase).unwrap_or_default()
}

fn named<'p>(page: &'p Page, id: NodeId, prefix: &str) -> Option<&'p str> {
    let stated = ["data-lang", "data-language"].into_iter().find_map(|name| page.attribute(id, name));
    stated.filter(|name| is_language(name)).or_else(|| of_class(class(page, id), prefix))
}

fn class(page: &Page, id: NodeId) -> &str {
    page.value(id, Attr::Class).unwrap_or_default()
}

fn of_class<'c>(class: &'c str, prefix: &str) -> Option<&'c str> {
    let known = [prefix, "language-", "highlight-source-", "highlight-text-", "highlight-", "brush:", "src-"];
    let mut words = class.split([' ', '\t', '\n', ';']).filter(|word| !word.is_empty());
    let stated = words.clone().find_map(|word| known.iter().find_map(|prefix| word.strip_prefix(prefix)));
    if let Some(name) = stated.filter(|name| is_language(name)) {
        return Some(name);
    }
    // `hljs python`, `sourceCode haskell`, `brush: java`.
    words.find(|word| matches!(*word, "hljs" | "sourceCode" | "brush:" | "CodeMirror"))?;
    words.find(|word| !word.ends_with(':')).filter(|name| is_language(name))
}

/// Returns `true` if a text may name a language. Highlighters also put other words beside names.
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
