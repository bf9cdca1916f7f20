//! Inline styles.

/// Returns the declarations of a `style` attribute as (property, value), trimmed.
pub fn declarations(style: &str) -> impl Iterator<Item = (&str, &str)> {
    let declarations = style.split(';').filter_map(|declaration| declaration.split_once(':'));
    declarations.map(|(property, value)| (property.trim(), value.trim()))
}

/// Returns `true` if a style hides its element with `display: none` or `visibility: hidden`.
pub fn hides(style: &str) -> bool {
    declarations(style).any(|(property, value)| {
        [("display", "none"), ("visibility", "hidden")].iter().any(|(name, hidden)| {
            // `none !important` hides, too.
            let start = value.get(..hidden.len()).unwrap_or_default();
            property.eq_ignore_ascii_case(name) && start.eq_ignore_ascii_case(hidden)
        })
    })
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
}
