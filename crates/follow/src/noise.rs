//! Frames and images that show nothing of the content: dots, counters, advertisements, buttons to share.

use std::sync::LazyLock;
use tsugi_page::{NodeId, Page, word_list};

/// Hosts and paths of what counts visits, advertises, or shares, by group.
const LISTS: &str = include_str!("lists/noise.txt");

static HOSTS: LazyLock<Vec<&str>> = LazyLock::new(|| group("host"));
static PATHS: LazyLock<Vec<&str>> = LazyLock::new(|| group("path"));

fn group(name: &str) -> Vec<&'static str> {
    word_list::lines(LISTS).filter(|(group, _)| *group == name).map(|(_, entry)| entry).collect()
}

/// Says whether an image or a frame shows nothing of the content: it is a dot, or counts visits, advertises or shares.
pub(crate) fn is_noise(page: &Page, id: NodeId) -> bool {
    if !matches!(page.tag(id), "img" | "iframe" | "embed" | "object") {
        return false;
    }
    if is_dot(page, id) {
        return true;
    }
    let source = ["src", "data-src", "data"].into_iter().find_map(|name| page.attribute(id, name));
    let Some(url) = source.and_then(|source| page.resolve(source.trim())) else { return false };
    let Some(host) = url.host_str() else { return false };
    let is_host =
        |known: &&&str| host.strip_suffix(**known).is_some_and(|rest| rest.is_empty() || rest.ends_with('.'));
    let path = format!("{host}{}", url.path()).to_ascii_lowercase();
    HOSTS.iter().any(|known| is_host(&known)) || PATHS.iter().any(|known| path.contains(known))
}

/// Says whether an element is at most two pixels wide or high.
fn is_dot(page: &Page, id: NodeId) -> bool {
    const DOT: u32 = 2;
    let pixels = |text: &str| text.trim().trim_end_matches("px").trim().parse::<u32>().ok();
    let attribute = |name| page.attribute(id, name).and_then(pixels);
    let style = page.attribute(id, "style").unwrap_or_default();
    let styled = |name: &str| {
        let mut declarations = style.split(';').filter_map(|declaration| declaration.split_once(':'));
        declarations
            .find(|(property, _)| property.trim().eq_ignore_ascii_case(name))
            .and_then(|(_, value)| pixels(value))
    };
    let is_small = |name| attribute(name).or_else(|| styled(name)).is_some_and(|size| size <= DOT);
    // Frames are often laid out by styles that are not there: `width=100% height=0` is none of these.
    is_small("width") && is_small("height")
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
            word_list::fault(LISTS, word_list::lines(LISTS), |group| matches!(group, "host" | "path")),
            None
        );
        assert!(!HOSTS.is_empty() && !PATHS.is_empty());
    }
}
