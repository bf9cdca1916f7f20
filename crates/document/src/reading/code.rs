//! Code: where it is, its language, the line numbers beside it, and the labels and buttons around it.

use crate::labels;
use std::collections::BTreeSet;
use tsugi_page::style::declarations;
use tsugi_page::{Attr, NodeId, NodeKind, Page, Tag};

const GUTTERS: &[&str] = &[
    "blob-num", "code-line-number", "gl", "gutter", "hljs-ln-numbers", "line-number", "line-numbers",
    "line-numbers-rows", "line_numbers", "lineno", "linenodiv", "linenos", "linenumber", "linenumbers", "ln",
    "lnt", "rouge-gutter",
];

/// Returns `false` if no element of a page is a gutter: there is nothing that they stand beside.
pub(super) fn may_have_gutters(page: &Page) -> bool {
    page.elements().any(|id| matches!(page.known_tag(id), Tag::Pre | Tag::Code | Tag::Table))
}

/// Returns `true` if an element holds line numbers: only numbers, and either a class that says so, in or beside code, or the
/// numbers of the lines of the code beside it, one by one.
pub(super) fn is_gutter(page: &Page, id: NodeId) -> bool {
    if !is_numbers(page.string_value(id)) {
        return false;
    }
    let is_named = class(page, id).split_ascii_whitespace().any(names_gutter);
    (is_named && is_near_code(page, id))
        || lines_counted(page, id)
            .is_some_and(|lines| beside(page, id).any(|code| has_lines(page, code, lines)))
}

/// Returns `true` for names on the list, and for those made of its words: `code-line-number`, `CodeBlock_lineNo`.
fn names_gutter(class: &str) -> bool {
    GUTTERS.binary_search(&class).is_ok() || {
        let class = class.to_ascii_lowercase();
        class.find("line").is_some_and(|at| {
            let rest = class[at + 4..].trim_start_matches(['-', '_']);
            rest.starts_with("num") || rest == "no" || rest == "nos" || rest == "nr"
        })
    }
}

/// Returns the number of the last line if an element counts 1, 2, 3, …. Numbers may be elements with nothing between them.
fn lines_counted(page: &Page, id: NodeId) -> Option<usize> {
    let texts = page.subtree(id).filter(|id| page.kind(*id) == NodeKind::Text);
    let mut last = 0;
    for word in texts.flat_map(|text| page.data(text).split_whitespace()) {
        last += 1;
        if word.trim_end_matches(['.', ':']).parse() != Ok(last) {
            return None;
        }
    }
    (last > 1).then_some(last)
}

fn has_lines(page: &Page, code: NodeId, lines: usize) -> bool {
    let is_code_below = page.subtree(code).take(16).any(|id| is_code(page, id));
    is_code_below && {
        // Text has no blank lines, and lines in elements of their own have no newlines.
        let (shown, written) =
            (page.text(code).lines().count(), page.string_value(code).trim_end().split('\n').count());
        (shown..=written.max(shown)).contains(&lines)
    }
}

fn beside(page: &Page, id: NodeId) -> impl Iterator<Item = NodeId> {
    let before = std::iter::successors(page.previous_sibling(id), |id| page.previous_sibling(*id));
    let behind = std::iter::successors(page.next_sibling(id), |id| page.next_sibling(*id));
    let [before, behind] =
        [before.take(2).find(|id| page.is_element(*id)), behind.take(2).find(|id| page.is_element(*id))];
    [behind, before].into_iter().flatten()
}

/// Returns the block of code beside line numbers whose lines are elements of their own, each code: they are one block.
pub(super) fn box_beside(page: &Page, gutter: NodeId) -> Option<NodeId> {
    let is_within = page.ancestors(gutter).take(NEAR_CODE).any(|above| page.is_tag(above, Tag::Pre));
    let is_box = |id: &NodeId| page.text(*id).contains('\n') && is_only_code(page, *id, &[Tag::Code]);
    beside(page, gutter).filter(|_| !is_within).find(is_box)
}

