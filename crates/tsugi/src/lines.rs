//! The lines and images of pages, to recognise repeats.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use tsugi_document::image_address;
use tsugi_page::walk::Step;
use tsugi_page::{Attr, Content, NodeId, Page, Tag, text};

/// The length in characters from which a line tells pages apart; shorter lines are on many pages.
const LONG: usize = 20;

/// How many long lines are the opening of a page.
const OPENING: usize = 5;

/// What a page's content holds, as digests: lines of text, and images.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct PageLines {
    /// The digest of all lines and images, in order; 0 if there are none.
    whole: u64,
    all: BTreeSet<u64>,
    /// The long lines, with their numbers of characters.
    long: BTreeMap<u64, usize>,
    images: BTreeSet<u64>,
    characters: usize,
    /// The first of the long lines.
    opening: Vec<u64>,
    /// In characters, of which those of scripts without spaces count twice.
    weight: usize,
    prose: ProseLines,
}

/// The weight from which a line is prose: in characters, of which those of scripts without spaces count twice.
const PROSE_LINE: usize = 40;

/// How many headlines of a page are read, wherever they are.
const HEADLINES: usize = 4;

/// The share of the characters of an element from which it is a link, or a list of them.
const LINKED: f32 = 0.9;

/// The text of a page's content without its links, as digests. Lists of contents and related stories say nothing about
/// whether the page brings anything new.
#[derive(Debug, Default, PartialEq, Eq)]
struct ProseLines {
    /// Long lines outside headings, with their weights.
    long: BTreeMap<u64, usize>,
    /// The other lines outside headings, with their weights.
    short: BTreeMap<u64, usize>,
    /// The weight of all lines, each as often as it is there.
    all: usize,
    /// The title of the page, and the headings of its content, without digits: counters do not make a heading new.
    title: Option<u64>,
    headings: BTreeSet<u64>,
}

impl ProseLines {
    fn of(page: &Page, content: &Content) -> ProseLines {
        let title = without_digits(&page.title().unwrap_or_default());
        let mut prose = ProseLines { title, ..ProseLines::default() };
        // The headline of a page may be outside its content.
        let headlines = page.elements_of(Tag::H1).filter(|id| !is_linked(page, *id));
        prose.headings.extend(headlines.take(HEADLINES).filter_map(|id| without_digits(&page.text(id))));
        let mut without = content.without.clone();
        visit(page, content, |id| {
            let is_linked = is_linked(page, id);
            let is_out = is_linked || is_heading(page, id);
            if is_out {
                without.push(id);
            }
            if is_out && !is_linked {
                prose.headings.extend(without_digits(&page.text(id)));
            }
            !is_out
        });
        let text = page.text_of_content(&content.nodes, &page.outermost(without));
        for line in text.lines().map(text::folded).filter(|line| !line.is_empty()) {
            let weight = text::weight(&line);
            let lines = if weight >= PROSE_LINE { &mut prose.long } else { &mut prose.short };
            lines.insert(digest(&line), weight);
            prose.all += weight;
        }
        prose
    }

    fn weight(&self) -> usize {
        self.long.values().sum()
    }
}

/// Returns the digest of the letters of a heading; `None` if there are none.
fn without_digits(text: &str) -> Option<u64> {
    let letters: String = text.chars().filter(|c| c.is_alphabetic()).collect();
    (!letters.is_empty()).then(|| digest(&letters))
}

fn is_heading(page: &Page, id: NodeId) -> bool {
    matches!(page.known_tag(id), Tag::H1 | Tag::H2 | Tag::H3 | Tag::H4 | Tag::H5 | Tag::H6)
}

/// Returns `true` if an element is a link, or has hardly any text beside links.
fn is_linked(page: &Page, id: NodeId) -> bool {
    let totals = page.totals(id);
    page.is_element(id)
        && totals.link_characters > 0
        && totals.link_characters as f32 >= LINKED * totals.characters as f32
}

/// Visits the nodes of content in order, but for what is left out of it. `enter` says whether to go into a node.
fn visit(page: &Page, content: &Content, mut enter: impl FnMut(NodeId) -> bool) {
    for root in &content.nodes {
        let mut walk = page.walk(*root);
        while let Some(step) = walk.next() {
            let Step::Enter(id) = step else { continue };
            if content.without.binary_search(&id).is_ok() || !enter(id) {
                walk.skip_children();
            }
        }
    }
}

impl PageLines {
    /// Returns what the content of a page holds.
    pub(crate) fn of_content(page: &Page, content: &Content) -> PageLines {
        PageLines { prose: ProseLines::of(page, content), ..PageLines::shown(page, content) }
    }

