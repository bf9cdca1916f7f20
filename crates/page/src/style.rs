//! Inline styles, and the simplest rules of a page's own style sheets.

use crate::tags::TagClass;
use memchr::{memchr2, memmem};
use std::collections::BTreeSet;

/// Returns the declarations of a `style` attribute as (property, value), trimmed.
pub fn declarations(style: &str) -> impl Iterator<Item = (&str, &str)> {
    let declarations = style.split(';').filter_map(|declaration| declaration.split_once(':'));
    declarations.map(|(property, value)| (property.trim(), value.trim()))
}

/// Returns `true` if a style hides its element with `display: none` or `visibility: hidden`.
pub fn hides(style: &str) -> bool {
    // Both properties end with this letter, and most styles are without it.
    if memchr2(b'y', b'Y', style.as_bytes()).is_none() {
        return false;
    }
    declarations(style).any(|(property, value)| {
        [("display", "none"), ("visibility", "hidden")].iter().any(|(name, hidden)| {
            // `none !important` hides, too.
            let start = value.get(..hidden.len()).unwrap_or_default();
            property.eq_ignore_ascii_case(name) && start.eq_ignore_ascii_case(hidden)
        })
    })
}

/// What declarations say about how a text is laid out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Layout {
    pre: bool,
    lines: bool,
    line: bool,
}

impl Layout {
    /// Reads the declarations of a `style` attribute or a rule.
    pub(crate) fn of(style: &str) -> Layout {
        let mut layout = Layout::default();
        // Most styles say nothing about text.
        if memmem::find(style.as_bytes(), b"white-space").is_none()
            && memmem::find(style.as_bytes(), b"display").is_none()
        {
            return layout;
        }
        let mut is_monospace = false;
        for (property, value) in declarations(style) {
            let value = value.split('!').next().unwrap_or_default().trim();
            match property {
                "white-space" => {
                    layout.pre = value == "pre";
                    layout.lines = matches!(value, "pre" | "pre-wrap" | "pre-line" | "break-spaces");
                }
                "display" => layout.line = matches!(value, "block" | "flex" | "grid" | "list-item" | "table"),
                "font" | "font-family" => is_monospace |= value.contains("monospace"),
                _ => {}
            }
        }
        layout.pre |= layout.lines && is_monospace;
        layout
    }

    pub(crate) fn is_usual(self) -> bool {
        self == Layout::default()
    }

    /// Adds the layout to an element's properties.
    pub(crate) fn apply(self, class: &mut TagClass) {
        class.pre |= self.pre;
        class.lines |= self.lines && !class.pre;
        class.line |= self.line && !class.cell && !class.void && !class.hidden;
    }
}

/// A rule for the elements of a class that says how their text is laid out.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct LayoutRule<'s> {
    /// The name of the elements, in the letters of the sheet; `None` for any.
    pub(crate) tag: Option<&'s str>,
    pub(crate) class: &'s str,
    pub(crate) layout: Layout,
}

/// The most rules to apply to a page: each is held against every element.
pub(crate) const MOST_RULES: usize = 64;

/// Reads the rules of a style sheet that keep the white space of a text, if their selector is a class, or a name and a
/// class. All others are left aside: what they mean depends on the page around the element.
pub(crate) fn layout_rules(sheet: &str) -> Vec<LayoutRule<'_>> {
    let layout = |declarations: &str| {
        let Layout { pre, lines, .. } = Layout::of(declarations);
        Some(Layout { pre, lines, line: false }).filter(|layout| !layout.is_usual())
    };
    let rules = simple_rules(sheet, "white-space", layout)
        .filter_map(|(tag, name, layout)| Some(LayoutRule { tag, class: name.strip_prefix('.')?, layout }));
    rules.take(MOST_RULES).collect()
}

/// Finds the rules of a style sheet that say something about a property, if their selector is a class or an `id`, or one of them behind
/// the name of an element: that name, `.class` or `#id`, and what `read` makes of the declarations.
pub(crate) fn simple_rules<'s, T: Copy>(
    sheet: &'s str,
    property: &'static str,
    read: impl Fn(&str) -> Option<T>,
) -> impl Iterator<Item = (Option<&'s str>, &'s str, T)> {
    let mut end = 0;
    let rules = memmem::find_iter(sheet.as_bytes(), property).filter_map(move |at| {
        if at < end {
            return None;
        }
        let open = sheet[end..at].rfind('{').map(|open| end + open)?;
        let selectors = &sheet[end..open];
        let selectors = &selectors[selectors.rfind(['}', '{', ';', '/']).map_or(0, |before| before + 1)..];
        end = sheet[at..].find('}').map_or(sheet.len(), |close| at + close);
        Some((selectors, read(&sheet[open + 1..end])?))
    });
    rules.flat_map(|(selectors, read)| {
        selectors.split(',').filter_map(move |selector| {
            let (tag, name) = simple_selector(selector)?;
            Some((tag, name, read))
        })
    })
}

