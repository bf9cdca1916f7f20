//! Converts `MathML` to TeX, for formulas whose author left none: Markdown shows formulas as TeX.

use super::formula::LONGEST;
use tsugi_page::{Namespace, NodeId, NodeKind, Page};

/// Nesting beyond which a formula is left as it is.
const DEEPEST: usize = 64;

/// Returns the TeX of a formula, on one line; `None` if it has a part that is not known.
pub(super) fn tex(page: &Page, math: NodeId) -> Option<String> {
    if page.subtree_end(math) - math.index() > LONGEST {
        return None;
    }
    let mut out = String::new();
    row(page, math, DEEPEST, &mut out)?;
    let out = out.trim();
    (!out.is_empty()).then(|| out.to_owned())
}

fn row(page: &Page, id: NodeId, deepest: usize, out: &mut String) -> Option<()> {
    for child in page.children(id) {
        write(page, child, deepest.checked_sub(1)?, out)?;
    }
    Some(())
}

/// Writes a part in braces, so that it is one argument.
fn group(page: &Page, id: NodeId, deepest: usize, out: &mut String) -> Option<()> {
    let mut part = String::new();
    write(page, id, deepest.checked_sub(1)?, &mut part)?;
    out.push('{');
    out.push_str(part.trim());
    out.push('}');
    Some(())
}

fn write(page: &Page, id: NodeId, deepest: usize, out: &mut String) -> Option<()> {
    match page.kind(id) {
        NodeKind::Element => {}
        // Letters outside of `mi`, `mn` and `mo` are mistakes of the page.
        NodeKind::Text => {
            plain(page.data(id), out);
            return Some(());
        }
        _ => return Some(()),
    }
    if page.namespace(id) != Namespace::MathMl {
        return None;
    }
    let parts: Vec<NodeId> = page.child_elements(id).collect();
    match (page.tag(id), parts.as_slice()) {
        ("mrow" | "mstyle" | "mpadded" | "merror" | "math" | "mtd", _) => row(page, id, deepest, out)?,
        // The first child is the formula; the others annotate it.
        ("semantics", [first, ..]) => write(page, *first, deepest.checked_sub(1)?, out)?,
        ("annotation" | "annotation-xml" | "mphantom" | "none" | "mprescripts", _) => {}
        ("mi", []) => identifier(page.string_value(id).trim(), out),
        ("mn", []) => plain(page.string_value(id).trim(), out),
        ("mo", []) => operator(page.string_value(id).trim(), out),
        ("mtext" | "ms", []) => words(page.string_value(id), out),
        ("mspace", []) => out.push_str("\\ "),
        ("mfrac", [top, bottom]) => {
            out.push_str("\\frac");
            group(page, *top, deepest, out)?;
            group(page, *bottom, deepest, out)?;
        }
        ("msqrt", _) => {
            out.push_str("\\sqrt{");
            row(page, id, deepest, out)?;
            out.push('}');
        }
        ("mroot", [base, index]) => {
            let mut root = String::new();
            write(page, *index, deepest.checked_sub(1)?, &mut root)?;
            out.extend(["\\sqrt[", root.trim(), "]"]);
            group(page, *base, deepest, out)?;
        }
        ("msup", [base, above]) => scripts(page, *base, None, Some(*above), deepest, out)?,
        ("msub" | "munder", [base, below]) => scripts(page, *base, Some(*below), None, deepest, out)?,
        ("msubsup" | "munderover", [base, below, above]) => {
            scripts(page, *base, Some(*below), Some(*above), deepest, out)?;
        }
        ("mover", [base, above]) => match accent(page.string_value(*above).trim()) {
            Some(accent) => {
                out.push_str(accent);
                group(page, *base, deepest, out)?;
            }
            None => scripts(page, *base, None, Some(*above), deepest, out)?,
        },
        ("mmultiscripts", [base, parts @ ..]) => {
            let (behind, before) = multiscripts(page, parts);
            for (below, above) in before {
                out.push_str("{}");
                add_scripts(page, below, above, deepest, out)?;
            }
            let mut behind = behind.into_iter();
            let (below, above) = behind.next().unwrap_or_default();
            scripts(page, *base, below, above, deepest, out)?;
            for (below, above) in behind {
                out.push_str("{}");
                add_scripts(page, below, above, deepest, out)?;
            }
        }
        ("mtable", rows) => {
            out.push_str("\\begin{matrix}");
            for (at, line) in rows.iter().enumerate() {
                if at > 0 {
                    out.push_str(" \\\\ ");
                }
                for (column, cell) in page.child_elements(*line).enumerate() {
                    if column > 0 {
                        out.push_str(" & ");
                    }
                    row(page, cell, deepest.checked_sub(2)?, out)?;
                }
            }
            out.push_str("\\end{matrix}");
        }
        ("mfenced", parts) => {
            out.push_str(&delimiter(page.attribute(id, "open").unwrap_or("("))?);
            for (at, part) in parts.iter().enumerate() {
                if at > 0 {
                    out.push_str(", ");
                }
                write(page, *part, deepest.checked_sub(1)?, out)?;
            }
            out.push_str(&delimiter(page.attribute(id, "close").unwrap_or(")"))?);
        }
        _ => return None,
    }
    Some(())
}

