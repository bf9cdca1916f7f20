//! The addresses of links and images.

use crate::noise::is_noise;
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};
use tsugi_page::{NodeId, Page, Url, address};

const MAX_ADDRESS: usize = 8 * 1024;

/// The characters of addresses that markup would read.
pub(crate) const READ_BY_MARKUP: &AsciiSet =
    &CONTROLS.add(b' ').add(b'"').add(b'<').add(b'>').add(b'`').add(b'\\');

pub(crate) fn link_address(page: &Page, id: NodeId) -> Option<String> {
    if !page.is(id, "a") {
        return None;
    }
    let href = page.attribute(id, "href").filter(|href| href.len() <= MAX_ADDRESS)?;
    let url = page.base().join(href.trim()).ok()?;
    let passes = address::is_web(&url) || url.scheme() == "mailto";
    (passes && url.as_str().len() <= MAX_ADDRESS).then(|| plain_address(&url))
}

/// Returns the absolute http or https address of an image; `None` for dots and counters.
///
/// An image that loads late has its address in another attribute and a placeholder in `src`. An image in several sizes may have
/// no `src` at all. The images of a saved file are resolved against the address of the page that it copies.
pub fn image_address(page: &Page, id: NodeId) -> Option<String> {
    if !page.is(id, "img") || is_noise(page, id) {
        return None;
    }
    let original = (page.url().scheme() == "file").then(|| canonical(page)).flatten();
    let original = original.filter(|_| page.base().scheme() == "file");
    let plain = ["data-src", "data-original", "data-lazy-src", "src"].into_iter();
    let plain = plain.filter_map(|name| page.attribute(id, name)).map(str::trim);
    let sets = ["data-srcset", "srcset"].into_iter().filter_map(|name| page.attribute(id, name));
    // The sizes of a `picture` precede its image.
    let picture = page.parent(id).filter(|parent| page.is(*parent, "picture"));
    let before =
        std::iter::successors(picture.and(page.previous_sibling(id)), |id| page.previous_sibling(*id));
    let sources = before.take(16).filter(|id| page.is(*id, "source"));
    let sources = sources.filter_map(|id| page.attribute(id, "srcset"));
    plain
        .chain(sets.chain(sources).filter_map(largest))
        .filter(|source| !source.is_empty())
        .filter_map(|source| {
            original.as_ref().map_or_else(|| page.resolve(source), |url| url.join(source).ok())
        })
        .find(address::is_web)
        .map(|url| plain_address(&url))
        .or_else(|| without_scripts(page, id))
}

fn without_scripts(page: &Page, id: NodeId) -> Option<String> {
    let beside = [page.next_sibling(id), page.previous_sibling(id)].into_iter().flatten();
    let noscript = beside.into_iter().find(|id| page.is(*id, "noscript"))?;
    let markup = page.string_value(noscript);
    if markup.len() > MAX_ADDRESS {
        return None;
    }
    let inside = Page::from_text(markup, page.base());
    // Scripts are off in there, so no further `noscript` is text.
    let image = inside.first("img").filter(|image| inside.attribute(*image, "src").is_some())?;
    let url = inside.resolve(inside.attribute(image, "src")?.trim()).filter(address::is_web)?;
    (!is_noise(&inside, image)).then(|| plain_address(&url))
}

fn canonical(page: &Page) -> Option<Url> {
    let mut head = page.elements().take_while(|id| !page.is(*id, "body"));
    let link = head.find(|id| {
        let mut rel = page.attribute(*id, "rel").unwrap_or_default().split_whitespace();
        page.is(*id, "link") && rel.any(|word| word.eq_ignore_ascii_case("canonical"))
    })?;
    page.resolve(page.attribute(link, "href")?).filter(address::is_web)
}

fn largest(set: &str) -> Option<&str> {
    // Addresses may hold commas; only a comma and white space separate them.
    let offers = set.split(", ").flat_map(|offers| offers.split(",\n")).map(str::trim);
    let sized = offers.filter_map(|offer| {
        let (address, size) = offer.split_once(char::is_whitespace).unwrap_or((offer, "1x"));
        let size: f32 = size.trim().trim_end_matches(['w', 'x', 'h', ',']).parse().ok()?;
        Some((address.trim_end_matches(','), size))
    });
    sized.max_by(|(_, one), (_, other)| one.total_cmp(other)).map(|(address, _)| address)
}

/// Returns an address that is safe in any markup. Characters that markup would read are encoded; only `mailto:` addresses still
/// have some.
pub(crate) fn plain_address(url: &Url) -> String {
    utf8_percent_encode(url.as_str(), READ_BY_MARKUP).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_that_lead_to_pages_are_links() {
        let address = |href: &str| {
            let html = format!("<a href=\"{href}\">x</a>");
            let page = Page::from_text(&html, &"https://a.test/x/1".parse().unwrap());
            link_address(&page, page.first("a").unwrap())
        };
        assert_eq!(address("2#n").as_deref(), Some("https://a.test/x/2#n"));
        assert_eq!(address("mailto:a b&quot;<@b.test").as_deref(), Some("mailto:a%20b%22%3C@b.test"));
        for dead in
            ["javascript:x", " java\nscript:x", "data:text/html,x", "file:///x", "vbscript:x", "blob:x"]
        {
            assert_eq!(address(dead), None, "{dead}");
        }
    }

    #[test]
    fn a_placeholder_is_replaced_by_what_readers_without_scripts_see() {
        let image = |html: &str| {
            let page = Page::from_text(html, &"https://a.test/x/1".parse().unwrap());
            image_address(&page, page.first("img").unwrap())
        };
        let placeholder =
            "<p>Text of the page.<img class=lazy src='data:image/gif;base64,R0lGODlhAQABAAAAACw='>";
        assert_eq!(
            image(&format!("{placeholder}<noscript><img src=i.png></noscript>")).as_deref(),
            Some("https://a.test/x/i.png")
        );
        assert_eq!(image(&format!("{placeholder}<noscript><img src='javascript:x'></noscript>")), None);
        assert_eq!(image(placeholder), None);
        assert_eq!(
            image("<img src=/blank.gif data-original=i.png>").as_deref(),
            Some("https://a.test/x/i.png"),
            "the placeholder is noise, the image is none"
        );
    }

    #[test]
    fn images_of_a_saved_page_are_where_the_page_was() {
        let image = |html: &str| {
            let page = Page::from_text(html, &"file:///home/ann/x/1.html".parse().unwrap());
            image_address(&page, page.first("img").unwrap())
        };
        let canonical = "<link rel=canonical href=https://a.test/story/1>";
        assert_eq!(
            image(&format!("{canonical}<img src=i.png>")).as_deref(),
            Some("https://a.test/story/i.png")
        );
        assert_eq!(
            image(&format!("{canonical}<img src=//b.test/i.png>")).as_deref(),
            Some("https://b.test/i.png")
        );
        assert_eq!(image("<img src=i.png>"), None);
    }
}
