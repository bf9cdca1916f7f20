//! What all families of sites are made with: stories, pages, sequences.

use super::address::{Paths, Scheme, paths, plain_word};
use super::draw::Draw;
use super::pager::{OnwardLink, Pager, PagerStep, Placed, Steps, Way};
use super::prose::{Quotations, Topic, Writer, escaped};
use super::site::{MadeUpPage, MadeUpSite, WantedDocument, World};
use super::skeletons::Shape;
use super::theme::{Clutter, Day, Parts, Theme};
use super::words::{Language, Languages};
use crate::label::PageLabel;
use tsugi_page::Url;

/// A text with what stands above it.
#[derive(Debug, Clone)]
pub(super) struct Story {
    pub(super) title: String,
    pub(super) author: String,
    pub(super) day: Day,
    pub(super) paragraphs: Vec<String>,
    pub(super) topic: Topic,
}

/// What is added to the addresses of links.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Noise {
    None,
    Tracking(&'static str),
    /// A session's name, as the value of a key. A fresh one comes with every page.
    Session {
        key: &'static str,
        is_fresh: bool,
    },
}

/// Makes one site.
#[derive(Debug)]
pub(super) struct SiteMaker<'a> {
    pub(super) world: World,
    pub(super) languages: &'a Languages,
    pub(super) writer: Writer<'a>,
    pub(super) theme: Theme,
    pub(super) draw: Draw,
    pub(super) origin: String,
    domain: String,
    pub(super) noise: Noise,
    pub(super) pages: Vec<MadeUpPage>,
    pub(super) variant: Vec<String>,
}

/// What a page's label says.
#[derive(Debug, Default, Clone)]
pub(super) struct LabelDraft<'a> {
    pub(super) next: Option<&'a str>,
    pub(super) relation: Option<&'static str>,
    /// The name of the sequence, and the place in it from 1.
    pub(super) sequence: Option<(&'a str, usize)>,
    /// Whether the next page can be told from the page.
    pub(super) is_fair: bool,
    pub(super) kind: &'static str,
}

/// How many of 100 sites quote texts, if there are any in their language.
const QUOTING: usize = 70;
/// How many of 100 sites are in a language that has words for everything.
const FULL: usize = 85;
/// The number of languages that have words for everything; they come first.
const FULL_LANGUAGES: usize = 20;

impl<'a> SiteMaker<'a> {
    pub(super) fn new(
        world: World,
        (seed, index): (u64, usize),
        (languages, quotations): (&'a Languages, &'a Quotations<'a>),
        (shape, clutter): (Shape, Clutter),
    ) -> SiteMaker<'a> {
        let mut draw = Draw::new(seed).apart(&format!("{world:?} {index}"));
        let all = &languages.0;
        let language = match draw.below(100) {
            0..30 => &all[0],
            30..FULL => draw.pick(&all[1..FULL_LANGUAGES.min(all.len())]),
            _ => draw.pick(all),
        };
        // A site quotes all its articles, or none, so that where they come from says nothing of pairs.
        let quoted = if draw.of_100(QUOTING) { quotations.in_language(language.code) } else { &[] };
        let writer = Writer::new(language, world, quoted);
        let theme = Theme::new(world, &draw, (languages, &writer), shape, clutter);
        let domain = domain(world, index, &mut draw);
        let scheme = *draw.pick(&["https", "https", "http"]);
        let prefix = *draw.pick(&["www.", "", ""]);
        let origin = format!("{scheme}://{prefix}{domain}");
        let variant = vec![language.code.to_owned(), theme.design.name.to_string()];
        SiteMaker {
            world,
            languages,
            writer,
            theme,
            draw,
            origin,
            domain,
            noise: Noise::None,
            pages: Vec::new(),
            variant,
        }
    }

