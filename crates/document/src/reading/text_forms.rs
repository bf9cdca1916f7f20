//! Elements that plain text would misstate: powers, indices, quotations, readings of characters, deletions.

use tsugi_page::walk::Step;
use tsugi_page::{NodeId, NodeKind, Page, Tag, TextForm, text};

/// The longest power or index, in characters; longer text is small print.
const LONGEST: usize = 40;

const MOST_NODES: usize = 2000;

pub(super) fn of(page: &Page, id: NodeId) -> Option<TextForm> {
    match page.known_tag(id) {
        Tag::Sup | Tag::Sub => raised(page, id).map(TextForm::Instead),
        Tag::Q => around(page, id, quotes(page.lang())),
        Tag::Del | Tag::S | Tag::Strike => around(page, id, ("~~", "~~")),
        Tag::Rt if !has_parentheses(page, id) => around(page, id, ("(", ")")),
        _ => None,
    }
}

fn around(page: &Page, id: NodeId, (before, behind): (&'static str, &'static str)) -> Option<TextForm> {
    let mut below = page.subtree(id).skip(1);
    let has_lines =
        below.by_ref().take(MOST_NODES).any(|below| page.class(below).line || page.is(below, "br"));
    let is_long = below.next().is_some();
    let is_blank = page.text(id).is_empty();
    (!has_lines && !is_long && !is_blank).then_some(TextForm::Around(before, behind))
}

/// Returns the quotation marks of a language.
// Unicode CLDR, `delimiters`: the outer marks.
pub(crate) fn quotes(lang: Option<&str>) -> (&'static str, &'static str) {
    let primary =
        lang.and_then(|lang| lang.split(['-', '_']).next()).unwrap_or_default().to_ascii_lowercase();
    match primary.as_str() {
        "ja" => ("「", "」"),
        "de" | "cs" | "sk" | "sl" => ("„", "“"),
        "pl" | "hu" | "ro" | "nl" | "hr" => ("„", "”"),
        "fr" | "it" | "es" | "pt" | "ru" | "uk" | "el" | "ca" | "nb" | "no" | "da" | "fa" | "ar" => {
            ("«", "»")
        }
        "sv" | "fi" => ("”", "”"),
        _ => ("“", "”"),
    }
}

pub(crate) fn has_parentheses(page: &Page, rt: NodeId) -> bool {
    let before = std::iter::successors(page.previous_sibling(rt), |id| page.previous_sibling(*id));
    let mut before = before.filter(|id| page.is_element(*id));
    before.next().is_some_and(|id| page.is(id, "rp"))
}

/// Returns a power or an index in plain text; `None` if it is neither (`1st`, `Brand™`).
fn raised(page: &Page, id: NodeId) -> Option<String> {
    let mut below = page.subtree(id).skip(1);
    let is_plain = |id: NodeId| !page.class(id).line && !page.is(id, "img") && !page.is(id, "br");
    if !below.by_ref().take(MOST_NODES).all(is_plain) || below.next().is_some() {
        return None;
    }
    let inner = text::fold(&signed(page, id));
    if inner.is_empty() || inner.chars().count() > LONGEST {
        return None;
    }
    if is_for_looks(page, id) {
        return None;
    }
    if is_reference(page, id) {
        let is_marked = inner.starts_with(['[', '(']) || !inner.starts_with(char::is_alphanumeric);
        return (!is_marked).then(|| format!("[{inner}]"));
    }
    let before = before(page, id);
    let is_word = inner.chars().all(|c| c.is_alphabetic() || c == '.');
    // An ordinal (`1st`, `2e`), an abbreviation (`Mme`, `Nº`), a mark (`TM`), or a note (`*`).
    let behind_digit = before.is_some_and(|c| c.is_ascii_digit());
    let is_variable = inner.chars().count() == 1 && before.is_some_and(char::is_alphabetic);
    let is_index = page.is(id, "sub");
    if (is_word && !is_index && (behind_digit || !is_variable)) || before.is_none() {
        return None;
    }
    if !inner.chars().any(char::is_alphanumeric) && !is_index {
        return inner
            .chars()
            .any(|c| matches!(c, '+' | '-' | '−'))
            .then(|| inner.chars().filter_map(superscript).collect());
    }
    let small: Option<String> = inner.chars().map(if is_index { subscript } else { superscript }).collect();
    small.or_else(|| {
        let sign = if is_index { '_' } else { '^' };
        let is_single = inner.chars().all(char::is_alphanumeric);
        Some(if is_single { format!("{sign}{inner}") } else { format!("{sign}({inner})") })
    })
}

