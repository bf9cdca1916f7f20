//! Drawings of SVG: those that are more than an icon are read by their name.

use tsugi_page::{Namespace, NodeId, Page, Tag, text};

const MOST_NODES: usize = 4000;

/// The longest name, in characters.
const LONGEST: usize = 300;

/// Returns the name of a drawing that shows something: one with words of its own, such as a chart, or one in a figure.
/// Icons have names, too, but these say what a button does.
pub(super) fn name(page: &Page, id: NodeId) -> Option<String> {
    const NEAR: usize = 4;
    if page.namespace(id) != Namespace::Svg
        || page.tag(id) != "svg"
        || page.attribute(id, "aria-hidden") == Some("true")
    {
        return None;
    }
    let above = || page.ancestors(id).take(NEAR);
    if above().any(|above| page.is_link(above) || page.is_tag(above, Tag::Button)) {
        return None;
    }
    let words = page.subtree(id).take(MOST_NODES).filter(|below| page.tag(*below) == "text");
    let shows = above().any(|above| page.is_tag(above, Tag::Figure)) || words.take(2).count() == 2;
    let title = || {
        page.child_elements(id)
            .find(|child| page.tag(*child) == "title")
            .map(|title| page.string_value(title))
    };
    let name = page.attribute(id, "aria-label").filter(|_| shows).or_else(|| title().filter(|_| shows))?;
    Some(text::fold(name)).filter(|name| !name.is_empty() && name.chars().count() <= LONGEST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawings_are_read_by_their_name_and_icons_are_not() {
        let name = |html: &str| {
            let page = Page::from_text(html, &"https://a.test/".parse().unwrap());
            page.elements().find_map(|id| super::name(&page, id))
        };
        let chart = "<text>Jan</text><text>Feb</text>";
        assert_eq!(
            name(&format!("<svg aria-label='Tide heights'>{chart}</svg>")).as_deref(),
            Some("Tide heights")
        );
        assert_eq!(
            name(&format!("<p><svg><title>Tide  heights</title>{chart}</svg>")).as_deref(),
            Some("Tide heights")
        );
        assert_eq!(name("<figure><svg><title>A map</title><path></svg></figure>").as_deref(), Some("A map"));
        for icon in [
            "<svg><title>Chevron right icon</title><path></svg>",
            "<button><svg><title>Share</title><text>a</text><text>b</text></svg></button>",
            "<figure><svg aria-hidden=true><title>A map</title></svg></figure>",
            "<svg><text>Jan</text><text>Feb</text></svg>",
        ] {
            assert_eq!(name(icon), None, "{icon}");
        }
    }
}
