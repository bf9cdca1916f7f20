//! Formulas: finding them, and writing them as TeX or on one line.
//!
//! Pages hold a formula up to three times: as `MathML` for screen readers, as TeX, and drawn by a script with boxes of text. It
//! is found once, with the author's TeX if the page has it. Markdown and text write the TeX, or else the formula on one line. HTML
//! and EPUB write the page's `MathML`, or else the TeX as `MathML`.

use super::tex;
use tsugi_page::{Attr, Namespace, NodeId, NodeKind, Page, Tag, text};

/// The longest formula to read, in bytes of TeX or nodes of `MathML`.
pub(super) const LONGEST: usize = 8 * 1024;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Formula {
    /// The author's TeX, without delimiters, on one line.
    pub(crate) tex: Option<String>,
    pub(crate) display: bool,
    pub(crate) math: Option<NodeId>,
    /// The formula on one line, if there is no TeX: `(N)/(W)`.
    pub(crate) linear: String,
    /// TeX made from `math`, if the author left none.
    pub(crate) made: Option<String>,
}

impl Formula {
    pub(crate) fn text(&self) -> String {
        self.tex.as_ref().map_or_else(|| self.linear.clone(), |tex| in_dollars(tex, self.display))
    }

    fn of_tex(tex: &str, display: bool) -> Option<Formula> {
        let tex = text::fold(tex);
        let fits = !tex.is_empty() && tex.len() <= LONGEST;
        fits.then(|| Formula { tex: Some(tex), display, math: None, linear: String::new(), made: None })
    }
}

pub(super) fn in_dollars(tex: &str, display: bool) -> String {
    if display { format!("$${tex}$$") } else { format!("${tex}$") }
}

#[derive(Debug, PartialEq, Eq)]
pub(super) enum FormulaNode {
    Formula(Formula),
    /// A script's drawing of a formula found elsewhere, or an empty formula.
    Drawn,
}

/// Returns the formula at a node: `MathML`, or TeX as `KaTeX`, `MathJax` 2 and 3, `MediaWiki` and Doxygen write it.
// `MathML` Core, <https://www.w3.org/TR/mathml-core/>; the markup of `KaTeX` 0.16, of `MathJax` 2.7 and 3.2.
pub(super) fn at(page: &Page, id: NodeId) -> Option<FormulaNode> {
    if page.namespace(id) == Namespace::MathMl {
        let is_blank = || page.string_value(id).trim().is_empty();
        return match of_math(page, id, false).filter(|_| page.tag(id) == "math") {
            Some(formula) => Some(FormulaNode::Formula(formula)),
            None => is_blank().then_some(FormulaNode::Drawn),
        };
    }
    match page.known_tag(id) {
        Tag::Script => of_script(page, id).map(FormulaNode::Formula),
        Tag::Img => of_image(page, id).map(FormulaNode::Formula),
        Tag::Other if page.tag(id) == "mjx-container" => of_container(page, id),
        Tag::Span | Tag::Div => {
            let class = page.value(id, Attr::Class)?;
            class.split_ascii_whitespace().any(is_container).then(|| of_container(page, id)).flatten()
        }
        _ => None,
    }
}

fn is_container(class: &str) -> bool {
    is_mathjax(class) || matches!(class, "katex" | "katex-display" | "mwe-math-element")
}

fn is_mathjax(class: &str) -> bool {
    class.starts_with("MathJax") || matches!(class, "mjx-chtml" | "MJXc-display")
}

fn of_container(page: &Page, id: NodeId) -> Option<FormulaNode> {
    let classes = || page.attribute(id, "class").unwrap_or_default().split_ascii_whitespace();
    if classes().any(is_mathjax) && is_before_source(page, id) {
        return Some(FormulaNode::Drawn);
    }
    let math = page.subtree(id).take(LONGEST).find(|below| is_math(page, *below))?;
    let display =
        classes().any(|class| class.ends_with("isplay")) || page.attribute(id, "display") == Some("true");
    of_math(page, math, display).map(FormulaNode::Formula)
}