fn signed(page: &Page, id: NodeId) -> String {
    let mut text = String::new();
    let is_raised = |within: NodeId| within != id && (page.is(within, "sup") || page.is(within, "sub"));
    for step in page.walk(id) {
        match step {
            Step::Enter(within) if page.kind(within) == NodeKind::Text => text.push_str(page.data(within)),
            Step::Enter(within) if is_raised(within) => {
                text.push_str(if page.is(within, "sup") { "^(" } else { "_(" });
            }
            Step::Leave(within) if is_raised(within) => text.push(')'),
            Step::Enter(_) | Step::Leave(_) => {}
        }
    }
    text
}

fn is_reference(page: &Page, id: NodeId) -> bool {
    let below = page.subtree(id).skip(1).take(MOST_NODES);
    let mut near = below.chain(page.ancestors(id).take(2));
    near.any(|id| page.is(id, "a") && page.attribute(id, "href").is_some_and(|href| href.contains('#')))
}

fn before(page: &Page, id: NodeId) -> Option<char> {
    let mut at = id;
    for _ in 0..8 {
        match page.previous_sibling(at) {
            Some(sibling) => {
                let text = page.string_value(sibling);
                if let Some(c) = text.chars().next_back() {
                    return Some(c).filter(|c| !c.is_whitespace());
                }
                at = sibling;
            }
            None => at = page.parent(at).filter(|parent| !page.class(*parent).line)?,
        }
    }
    None
}

/// Returns `true` if letters are shifted only for looks, as in the logo of `LaTeX`.
pub(crate) fn is_for_looks(page: &Page, id: NodeId) -> bool {
    let is_word = page.string_value(id).trim().chars().all(char::is_alphabetic);
    let behind = page.next_sibling(id).map(|next| page.string_value(next)).unwrap_or_default();
    let is_within =
        behind.starts_with(char::is_alphabetic) && before(page, id).is_some_and(char::is_alphabetic);
    is_word && is_within
}

fn superscript(c: char) -> Option<char> {
    mapped(c, "0123456789+-−–=()ni", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁼⁽⁾ⁿⁱ")
}

fn subscript(c: char) -> Option<char> {
    mapped(c, "0123456789+-−–=()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₋₌₍₎")
}

fn mapped(c: char, from: &str, to: &str) -> Option<char> {
    from.chars().zip(to.chars()).find(|(from, _)| *from == c).map(|(_, to)| to)
}

#[cfg(test)]
mod tests {
    use super::super::PageReading;
    use tsugi_page::{Content, Evidence, Page};

    fn text(html: &str) -> String {
        let page = Page::from_text(html, &"https://a.test/".parse().unwrap());
        let nodes = page.first("body").into_iter().collect();
        let mut content = Content { nodes, without: Vec::new(), score: 1.0, evidence: Evidence::Model };
        let reading = PageReading::of(&page, &mut content);
        page.text_in_forms(&content.nodes, &content.without, &reading.forms)
    }

    #[test]
    fn powers_and_indices_are_told_from_digits() {
        for (html, expected) in [
            ("10<sup>6</sup> and 10<sup>-9</sup>", "10⁶ and 10⁻⁹"),
            ("H<sub>2</sub>O, <i>x</i><sub>max</sub>, x<sup>n</sup>", "H₂O, x_max, xⁿ"),
            ("2<sup>n+1</sup>, 2<sup>a/b</sup>, e<sup>x</sup>", "2ⁿ⁺¹, 2^(a/b), e^x"),
            ("A<sub>B<sub>C+D</sub></sub>", "A_(B_(C+D))"),
            ("Ca<sup>2+</sup>, Na<sup>+</sup>", "Ca²⁺, Na⁺"),
            (
                "the 1<sup>st</sup>, 2<sup>e</sup>, Brand<sup>TM</sup>, note<sup>*</sup>",
                "the 1st, 2e, BrandTM, note*",
            ),
            (
                "so it is<sup><a href=#n1>1</a></sup> and <a href=#n2><sup>[2]</sup></a>",
                "so it is[1] and [2]",
            ),
            ("<sup>1</sup> A note", "1 A note"),
            ("<a href=x#y>L<sup>A</sup>T<sub>E</sub>X</a>", "LATEX"),
        ] {
            assert_eq!(text(html), expected, "{html}");
        }
    }

    #[test]
    fn quotations_readings_and_deletions_are_marked() {
        assert_eq!(text("He said <q>yes <b>now</b></q>."), "He said “yes now”.");
        assert_eq!(text("<html lang=de>Er sagte <q>ja</q>."), "Er sagte „ja“.");
        assert_eq!(text("<ruby>漢字<rt>かんじ</ruby>を読む"), "漢字(かんじ)を読む");
        assert_eq!(text("<ruby>漢字<rp>（<rt>かんじ<rp>）</ruby>を読む"), "漢字（かんじ）を読む");
        assert_eq!(text("now <del>$20 </del>$15"), "now ~~$20~~ $15");
        assert_eq!(text("<q><p>block</p></q><q></q><del> </del>"), "block");
    }
}