/// Returns the elements with the line numbers of a table, or of elements like one, whose rows are lines of code; `None` if it is
/// something else.
pub(super) fn numbered_rows(page: &Page, table: NodeId) -> Option<Vec<NodeId>> {
    let is_table = page.is_tag(table, Tag::Table);
    if !is_table && !page.is_tag(table, Tag::Div) {
        return None;
    }
    let rows = page.subtree(table).filter(|id| {
        if is_table {
            page.is_tag(*id, Tag::Tr)
        } else {
            page.is_element(*id) && page.parent(*id) == Some(table)
        }
    });
    let mut numbers: Vec<NodeId> = Vec::new();
    let mut last = None;
    for row in rows {
        let mut cells = page.child_elements(row);
        let (cell, code) = (cells.next()?, cells.next()?);
        if cells.next().is_some() {
            return None;
        }
        // Numbers that only a style shows say themselves that they count lines, and from where.
        let stated =
            page.attribute(cell, "data-line-number").filter(|_| page.string_value(cell).trim().is_empty());
        let number: usize = stated.unwrap_or_else(|| page.string_value(cell)).trim().parse().ok()?;
        let is_next = match last {
            None => stated.is_some() || number == 1,
            Some(last) => number.checked_sub(1) == Some(last),
        };
        if !is_next || !(stated.is_some() || is_only_code(page, code, &[Tag::Code, Tag::Pre])) {
            return None;
        }
        last = Some(number);
        numbers.push(cell);
    }
    (numbers.len() > 1).then_some(numbers)
}

/// Returns `true` if all words of an element are in some elements, and it has no paragraph and no other `pre`.
fn is_only_code(page: &Page, id: NodeId, of: &[Tag]) -> bool {
    let mut code_end = 0;
    for below in page.subtree(id) {
        if page.is_element(below) && page.is_html(below) && of.contains(&page.known_tag(below)) {
            code_end = code_end.max(page.subtree_end(below));
        } else if page.is_tag(below, Tag::Pre) || page.is_tag(below, Tag::P) || is_word(page, below, code_end)
        {
            return false;
        }
    }
    code_end > 0
}

/// Returns the texts of a block of code that only part its lines in the page's source.
pub(super) fn between_lines(page: &Page, code: NodeId) -> impl Iterator<Item = NodeId> {
    let is_line = |id: NodeId| page.class(id).line || page.class(id).cell;
    page.subtree(code).filter(move |id| {
        page.kind(*id) == NodeKind::Text
            && page.data(*id).trim().is_empty()
            && [page.previous_sibling(*id), page.next_sibling(*id)].into_iter().flatten().any(is_line)
    })
}

/// Returns `true` for a text that is not blank, and not before `end`.
fn is_word(page: &Page, id: NodeId, end: usize) -> bool {
    page.kind(id) == NodeKind::Text && id.index() >= end && !page.data(id).trim().is_empty()
}

