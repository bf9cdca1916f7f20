//! Pages that show nothing until scripts run.

use tsugi_page::{Attr, NodeId, Page, Tag, address};

const LITTLE_TEXT: u32 = 600; // Number of characters from which on a page has text of its own to read.

/// Mount points of frameworks: `id`s, and custom elements.
const ROOTS: [&str; 12] = [
    "root", "app", "__next", "__nuxt", "___gatsby", "svelte", "react-root", "app-root", "main-app",
    "ember-app", "vue-app", "application",
];

/// Returns `true` if a page shows almost nothing and says why: it asks for JavaScript in `noscript`, or has an empty
/// mount point for a framework.
pub fn needs_scripts(page: &Page) -> bool {
    let shown = page.first("body").map_or(0, |body| page.totals(body).characters);
    if shown > LITTLE_TEXT || page.elements_of(Tag::Script).next().is_none() {
        return false;
    }
    page.elements().any(|id| {
        (page.is_tag(id, Tag::Noscript) && asks_for_scripts(page.string_value(id)))
            || (is_root(page, id) && page.totals(id).characters == 0)
    })
}

/// Returns `true` if a page shows almost nothing, and has scripts or a frame of its own host that may show more.
pub fn may_show_more(page: &Page) -> bool {
    let shown = page.first("body").map_or(0, |body| page.totals(body).characters);
    shown <= LITTLE_TEXT && page.elements().any(|id| is_script(page, id) || is_own_frame(page, id))
}

fn is_script(page: &Page, id: NodeId) -> bool {
    let kind = page.value(id, Attr::Type).unwrap_or_default().to_ascii_lowercase();
    // Any other type is data.
    page.is_tag(id, Tag::Script) && (kind.is_empty() || kind == "module" || kind.contains("javascript"))
}

fn is_own_frame(page: &Page, id: NodeId) -> bool {
    let source = page.attribute(id, "src").filter(|_| page.is_tag(id, Tag::Iframe));
    source.and_then(|source| page.resolve(source)).is_some_and(|to| address::same_host(&to, page.url()))
}

fn is_root(page: &Page, id: NodeId) -> bool {
    let names = [page.value(id, Attr::Id).unwrap_or_default(), page.tag(id)];
    ROOTS.iter().any(|root| names.iter().any(|name| name.eq_ignore_ascii_case(root)))
}

/// Returns `true` if a text mentions JavaScript; the name is the same in all languages.
fn asks_for_scripts(text: &str) -> bool {
    text.as_bytes().windows(10).any(|word| word.eq_ignore_ascii_case(b"javascript"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page_of;

    #[test]
    fn pages_that_scripts_draw_are_told_from_short_ones() {
        let needs = |html: &str| needs_scripts(&page_of(html));
        let script = "<script src=/app.js></script>";
        assert!(needs(&format!("<div id=root></div>{script}")));
        assert!(needs(&format!("<app-root></app-root>{script}")));
        assert!(needs(&format!("<noscript>Bitte JavaScript einschalten.</noscript><p>…</p>{script}")));
        assert!(!needs(&format!("<p>A short page.</p>{script}")));
        assert!(!needs("<div id=root></div>"));
        let more = |html: &str| may_show_more(&page_of(html));
        assert!(more(script) && more("<script>draw()</script>") && more("<iframe src=/article></iframe>"));
        assert!(!more("<script type=application/ld+json>{}</script><p>A short page."));
        assert!(!more("<iframe src=https://other.example/></iframe>"));
        let text = "Words to read. ".repeat(60);
        assert!(!more(&format!("<p>{text}{script}")));
        assert!(!needs(&format!("<div id=root></div><noscript>JavaScript!</noscript><p>{text}{script}")));
    }
}