    pub(super) fn language(&self) -> &'a Language {
        self.writer.language
    }

    /// Returns the site's wording of a phrase, always the same.
    pub(super) fn word(&self, key: &str) -> &'static str {
        self.draw.apart(key).pick::<&'static str>(self.languages.wordings(self.language(), key, self.world))
    }

    pub(super) fn note(&mut self, variant: impl Into<String>) {
        self.variant.push(variant.into());
    }

    pub(super) fn topic(&mut self) -> Topic {
        self.writer.topic(&mut self.draw)
    }

    pub(super) fn day(&mut self) -> Day {
        Day {
            year: self.draw.between(2004, 2025),
            month: self.draw.between(1, 12),
            of_month: self.draw.between(1, 28),
        }
    }

    pub(super) fn story(&mut self, paragraphs: usize) -> Story {
        let topic = self.topic();
        self.story_about(&topic, paragraphs)
    }

    pub(super) fn story_about(&mut self, topic: &Topic, paragraphs: usize) -> Story {
        let (title, paragraphs) = self.writer.article(&mut self.draw, topic, paragraphs);
        let author = self.writer.name(&mut self.draw);
        Story { title, author, day: self.day(), paragraphs, topic: topic.clone() }
    }

    pub(super) fn paths(&mut self, scheme: Scheme, count: usize) -> Paths {
        self.note(format!("{scheme:?}"));
        paths(scheme, &mut self.draw, self.world, count, false)
    }

    /// Returns paths of articles, whose numbers fall on some sites.
    pub(super) fn article_paths(&mut self, scheme: Scheme, count: usize) -> Vec<String> {
        self.note(format!("{scheme:?}"));
        let falls = self.draw.of_100(40);
        paths(scheme, &mut self.draw, self.world, count, falls).pages
    }

    pub(super) fn absolute(&self, path: &str) -> String {
        if path.contains("://") { path.to_owned() } else { format!("{}{path}", self.origin) }
    }

    /// Returns the address of a link that stands on a page of a sequence.
    pub(super) fn noisy(&self, path: &str, on: usize) -> String {
        let joint = if path.contains('?') { '&' } else { '?' };
        match &self.noise {
            Noise::None => path.to_owned(),
            Noise::Tracking(query) => format!("{path}{joint}{query}"),
            Noise::Session { key, is_fresh } => {
                let session = self.draw.apart(&format!("session {}", if *is_fresh { on } else { 0 })).hex(32);
                format!("{path}{joint}{key}={session}")
            }
        }
    }

    pub(super) fn pager(&mut self, way: Way, next: &str, previous: &str) -> Pager {
        self.note(way.name());
        let draw = self.draw.apart("pager");
        Pager { way, next: next.to_owned(), previous: previous.to_owned(), counter: None, draw }
    }

    /// Returns the markup of paragraphs in the manner of the site.
    pub(super) fn body(&self, paragraphs: &[String]) -> String {
        let mut draw = self.draw.apart("body");
        let texts = paragraphs.iter().map(|text| escaped(text));
        match draw.below(8) {
            0 => texts.collect::<Vec<_>>().join("<br><br>\n"),
            1 => texts.map(|text| format!("<div>{text}</div>\n")).collect::<Vec<_>>().concat(),
            2 => texts.map(|text| format!("<p>{text}\n")).collect::<Vec<_>>().concat(),
            _ => texts.map(|text| format!("<p>{text}</p>\n")).collect::<Vec<_>>().concat(),
        }
    }

    /// Returns what the page of a story says.
    pub(super) fn parts(&self, path: &str, story: &Story) -> Parts {
        Parts {
            url: self.absolute(path),
            title: story.title.clone(),
            heading: story.title.clone(),
            headline: story.title.clone(),
            author: Some(story.author.clone()),
            day: Some(story.day),
            body: self.body(&story.paragraphs),
            is_article: true,
            opens: true,
            ..Parts::default()
        }
    }

    pub(super) fn place(&self, parts: &mut Parts, placed: Placed) -> Vec<(String, String)> {
        parts.top.push_str(&placed.top);
        parts.bottom.push_str(&placed.bottom);
        parts.below.push_str(&placed.below);
        parts.head.push_str(&placed.head);
        placed.header.map(|(name, value)| (name, self.header_value(&value))).into_iter().collect()
    }

    fn header_value(&self, value: &str) -> String {
        if self.draw.apart("header").of_100(50) {
            value.replace("</", &format!("<{}/", self.origin))
        } else {
            value.to_owned()
        }
    }

    /// Stores a page. The page is `parts.url`, unless links name it otherwise.
    pub(super) fn put(
        &mut self,
        path: &str,
        parts: &Parts,
        headers: Vec<(String, String)>,
        labelled: &LabelDraft<'_>,
    ) {
        let html = self.theme.page(parts);
        self.put_html(path, html, headers, labelled);
    }

    pub(super) fn put_html(
        &mut self,
        path: &str,
        html: String,
        headers: Vec<(String, String)>,
        labelled: &LabelDraft<'_>,
    ) {
        let Ok(url) = self.absolute(path).parse::<Url>() else { return };
        let sequence = labelled.sequence;
        let label = PageLabel {
            url: url.to_string(),
            site: self.domain.clone(),
            next: labelled.next.map(|next| self.absolute(next)),
            relation: labelled.next.and(labelled.relation).map(str::to_owned),
            kind: Some(labelled.kind.to_owned()),
            lang: Some(self.language().code.to_owned()),
            source: Some(format!("made up: {}", self.theme.design.name)),
            sequence: sequence.map(|(name, _)| format!("{} {name}", self.domain)),
            position: sequence.and_then(|(_, at)| u32::try_from(at).ok()),
            labels: if labelled.is_fair { vec!["next".to_owned()] } else { Vec::new() },
            // Folds keep pages of one generator together.
            others: [("generator".to_owned(), format!("madeup{}", self.theme.design.name).into())].into(),
            ..PageLabel::default()
        };
        self.pages.push(MadeUpPage { url, html, headers, status: 200, label });
    }

    /// Stores a single article and returns its address.
    pub(super) fn put_single(&mut self, path: &str, parts: &Parts, headers: Vec<(String, String)>) {
        self.put(
            path,
            parts,
            headers,
            &LabelDraft { is_fair: true, kind: "article", ..LabelDraft::default() },
        );
    }

    pub(super) fn finish(self, family: super::SiteFamily, wanted: &WantedPaths) -> Option<MadeUpSite> {
        let url = |path: &String| self.absolute(path).parse::<Url>().ok();
        let all = |paths: &[String]| paths.iter().map(url).collect::<Option<Vec<Url>>>();
        let start = url(wanted.start.as_ref().or(wanted.pages.first())?)?;
        let ignored = match &self.noise {
            Noise::None => Vec::new(),
            Noise::Tracking(query) => {
                query.split('&').filter_map(|pair| pair.split('=').next()).map(str::to_owned).collect()
            }
            Noise::Session { key, .. } => vec![(*key).to_owned()],
        };
        let wanted = WantedDocument {
            pages: all(&wanted.pages)?,
            instead: all(&wanted.instead)?,
            optional: all(&wanted.optional)?,
            complete: wanted.complete,
        };
        Some(MadeUpSite {
            family,
            variant: self.variant.join(", "),
            pages: self.pages,
            start,
            wanted,
            ignored,
        })
    }
}