/// Returns the text of each text node in a paragraph, or in a part of one, whose lines of code are parted by `br`; `None` if it is
/// something else.
pub(super) fn broken_lines(page: &Page, block: NodeId) -> Option<Vec<(NodeId, String)>> {
    /// What is written in these is often no code; it has longer lines then. In characters.
    const LONGEST_LINE: usize = 100;
    let looks_like_code = |id: NodeId| {
        matches!(page.known_tag(id), Tag::Code | Tag::Tt | Tag::Samp | Tag::Kbd) || is_monospaced(page, id)
    };
    let is_block = page.is_tag(block, Tag::P) || page.is_tag(block, Tag::Div);
    if !(is_block || page.is_html(block) && is_in_prose(page, block) && looks_like_code(block)) {
        return None;
    }
    let (mut code_end, mut is_certain) = (0, true);
    if !is_block || is_monospaced(page, block) {
        (code_end, is_certain) = (page.subtree_end(block), page.is_tag(block, Tag::Code));
    }
    let (mut texts, mut line) = (Vec::new(), 0);
    for below in page.subtree(block).skip(1) {
        let class = page.class(below);
        if page.is_tag(below, Tag::Br) {
            line += 1;
        } else if page.kind(below) == NodeKind::Text {
            if is_word(page, below, code_end) {
                return None;
            }
            texts.push((below, line));
        } else if class.line || class.void || class.hidden || !page.is_html(below) {
            return None;
        } else if below.index() >= code_end && looks_like_code(below) {
            (code_end, is_certain) = (page.subtree_end(below), is_certain && page.is_tag(below, Tag::Code));
        }
    }
    let filled: Vec<_> = texts.iter().filter(|(id, _)| !page.data(*id).trim().is_empty()).collect();
    let has_lines = filled.first()?.1 < filled.last()?.1;
    let is_short = || page.text(block).lines().all(|line| line.chars().count() <= LONGEST_LINE);
    let is_plain = || page.totals(block).link_characters == 0 && is_short();
    let is_block = has_lines && (is_certain || is_plain());
    (is_block && !page.ancestors(block).any(|above| page.class(above).pre))
        .then(|| source_lines(page, &texts))
}

/// Returns `true` for a part of a paragraph that is in no other part with a look of its own.
fn is_in_prose(page: &Page, id: NodeId) -> bool {
    let around = page.ancestors(id).find(|above| !matches!(page.known_tag(*above), Tag::Span | Tag::Font));
    page.is_element(id) && !page.class(id).line && around.is_some_and(|around| page.class(around).line)
}

/// Returns `true` for a line break between a block of code and the prose around it, or at an end of the block.
pub(crate) fn parts_code(page: &Page, boxes: &BTreeSet<NodeId>, id: NodeId) -> bool {
    const NEAR: usize = 8;
    if boxes.is_empty() || !page.is_tag(id, Tag::Br) {
        return false;
    }
    let is_shown = |id: &NodeId| {
        !page.is_tag(*id, Tag::Br) && (page.is_element(*id) || !page.data(*id).trim().is_empty())
    };
    let mut before =
        std::iter::successors(page.previous_sibling(id), |id| page.previous_sibling(*id)).take(NEAR);
    let mut behind = std::iter::successors(page.next_sibling(id), |id| page.next_sibling(*id)).take(NEAR);
    [before.find(is_shown), behind.find(is_shown)].into_iter().any(|beside| match beside {
        Some(beside) => page.subtree(beside).take(NEAR).any(|id| boxes.contains(&id)),
        None => page.parent(id).is_some_and(|around| boxes.contains(&around)),
    })
}

/// Returns texts as their lines were written, without the line breaks and the indentation of the page's source. `texts` have the
/// number of their line.
fn source_lines(page: &Page, texts: &[(NodeId, usize)]) -> Vec<(NodeId, String)> {
    let is_space = |c: char| c != '\u{a0}' && c.is_whitespace();
    let parted = |id: NodeId| {
        let data = page.data(id);
        let words = data.trim_start_matches(is_space);
        (&data[..data.len() - words.len()], words)
    };
    // Behind the last line break of the source: the indentation of the source, and perhaps of the code.
    let (mut lead, mut begun, mut last) = (String::new(), true, None);
    let mut indents: Vec<Option<String>> = Vec::with_capacity(texts.len());
    for (id, line) in texts {
        if last.replace(*line) != Some(*line) {
            (lead, begun) = (String::new(), false);
        }
        let (space, words) = parted(*id);
        let begins = !begun && !words.is_empty();
        if !begun {
            match space.rfind('\n') {
                Some(end) => space[end + 1..].clone_into(&mut lead),
                None => lead.push_str(space),
            }
            begun = begins;
        }
        // Blank texts before the first word are part of the indentation.
        indents.push(if begins { Some(std::mem::take(&mut lead)) } else { (!begun).then(String::new) });
    }
    let starts = texts.iter().zip(&indents).filter(|((id, line), _)| *line > 0 && !parted(*id).1.is_empty());
    let common =
        starts.filter_map(|(_, indent)| Some(indent.as_ref()?.chars().count())).min().unwrap_or_default();
    let mut shown = Vec::with_capacity(texts.len());
    for ((id, line), indent) in texts.iter().zip(indents) {
        let (space, words) = parted(*id);
        let mut text = String::new();
        match indent {
            Some(indent) if *line > 0 => text.extend(indent.chars().skip(common)),
            None if !space.is_empty() => text.push(' '),
            _ => {}
        }
        for (at, line) in words.split('\n').enumerate() {
            let line = if at > 0 { line.trim_start_matches(is_space) } else { line };
            if at > 0 && !line.is_empty() {
                text.push(' ');
            }
            text.push_str(line.trim_end_matches('\r'));
        }
        shown.push((*id, text));
    }
    let mut ended = None;
    for ((_, line), (_, text)) in texts.iter().zip(&mut shown).rev() {
        if ended != Some(*line) {
            text.truncate(text.trim_end_matches(is_space).len());
            ended = Some(*line).filter(|_| !text.is_empty()).or(ended);
        }
    }
    shown
}