/// Returns `true` if the TeX follows its drawing, as `MathJax` 2 leaves it.
fn is_before_source(page: &Page, id: NodeId) -> bool {
    /// The most nodes between them: a preview, the drawing, white space.
    const NEAR: usize = 6;
    std::iter::successors(page.next_sibling(id), |id| page.next_sibling(*id))
        .take(NEAR)
        .take_while(|next| {
            let is_blank = page.kind(*next) == NodeKind::Text && page.data(*next).trim().is_empty();
            let class = page.attribute(*next, "class").unwrap_or_default();
            is_blank || page.is(*next, "script") || class.split_ascii_whitespace().any(is_mathjax)
        })
        .any(|next| of_script(page, next).is_some())
}

fn is_math(page: &Page, id: NodeId) -> bool {
    page.namespace(id) == Namespace::MathMl && page.tag(id) == "math"
}

fn of_math(page: &Page, math: NodeId, display: bool) -> Option<Formula> {
    let mut below = page.subtree(math).take(LONGEST);
    let annotation = below.find(|id| {
        page.tag(*id) == "annotation" && is_tex(page.attribute(*id, "encoding").unwrap_or_default())
    });
    let annotation = annotation.map(|id| page.string_value(id));
    let tex = annotation.or_else(|| page.attribute(math, "alttext").filter(|alt| looks_like_tex(alt)));
    let display = display
        || page.attribute(math, "display") == Some("block")
        || page.attribute(math, "mode") == Some("display");
    let tex = tex.map(without_style).map(text::fold).filter(|tex| !tex.is_empty() && tex.len() <= LONGEST);
    let linear = if tex.is_none() { linear(page, math) } else { String::new() };
    let made = if tex.is_none() { tex::tex(page, math) } else { None };
    (tex.is_some() || !linear.is_empty()).then_some(Formula { tex, display, math: Some(math), linear, made })
}

fn is_tex(encoding: &str) -> bool {
    let encoding = encoding.trim().to_ascii_lowercase();
    encoding.ends_with("tex") || encoding.ends_with("latex")
}

fn of_script(page: &Page, id: NodeId) -> Option<Formula> {
    if !page.is(id, "script") {
        return None;
    }
    let kind = page.attribute(id, "type")?.trim();
    let is_tex = kind.get(..8).is_some_and(|start| start.eq_ignore_ascii_case("math/tex"));
    let display = kind.to_ascii_lowercase().contains("mode=display");
    is_tex.then(|| Formula::of_tex(page.string_value(id), display)).flatten()
}

fn of_image(page: &Page, id: NodeId) -> Option<Formula> {
    let class = page.attribute(id, "class")?;
    let is_formula = class.split_ascii_whitespace().any(|class| {
        class.starts_with("mwe-math")
            || matches!(class, "latex" | "tex" | "math" | "formulaInl" | "formulaDsp" | "math-image")
    });
    let alt = page
        .attribute(id, "alt")
        .filter(|alt| is_formula && (looks_like_tex(alt) || alt.contains('$')))?
        .trim();
    let display = class.contains("isplay") || class.contains("formulaDsp");
    let delimited = [("$$", "$$"), ("\\[", "\\]"), ("\\(", "\\)"), ("$", "$")];
    let bare =
        delimited.iter().find_map(|(open, close)| alt.strip_prefix(open)?.strip_suffix(close)).unwrap_or(alt);
    Formula::of_tex(without_style(bare), display)
}

fn looks_like_tex(text: &str) -> bool {
    text.contains(['\\', '^', '_', '=', '{'])
}