fn scripts(
    page: &Page,
    base: NodeId,
    below: Option<NodeId>,
    above: Option<NodeId>,
    deepest: usize,
    out: &mut String,
) -> Option<()> {
    let mut inner = String::new();
    write(page, base, deepest.checked_sub(1)?, &mut inner)?;
    let inner = inner.trim();
    let is_single = inner.chars().count() <= 1
        || inner.chars().all(|c| c.is_ascii_digit())
        || inner.strip_prefix('\\').is_some_and(|name| name.chars().all(|c| c.is_ascii_alphabetic()));
    if is_single {
        out.push_str(inner);
    } else {
        out.extend(["{", inner, "}"]);
    }
    add_scripts(page, below, above, deepest, out)
}

/// An index and a power, either of which may be missing.
type ScriptPair = (Option<NodeId>, Option<NodeId>);

/// Returns the pairs of scripts behind the base of `mmultiscripts`, and those before it. `parts` are the children after the base.
pub(super) fn multiscripts(page: &Page, parts: &[NodeId]) -> (Vec<ScriptPair>, Vec<ScriptPair>) {
    let middle = parts.iter().position(|id| page.tag(*id) == "mprescripts").unwrap_or(parts.len());
    let filled = |id: &NodeId| Some(*id).filter(|id| !page.string_value(*id).trim().is_empty());
    let pairs = |parts: &[NodeId]| {
        let pairs = parts.chunks(2).map(|pair| (filled(&pair[0]), pair.get(1).and_then(filled)));
        pairs.filter(|pair| *pair != (None, None)).collect()
    };
    (pairs(&parts[..middle]), pairs(parts.get(middle + 1..).unwrap_or_default()))
}

fn add_scripts(
    page: &Page,
    below: Option<NodeId>,
    above: Option<NodeId>,
    deepest: usize,
    out: &mut String,
) -> Option<()> {
    for (sign, part) in [('_', below), ('^', above)] {
        let Some(part) = part else { continue };
        let prime = page.string_value(part).trim();
        if sign == '^' && !prime.is_empty() && prime.chars().all(|c| c == '′') {
            out.extend(prime.chars().map(|_| '\''));
        } else {
            out.push(sign);
            group(page, part, deepest, out)?;
        }
    }
    Some(())
}

fn accent(sign: &str) -> Option<&'static str> {
    Some(match sign {
        "¯" | "‾" | "_" | "―" | "\u{305}" => "\\overline",
        "^" | "ˆ" => "\\hat",
        "~" | "˜" => "\\tilde",
        "→" | "⃗" => "\\vec",
        "˙" | "." => "\\dot",
        "¨" => "\\ddot",
        "⏞" => "\\overbrace",
        _ => return None,
    })
}

fn delimiter(sign: &str) -> Option<String> {
    let mut out = String::new();
    match sign.trim() {
        "{" => out.push_str("\\{"),
        "}" => out.push_str("\\}"),
        "" => {}
        sign if sign.chars().count() == 1 => plain(sign, &mut out),
        _ => return None,
    }
    Some(out)
}

fn identifier(name: &str, out: &mut String) {
    /// Functions that TeX knows by name.
    const FUNCTIONS: &[&str] = &[
        "arccos", "arcsin", "arctan", "arg", "cos", "cosh", "cot", "csc", "deg", "det", "dim", "exp", "gcd",
        "hom", "inf", "ker", "lim", "ln", "log", "max", "min", "sec", "sin", "sinh", "sup", "tan", "tanh",
    ];
    if FUNCTIONS.contains(&name) {
        command(&format!("\\{name}"), out);
    } else if name.chars().count() > 1 && name.chars().all(char::is_alphanumeric) {
        out.push_str("\\mathrm{");
        plain(name, out);
        out.push('}');
    } else {
        plain(name, out);
    }
}

/// Writes a sign; relations have spaces around them, for readers of the source.
fn operator(sign: &str, out: &mut String) {
    let is_relation = matches!(
        sign,
        "=" | "+" | "-" | "−" | "<" | ">" | "≤" | "≥" | "≠" | "≈" | "→" | "∈" | "⇒" | "⇔" | "±"
    );
    if is_relation && !out.is_empty() && !out.ends_with(' ') {
        out.push(' ');
    }
    plain(sign, out);
    if is_relation && !out.ends_with(' ') {
        out.push(' ');
    }
}