fn is_monospaced(page: &Page, id: NodeId) -> bool {
    const FACES: [&str; 5] = ["monospace", "courier", "consolas", "menlo", "monaco"];
    let style = page.value(id, Attr::Style).unwrap_or_default();
    style.contains("font")
        && declarations(style).any(|(property, value)| {
            let value = value.to_ascii_lowercase();
            matches!(property, "font" | "font-family") && FACES.iter().any(|face| value.contains(face))
        })
}

fn is_numbers(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_digit() || c.is_whitespace() || matches!(c, '.' | ':' | '|' | '│'))
        && text.bytes().any(|byte| byte.is_ascii_digit())
}

/// How far around line numbers their code is, in elements.
const NEAR_CODE: usize = 8;

fn is_near_code(page: &Page, id: NodeId) -> bool {
    page.ancestors(id).take(NEAR_CODE).any(|above| is_code(page, above) || page.is(above, "table"))
        || page.subtree(id).take(NEAR_CODE).any(|below| is_code(page, below))
        || page
            .next_sibling(id)
            .is_some_and(|next| page.subtree(next).take(NEAR_CODE).any(|below| is_code(page, below)))
}

fn is_code(page: &Page, id: NodeId) -> bool {
    matches!(page.tag(id), "pre" | "code")
}

/// Returns `true` if an element is a block of code: `pre` and its like, or one of several lines that is styled so and holds nothing
/// but words.
pub(crate) fn is_code_block(page: &Page, id: NodeId) -> bool {
    if !page.class(id).pre || !page.is_html(id) {
        return false;
    }
    let is_named = matches!(page.known_tag(id), Tag::Pre | Tag::Listing | Tag::Xmp | Tag::Plaintext);
    let is_more = |below: NodeId| {
        let class = page.class(below);
        (class.block && !page.is_tag(below, Tag::Div)) || page.is_tag(below, Tag::Img)
    };
    is_named || (!page.subtree(id).skip(1).any(is_more) && page.text(id).contains('\n'))
}