/// Removes the style that `MediaWiki` puts around every formula.
fn without_style(tex: &str) -> &str {
    let tex = tex.trim();
    let inner = tex.strip_prefix("{\\displaystyle").or_else(|| tex.strip_prefix("{\\textstyle"));
    inner.and_then(|inner| inner.strip_suffix('}')).map_or(tex, str::trim)
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Piece<'t> {
    Text(&'t str),
    Tex { tex: &'t str, display: bool },
}

/// Splits a text at the formulas that `MathJax` and `KaTeX` read in it: `\(x\)`, `\[x\]`, and with `dollars` also `$x$` and
/// `$$x$$`.
pub(crate) fn pieces(text: &str, dollars: bool) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let (mut start, mut at) = (0, 0);
    // Look for a missing closing delimiter only once.
    let mut unclosed = [false; 4];
    while let Some(found) = text[at..].find(['\\', '$']) {
        at += found;
        let rest = &text[at..];
        let delimiters = [("\\(", "\\)", false), ("\\[", "\\]", true), ("$$", "$$", true), ("$", "$", false)];
        let open = delimiters.iter().zip(&mut unclosed).find(|((open, ..), unclosed)| {
            rest.starts_with(open) && !**unclosed && (dollars || !open.starts_with('$'))
        });
        let Some(((open, close, display), unclosed)) = open else {
            // `\$` and `\\` are escapes.
            at +=
                rest.chars().take(1 + usize::from(rest.starts_with('\\'))).map(char::len_utf8).sum::<usize>();
            continue;
        };
        let inner = &rest[open.len()..];
        let inner = &inner[..inner.floor_char_boundary(LONGEST)];
        let Some(length) = closed(inner, close) else {
            *unclosed = !open.starts_with('$');
            at += open.len();
            continue;
        };
        let tex = inner[..length].trim();
        if !tex.is_empty() {
            if start < at {
                pieces.push(Piece::Text(&text[start..at]));
            }
            pieces.push(Piece::Tex { tex, display: *display });
            start = at + open.len() + length + close.len();
        }
        at += open.len() + length + close.len();
    }
    if start < text.len() {
        pieces.push(Piece::Text(&text[start..]));
    }
    pieces
}

/// Returns where a formula ends. Since a dollar is as often money as a delimiter, no space may follow an opening dollar or precede
/// a closing one, and no digit may follow that.
fn closed(inner: &str, close: &str) -> Option<usize> {
    if close != "$" {
        return inner.find(close);
    }
    let line = &inner[..inner.find("\n\n").unwrap_or(inner.len())];
    let end = line.match_indices('$').map(|(end, _)| end).find(|end| !line[..*end].ends_with('\\'))?;
    let (tex, behind) = (&line[..end], &line[end + 1..]);
    let hugs =
        !tex.is_empty() && !tex.starts_with(char::is_whitespace) && !tex.ends_with(char::is_whitespace);
    let is_money = behind.starts_with(|c: char| c.is_ascii_digit())
        || tex.starts_with(|c: char| c.is_ascii_digit()) && tex.contains(' ') && !looks_like_tex(tex);
    (hugs && !is_money).then_some(end)
}

pub(super) fn loads_drawer(page: &Page, id: NodeId) -> bool {
    let source = page.attribute(id, "src").or_else(|| page.attribute(id, "href"));
    let source = source.unwrap_or_default().to_ascii_lowercase();
    (page.is(id, "script") || page.is(id, "link")) && (source.contains("mathjax") || source.contains("katex"))
}

/// Returns a formula on one line: fractions with a slash, powers with `^`, indices with `_`, roots with `√`.
fn linear(page: &Page, math: NodeId) -> String {
    const DEEPEST: usize = 64;
    if page.subtree_end(math) - math.index() > LONGEST {
        return String::new();
    }
    let mut out = String::new();
    write_linear(page, math, DEEPEST, &mut out);
    text::fold(&out)
}

fn write_linear(page: &Page, id: NodeId, deepest: usize, out: &mut String) {
    if page.kind(id) == NodeKind::Text {
        // Invisible signs of application and multiplication.
        out.extend(page.data(id).trim().chars().filter(|c| !matches!(c, '\u{2061}'..='\u{2064}')));
        return;
    }
    if deepest == 0
        || matches!(page.tag(id), "annotation" | "annotation-xml" | "mphantom" | "mprescripts" | "none")
    {
        return;
    }
    let mut parts: Vec<String> = Vec::new();
    if STRUCTURED.contains(&page.tag(id)) {
        for child in page.child_elements(id) {
            let mut part = String::new();
            write_linear(page, child, deepest - 1, &mut part);
            parts.push(part);
        }
    }
    match page.tag(id) {
        "mfrac" => {
            let parts: Vec<String> = parts.iter().map(|part| grouped(part)).collect();
            out.push_str(&parts.join("/"));
        }
        "msup" | "mover" => push_scripts(out, &parts, &["^"]),
        "msub" | "munder" => push_scripts(out, &parts, &["_"]),
        "msubsup" | "munderover" => push_scripts(out, &parts, &["_", "^"]),
        "msqrt" => {
            out.push('√');
            out.push_str(&grouped(&parts.concat()));
        }
        "mroot" => {
            out.push_str(&parts.get(1).map(|root| format!("{root}√")).unwrap_or_default());
            out.push_str(&grouped(parts.first().map_or("", String::as_str)));
        }
        "mtable" => {
            out.push('[');
            out.push_str(&parts.join("; "));
            out.push(']');
        }
        "mtr" => out.push_str(&parts.join(", ")),
        "mmultiscripts" => {
            let children: Vec<NodeId> = page.child_elements(id).collect();
            let Some((base, scripts)) = children.split_first() else { return };
            let (behind, before) = tex::multiscripts(page, scripts);
            let signed = |(below, above)| [(below, "_"), (above, "^")];
            let before = before.into_iter().flat_map(signed);
            let pieces = before.chain([(Some(*base), "")]).chain(behind.into_iter().flat_map(signed));
            for (part, sign) in pieces.filter_map(|(part, sign)| Some((part?, sign))) {
                let mut text = String::new();
                write_linear(page, part, deepest - 1, &mut text);
                out.push_str(sign);
                out.push_str(&if sign.is_empty() { text } else { grouped(&text) });
            }
        }
        "mo" => {
            let sign = page.string_value(id).trim();
            let is_relation = matches!(
                sign,
                "=" | "+" | "−" | "<" | ">" | "≤" | "≥" | "≠" | "≈" | "→" | "∈" | "⇒" | "⇔" | "±"
            );
            if is_relation && !out.is_empty() {
                out.push(' ');
                out.push_str(sign);
                out.push(' ');
            } else {
                out.extend(sign.chars().filter(|c| !matches!(c, '\u{2061}'..='\u{2064}')));
            }
        }
        "mtext" => out.push_str(page.string_value(id)),
        "mspace" => out.push(' '),
        _ => {
            for child in page.children(id) {
                write_linear(page, child, deepest - 1, out);
            }
        }
    }
}

const STRUCTURED: &[&str] =
    &["mfrac", "msup", "mover", "msub", "munder", "msubsup", "munderover", "msqrt", "mroot", "mtable", "mtr"];

fn push_scripts(out: &mut String, parts: &[String], signs: &[&str]) {
    for (index, part) in parts.iter().enumerate() {
        match index.checked_sub(1) {
            None => out.push_str(part),
            Some(at) => {
                out.push_str(signs[at.min(signs.len() - 1)]);
                out.push_str(&grouped(part));
            }
        }
    }
}

fn grouped(part: &str) -> String {
    let part = part.trim();
    let is_single = part.chars().count() <= 1 || part.chars().all(|c| c.is_ascii_digit() || c == '.');
    if is_single { part.to_owned() } else { format!("({part})") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(html: &str) -> Page {
        Page::from_text(html, &"https://a.test/".parse().unwrap())
    }

    fn found(html: &str) -> Vec<String> {
        let page = page(html);
        let (mut texts, mut end) = (Vec::new(), 0);
        for id in page.elements() {
            if id.index() < end {
                continue;
            }
            match at(&page, id) {
                Some(FormulaNode::Formula(formula)) => texts.push(formula.text()),
                Some(FormulaNode::Drawn) => {}
                None => continue,
            }
            end = page.subtree_end(id);
        }
        texts
    }

    const MATH: &str = "<math><semantics><mrow><mi>x</mi></mrow><annotation encoding='application/x-tex'>x_1 + \\frac{a}{b}</annotation></semantics></math>";

    #[test]
    fn a_formula_is_found_once() {
        let katex = format!(
            "<span class=katex><span class=katex-mathml>{MATH}</span><span class=katex-html aria-hidden=true><span>x1+</span></span></span>"
        );
        let displayed = format!("<span class=katex-display>{katex}</span>");
        for (html, formula) in [
            (katex.as_str(), "$x_1 + \\frac{a}{b}$"),
            (&displayed, "$$x_1 + \\frac{a}{b}$$"),
            (
                "<span class=MathJax_Preview>x</span><span class=MathJax id=f><nobr>xx</nobr></span><script type='math/tex'>x^2</script>",
                "$x^2$",
            ),
            (
                "<div class=MathJax_Display><span class=MathJax>xx</span></div><script type='math/tex; mode=display'>x^3</script>",
                "$$x^3$$",
            ),
            (
                "<mjx-container display=true><mjx-math aria-hidden=true>x</mjx-math><mjx-assistive-mml><math><msup><mi>x</mi><mn>2</mn></msup></math></mjx-assistive-mml></mjx-container>",
                "x^2",
            ),
            (
                "<span class=mwe-math-element><span style='display:none'><math alttext='{\\displaystyle a_1}'><mi>a</mi></math></span><img class=mwe-math-fallback-image-inline alt='{\\displaystyle a_1}'></span>",
                "$a_1$",
            ),
            ("<img class=formulaInl alt='$ n \\le 3 $'><img class=photo alt='a_b'>", "$n \\le 3$"),
        ] {
            assert_eq!(found(html), [formula]);
        }
    }

    #[test]
    fn mathml_has_a_form_in_one_line() {
        for (math, linear) in [
            ("<mi>N</mi><mo>=</mo><mfrac><mi>W</mi><mrow><mi>σ</mi><mi>A</mi></mrow></mfrac>", "N = W/(σA)"),
            ("<msup><mn>10</mn><mn>6</mn></msup>", "10^6"),
            (
                "<msubsup><mi>x</mi><mi>i</mi><mrow><mi>n</mi><mo>+</mo><mn>1</mn></mrow></msubsup>",
                "x_i^(n + 1)",
            ),
            ("<msqrt><mi>a</mi><mi>b</mi></msqrt>", "√(ab)"),
            (
                "<mmultiscripts><mi>He</mi><none/><mo>+</mo><mprescripts/><mn>2</mn><mn>4</mn></mmultiscripts>",
                "_2^4He^+",
            ),
            ("<mmultiscripts></mmultiscripts><mmultiscripts><mi>x</mi><mi>i</mi></mmultiscripts>", "x_i"),
            (
                "<mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr><mtr><mtd><mn>3</mn></mtd></mtr></mtable>",
                "[1, 2; 3]",
            ),
        ] {
            assert_eq!(found(&format!("<math>{math}</math>")).concat(), linear);
        }
    }

    #[test]
    fn delimiters_in_text_are_read_as_scripts_read_them() {
        let tex = |text: &str, dollars: bool| -> Vec<String> {
            let pieces = pieces(text, dollars).into_iter();
            pieces
                .filter_map(|piece| match piece {
                    Piece::Tex { tex, display } => Some(format!("{}{tex}", if display { "!" } else { "" })),
                    Piece::Text(_) => None,
                })
                .collect()
        };
        assert_eq!(tex(r"so \(a_1\) and \[b\] end", false), ["a_1", "!b"]);
        assert_eq!(tex(r"so $a$ and $$b$$", true), ["a", "!b"]);
        for money in ["it costs $5 and $6 more", "from $5 to $ 6", "$ x $", r"\$5 and \$6", "a $ alone"] {
            assert!(tex(money, true).is_empty(), "{money}");
        }
        assert!(tex("so $a$", false).is_empty());
        assert!(tex(r"never closed \( a", false).is_empty());
    }

    proptest::proptest! {
        #[test]
        fn no_text_is_lost_between_pieces(text in r"(\\\(|\\\)|\\\[|\\\]|\$|\$\$|\\|a|5| |é|\n){0,24}", dollars in proptest::bool::ANY) {
            let joined: String = pieces(&text, dollars).iter().map(|piece| match piece {
                Piece::Text(text) => text,
                Piece::Tex { tex, .. } => tex,
            }).copied().collect();
            let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).collect::<String>();
            proptest::prop_assert_eq!(letters(&joined), letters(&text));
        }
    }
}