fn words(text: &str, out: &mut String) {
    let text = text.replace('\u{a0}', " ");
    if text.trim().is_empty() {
        out.push_str(if text.is_empty() { "" } else { "\\ " });
    } else {
        out.push_str("\\text{");
        plain_text(&text, out);
        out.push('}');
    }
}

/// Writes the characters of a text, with a backslash before those that mean something.
fn plain_text(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            '\\' => out.push_str("\\textbackslash "),
            '$' | '%' | '#' | '&' | '_' | '{' | '}' => out.extend(['\\', c]),
            c if c.is_whitespace() => out.push(' '),
            _ => out.push(c),
        }
    }
}

fn plain(text: &str, out: &mut String) {
    for c in text.chars() {
        if let Ok(at) = SIGNS.binary_search_by_key(&c, |(sign, _)| *sign) {
            command(SIGNS[at].1, out);
            continue;
        }
        match c {
            // Invisible signs of application and multiplication, and white space, mean nothing in TeX.
            '\u{2061}'..='\u{2064}' => {}
            c if c.is_whitespace() => out.push(' '),
            '\\' => command("\\backslash", out),
            '{' | '}' | '$' | '%' | '#' | '&' | '_' => out.extend(['\\', c]),
            '^' => out.push_str("\\text{^}"),
            '~' => out.push_str("\\text{~}"),
            _ => {
                // A letter right after a command would be part of its name.
                if c.is_ascii_alphabetic() && ends_with_command(out) {
                    out.push(' ');
                }
                out.push(c);
            }
        }
    }
}

fn command(name: &str, out: &mut String) {
    out.push_str(name);
}

fn ends_with_command(out: &str) -> bool {
    let name = out.len() - out.bytes().rev().take_while(u8::is_ascii_alphabetic).count();
    name < out.len() && out[..name].ends_with('\\')
}

/// Characters that have a name in TeX, in order.
const SIGNS: &[(char, &str)] = &[
    ('±', "\\pm"),
    ('·', "\\cdot"),
    ('×', "\\times"),
    ('÷', "\\div"),
    ('Γ', "\\Gamma"),
    ('Δ', "\\Delta"),
    ('Θ', "\\Theta"),
    ('Λ', "\\Lambda"),
    ('Ξ', "\\Xi"),
    ('Π', "\\Pi"),
    ('Σ', "\\Sigma"),
    ('Φ', "\\Phi"),
    ('Ψ', "\\Psi"),
    ('Ω', "\\Omega"),
    ('α', "\\alpha"),
    ('β', "\\beta"),
    ('γ', "\\gamma"),
    ('δ', "\\delta"),
    ('ε', "\\varepsilon"),
    ('ζ', "\\zeta"),
    ('η', "\\eta"),
    ('θ', "\\theta"),
    ('ι', "\\iota"),
    ('κ', "\\kappa"),
    ('λ', "\\lambda"),
    ('μ', "\\mu"),
    ('ν', "\\nu"),
    ('ξ', "\\xi"),
    ('π', "\\pi"),
    ('ρ', "\\rho"),
    ('σ', "\\sigma"),
    ('τ', "\\tau"),
    ('φ', "\\varphi"),
    ('χ', "\\chi"),
    ('ψ', "\\psi"),
    ('ω', "\\omega"),
    ('ϕ', "\\phi"),
    ('ϵ', "\\epsilon"),
    ('…', "\\ldots"),
    ('ℏ', "\\hbar"),
    ('ℓ', "\\ell"),
    ('ℝ', "\\mathbb{R}"),
    ('←', "\\leftarrow"),
    ('→', "\\to"),
    ('↔', "\\leftrightarrow"),
    ('↦', "\\mapsto"),
    ('⇒', "\\Rightarrow"),
    ('⇔', "\\Leftrightarrow"),
    ('∀', "\\forall"),
    ('∂', "\\partial"),
    ('∃', "\\exists"),
    ('∅', "\\emptyset"),
    ('∇', "\\nabla"),
    ('∈', "\\in"),
    ('∉', "\\notin"),
    ('∏', "\\prod"),
    ('∑', "\\sum"),
    ('−', "-"),
    ('∓', "\\mp"),
    ('∗', "*"),
    ('∘', "\\circ"),
    ('√', "\\surd"),
    ('∝', "\\propto"),
    ('∞', "\\infty"),
    ('∠', "\\angle"),
    ('∣', "\\mid"),
    ('∥', "\\parallel"),
    ('∧', "\\wedge"),
    ('∨', "\\vee"),
    ('∩', "\\cap"),
    ('∪', "\\cup"),
    ('∫', "\\int"),
    ('∬', "\\iint"),
    ('∮', "\\oint"),
    ('∼', "\\sim"),
    ('≃', "\\simeq"),
    ('≅', "\\cong"),
    ('≈', "\\approx"),
    ('≠', "\\ne"),
    ('≡', "\\equiv"),
    ('≤', "\\le"),
    ('≥', "\\ge"),
    ('≪', "\\ll"),
    ('≫', "\\gg"),
    ('⊂', "\\subset"),
    ('⊃', "\\supset"),
    ('⊆', "\\subseteq"),
    ('⊇', "\\supseteq"),
    ('⊕', "\\oplus"),
    ('⊗', "\\otimes"),
    ('⊥', "\\perp"),
    ('⋅', "\\cdot"),
    ('⋮', "\\vdots"),
    ('⋯', "\\cdots"),
    ('⌈', "\\lceil"),
    ('⌉', "\\rceil"),
    ('⌊', "\\lfloor"),
    ('⌋', "\\rfloor"),
    ('⟨', "\\langle"),
    ('⟩', "\\rangle"),
];

