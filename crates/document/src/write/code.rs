//! Code blocks in Markdown: fences, or markup where a fence is not safe.
//!
//! Not every renderer knows fences: Python-Markdown knows none without an extension, and with it none in lists and
//! quotations. There, the lines of a fence are Markdown and HTML. Code that would then do something is written as markup
//! with character references, which every renderer shows as it is.

use super::inline::longest_run;

/// Elements that load or run something, or that change how what follows is read.
const ACTIVE: &[&str] = &[
    "applet", "base", "button", "embed", "form", "frame", "frameset", "iframe", "input", "link", "math",
    "meta", "noembed", "noframes", "noscript", "object", "plaintext", "portal", "script", "select", "style",
    "svg", "template", "textarea", "title", "xmp",
];

/// Schemes of addresses that run something, as they begin in a link or an attribute.
const SCHEMES: &[&str] = &[
    "javascript:", "livescript:", "mocha:", "vbscript:", "=data:", "=\"data:", "='data:", "(data:", "(<data:",
];

/// Returns the lines of a code block. `code` has no control characters but tabs and newlines; `is_below` says whether the block
/// is in a list or a quotation.
pub(super) fn lines(code: &str, language: &str, is_below: bool) -> Vec<String> {
    if may_act(code) || is_torn(code) || (is_below && tags(code).any(|(_, tag)| is_named(tag))) {
        return vec![markup(code, language)];
    }
    let fence = "`".repeat((longest_run(code, '`') + 1).max(3));
    let mut lines = vec![format!("{fence}{language}")];
    lines.extend(code.lines().map(str::to_owned));
    lines.push(fence);
    lines
}

fn markup(code: &str, language: &str) -> String {
    let class = if language.is_empty() { String::new() } else { format!(" class=\"language-{language}\"") };
    format!("<pre><code{class}>{}</code></pre>", in_references(code))
}

/// Returns a span of code as markup if it is not safe between backticks.
pub(super) fn span(code: &str) -> Option<String> {
    is_torn(code).then(|| format!("<code>{}</code>", in_references(code)))
}

/// Returns a text for markup, with references for all characters that mean something in Markdown or HTML.
pub(super) fn in_references(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            '\n' | '\'' | '!' | '$' | '(' | ')' | '*' | '[' | '\\' | ']' | '^' | '_' | '`' | '{' | '|'
            | '}' | '~' => {
                out.push_str("&#");
                out.push_str(&u32::from(c).to_string());
                out.push(';');
            }
            _ => out.push(c),
        }
    }
    out
}

fn may_act(code: &str) -> bool {
    let code = code.to_ascii_lowercase();
    let bare: String = code.chars().filter(|c| !c.is_whitespace()).collect();
    let first_tag = tags(&code).next();
    let has_tags = first_tag.is_some();
    SCHEMES.iter().any(|scheme| bare.contains(scheme))
        // A scheme can be written with references.
        || ((has_tags || bare.contains("](") || bare.contains("]:")) && has_reference(&code))
        || tags(&code).any(|(_, tag)| is_active(tag) || has_style(tag))
        || has_handler(&code, first_tag.map(|(at, _)| at))
}

/// Returns the text after each `<` that could begin a tag, a comment or an instruction, and the place of the `<`.
fn tags(code: &str) -> impl Iterator<Item = (usize, &str)> {
    let begins = |after: &str| after.starts_with(|c: char| c.is_ascii_alphabetic() || "/!?".contains(c));
    code.match_indices('<').map(|(at, _)| (at, &code[at + 1..])).filter(move |(_, after)| begins(after))
}

fn is_active(tag: &str) -> bool {
    let name = tag.trim_start_matches('/');
    let name = &name[..name.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(name.len())];
    // A comment or an instruction hides what comes after it, but a doctype does not.
    let hides = tag.starts_with(['!', '?']) && !tag.starts_with("!doctype");
    hides || ACTIVE.binary_search(&name).is_ok()
}

/// Returns `true` if a name of HTML follows the `<`: the name may end the tag, or attributes follow it.
fn is_named(tag: &str) -> bool {
    let name = tag.trim_start_matches('/');
    let rest = name.trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '-');
    rest.len() < name.len() && rest.chars().next().is_none_or(|c| c.is_whitespace() || "/>\"'=".contains(c))
}

/// Returns `true` if a tag begins in the code and does not end in it, or has a quote where none belongs.
///
/// A renderer that takes the code for HTML reads on in what follows, up to the next quote or `>`. What follows is then part of
/// the tag, and what is behind it is markup, even inside other code.
fn is_torn(code: &str) -> bool {
    // Where the last tag that was read ended. A `<` inside a tag is one of its signs.
    let mut end = 0;
    for (at, tag) in tags(code) {
        if at < end || !is_named(tag) {
            continue;
        }
        match length_of_tag(tag) {
            Some(length) => end = at + 1 + length,
            None => return true,
        }
    }
    false
}