/// Returns `true` if an element is the label of a highlighter that names the language of the code right after it, or a button
/// beside or in code (“Copy”). A label of a tab is what the code is about.
pub(super) fn is_label(page: &Page, id: NodeId) -> bool {
    /// In characters.
    const LONGEST: u32 = 20;
    /// In elements.
    const NEAR: usize = 4;
    let is_custom = page.known_tag(id) == Tag::Other && page.tag(id).contains('-');
    let is_button = page.is_tag(id, Tag::Button);
    if page.class(id).label
        || !(is_button || is_custom || matches!(page.known_tag(id), Tag::Span | Tag::Div | Tag::P | Tag::A))
    {
        return false;
    }
    let length = page.totals(id).characters;
    if length == 0 || length > LONGEST {
        return false;
    }
    let code_in = |around: NodeId| {
        let children = page.child_elements(around).take(NEAR);
        children.flat_map(|beside| page.subtree(beside).take(NEAR)).find(|id| page.is_tag(*id, Tag::Pre))
    };
    let around = page.ancestors(id).take(2).filter(|above| !page.is_tag(*above, Tag::Body));
    // What is around a label and its code has few other words.
    let is_label_of = |(above, pre): &(NodeId, NodeId)| {
        page.totals(*above).characters <= page.totals(*pre).characters + 3 * LONGEST
    };
    let beside: Vec<(NodeId, NodeId)> =
        around.filter_map(|above| Some((above, code_in(above)?))).filter(is_label_of).collect();
    // Before any text is read, since most pages with code have other links.
    if beside.is_empty() && !page.ancestors(id).take(NEAR).any(|above| page.is_tag(above, Tag::Pre)) {
        return false;
    }
    let text = || page.text(id).to_lowercase();
    // In code, it is a word like others.
    let is_in_code = || page.ancestors(id).take(2 * NEAR).any(|above| is_code(page, above));
    let copies = || !is_in_code() && labels::is_label("copy", &text());
    if is_custom || page.is_tag(id, Tag::A) {
        return copies();
    }
    is_button || copies() || beside.into_iter().any(|(_, pre)| id < pre && language(page, pre) == text())
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
        assert!(is_gutter(
            "<pre>a\n\nb</pre><div><span>1</span><br><span>2</span><br><span>3</span></div>",
            "div"
        ));
        assert!(is_gutter(
            "<table><tr><td><div>1</div><div>2</div><td><div><code>a</code></div><div><code>b</code></div></table>",
            "td"
        ));
        assert!(!is_gutter("<div>1 2</div><pre>a\nb\nc</pre>", "div"), "more lines than numbers");
        assert!(!is_gutter("<div>1 3</div><pre>a\nb</pre>", "div"), "no line numbers");
        let is_label = |html: &str| {
            let page = page(html);
            super::is_label(&page, page.first("span").unwrap())
        };
        assert!(is_label(
            "<div class=language-python><button></button><span class=lang>python</span><pre><code>a"
        ));
        assert!(!is_label("<p><span class=lang>English</span> only"));
        assert!(is_label(
            "<div class=example><div><span>http</span></div><pre class='brush: http'>GET /</pre></div>"
        ));
        assert!(!is_label(
            "<div><p>Use <span>http</span> for this: it is the oldest, and the best of all of them, as everybody knows.</p><pre class='brush: http'>GET /</pre></div>"
        ));
        let is_button = |html: &str| {
            let page = page(html);
            super::is_label(&page, page.first("button").unwrap())
        };
        assert!(is_button("<div><pre>a</pre><button>Copy</button></div>"));
        assert!(is_button("<pre><code>a</code><button>Copy</button></pre>"));
        assert!(!is_button("<p>Press <button>Save</button> now</p><pre>a</pre>"));
        let is_link = |html: &str, tag: &str| {
            let page = page(html);
            super::is_label(&page, page.first(tag).unwrap())
        };
        assert!(is_link("<div><div><span>bash</span><a href=#>Copy code</a></div><pre>a</pre></div>", "a"));
        assert!(is_link("<div><pre>a</pre><clipboard-copy>Copy</clipboard-copy></div>", "clipboard-copy"));
        assert!(!is_link("<div><a href=/x>The source</a><pre>a</pre></div>", "a"));
        for code in
            ["<pre>a.<a href=/copy>copy</a>()</pre>", "<pre><code>a.<span><i></i>copy</span>()</code></pre>"]
        {
            let tag = if code.contains("<a") { "a" } else { "span" };
            assert!(!is_link(&format!("<div>{code}</div>"), tag), "{code}");
        }
    }
}
