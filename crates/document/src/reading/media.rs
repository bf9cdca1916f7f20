//! Frames and players, which become links.

use crate::addresses::plain_address;
use tsugi_page::{NodeId, Page, Tag, Url, address, text};

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct EmbeddedMedia {
    pub(crate) address: String,
    pub(crate) title: Option<String>,
}

impl EmbeddedMedia {
    /// Reads a frame (`iframe`, `embed`, `object`), a player (`video`, `audio`) or a gist that a script writes.
    pub(super) fn of(page: &Page, id: NodeId) -> Option<EmbeddedMedia> {
        let tag = page.known_tag(id);
        let is_media = matches!(tag, Tag::Iframe | Tag::Embed | Tag::Object | Tag::Video | Tag::Audio);
        if !is_media && tag != Tag::Script {
            return None;
        }
        let url = source(page, id)?;
        let url = if tag == Tag::Script { gist_page(&url)? } else { video_page(url) };
        let title = ["title", "aria-label", "alt"].into_iter().filter_map(|name| page.attribute(id, name));
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
}
