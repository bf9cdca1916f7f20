//! Frames and players, which become links.

use crate::addresses::{FILMS, has_ending, plain_address};
use tsugi_page::{NodeId, Page, Tag, Url, address, text};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct EmbeddedMedia {
    pub(crate) address: String,
    pub(crate) title: Option<String>,
}

impl EmbeddedMedia {
    /// Reads a frame (`iframe`, `embed`, `object`), a player (`video`, `audio`, or a custom element such as `amp-youtube`) or a
    /// gist that a script writes.
    pub(super) fn of(page: &Page, id: NodeId) -> Option<EmbeddedMedia> {
        let tag = page.known_tag(id);
        let is_media = matches!(tag, Tag::Iframe | Tag::Embed | Tag::Object | Tag::Video | Tag::Audio);
        let url = if is_media || tag == Tag::Script {
            source(page, id)?
        } else if tag == Tag::Other && page.is_html(id) && page.tag(id).contains('-') {
            source_of_custom(page, id)?
        } else {
            return None;
        };
        let url = if tag == Tag::Script { gist_page(&url)? } else { video_page(url) };
        let title = ["title", "aria-label", "alt", "playlabel"]
            .into_iter()
            .filter_map(|name| page.attribute(id, name));
        let title = title.map(text::fold).find(|title| !title.is_empty() && title.chars().count() <= 300);
        // Frames that a script fills have the address of the page.
        let is_itself = address::page_key(&url) == address::page_key(page.url());
        (!is_itself).then(|| EmbeddedMedia { address: plain_address(&url), title })
    }

    pub(crate) fn label(&self) -> &str {
        let bare =
            || self.address.split_once("://").map_or(&*self.address, |(_, rest)| rest).trim_end_matches('/');
        self.title.as_deref().unwrap_or_else(bare)
    }
}

fn source(page: &Page, id: NodeId) -> Option<Url> {
    // Elements that load late keep it in another attribute.
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

/// Returns the film of a custom element: by its number on a known site, or by its address.
fn source_of_custom(page: &Page, id: NodeId) -> Option<Url> {
    const SITES: [(&str, &str); 3] = [
        ("youtube", "https://www.youtube.com/watch?v="),
        ("vimeo", "https://vimeo.com/"),
        ("dailymotion", "https://www.dailymotion.com/video/"),
    ];
    let tag = page.tag(id);
    let number = ["videoid", "video-id", "data-videoid", "data-video-id"]
        .into_iter()
        .find_map(|name| page.attribute(id, name))
        .map(str::trim)
        .filter(|number| {
            (1..=40).contains(&number.len())
                && number.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
        });
    if let Some(number) = number
        && let Some((_, at)) = SITES.iter().find(|(name, _)| tag.contains(name))
    {
        return format!("{at}{number}").parse().ok();
    }
    let is_player = ["-video", "-audio", "-iframe", "-player"].iter().any(|end| tag.ends_with(end));
    source(page, id).filter(|url| is_player || has_ending(url, &FILMS) || video_page(url.clone()) != *url)
}

fn video_page(url: Url) -> Url {
    let host = url.host_str().unwrap_or_default().trim_start_matches("www.");
    let last = url.path_segments().and_then(|mut segments| segments.rfind(|segment| !segment.is_empty()));
    let last = last.unwrap_or_default();
    let page = match host {
        "youtube.com" | "youtube-nocookie.com"
            if url.path().starts_with("/embed/") && last != "videoseries" =>
        {
            Some(format!("https://www.youtube.com/watch?v={last}"))
        }
        "player.vimeo.com" if url.path().starts_with("/video/") => Some(format!("https://vimeo.com/{last}")),
        _ => None,
    };
    page.and_then(|page| page.parse().ok()).unwrap_or(url)
}

fn gist_page(script: &Url) -> Option<Url> {
    let is_gist = script.host_str() == Some("gist.github.com");
    let path = script.path().strip_suffix(".js").filter(|_| is_gist)?;
    script.join(path).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::noise::is_noise;

    fn media(html: &str) -> Option<(String, String)> {
        let page = Page::from_text(&format!("<p>{html}"), &"https://a.test/x/".parse().unwrap());
        let id = page.child_elements(page.first("p")?).next()?;
        EmbeddedMedia::of(&page, id)
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
        for (player, address) in [
            (
                "<lite-youtube videoid=ogfYd705cRs playlabel='Play: Keys'></lite-youtube>",
                "https://www.youtube.com/watch?v=ogfYd705cRs",
            ),
            (
                "<amp-youtube data-videoid=a_b-1 width=4></amp-youtube>",
                "https://www.youtube.com/watch?v=a_b-1",
            ),
            ("<lite-vimeo videoid=12></lite-vimeo>", "https://vimeo.com/12"),
            ("<amp-video src=f.mp4></amp-video>", "https://a.test/x/f.mp4"),
            ("<amp-audio><source src=s.mp3></amp-audio>", "https://a.test/x/s.mp3"),
            (
                "<x-embed src=https://www.youtube.com/embed/abc></x-embed>",
                "https://www.youtube.com/watch?v=abc",
            ),
        ] {
            assert_eq!(media(player).map(|(address, _)| address).as_deref(), Some(address), "{player}");
        }
        for none in [
            "<x-card src=/card.html></x-card>",
            "<lite-youtube videoid='a b'></lite-youtube>",
            "<iframe src='javascript:x()'></iframe>",
            "<iframe></iframe>",
            "<script src=https://a.test/x.js></script>",
            "<iframe src=https://www.googletagmanager.com/ns.html?id=1></iframe>",
            "<iframe src=https://a.test/ width=1 height=1></iframe>",
        ] {
            assert_eq!(media(none), None, "{none}");
        }
    }
}