/// Returns the name of the element, if there is one, and `.class` or `#id`; `None` for any other selector.
pub(crate) fn simple_selector(selector: &str) -> Option<(Option<&str>, &str)> {
    let selector = selector.trim();
    let (tag, name) = selector.split_at(selector.find(['.', '#'])?);
    let is_name = |name: &str| name.bytes().all(|c| c.is_ascii_alphanumeric() || matches!(c, b'-' | b'_'));
    let is_simple = is_name(tag) && is_name(&name[1..]) && name.len() > 1;
    is_simple.then_some((Some(tag).filter(|tag| !tag.is_empty()), name))
}

/// How elements in a line are boxes of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Boxes {
    /// The children of the element: it is a flexible box, or a grid.
    Children,
    /// The element: it is a cell, or a block in the line.
    Own,
}

impl Boxes {
    /// Reads the declarations of a `style` attribute or a rule.
    pub(crate) fn of(style: &str) -> Option<Boxes> {
        memmem::find(style.as_bytes(), b"display")?;
        let display = declarations(style).filter(|(property, _)| *property == "display").last()?.1;
        match display.split('!').next().unwrap_or_default().trim() {
            "flex" | "inline-flex" | "grid" | "inline-grid" => Some(Boxes::Children),
            "table-cell" | "inline-block" => Some(Boxes::Own),
            _ => None,
        }
    }
}

/// The elements that the simplest rules of style sheets make boxes, by their class and perhaps their name.
#[derive(Debug, Default)]
pub(crate) struct BoxRules<'s>(BTreeSet<(&'s str, Option<&'s str>, bool)>);

impl<'s> BoxRules<'s> {
    pub(crate) fn of(sheets: impl Iterator<Item = &'s str>) -> BoxRules<'s> {
        let rules = sheets.flat_map(|sheet| simple_rules(sheet, "display", Boxes::of));
        let of_classes =
            rules.filter_map(|(tag, name, boxes)| Some((name.strip_prefix('.')?, tag, boxes == Boxes::Own)));
        BoxRules(of_classes.collect())
    }

    /// Returns `true` if a rule makes an element of a name and some classes such boxes.
    pub(crate) fn make(&self, tag: &str, classes: &str, boxes: Boxes) -> bool {
        let is_own = boxes == Boxes::Own;
        classes.split_ascii_whitespace().any(|class| {
            self.0.contains(&(class, None, is_own)) || self.0.contains(&(class, Some(tag), is_own))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn styles_are_read() {
        for style in ["display:none", "color: red; DISPLAY : none !important", "visibility:hidden;"] {
            assert!(hides(style), "{style}");
        }
        for style in ["", "display:block", "none", "visibility: visible", "background: none", "display"] {
            assert!(!hides(style), "{style}");
        }
        assert!(!hides("display: block; none: display"));
        assert!(declarations("width: 1px; COLOR:red;x").eq([("width", "1px"), ("COLOR", "red")]));
    }

    #[test]
    fn layouts_of_text_are_read() {
        let layout = |style: &str| {
            let mut class = TagClass::default();
            Layout::of(style).apply(&mut class);
            (class.pre, class.lines, class.line)
        };
        assert_eq!(layout("white-space: pre !important"), (true, false, false));
        assert_eq!(layout("color:red;white-space:pre-wrap"), (false, true, false));
        assert_eq!(layout("white-space:pre-wrap;font-family:Menlo,monospace"), (true, false, false));
        assert_eq!(layout("display:block"), (false, false, true));
        assert_eq!(layout("white-space:nowrap;display:inline-block"), (false, false, false));
    }

    #[test]
    fn only_simple_rules_of_sheets_are_read() {
        let sheet = "/* x */ .a, pre.b{color:red;white-space:pre}@media print{.c{white-space:pre-wrap}} \
            .d .e{white-space:pre} p{white-space:pre} .f{white-space:nowrap} .g:hover{white-space:pre} .h{a:b;white-space";
        let read: Vec<_> = layout_rules(sheet).iter().map(|rule| (rule.tag, rule.class)).collect();
        assert_eq!(read, [(None, "a"), (Some("pre"), "b"), (None, "c")]);
        assert!(layout_rules("").is_empty() && layout_rules("white-space:pre}").is_empty());
        let sheet = ".a{display:flex}.b,i.c{color:red;display: inline-block!important}.d .e{display:grid}.f{display:none}";
        let rules = BoxRules::of([sheet].into_iter());
        for (tag, class, boxes) in
            [("p", "x a", Boxes::Children), ("p", "b", Boxes::Own), ("i", "c", Boxes::Own)]
        {
            assert!(rules.make(tag, class, boxes), "{class}");
        }
        for (tag, class, boxes) in
            [("p", "a", Boxes::Own), ("p", "c e f", Boxes::Own), ("p", "", Boxes::Children)]
        {
            assert!(!rules.make(tag, class, boxes), "{class}");
        }
    }
}
