//! The regions of a page that a node belongs to, by the elements and roles around it.

use tsugi_page::{Attr, Tag};

pub(crate) type Regions = u32;

macro_rules! regions {
    ($($name:ident = $bit:literal;)*) => { $(pub(crate) const $name: Regions = 1 << $bit;)* };
}

regions! {
    NAV = 0; HEADER = 1; FOOTER = 2; ASIDE = 3; FORM = 4; ARTICLE = 5; MAIN = 6; LIST = 7; TABLE = 8; FIGURE = 9;
    QUOTE = 10; DIALOG = 11; CONTROL = 12; HIDDEN = 13; HEADING = 14; CODE = 15; DEFINITIONS = 16; SECTION = 17;
    ARTICLE_BODY = 18; INNER_HEADER = 19; INNER_FOOTER = 20; CHOICE = 21; LABEL = 22; NOSCRIPT = 23; DETAILS = 24;
    EMBEDDED = 25; ENTRY = 26;
}

pub(crate) fn by_tag(tag: Tag, outer: Regions) -> Regions {
    let inside = outer & (ARTICLE | MAIN) != 0;
    match tag {
        Tag::Nav => NAV,
        Tag::Header if inside => INNER_HEADER,
        Tag::Header => HEADER,
        Tag::Footer if inside => INNER_FOOTER,
        Tag::Footer => FOOTER,
        Tag::Aside => ASIDE,
        Tag::Form => FORM,
        Tag::Article => ARTICLE,
        Tag::Main => MAIN,
        Tag::Ul | Tag::Ol | Tag::Menu | Tag::Dir => LIST,
        Tag::Dl => DEFINITIONS,
        Tag::Table => TABLE,
        Tag::Figure => FIGURE,
        Tag::Blockquote => QUOTE,
        Tag::Dialog => DIALOG,
        Tag::Button => CONTROL,
        Tag::Label | Tag::Legend => LABEL,
        Tag::Select | Tag::Datalist | Tag::Textarea => CHOICE,
        Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6 => HEADING,
        Tag::Pre | Tag::Code => CODE,
        Tag::Section => SECTION,
        Tag::Details => DETAILS,
        Tag::Noscript => NOSCRIPT,
        Tag::Iframe | Tag::Object | Tag::Svg | Tag::Video | Tag::Audio | Tag::Canvas | Tag::Math => EMBEDDED,
        _ => 0,
    }
}

/// Returns the regions of an element by an attribute; `outer` are those found so far, including its parent's.
pub(crate) fn by_attribute(name: Attr, value: &str, outer: Regions) -> Regions {
    match name {
        Attr::Role => match value.trim() {
            "navigation" | "menu" | "menubar" | "tablist" => NAV,
            "banner" => HEADER,
            "contentinfo" => FOOTER,
            "complementary" | "search" => ASIDE,
            "main" => MAIN,
            "article" => ARTICLE,
            "dialog" | "alertdialog" | "alert" => DIALOG,
            "button" => CONTROL,
            "listbox" => CHOICE,
            _ => 0,
        },
        Attr::Itemprop if value.contains("articleBody") || value.contains("text") => ARTICLE_BODY,
        Attr::Class if is_entry(value) => ENTRY,
        Attr::Hidden => HIDDEN,
        Attr::AriaHidden if value == "true" => HIDDEN,
        Attr::Style if hides(value) => HIDDEN,
        Attr::AriaModal if outer & DIALOG == 0 => DIALOG,
        _ => 0,
    }
}

fn is_entry(classes: &str) -> bool {
    // Both end in this letter, which most values lack.
    classes.as_bytes().contains(&b'y')
        && classes.split_ascii_whitespace().any(|class| matches!(class, "hentry" | "h-entry"))
}

fn hides(style: &str) -> bool {
    // Both properties contain this letter, which most styles lack.
    style.bytes().any(|byte| byte.eq_ignore_ascii_case(&b'y'))
        && style.split(';').any(|part| {
            let (name, value) = part.split_once(':').unwrap_or_default();
            let value = value.trim().trim_end_matches("!important").trim();
            ["display", "visibility"].iter().any(|property| name.trim().eq_ignore_ascii_case(property))
                && ["none", "hidden"].iter().any(|hidden| value.eq_ignore_ascii_case(hidden))
        })
}

#[cfg(test)]
mod tests {
    use super::super::context::PageContext;
    use super::*;
    use crate::page_of;

    #[test]
    fn regions_are_inherited() {
        let html = "<header><p>a</p></header><main><article><header><b>c</b></header></article></main>\
            <div role=navigation><i>d</i></div><div style='color:red; display : none'><u>e</u></div>";
        let page = page_of(html);
        let context = PageContext::new(&page, None);
        let of = |tag: &str| context.regions(page.first(tag).unwrap());
        assert_eq!(of("p"), HEADER);
        assert_eq!(of("b"), MAIN | ARTICLE | INNER_HEADER);
        assert_eq!(of("i"), NAV);
        assert_eq!(of("u"), HIDDEN);
        assert!(!hides("display:block; visibility: visible") && hides("visibility:hidden!important"));
    }
}
