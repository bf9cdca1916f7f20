//! The elements and attributes that HTML may hold, and how they are laid out.

pub(super) const ALLOWED: &[&str] = &[
    "a", "abbr", "address", "article", "aside", "b", "bdi", "bdo", "blockquote", "br", "cite", "code", "dd",
    "del", "details", "dfn", "div", "dl", "dt", "em", "figcaption", "figure", "footer", "h1", "h2", "h3",
    "h4", "h5", "h6", "header", "hr", "i", "img", "ins", "kbd", "li", "mark", "nav", "ol", "p", "pre", "q",
    "rp", "rt", "ruby", "s", "samp", "section", "small", "span", "strong", "sub", "summary", "sup", "table",
    "time", "u", "ul", "var", "wbr",
];

/// Elements allowed only in certain others; a parser would drop them elsewhere.
pub(super) const TABLE_PARTS: &[(&str, &[&str])] = &[
    ("caption", &["table"]),
    ("thead", &["table"]),
    ("tbody", &["table"]),
    ("tfoot", &["table"]),
    ("tr", &["thead", "tbody", "tfoot"]),
    ("td", &["tr"]),
    ("th", &["tr"]),
];

/// `MathML` elements, allowed only in `math` and in each other. `annotation`, which can hold anything, is not among them.
pub(super) const MATH: &[&str] = &[
    "math", "menclose", "merror", "mfenced", "mfrac", "mi", "mmultiscripts", "mn", "mo", "mover", "mpadded",
    "mphantom", "mprescripts", "mroot", "mrow", "ms", "mspace", "msqrt", "mstyle", "msub", "msubsup", "msup",
    "mtable", "mtd", "mtext", "mtr", "munder", "munderover", "none", "semantics",
];

/// `MathML` attributes that affect how a formula is read. Their values are names, numbers and signs.
pub(super) const MATH_ATTRIBUTES: &[&str] = &[
    "accent", "accentunder", "close", "columnalign", "columnspan", "depth", "display", "displaystyle",
    "fence", "form", "height", "largeop", "linethickness", "lspace", "mathvariant", "maxsize", "minsize",
    "movablelimits", "notation", "open", "rowspan", "rspace", "scriptlevel", "separator", "separators",
    "stretchy", "symmetric", "voffset", "width",
];

pub(super) const VOID: &[&str] = &["br", "hr", "img", "wbr"];

/// Elements that are part of a text; the others have lines or cells of their own.
const PHRASING: &[&str] = &[
    "a", "abbr", "b", "bdi", "bdo", "cite", "code", "del", "dfn", "em", "i", "img", "ins", "kbd", "mark",
    "q", "rp", "rt", "ruby", "s", "samp", "small", "span", "strong", "sub", "sup", "time", "u", "var", "wbr",
];

/// Elements whose place means something, even if they are empty: others are counted or read by it.
const PLACES: &[&str] =
    &["dd", "dt", "rp", "rt", "ruby", "summary", "tbody", "td", "tfoot", "th", "thead", "tr"];

pub(super) fn is_math(tag: &str) -> bool {
    // Few others begin like them.
    tag.starts_with(['m', 'n', 's']) && MATH.binary_search(&tag).is_ok()
}

pub(super) fn is_part_of_text(tag: &str) -> bool {
    PHRASING.binary_search(&tag).is_ok() || is_math(tag)
}

pub(super) fn is_place(tag: &str, parent: Option<&str>) -> bool {
    PLACES.contains(&tag) || (tag == "li" && parent == Some("ol"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_in_order() {
        assert!(ALLOWED.is_sorted() && MATH.is_sorted() && PHRASING.is_sorted());
        assert!(MATH.iter().all(|tag| is_math(tag)));
    }
}
