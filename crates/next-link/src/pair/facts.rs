//! The facts by which pages are compared, and pairs of pages.

use super::head::HeadFacts;
use super::links::{LinkFacts, PageLinks};
use super::template::TemplateFacts;
use super::text::TextFacts;
use crate::address::{Bare, Difference, Keys, OwnKeys, Paged};
use crate::shared::{LazyShared, SharedFacts};
use crate::survey::SurveyedPage;
use tsugi_page::{Content, NextLink, Page, Relation, Url, address::page_key};

/// What a page is compared by, as far as it takes the survey of its links: the beginning of its [`PageFacts`].
#[derive(Debug)]
pub struct FactsOfLinks(PageFacts);

impl FactsOfLinks {
    pub(crate) fn of(survey: &SurveyedPage<'_>, shared: &SharedFacts) -> FactsOfLinks {
        FactsOfLinks(PageFacts {
            key: page_key(survey.page.url()),
            led_by: None,
            links: PageLinks::of(survey, shared),
            head: HeadFacts::default(),
            template: TemplateFacts::default(),
            text: TextFacts::default(),
            is_article: shared.is_article,
            is_archive: shared.is_archive,
            comments: shared.comments,
            paged: survey.own_paged.clone(),
            bare: survey.own.clone(),
        })
    }

    /// Collects the rest, which takes most of the time: what the page says of itself, its template, and its text.
    pub fn with_rest(self, page: &Page, content: &Content) -> PageFacts {
        PageFacts {
            head: HeadFacts::of(page, content),
            template: TemplateFacts::of(page, &content.nodes),
            text: TextFacts::of(page, content),
            ..self.0
        }
    }
}

/// Everything that a page is compared by, collected once.
#[derive(Debug, Clone)]
pub struct PageFacts {
    pub(super) key: String,
    /// The key of the address that led to the page, where that is another.
    led_by: Option<String>,
    pub(super) bare: Bare,
    pub(super) paged: Paged,
    pub(super) links: PageLinks,
    pub(super) head: HeadFacts,
    pub(super) template: TemplateFacts,
    pub(super) text: TextFacts,
    pub(super) is_article: bool,
    pub(super) is_archive: bool,
    /// Number of elements that are named comments.
    pub(super) comments: u32,
}

impl PageFacts {
    /// Collects the facts of a page with its main content.
    ///
    /// # Cost
    ///
    /// As much as finding its next link: one survey of the page, and one pass over its content.
    pub fn of(page: &Page, content: &Content) -> PageFacts {
        let shared = LazyShared::of(page);
        FactsOfLinks::of(shared.survey(), &shared).with_rest(page, content)
    }

    /// Returns the same page under another address, as served by sites that answer unknown addresses with a page they
    /// have.
    #[must_use]
    pub fn at(&self, url: &Url) -> PageFacts {
        let bare = Bare::of(url);
        PageFacts { key: page_key(url), paged: Paged::of(&bare), bare, ..self.clone() }
    }

    /// Returns the page as one that another address leads to, by a redirect. What links there links to this page.
    #[must_use]
    pub fn led_by(self, url: &Url) -> PageFacts {
        let led_by = Some(page_key(url)).filter(|key| *key != self.key);
        PageFacts { led_by, ..self }
    }

    /// Notes that an address only leads on to another: what links there links to the page that it leads to.
    pub fn lead_on(&mut self, from: &Url, to: &Url) {
        let (from, to) = (page_key(from), page_key(to));
        if self.text.links.remove(&from) {
            self.text.links.insert(to.clone());
        }
        if self.links.head_next.as_ref() == Some(&from) {
            self.links.head_next = Some(to.clone());
        }
        if let Some(link) = self.links.by_key.remove(&from) {
            self.links.by_key.entry(to).or_insert(link);
        }
    }

    /// Returns the page with a few words instead of its content, as served by sites that are asked for a page past
    /// the end: `lines` short lines, the first of which is the heading of the list if `has_heading`.
    #[must_use]
    pub fn emptied(&self, lines: u32, has_heading: bool) -> PageFacts {
        PageFacts { text: self.text.sorry(lines, has_heading), ..self.clone() }
    }
}

/// A page, the link that was followed from it, and the page behind the link.
#[derive(Debug, Clone, Copy)]
pub struct Pair<'a> {
    /// The previous page.
    pub before: &'a PageFacts,
    /// The link that was followed.
    pub link: &'a NextLink,
    /// The new page.
    pub after: &'a PageFacts,
    /// The address of the new page's best next link.
    pub onward: Option<&'a Url>,
}

pub(super) struct PairView<'a> {
    pub(super) before: &'a PageFacts,
    pub(super) after: &'a PageFacts,
    /// The page number in the address that was requested.
    pub(super) asked: Paged,
    pub(super) score: f32,
    pub(super) is_chapter: bool,
    pub(super) forward: LinkFacts,
    pub(super) back: Option<&'a LinkFacts>,
    pub(super) difference: Difference,
    pub(super) keys: Keys,
    /// The new page's best next link, unless it says that it leads back.
    pub(super) onward: Option<Onward>,
}

pub(super) struct Onward {
    pub(super) key: String,
    pub(super) paged: Paged,
    /// The difference between its address and that of the new page.
    pub(super) difference: Difference,
    pub(super) link: LinkFacts,
}

impl<'a> PairView<'a> {
    pub(super) fn of(pair: &Pair<'a>) -> PairView<'a> {
        let Pair { before, link: NextLink { url: asked, relation, score, .. }, after, onward } = *pair;
        let link = |page: &'a PageFacts, key: &str| page.links.by_key.get(key);
        let forward = link(before, &page_key(asked)).or_else(|| link(before, &after.key));
        PairView {
            before,
            after,
            asked: Paged::of(&Bare::of(asked)),
            score: *score,
            is_chapter: *relation == Relation::Chapter,
            forward: forward.cloned().unwrap_or_default(),
            back: link(after, &before.key)
                .or_else(|| before.led_by.as_ref().and_then(|key| link(after, key))),
            difference: Difference::of(&before.bare, &after.bare),
            keys: OwnKeys::of(&before.bare).beside(&after.bare),
            onward: onward.and_then(|url| {
                let (key, bare) = (page_key(url), Bare::of(url));
                let link = link(after, &key).cloned().unwrap_or_default();
                // The best link of a last page is often the one back, which is no way on.
                (!link.says_back_alone()).then(|| Onward {
                    paged: Paged::of(&bare),
                    difference: Difference::of(&after.bare, &bare),
                    link,
                    key,
                })
            }),
        }
    }
}
