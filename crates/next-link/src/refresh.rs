//! Pages that pass on to another by `<meta http-equiv=refresh>`.

use tsugi_page::{Attr, NodeId, Page, Tag, Url, address};

const MAX_SECONDS: f32 = 10.0;
const MAX_PLAIN: u32 = 280; // Maximum number of characters outside links of such a page.

/// Returns the address that a page with almost no text passes on to, if the wait is short.
pub(super) fn on(page: &Page) -> Option<Url> {
    let body = page.first("body").unwrap_or(NodeId::DOCUMENT);
    let totals = page.totals(body);
    if totals.characters - totals.link_characters > MAX_PLAIN {
        return None;
    }
    let mut metas = page.elements_of(Tag::Meta);
    let soon = metas.find_map(|node| of(page, node).filter(|(seconds, _)| *seconds <= MAX_SECONDS));
    let url = page.resolve(soon?.1)?;
    let leads_on =
        address::same_host(&url, page.url()) && address::page_key(&url) != address::page_key(page.url());
    leads_on.then_some(url)
}

/// Returns after how many seconds an element of the head sends the reader on, and where.
pub(super) fn of(page: &Page, node: NodeId) -> Option<(f32, &str)> {
    let name = page.value(node, Attr::HttpEquiv)?;
    let is_refresh = name.trim().eq_ignore_ascii_case("refresh")
        // In a noscript it is for browsers without scripts.
        && !page.ancestors(node).any(|around| page.is_tag(around, Tag::Noscript));
    if is_refresh { target(page.value(node, Attr::Content)?) } else { None }
}

/// Reads `5; url=/2`.
fn target(content: &str) -> Option<(f32, &str)> {
    let (seconds, rest) = content.split_once([';', ','])?;
    let seconds: f32 = seconds.trim().parse().ok()?;
    let rest = rest.trim();
    let name = rest.get(..3).filter(|name| name.eq_ignore_ascii_case("url"))?;
    let address = rest[name.len()..].trim_start().strip_prefix('=')?.trim();
    let quote = address.chars().next().filter(|c| matches!(c, '"' | '\''));
    let address = match quote {
        Some(quote) => address[1..].split(quote).next().unwrap_or_default(),
        None => address,
    };
    (seconds >= 0.0 && !address.is_empty()).then_some((seconds, address))
}

#[cfg(test)]
mod tests {
    use crate::LinkSurvey;
    use tsugi_page::Page;

    fn found(html: &str) -> Option<String> {
        let page = Page::from_text(html, &"https://a.test/go/1".parse().unwrap());
        LinkSurvey::of(&page).refresh().map(|url| url.path().to_owned())
    }

    #[test]
    fn pages_that_pass_on_are_told() {
        for content in
            ["0;url=/2", "0; URL='/2'", "5 ; url = \"/2\"", "3,url=https://www.a.test/2", "1.5;url=../2"]
        {
            let content = content.replace('"', "&quot;");
            let html = format!(
                "<meta http-equiv=Refresh content=\"{content}\"><p>If nothing happens, <a href=/2>go on</a>."
            );
            assert_eq!(found(&html).as_deref(), Some("/2"), "{content}");
        }
    }

    #[test]
    fn pages_that_come_again_or_have_text_are_not() {
        let text = "A paragraph of an article. ".repeat(20);
        for html in [
            "<meta http-equiv=refresh content=300>".to_owned(),
            "<meta http-equiv=refresh content='0;url=/go/1'>".to_owned(),
            "<meta http-equiv=refresh content='60;url=/2'>".to_owned(),
            "<meta http-equiv=refresh content='-1;url=/2'>".to_owned(),
            "<meta http-equiv=refresh content='0;url=https://b.test/'>".to_owned(),
            "<meta http-equiv=refresh content='0;url='>".to_owned(),
            "<meta name=refresh content='0;url=/2'>".to_owned(),
            "<noscript><meta http-equiv=refresh content='0;url=/2'></noscript>".to_owned(),
            format!("<meta http-equiv=refresh content='0;url=/2'><p>{text}"),
        ] {
            assert_eq!(found(&html), None, "{html}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_content_is_read(content in "[0-9.;, urlURL='/次]{0,16}|0; ?url ?=[\"'次/]{0,4}") {
            let _ = super::target(&content);
        }
    }
}