    /// Returns what a page holds at the place where another one has most of its content, the only element of that name, id and
    /// class, if the content that was found on the page is more than that, or elsewhere: what else there is, where there is no
    /// article.
    pub(crate) fn at_place_of(
        (other, theirs): (&Page, &Content),
        (page, found): (&Page, &Content),
    ) -> Option<PageLines> {
        let place = *theirs.nodes.iter().max_by_key(|node| other.totals(**node).characters)?;
        let named = |id: &NodeId| {
            page.tag(*id) == other.tag(place)
                && [Attr::Id, Attr::Class]
                    .iter()
                    .all(|name| page.value(*id, *name) == other.value(place, *name))
        };
        let mut same = page.elements().filter(named);
        let (Some(node), None) = (same.next(), same.next()) else { return None };
        // Whatever was found there may be short.
        let is_there = found.nodes.iter().any(|held| page.contains(node, *held));
        // What is no content around an article is none where the article is missing.
        let held = Content { nodes: vec![node], ..found.clone() };
        (!is_there).then(|| PageLines::of_content(page, &held))
    }

    /// Returns what stands around the content of a page. Nobody asks for its prose.
    pub(crate) fn of_frame(page: &Page, content: &Content) -> PageLines {
        let frame =
            Content { nodes: vec![NodeId::DOCUMENT], without: content.nodes.clone(), ..content.clone() };
        PageLines::shown(page, &frame)
    }

    /// Returns all but the prose.
    fn shown(page: &Page, content: &Content) -> PageLines {
        let mut lines = PageLines::of(&page.text_of_content(&content.nodes, &content.without));
        visit(page, content, |id| {
            if let Some(image) = image_address(page, id).or_else(|| medium(page, id)) {
                lines.whole = digest(&(lines.whole, &image));
                lines.images.insert(digest(&image));
            }
            true
        });
        lines
    }

    /// Returns `true` if others have all these lines and images.
    pub(crate) fn are_in(&self, others: &PageLines) -> bool {
        self.all.is_subset(&others.all) && self.images.is_subset(&others.images)
    }

    /// Returns the lines of a text. White space is folded; blank lines do not count.
    fn of(text: &str) -> PageLines {
        let mut lines = PageLines::default();
        for line in text.lines().map(text::folded).filter(|line| !line.is_empty()) {
            let (digest, characters) = (digest(&line), line.chars().count());
            lines.whole = self::digest(&(lines.whole, digest));
            lines.all.insert(digest);
            if characters >= LONG {
                lines.long.insert(digest, characters);
                if lines.opening.len() < OPENING {
                    lines.opening.push(digest);
                }
            }
            lines.characters += characters;
            lines.weight += text::weight(&line);
        }
        lines
    }

    /// Returns how many characters the lines have.
    pub(crate) fn characters(&self) -> usize {
        self.characters
    }

    /// Returns `true` if one of the first long lines is among those of another page.
    pub(crate) fn opens_as(&self, other: &PageLines) -> bool {
        self.opening.iter().any(|line| other.long.contains_key(line))
    }

    /// Returns the share of these lines that others have, in [0, 1]: of the characters of long lines, if there are any.
    pub(crate) fn share_in(&self, other: &PageLines) -> f32 {
        let (held, all) = if self.long.is_empty() {
            (self.all.intersection(&other.all).count(), self.all.len())
        } else {
            let held = self.long.iter().filter(|(line, _)| other.long.contains_key(*line));
            (held.map(|(_, characters)| characters).sum(), self.long.values().sum())
        };
        held as f32 / all.max(1) as f32
    }
}

/// Returns the address of a film, a sound, or a page in the page.
fn medium(page: &Page, id: NodeId) -> Option<String> {
    let is_medium =
        matches!(page.known_tag(id), Tag::Iframe | Tag::Video | Tag::Audio | Tag::Embed | Tag::Source);
    page.attribute(id, "src").filter(|_| is_medium).map(str::to_owned)
}

fn digest(value: &impl Hash) -> u64 {
    let mut digest = DefaultHasher::new();
    value.hash(&mut digest);
    digest.finish()
}

/// How many lines may change from page to page of a site that has no more pages: a clock, a counter, a quotation.
const FEW: usize = 2;

/// The share of prose in the text of a page that can be told by it. Where a list is the content, what stands around it may
/// well stay.
const MOSTLY: f32 = 0.75;

/// The share of a page's prose that stands on one held page, from which it is that page again.
const AGAIN: f32 = 0.9;

