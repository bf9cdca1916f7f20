//! Frames and images that are no content: dots, counters, advertisements, share buttons.

use crate::addresses::shown_image;
use crate::labels::is_label;
use std::collections::BTreeSet;
use std::sync::LazyLock;
use tsugi_page::style::declarations;
use tsugi_page::{NodeId, Page, Tag, Url, word_list};

const LISTS: &str = include_str!("lists/noise.txt");

static HOSTS: LazyLock<BTreeSet<&str>> = LazyLock::new(|| group("host").collect());
static FILES: LazyLock<BTreeSet<&str>> = LazyLock::new(|| group("file").collect());
static PLACES: LazyLock<Vec<(&str, &str)>> =
    LazyLock::new(|| group("place").filter_map(|place| Some(place.split_at(place.find('/')?))).collect());

fn group(name: &str) -> impl Iterator<Item = &'static str> {
    word_list::lines(LISTS).filter(move |(group, _)| *group == name).map(|(_, entry)| entry)
}

pub(crate) fn is_noise(page: &Page, id: NodeId) -> bool {
    if !matches!(page.known_tag(id), Tag::Img | Tag::Iframe | Tag::Embed | Tag::Object) {
        return false;
    }
    if is_dot(page, id) || is_portrait(page, id) {
        return true;
    }
    let names = ["data-src", "data-original", "data-lazy-src", "src", "data"];
    let source = names.into_iter().find_map(|name| page.attribute(id, name));
    let is_noise =
        source.and_then(|source| page.resolve(source.trim())).is_some_and(|url| is_noise_address(&url));
    // Images that load late have a placeholder in `src`.
    is_noise && !(page.is(id, "img") && shown_image(page, id).is_some())
}

pub(crate) fn is_noise_address(url: &Url) -> bool {
    let Some(host) = url.host_str() else { return false };
    let path = url.path().to_ascii_lowercase();
    let dots = host.match_indices('.').filter_map(|(at, _)| host.get(at + 1..));
    FILES.contains(path.rsplit('/').next().unwrap_or_default())
        || std::iter::once(host).chain(dots).any(|host| {
            HOSTS.contains(host) || PLACES.iter().any(|(at, start)| *at == host && path.starts_with(start))
        })
}

/// Returns `true` for the picture of a user beside what they wrote: it says so, or the link or item that holds nothing but it.
/// Other elements of such a name may hold the portrait that a page is about.
fn is_portrait(page: &Page, id: NodeId) -> bool {
    const AROUND: usize = 2;
    let says = |id: NodeId| {
        let class = page.attribute(id, "class").unwrap_or_default();
        class.split(|c: char| !c.is_ascii_alphabetic()).any(|word| {
            let names = ["avatar", "gravatar", "userpic", "useravatar", "postuseravatar"];
            names.iter().any(|name| word.eq_ignore_ascii_case(name))
        })
    };
    let is_named = || {
        let alt = page.attribute(id, "alt").unwrap_or_default().trim().to_lowercase();
        is_label("portrait", &alt) || alt.ends_with("'s avatar") || alt.ends_with("’s avatar")
    };
    let around = page.ancestors(id).take(AROUND).take_while(|above| page.totals(*above).characters == 0);
    let mut holders = around.filter(|above| matches!(page.known_tag(*above), Tag::A | Tag::Li));
    page.is(id, "img") && (says(id) || is_named() || holders.any(says))
}

// Frames are often sized by missing styles, so `width=100% height=0` is no dot.
fn is_dot(page: &Page, id: NodeId) -> bool {
    is_tiny(page, id, "width") && is_tiny(page, id, "height")
}

fn is_tiny(page: &Page, id: NodeId, side: &str) -> bool {
    let style = page.attribute(id, "style").unwrap_or_default();
    let mut declared = declarations(style).filter(|(property, _)| property.eq_ignore_ascii_case(side));
    let size = page.attribute(id, side).and_then(pixels).or_else(|| pixels(declared.next()?.1));
    size.is_some_and(|size| size <= 2)
}

fn pixels(text: &str) -> Option<u32> {
    text.trim().trim_end_matches("px").trim().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_and_counters_are_told_from_photographs() {
        let noise = |html: &str| {
            let page = Page::from_text(html, &"https://a.test/".parse().unwrap());
            is_noise(&page, page.first("img").unwrap())
        };
        for dot in [
            "<img src=x.gif width=1 height=1>",
            "<img src=x.gif style='WIDTH: 1px; height:0'>",
            "<img src='https://pixel.wp.com/g.gif?x'>",
            "<img src=https://www.facebook.com/tr?id=1>",
            "<img src=/img/spacer.gif>",
        ] {
            assert!(noise(dot), "{dot}");
        }
        for photograph in [
            "<img src=x.jpg width=100% height=1>",
            "<img src=pixel-art.png>",
            "<img src=https://trackerhost.test/a.png>",
        ] {
            assert!(!noise(photograph), "{photograph}");
        }
    }

    #[test]
    fn lists_are_well_formed() {
        assert_eq!(
            word_list::fault(LISTS, word_list::lines(LISTS), |group| matches!(
                group,
                "host" | "file" | "place"
            )),
            None
        );
        assert!(!HOSTS.is_empty() && !FILES.is_empty() && !PLACES.is_empty());
    }
}
