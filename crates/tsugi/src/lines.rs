//! The lines and images of pages, to recognise repeats.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use tsugi_document::image_address;
use tsugi_page::walk::Step;
use tsugi_page::{Content, NodeId, Page, text};

/// The length in characters from which a line tells pages apart; shorter lines are on many pages.
const LONG: usize = 20;

/// What a page's content holds, as digests: lines of text, and images.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct PageLines {
    /// The digest of all lines and images, in order; 0 if there are none.
    whole: u64,
    all: BTreeSet<u64>,
    long: BTreeSet<u64>,
    images: BTreeSet<u64>,
    characters: usize,
}

impl PageLines {
    /// Returns what the content of a page holds.
    pub(crate) fn of_content(page: &Page, content: &Content) -> PageLines {
        let mut lines = PageLines::of(&page.text_of_content(&content.nodes, &content.without));
        for root in &content.nodes {
            let mut walk = page.walk(*root);
            while let Some(step) = walk.next() {
                let Step::Enter(id) = step else { continue };
                if content.without.binary_search(&id).is_ok() {
                    walk.skip_children();
                } else if let Some(image) = image_address(page, id) {
                    lines.whole = digest(&(lines.whole, &image));
                    lines.images.insert(digest(&image));
                }
            }
        }
        lines
    }

    pub(crate) fn of_frame(page: &Page, content: &Content) -> PageLines {
        let frame =
            Content { nodes: vec![NodeId::DOCUMENT], without: content.nodes.clone(), ..content.clone() };
        PageLines::of_content(page, &frame)
    }

    /// Returns `true` if others have all these lines and images.
    pub(crate) fn are_in(&self, others: &PageLines) -> bool {
        self.all.is_subset(&others.all) && self.images.is_subset(&others.images)
    }

    /// Returns the lines of a text. White space is folded; blank lines do not count.
    fn of(text: &str) -> PageLines {
        let mut lines = PageLines::default();
        for line in text.lines().map(text::fold).filter(|line| !line.is_empty()) {
            let (digest, characters) = (digest(&line), line.chars().count());
            lines.whole = self::digest(&(lines.whole, digest));
            lines.all.insert(digest);
            if characters >= LONG {
                lines.long.insert(digest);
            }
            lines.characters += characters;
        }
        lines
    }

    /// Returns how many characters the lines have.
    pub(crate) fn characters(&self) -> usize {
        self.characters
    }

    /// Returns the share of these lines that others have, in [0, 1]. Only long lines count, if there are any.
    pub(crate) fn share_in(&self, other: &PageLines) -> f32 {
        let (own, others) =
            if self.long.is_empty() { (&self.all, &other.all) } else { (&self.long, &other.long) };
        if own.is_empty() {
            return 0.0;
        }
        own.intersection(others).count() as f32 / own.len() as f32
    }
}

fn digest(value: &impl Hash) -> u64 {
    let mut digest = DefaultHasher::new();
    value.hash(&mut digest);
    digest.finish()
}

/// The lines of all pages held.
#[derive(Debug, Default)]
pub(crate) struct HeldLines {
    wholes: BTreeSet<u64>,
}

impl HeldLines {
    /// Adds a page.
    pub(crate) fn add(&mut self, lines: &PageLines) {
        self.wholes.insert(lines.whole);
    }

    /// Returns why a page adds nothing to those held; `None` if it does.
    pub(crate) fn lack(&self, lines: &PageLines) -> Option<&'static str> {
        if lines.whole == 0 {
            Some("the next page has no main content")
        } else if self.wholes.contains(&lines.whole) {
            Some("the next page has the same content as an earlier page")
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tsugi_page::Evidence;

    fn of_html(html: &str) -> PageLines {
        let page = Page::from_text(html, &"https://a.test/".parse().unwrap());
        let nodes = page.elements().filter(|id| page.is(*id, "body")).collect();
        let content = Content { nodes, without: Vec::new(), score: 1.0, evidence: Evidence::Model };
        PageLines::of_content(&page, &content)
    }

    #[test]
    fn repeats_are_told_from_what_is_new() {
        let mut held = HeldLines::default();
        held.add(&of_html("<h1>Title</h1><p>one"));
        held.add(&of_html("<h1>Title</h1><img src=1.png>"));
        let lack = |html: &str| held.lack(&of_html(html)).unwrap_or_default();
        assert!(lack(" <p> ").contains("no main content"));
        assert!(lack("<h2>Title </h2>\none").contains("same content"));
        assert!(lack("<h1>Title</h1><img src=1.png>").contains("same content"));
        for new in ["<h1>Title</h1>", "<h1>Title</h1><img src=2.png>", "one<p>Title", "<img src=1.png>"] {
            assert_eq!(lack(new), "", "{new}");
        }
    }

    #[test]
    fn a_frame_is_what_stands_around_the_content() {
        let page = Page::from_text(
            "<nav>Home<img src=logo.png></nav><main>Story<img src=story.png></main><p>About us",
            &"https://a.test/".parse().unwrap(),
        );
        let content = |tag| {
            let nodes = vec![page.first(tag).unwrap()];
            Content { nodes, without: Vec::new(), score: 1.0, evidence: Evidence::Model }
        };
        let frame = PageLines::of_frame(&page, &content("main"));
        assert!(of_html("<p>About us").are_in(&frame));
        assert!(of_html("Home<img src=logo.png>").are_in(&frame));
        assert!(!of_html("<p>About us<p>Story").are_in(&frame));
        assert!(!of_html("<p>About us<img src=story.png>").are_in(&frame));
        assert!(!of_html("<p>About us<img src=new.png>").are_in(&frame));
    }

    #[test]
    fn long_lines_decide_where_there_are_some() {
        let page = PageLines::of("A line with enough characters.\nshare");
        let whole = PageLines::of("A line  with enough characters.\nAnother line with many characters.");
        assert_eq!(page.share_in(&whole), 1.0);
        assert_eq!(whole.share_in(&page), 0.5);
        assert_eq!(PageLines::of("short\nshare").share_in(&page), 0.5, "1 of 2");
        assert_eq!(PageLines::of("").share_in(&page), 0.0);
        assert_eq!(page.characters(), 30 + 5);
    }
}