/// The share of a page's prose that stands on held pages, from which the page is rather an article again with other comments.
const HALF: f32 = 0.5;

/// The share of a usual page's prose that a page must bring to be a page of its own.
const NEWS: f32 = 0.05;

/// The share of a usual page's prose below which a page is short.
const SHORT: f32 = 0.25;

/// The least weight of a usual page's prose. Pages of few words each say nothing about how many words a page needs.
const USUAL: usize = 400;

/// The most held pages that are remembered for a line. A line on more of them does not tell them apart.
const MOST_PAGES: usize = 16;

/// The lines of all pages held.
#[derive(Debug, Default)]
pub(crate) struct HeldLines {
    wholes: BTreeSet<u64>,
    /// The long lines of prose, and the numbers of the pages that have them.
    long: BTreeMap<u64, Vec<usize>>,
    short: BTreeSet<u64>,
    titles: BTreeSet<u64>,
    headings: BTreeSet<u64>,
    images: BTreeSet<u64>,
    /// The weight of the prose of each page.
    weights: Vec<usize>,
}

impl HeldLines {
    /// Adds a page.
    pub(crate) fn add(&mut self, lines: &PageLines) {
        let PageLines { whole, images, prose, .. } = lines;
        self.wholes.insert(*whole);
        self.images.extend(images);
        let number = self.weights.len();
        for line in prose.long.keys() {
            let pages = self.long.entry(*line).or_default();
            pages.truncate(MOST_PAGES - 1);
            pages.push(number);
        }
        self.short.extend(prose.short.keys());
        self.titles.extend(prose.title);
        self.headings.extend(&prose.headings);
        self.weights.push(prose.weight());
    }