/// Returns the length of a tag from its name to its `>`, which is `None` if the tag is torn.
fn length_of_tag(tag: &str) -> Option<usize> {
    let (mut quote, mut is_value) = (None, false);
    for (at, c) in tag.char_indices() {
        match (quote, c) {
            (Some(open), _) if c == open => quote = None,
            (None, '>') => return Some(at + 1),
            (None, '"' | '\'') if is_value => quote = Some(c),
            (None, '<' | '"' | '\'' | '`') => return None,
            _ => {}
        }
        is_value = c == '=' || (is_value && c.is_whitespace());
    }
    None
}

/// Returns `true` if a tag places or paints something.
fn has_style(tag: &str) -> bool {
    let tag = &tag[..tag.find('>').unwrap_or(tag.len())];
    tag.match_indices("style").any(|(at, name)| {
        tag[..at].ends_with(|c: char| !c.is_alphanumeric() && c != '-')
            && tag[at + name.len()..].trim_start().starts_with('=')
    })
}

/// Returns `true` if there is something like `&#106;` or `&colon;`.
fn has_reference(code: &str) -> bool {
    code.match_indices('&').any(|(at, _)| {
        let name = code[at + 1..].trim_start_matches('#');
        let rest = name.trim_start_matches(|c: char| c.is_ascii_alphanumeric());
        rest.len() < name.len() && (rest.starts_with(';') || code[at + 1..].starts_with('#'))
    })
}

/// Returns `true` if an event handler (`onclick=`) could belong to a tag before it, or to a list of attributes in braces on
/// its line.
pub(super) fn has_handler(code: &str, first_tag: Option<usize>) -> bool {
    let (mut brace, mut from) = (false, 0);
    for (at, _) in code.match_indices("on") {
        let between = &code[from..at];
        if let Some(line) = between.rfind('\n') {
            brace = between[line..].contains('{');
        } else {
            brace |= between.contains('{');
        }
        from = at;
        if code[..at].ends_with(|c: char| c.is_alphanumeric() || c == '_') {
            continue;
        }
        let name = &code[at + 2..];
        let rest = name.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        let is_set = rest.len() < name.len() && rest.trim_start().starts_with('=');
        if is_set && (brace || first_tag.is_some_and(|tag| tag < at)) {
            return true;
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_is_in_order() {
        assert!(ACTIVE.is_sorted());
    }

    #[test]
    fn code_that_does_nothing_is_fenced() {
        for code in [
            "let v: Vec<String> = Vec::new();",
            "<div class=\"a\">b &nbsp</div>",
            "if (a < b && c > d) only = one;",
            "data:\n  - onward = 1",
            "<!DOCTYPE html>\n<p>x</p>",
            "{ x }\nonce = 2",
            "a & b; c[0](d)",
            "for (i = 0; i<n; i++) {}",
            "a <b> \"c\" </b>",
        ] {
            assert_eq!(lines(code, "x", false)[0], "```x", "{code}");
        }
        assert_eq!(lines("let v: Vec<u8>;", "", true).len(), 1, "a tag below a list");
        assert_eq!(lines("for (i = 0; i<n; i++) {}", "", true)[0], "```");
    }

    #[test]
    fn code_that_could_do_something_is_markup() {
        for code in [
            "<script>x()</script>",
            "</Script\n>",
            "<img src=x onerror = x()>",
            "<img/onerror=x()>",
            "<p title='\n\nonclick=x()'>",
            "a {: onclick=x() }",
            "[a](java\tscript:x())",
            "[a](java&#115;cript:x())",
            "[a]: java&colon;x",
            "<a href=\"&#106avascript:x()\">",
            "<a href='DATA:text/html,x'>",
            "<!-- -->",
            "<?php",
            "<svg/onload=x()>",
            "<p title=\"",
            "<p title=a\"b>",
            "<p title='>",
            "<b>x</b",
            "x <p",
            "<a href=`",
            "<form action=https://evil.example/><input>",
            "<p STYLE = 'position:fixed'>",
            "<img src=\"mocha:x\">",
        ] {
            let lines = lines(code, "x", false);
            assert!(lines.len() == 1 && lines[0].starts_with("<pre><code class=\"language-x\">"), "{code}");
        }
        assert_eq!(span("<p>"), None);
        assert_eq!(span("<p title=\"").unwrap(), "<code>&lt;p title=&quot;</code>");
        assert_eq!(
            lines("<script>\n\n*[a](b)*\n</script>", "", false),
            [
                "<pre><code>&lt;script&gt;&#10;&#10;&#42;&#91;a&#93;&#40;b&#41;&#42;&#10;&lt;/script&gt;</code></pre>"
            ]
        );
    }
}