#[cfg(test)]
mod tests {
    use super::super::mathml::mathml;
    use super::*;

    fn made(math: &str) -> Option<String> {
        let page = Page::from_text(&format!("<math>{math}</math>"), &"https://a.test/".parse().unwrap());
        let math = page.elements().find(|id| page.tag(*id) == "math")?;
        tex(&page, math)
    }

    #[test]
    fn signs_are_in_order() {
        assert!(SIGNS.is_sorted_by_key(|(sign, _)| *sign));
    }

    #[test]
    fn formulas_become_tex_that_reads_as_the_same() {
        for (math, expected) in [
            (
                "<mi>L</mi><mo>=</mo><mfrac><mrow><mi>n</mi><mi>t</mi><mi>w</mi></mrow><mn>60</mn></mfrac>",
                "L = \\frac{ntw}{60}",
            ),
            ("<msup><mn>10</mn><mn>6</mn></msup>", "10^{6}"),
            (
                "<mmultiscripts><mi>He</mi><none/><mo>+</mo><mprescripts/><mn>2</mn><mn>4</mn></mmultiscripts>",
                "{}_{2}^{4}{\\mathrm{He}}^{+}",
            ),
            (
                "<mmultiscripts><mi>R</mi><mi>i</mi><none/><none/><mi>j</mi><mi>k</mi></mmultiscripts>",
                "R_{i}{}^{j}{}_{k}",
            ),
            (
                "<munderover><mo>∑</mo><mrow><mi>i</mi><mo>=</mo><mn>1</mn></mrow><mi>n</mi></munderover><msub><mi>x</mi><mi>i</mi></msub>",
                "\\sum_{i = 1}^{n}x_{i}",
            ),
            ("<mi>σ</mi><mi>A</mi>", "\\sigma A"),
            (
                "<mroot><mi>a</mi><mn>3</mn></mroot><msqrt><mi>b</mi><mi>c</mi></msqrt>",
                "\\sqrt[3]{a}\\sqrt{bc}",
            ),
            (
                "<mover><mi>x</mi><mo>¯</mo></mover><mo>≤</mo><mi>sin</mi><mi>x</mi>",
                "\\overline{x} \\le \\sin x",
            ),
            (
                "<mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr><mtr><mtd><mn>3</mn></mtd></mtr></mtable>",
                "\\begin{matrix}1 & 2 \\\\ 3\\end{matrix}",
            ),
            (
                "<mi>x</mi><mtext> if 5% </mtext><mi>max</mi><mi>speed</mi>",
                "x\\text{ if 5\\% }\\max\\mathrm{speed}",
            ),
            ("<msup><mi>f</mi><mo>′</mo></msup><mfenced><mi>x</mi><mi>y</mi></mfenced>", "f'(x, y)"),
        ] {
            let tex = made(math).unwrap();
            assert_eq!(tex, expected, "{math}");
            assert!(mathml(&tex, false).is_some(), "{tex} is not TeX");
        }
        assert_eq!(made("<mi>a</mi><maction><mi>b</mi></maction>"), None);
        assert_eq!(made(""), None);
    }

    proptest::proptest! {
        #[test]
        fn any_formula_is_read_or_refused(parts in proptest::collection::vec(
            "(<mi>|<mo>|<mn>|<mrow>|<mfrac>|<msup>|<msqrt>|<mtable>|<mtr>|<mtd>|<mover>|</mi>|</mo>|</mrow>|</mfrac>|</msup>|x|∑|%|#|<b>)", 0..16,
        )) {
            let _ = made(&parts.concat());
        }
    }
}