    /// Returns why a page adds nothing to those held; `None` if it does. `leads_on` says whether it may have a next link.
    pub(crate) fn lack(&self, lines: &PageLines, leads_on: bool) -> Option<&'static str> {
        if lines.whole == 0 {
            Some("the next page has no main content")
        } else if self.wholes.contains(&lines.whole) {
            Some("the next page has the same content as an earlier page")
        } else if !leads_on || !self.brings_little(lines) {
            // What ends there by itself costs nothing: a short last page is better than none.
            None
        } else if self.is_again(lines) {
            Some("the next page has almost nothing that is not on an earlier page")
        } else if self.is_bare(lines) {
            Some("the next page has almost no text of its own")
        } else {
            None
        }
    }

    /// Returns `true` if a place where pages have their text is as good as empty: “nothing more”, whatever stands around it.
    /// `lines` are those of that place alone.
    pub(crate) fn is_emptied(&self, lines: &PageLines) -> bool {
        let is_short = (lines.weight as f32) < SHORT * self.usual() as f32;
        is_short && self.is_bare(lines) && self.brings_little(lines)
    }

    /// Returns `true` if a page that is not held is missed: most of its prose is new, and more than a line or two.
    pub(crate) fn is_missing(&self, lines: &PageLines) -> bool {
        let all = lines.prose.weight();
        let is_new = all == 0 || self.fresh(&lines.prose) as f32 > HALF * all as f32;
        is_new && !self.brings_little(lines)
    }

    /// Returns `true` if a page has a line or two that are new, and nothing else.
    fn brings_little(&self, lines: &PageLines) -> bool {
        !self.shows_news(lines) && self.fresh_lines(&lines.prose).count() <= FEW
    }

    /// Returns `true` if a page has a title, a heading or an image that no page held has.
    pub(crate) fn shows_news(&self, lines: &PageLines) -> bool {
        !lines.prose.title.is_none_or(|title| self.titles.contains(&title))
            || !lines.prose.headings.is_subset(&self.headings)
            || !lines.images.is_subset(&self.images)
    }

    /// Returns `true` if a page is one of those held again, but for a line or two.
    fn is_again(&self, lines: &PageLines) -> bool {
        let prose = &lines.prose;
        let all = prose.weight();
        if all == 0 || (all as f32) < MOSTLY * lines.weight as f32 {
            return false;
        }
        let mut shared: BTreeMap<usize, usize> = BTreeMap::new();
        for (line, weight) in &prose.long {
            for page in self.long.get(line).into_iter().flatten() {
                *shared.entry(*page).or_default() += weight;
            }
        }
        let most = shared.into_values().max().unwrap_or_default();
        most as f32 >= AGAIN * all as f32 && self.fresh(prose) as f32 <= (1.0 - AGAIN) * all as f32
    }

    /// Returns `true` if a page has hardly any text of its own, where pages usually have much.
    fn is_bare(&self, lines: &PageLines) -> bool {
        let usual = self.usual();
        let fresh = self.fresh(&lines.prose);
        // Much text that is on other pages may be that of a list: the same teaser under other titles.
        let is_short = (lines.prose.all as f32) < SHORT * usual as f32;
        usual >= USUAL && is_short && (fresh as f32) < NEWS * usual as f32
    }

    /// Returns the weight of the prose that half of the pages held have at least.
    fn usual(&self) -> usize {
        let mut weights = self.weights.clone();
        weights.sort_unstable();
        weights.get(weights.len() / 2).copied().unwrap_or_default()
    }

    /// Returns the weight of the lines that no page held has.
    fn fresh(&self, prose: &ProseLines) -> usize {
        self.fresh_lines(prose).sum()
    }

    /// Returns the weights of those lines.
    fn fresh_lines<'a>(&'a self, prose: &'a ProseLines) -> impl Iterator<Item = usize> + 'a {
        let long = prose.long.iter().filter(|(line, _)| !self.long.contains_key(line));
        let short = prose.short.iter().filter(|(line, _)| !self.short.contains(line));
        long.chain(short).map(|(_, weight)| *weight)
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
        let lack = |html: &str| held.lack(&of_html(html), true).unwrap_or_default();
        assert!(lack(" <p> ").contains("no main content"));
        assert!(lack("<h2>Title </h2>\none").contains("same content"));
        assert!(lack("<h1>Title</h1><img src=1.png>").contains("same content"));
        for new in ["<h1>Title</h1>", "<h1>Title</h1><img src=2.png>", "one<p>Title", "<img src=1.png>"] {
            assert_eq!(lack(new), "", "{new}");
        }
    }

    /// Returns a page of many paragraphs, which no other number has.
    fn long(number: usize, rest: &str) -> PageLines {
        let line = |at| {
            format!("<p>Paragraph {at} of page {number}, which has enough words to be prose on its own.")
        };
        of_html(&format!("<h1>Title</h1>{}{rest}", (0..10).map(line).collect::<String>()))
    }

    #[test]
    fn a_page_again_is_told_whatever_line_of_it_changes() {
        let mut held = HeldLines::default();
        for number in 1..=30 {
            held.add(&long(number, ""));
        }
        for number in [1, 2, 15, 30] {
            let again = long(number, "<p>Page made in 17 ms for you.");
            assert!(held.lack(&again, true).unwrap_or_default().contains("almost nothing"), "{number}");
            assert_eq!(held.lack(&again, false), None, "what ends there costs nothing");
            for new in ["<h2>Another heading</h2>", "<img src=new.png>"] {
                assert_eq!(held.lack(&long(number, new), true), None, "{new}");
            }
        }
        let mixed = "<p>Paragraph 1 of page 1, which has enough words to be prose on its own.".repeat(9);
        assert_eq!(held.lack(&long(31, &mixed), true), None, "the rest is new");
    }

    #[test]
    fn a_page_without_text_of_its_own_is_told_where_pages_have_much() {
        let mut held = HeldLines::default();
        held.add(&of_html("<h1>Title</h1><p>Short."));
        assert_eq!(held.lack(&of_html("<h1>Title</h1><p>More."), true), None, "they are all short");
        for number in 1..=3 {
            held.add(&long(number, ""));
        }
        let lack = |html: &str| held.lack(&of_html(html), true).unwrap_or_default();
        assert!(lack("<h1>Title 4</h1><p>Nothing more.").contains("almost no text"));
        assert!(
            lack("<h1>Title</h1><ul><li><a href=1>A story about something else altogether</a></ul>")
                .contains("no text")
        );
        assert_eq!(lack("<h1>Part Two</h1>"), "", "a heading is news");
        assert_eq!(lack("<h1>Title</h1><p>It is a short page, but it has enough words."), "");
    }

    #[test]
    fn lines_of_many_pages_cost_no_more_than_those_of_few() {
        let mut held = HeldLines::default();
        (0..100).for_each(|number| {
            held.add(&long(number, "<p>This line stands on each and every page of the document."));
        });
        assert!(held.long.values().all(|pages| pages.len() <= MOST_PAGES));
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
        assert_eq!(whole.share_in(&page), 30.0 / 64.0);
        assert_eq!(PageLines::of("short\nshare").share_in(&page), 0.5, "1 of 2");
        assert_eq!(PageLines::of("").share_in(&page), 0.0);
        assert_eq!(page.characters(), 30 + 5);
    }
}
