//! Frames, players and images: which become a link, and which show nothing.

use crate::addresses::web_address;
use std::sync::LazyLock;
use tsugi_page::{NodeId, Page, Url, address, text, word_list};

/// Hosts and paths of what counts visits, advertises, or shares, by group.
const LISTS: &str = include_str!("lists/noise.txt");

/// A frame, player or the like, which a document cannot hold.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Media {
    /// Where it can be seen or heard: http or https.
    pub(crate) address: String,
    /// Its title, where it has one.
    pub(crate) title: Option<String>,
}

impl Media {
    /// Reads a frame (`iframe`, `embed`, `object`), a player (`video`, `audio`) or a gist that a script writes.
    pub(super) fn of(page: &Page, id: NodeId) -> Option<Media> {
        let tag = page.tag(id);
        let is_media = matches!(tag, "iframe" | "embed" | "object" | "video" | "audio");
        if !is_media && tag != "script" {
            return None;
        }
        let url = source(page, id)?;
        let url = if tag == "script" { gist(&url)? } else { watched(url) };
        let title = ["title", "aria-label", "alt"].into_iter().filter_map(|name| page.attribute(id, name));
        let title = title.map(text::fold).find(|title| !title.is_empty() && title.chars().count() <= 300);
        // Frames that a script fills name the page itself.
        let is_itself = address::page_key(&url) == address::page_key(page.url());
        (!is_itself).then(|| Media { address: web_address(&url), title })
    }

    /// Returns what the link says: the title, or else the address without its scheme.
    pub(crate) fn label(&self) -> &str {
        let bare =
            || self.address.split_once("://").map_or(&*self.address, |(_, rest)| rest).trim_end_matches('/');
        self.title.as_deref().unwrap_or_else(bare)
    }
}

/// Returns where an element takes what it shows from. What is loaded late keeps its address in another attribute.
fn source(page: &Page, id: NodeId) -> Option<Url> {
    let own = ["src", "data", "data-src", "data-lazy-src", "data-litespeed-src"]
        .into_iter()
        .filter_map(|name| page.attribute(id, name));
    let below = page
        .child_elements(id)
        .filter(|child| page.is(*child, "source"))
        .filter_map(|child| page.attribute(child, "src"));
    let mut urls = own.chain(below).filter_map(|source| page.resolve(source.trim()));
    urls.find(address::is_web)
}

/// Returns the page of a video that a frame shows.
fn watched(url: Url) -> Url {
    let host = url.host_str().unwrap_or_default().trim_start_matches("www.");
    let last = || {
        url.path_segments()
            .and_then(|mut segments| segments.rfind(|segment| !segment.is_empty()))
            .unwrap_or_default()
    };
    let page = match host {
        "youtube.com" | "youtube-nocookie.com"
            if url.path().starts_with("/embed/") && last() != "videoseries" =>
        {
            Some(format!("https://www.youtube.com/watch?v={}", last()))
        }
        "player.vimeo.com" if url.path().starts_with("/video/") => {
            Some(format!("https://vimeo.com/{}", last()))
        }
        _ => None,
    };
    page.and_then(|page| page.parse().ok()).unwrap_or(url)
}

/// Returns the page of a gist that a script writes.
fn gist(script: &Url) -> Option<Url> {
    let is_gist = script.host_str() == Some("gist.github.com");
    let path = script.path().strip_suffix(".js").filter(|_| is_gist)?;
    script.join(path).ok()
}

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

    fn media(html: &str) -> Option<(String, String)> {
        let page = Page::from_text(&format!("<p>{html}"), &"https://a.test/x/".parse().unwrap());
        let id = page.child_elements(page.first("p")?).next()?;
        Media::of(&page, id)
            .filter(|_| !is_noise(&page, id))
            .map(|media| (media.address.clone(), media.label().to_owned()))
    }

    #[test]
    fn players_become_links() {
        let link = |address: &str, label: &str| Some((address.to_owned(), label.to_owned()));
        assert_eq!(
            media("<iframe src='//www.youtube.com/embed/abc?rel=0' title='A  film'></iframe>"),
            link("https://www.youtube.com/watch?v=abc", "A film")
        );
        assert_eq!(
            media("<iframe data-src=https://player.vimeo.com/video/12 src=about:blank></iframe>"),
            link("https://vimeo.com/12", "vimeo.com/12")
        );
        assert_eq!(
            media("<video><source src=f.mp4></video>"),
            link("https://a.test/x/f.mp4", "a.test/x/f.mp4")
        );
        assert_eq!(media("<audio src=/a.mp3 aria-label=Song></audio>"), link("https://a.test/a.mp3", "Song"));
        assert_eq!(
            media("<script src=https://gist.github.com/ann/12.js></script>"),
            link("https://gist.github.com/ann/12", "gist.github.com/ann/12")
        );
        for none in [
            "<iframe src='javascript:x()'></iframe>",
            "<iframe></iframe>",
            "<script src=https://a.test/x.js></script>",
            "<iframe src=https://www.googletagmanager.com/ns.html?id=1></iframe>",
            "<iframe src=https://a.test/ width=1 height=1></iframe>",
        ] {
            assert_eq!(media(none), None, "{none}");
        }
    }

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