/// The paths of a [`WantedDocument`].
#[derive(Debug, Default)]
pub(super) struct WantedPaths {
    /// Where the reader starts, if not at the first wanted page.
    pub(super) start: Option<String>,
    pub(super) pages: Vec<String>,
    pub(super) instead: Vec<String>,
    pub(super) optional: Vec<String>,
    pub(super) complete: Option<bool>,
}

impl WantedPaths {
    pub(super) fn whole(pages: Vec<String>) -> WantedPaths {
        WantedPaths { pages, complete: Some(true), ..WantedPaths::default() }
    }

    pub(super) fn partial(pages: Vec<String>) -> WantedPaths {
        WantedPaths { pages, complete: Some(false), ..WantedPaths::default() }
    }
}

/// Returns a registrable domain that no other site of both worlds has.
fn domain(world: World, index: usize, draw: &mut Draw) -> String {
    let mut rest = 2 * index + world as usize;
    let mut tail = String::new();
    while rest > 0 || tail.is_empty() {
        tail.push(char::from(b'a' + u8::try_from(rest % 26).unwrap_or(0)));
        rest /= 26;
    }
    format!("{}-{tail}.example", plain_word(draw, world))
}

/// Returns what a pager says at one page of a sequence: the onward step is the next of all.
pub(super) fn steps_at<'s>(
    all: &'s [PagerStep],
    at: usize,
    end: &OnwardLink,
    paths: Option<&'s Paths>,
    has_back: bool,
) -> Steps<'s> {
    let onward = all.get(at + 1).map_or_else(|| end.clone(), |next| OnwardLink::To(next.clone()));
    Steps { all, at, onward, has_back, paths }
}
