//! What detectors answer: traits and types shared by those who find links and content, and those who use them.

use crate::page::{NodeId, Page};
use url::Url;

/// Finds the next-page link of a page.
pub trait FindNext: std::fmt::Debug + Sync {
    /// Returns the best next-page link, however unsure; `None` where the page has no candidate, or none that the
    /// detector finds worth a score.
    ///
    /// The caller compares [`NextLink::score`] with the threshold it wants ([`FindNext::threshold`] is the
    /// detector's own).
    fn best_next(&self, page: &Page) -> Option<NextLink>;

    /// The score from which on a link counts as a next-page link.
    fn threshold(&self) -> f32;

    /// Says whether a link of this detector counts as a next-page link: its score reaches the threshold. A score that
    /// is no number reaches none.
    fn accepts(&self, next: &NextLink) -> bool {
        next.score >= self.threshold()
    }

    /// Returns the next-page link; `None` where the page has none, which is an answer and no error.
    fn find_next(&self, page: &Page) -> Option<NextLink> {
        self.best_next(page).filter(|next| self.accepts(next))
    }

    /// Returns what shows that there is a next page though no address leads there: a button, a form, a link that
    /// runs a script. Asked where [`find_next`](Self::find_next) finds nothing; detectors that do not look for it
    /// say `None`.
    fn find_unfollowable(&self, page: &Page) -> Option<NodeId> {
        let _ = page;
        None
    }

    /// Returns the next-page link, and where there is none what shows that there is a next page: what
    /// [`find_next`](Self::find_next) and [`find_unfollowable`](Self::find_unfollowable) say, for detectors that read a
    /// page once for both.
    fn look(&self, page: &Page) -> (Option<NextLink>, Option<NodeId>) {
        let next = self.find_next(page);
        let unfollowable = if next.is_none() { self.find_unfollowable(page) } else { None };
        (next, unfollowable)
    }

    /// Returns addresses that may be the page before this one, the likeliest first; whether one is, the page there
    /// tells, whose next link leads here. Detectors that do not look for it say nothing.
    fn previous_candidates(&self, page: &Page) -> Vec<Url> {
        let _ = page;
        Vec::new()
    }

    /// Returns addresses that may hold all pages of this page's sequence on one ("view all"), the likeliest first.
    /// Detectors that do not look for it say nothing.
    fn single_page_candidates(&self, page: &Page) -> Vec<Url> {
        let _ = page;
        Vec::new()
    }
}

/// Finds the main content of a page.
pub trait FindContent: std::fmt::Debug + Sync {
    /// Returns the main content; `next` is the page's next-page link, where it has one.
    fn find_content(&self, page: &Page, next: Option<&NextLink>) -> Content;
}

/// Judges whether a page is the continuation of the page whose next link led to it.
pub trait Verify: std::fmt::Debug + Sync {
    /// Judges a pair of pages; `before.next` is the link that led from the one to the other.
    fn verify(&self, before: Seen<'_>, after: Seen<'_>) -> Verdict;
}

/// A page and what detectors found on it.
#[derive(Debug, Clone, Copy)]
pub struct Seen<'a> {
    /// The page.
    pub page: &'a Page,
    /// Its main content.
    pub content: &'a Content,
    /// Its best next link, however unsure.
    pub next: Option<&'a NextLink>,
}

/// Whether one page continues another, and why.
#[derive(Debug, Clone, PartialEq)]
pub struct Verdict {
    /// The probability that it does, in [0, 1].
    pub score: f32,
    /// Whether that is enough to join the two.
    pub holds: bool,
    /// What decided, the weightiest first.
    pub reasons: Vec<Reason>,
}

/// One thing that speaks for or against an answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Reason {
    /// What was seen, in words.
    pub what: String,
    /// What it adds to the log-odds of the answer; below zero where it speaks against it.
    pub weight: f32,
}

/// A next-page link.
#[derive(Debug, Clone, PartialEq)]
pub struct NextLink {
    /// Where it leads, fragment dropped.
    pub url: Url,
    /// The first tag of the page that leads there.
    pub node: NodeId,
    /// What kind of next page it is.
    pub relation: Relation,
    /// How sure the detector is, in [0, 1].
    pub score: f32,
    /// What the answer rests on.
    pub evidence: Evidence,
}

/// What a next page is to its page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Relation {
    /// The next page of this article, list or thread.
    Page,
    /// The next chapter of a book or manual, in reading order.
    Chapter,
}

impl Relation {
    /// The word that stands for the relation in labels and output.
    pub fn as_str(self) -> &'static str {
        match self {
            Relation::Page => "page",
            Relation::Chapter => "chapter",
        }
    }
}

impl std::fmt::Display for Relation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.as_str())
    }
}

/// What an answer rests on.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Evidence {
    /// A siteinfo item of this name.
    Rule {
        /// The item's name.
        name: Box<str>,
    },
    /// A learned model.
    Model,
    /// The page's own markup (`rel=next`).
    Markup,
    /// The other pages of the site.
    Site,
}

impl Evidence {
    /// The word that stands for the evidence in output.
    pub fn as_str(&self) -> &'static str {
        match self {
            Evidence::Rule { .. } => "rule",
            Evidence::Model => "model",
            Evidence::Markup => "rel",
            Evidence::Site => "site",
        }
    }

    /// Returns the name of the siteinfo item, where the answer rests on one.
    pub fn rule(&self) -> Option<&str> {
        match self {
            Evidence::Rule { name } => Some(name),
            Evidence::Model | Evidence::Markup | Evidence::Site => None,
        }
    }
}

impl std::fmt::Display for Evidence {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.rule() {
            Some(name) => write!(f, "{} `{name}`", self.as_str()),
            None => f.write_str(self.as_str()),
        }
    }
}

/// The main content of a page: some nodes, without some parts of them.
#[derive(Debug, Clone, PartialEq)]
pub struct Content {
    /// Outermost nodes only, in document order; empty where nothing was found.
    pub nodes: Vec<NodeId>,
    /// What below the nodes is no content: outermost nodes only, in document order.
    pub without: Vec<NodeId>,
    /// How sure the detector is, in [0, 1].
    pub score: f32,
    /// What the answer rests on.
    pub evidence: Evidence,
}
