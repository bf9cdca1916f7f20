//! What is known of HTML elements by their name.

use html5ever::{LocalName, local_name};

/// Kinds of element that the methods tell apart.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[expect(clippy::struct_excessive_bools, reason = "independent facts about a name")]
pub struct TagClass {
    /// A block-level element of HTML 4.01 (its `%block;` and the parts of tables and lists).
    pub block: bool,
    /// Starts and ends a line when shown: block-level by the HTML standard's rendering section.
    pub line: bool,
    /// Has no end tag and no content.
    pub void: bool,
    /// What it holds is no text of the page: `script`, `style`, `noscript`, `template`.
    pub hidden: bool,
    /// Its text is serialised without escapes.
    pub raw_text: bool,
    /// `a`.
    pub link: bool,
    /// A table cell.
    pub cell: bool,
}

/// Says whether elements of this name are block-level in HTML 4.01, `body` and the parts of tables and lists
/// included.
///
/// # Source
///
/// HTML 4.01, section 7.5.3 and the DTD's `%block;`; `li`, `dt`, `dd` and the parts of tables hold blocks
/// and are shown as such, and Yoshida & Yamamoto (2009), section 3.4, counts `body`.
fn is_block_level(name: &LocalName) -> bool {
    matches!(
        *name,
        local_name!("address")
            | local_name!("blockquote")
            | local_name!("body")
            | local_name!("center")
            | local_name!("dd")
            | local_name!("dir")
            | local_name!("div")
            | local_name!("dl")
            | local_name!("dt")
            | local_name!("fieldset")
            | local_name!("form")
            | local_name!("frameset")
            | local_name!("h1")
            | local_name!("h2")
            | local_name!("h3")
            | local_name!("h4")
            | local_name!("h5")
            | local_name!("h6")
            | local_name!("hr")
            | local_name!("isindex")
            | local_name!("li")
            | local_name!("menu")
            | local_name!("noframes")
            | local_name!("noscript")
            | local_name!("ol")
            | local_name!("p")
            | local_name!("pre")
            | local_name!("table")
            | local_name!("tbody")
            | local_name!("td")
            | local_name!("tfoot")
            | local_name!("th")
            | local_name!("thead")
            | local_name!("tr")
            | local_name!("ul")
    )
}

pub(crate) fn class_of(name: &LocalName) -> TagClass {
    let block = is_block_level(name);
    TagClass {
        block,
        line: (block && !is_cell(name)) || is_html5_block(name),
        void: is_void(name),
        hidden: matches!(
            *name,
            local_name!("script") | local_name!("style") | local_name!("noscript") | local_name!("template")
        ),
        raw_text: matches!(
            *name,
            local_name!("script")
                | local_name!("style")
                | local_name!("noscript")
                | local_name!("iframe")
                | local_name!("noembed")
                | local_name!("noframes")
                | local_name!("plaintext")
                | local_name!("xmp")
        ),
        link: *name == local_name!("a"),
        cell: is_cell(name),
    }
}

fn is_cell(name: &LocalName) -> bool {
    matches!(*name, local_name!("td") | local_name!("th"))
}

fn is_html5_block(name: &LocalName) -> bool {
    matches!(
        *name,
        local_name!("article")
            | local_name!("aside")
            | local_name!("caption")
            | local_name!("details")
            | local_name!("dialog")
            | local_name!("figcaption")
            | local_name!("figure")
            | local_name!("footer")
            | local_name!("header")
            | local_name!("hgroup")
            | local_name!("html")
            | local_name!("legend")
            | local_name!("main")
            | local_name!("nav")
            | local_name!("option")
            | local_name!("search")
            | local_name!("section")
            | local_name!("summary")
            | local_name!("title")
            | local_name!("xmp")
            | local_name!("listing")
            | local_name!("plaintext")
    )
}

fn is_void(name: &LocalName) -> bool {
    matches!(
        *name,
        local_name!("area")
            | local_name!("base")
            | local_name!("basefont")
            | local_name!("bgsound")
            | local_name!("br")
            | local_name!("col")
            | local_name!("embed")
            | local_name!("frame")
            | local_name!("hr")
            | local_name!("img")
            | local_name!("input")
            | local_name!("keygen")
            | local_name!("link")
            | local_name!("meta")
            | local_name!("param")
            | local_name!("source")
            | local_name!("track")
            | local_name!("wbr")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_fall_into_their_classes() {
        let class = |name: &str| class_of(&LocalName::from(name));
        assert!(class("div").block && class("td").block && class("body").block);
        assert!(!class("article").block && class("article").line, "HTML 4.01 has no article");
        assert!(!class("ins").block && !class("span").block);
        assert!(class("td").cell && !class("td").line);
        assert!(class("br").void && class("noscript").hidden && class("a").link);
    }
}
