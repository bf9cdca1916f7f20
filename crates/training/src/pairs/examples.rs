//! Pairs from stored sequences: each page with the stored pages that its links lead to.
//!
//! Links that a model would follow count most: the rank of a pair is that of its link among all links of the page, by a
//! model that saw no page of the site.

use crate::dataset::{Complaint, DataDigest, DataSet, DataSetError};
use crate::label::url_key;
use crate::random::mix;
use crate::sites::SiteGroups;
use std::collections::{BTreeMap, BTreeSet};
use tsugi::models::ContentModel;
use tsugi_next_link::{Described, NextLinkDetector, PageFacts, Pair, PairDetector};
use tsugi_page::{NextLink, Page, Url, address::same_host};

const BEST: usize = 12;

const EVERY: u64 = 6;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum PairKind {
    /// A page and where one of its links leads.
    Linked,
    /// A page, its next link, and another page of the site than the one it leads to: a redirect.
    Elsewhere,
    /// A page, its next link, and the page itself under that address.
    Again,
    /// A page, its next link, and under that address the frame of a page with a few words in it, as past the end of a
    /// list.
    Empty,
    /// A page, its next link, and a page of another site under that address, like a login wall or an error page.
    Stranger,
}

/// A pair and its label.
#[derive(Debug, Clone)]
pub struct PairExample {
    pub(crate) group: usize,
    pub(crate) kind: PairKind,
    pub(crate) holds: bool,
    /// The place of its link among the page's links, the likeliest first.
    pub(crate) rank: usize,
    pub(crate) followed: bool,
    /// `true` if its pages only teach.
    pub(crate) only_teaches: bool,
    pub(crate) row: Vec<f32>,
    pub(crate) urls: [String; 2],
}

/// The detectors that pages are read with.
#[derive(Clone, Copy)]
pub struct PairSources<'a> {
    /// Returns the link model that has not seen the pages of a group.
    pub(crate) next: &'a dyn Fn(usize) -> &'a NextLinkDetector,
    /// A link model that learned from stored pages alone. It reads made-up pages once more, as on sites unlike all that it
    /// knows: there its scores are low, and the pages decide.
    /// `None` if no data set is made up.
    pub(crate) of_stored: Option<&'a NextLinkDetector>,
    pub(crate) content: &'a dyn Fn(usize) -> &'a ContentModel,
}

impl std::fmt::Debug for PairSources<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PairSources").finish_non_exhaustive()
    }
}

/// The pairs of some data sets.
#[derive(Debug, Default)]
pub struct PairExamples {
    /// The pairs, those of one page together.
    pub pairs: Vec<PairExample>,
    /// Problems with pages and labels that are not used.
    pub complaints: Vec<Complaint>,
    /// A digest of all pages and labels.
    pub digest: String,
}

impl PairExamples {
    /// Reads the data sets; `progress` is called after every page.
    ///
    /// # Errors
    ///
    /// [`DataSetError`] if an archive cannot be opened. Pages and labels that cannot be used are complaints.
    pub fn read(
        sets: &[DataSet],
        groups: &SiteGroups,
        sources: PairSources<'_>,
        mut progress: impl FnMut(),
    ) -> Result<PairExamples, DataSetError> {
        let mut digest = DataDigest::default();
        let mut examples = PairExamples::default();
        for index in 0..sets.len() {
            examples.read_set((sets, index), groups, sources, &mut digest, &mut progress)?;
        }
        examples.digest = digest.finish();
        Ok(examples)
    }

    /// Reads one of the data sets that the groups are of, as [`PairExamples::read`] reads all.
    pub(crate) fn read_one(
        (sets, index): (&[DataSet], usize),
        groups: &SiteGroups,
        sources: PairSources<'_>,
        mut progress: impl FnMut(),
    ) -> Result<PairExamples, DataSetError> {
        let mut examples = PairExamples::default();
        examples.read_set((sets, index), groups, sources, &mut DataDigest::default(), &mut progress)?;
        Ok(examples)
    }

    fn read_set(
        &mut self,
        (sets, index): (&[DataSet], usize),
        groups: &SiteGroups,
        sources: PairSources<'_>,
        digest: &mut DataDigest,
        progress: &mut impl FnMut(),
    ) -> Result<(), DataSetError> {
        let set = &sets[index];
        let group_of = |label: usize| groups.group(index, label);
        let mut sizes: BTreeMap<usize, usize> = BTreeMap::new();
        for label in 0..set.labels().len() {
            *sizes.entry(group_of(label)).or_default() += 1;
        }
        let (mut pages, mut again) = (BTreeMap::new(), BTreeMap::new());
        let of_archive = set.visit(Some(digest), |label, page| {
            progress();
            let group = group_of(label);
            if sizes.get(&group).is_none_or(|size| *size < 2) {
                return;
            }
            let content = (sources.content)(group);
            let read = |next| StoredPage::of(&page, group, (set, label), next, content);
            pages.insert(label, read((sources.next)(group)));
            if let Some(of_stored) = sources.of_stored.filter(|_| set.is_made_up()) {
                again.insert(label, read(of_stored));
            }
        })?;
        self.complaints.extend(of_archive);
        self.add_set(set, &pages);
        self.add_set(set, &again);
        Ok(())
    }

    fn add_set(&mut self, set: &DataSet, pages: &BTreeMap<usize, StoredPage>) {
        for (label, page) in pages.iter().filter(|(label, _)| set.corrected(**label).knows_next()) {
            let right: BTreeSet<String> = set.corrected(*label).next_keys().into_iter().collect();
            for link in &page.links {
                let Some(after) = pages.get(&link.to) else { continue };
                let holds = right.contains(&url_key(link.link.url.as_str()));
                if !holds && !link.is_drawn {
                    continue;
                }
                self.pairs.push(page.example(link, PairKind::Linked, holds, &after.facts, after.onward()));
                if holds {
                    self.add_mismatches(page, link, (*label, link.to), pages);
                }
            }
        }
    }

    /// Makes pairs of answers that a site may give instead of a next page.
    fn add_mismatches(
        &mut self,
        page: &StoredPage,
        link: &StoredLink,
        (before, after): (usize, usize),
        pages: &BTreeMap<usize, StoredPage>,
    ) {
        let again = page.facts.at(&link.link.url);
        self.pairs.push(page.example(link, PairKind::Again, false, &again, page.onward()));
        let lines = if before.is_multiple_of(3) { 1 } else { 3 };
        let has_heading = before.is_multiple_of(2);
        let past_the_end = again.emptied(lines, has_heading);
        self.pairs.push(page.example(link, PairKind::Empty, false, &past_the_end, None));
        if let Some(after) = pages.get(&after) {
            // The hardest: the pager counts on.
            let past_the_end = after.facts.emptied(lines, has_heading);
            self.pairs.push(page.example(link, PairKind::Empty, false, &past_the_end, None));
        }
        let strangers = pages.iter().filter(|(_, other)| other.group != page.group);
        if let Some((_, other)) = strangers.min_by_key(|(label, _)| mix(after as u64, **label)) {
            let stranger = other.facts.at(&link.link.url);
            self.pairs.push(page.example(link, PairKind::Stranger, false, &stranger, other.onward()));
        }
        let others = || {
            pages.iter().filter(|(label, other)| {
                **label != before && **label != after && same_host(&other.url, &page.url)
            })
        };
        // The likeliest goals of a redirect have short addresses: the home page, the first page.
        let shortest = others().min_by_key(|(label, other)| (other.url.as_str().len(), **label));
        let drawn = others().min_by_key(|(label, _)| mix(before as u64, **label));
        let drawn = drawn.filter(|(label, _)| shortest.is_none_or(|(shortest, _)| shortest != *label));
        for (_, other) in shortest.into_iter().chain(drawn) {
            self.pairs.push(page.example(link, PairKind::Elsewhere, false, &other.facts, other.onward()));
        }
    }
}

/// How many pairs of stored pages a judge holds: held, of all.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PairsHeld {
    /// A page and the next page by its label.
    pub(crate) right: (u64, u64),
    /// A page and a wrong page that one of its three likeliest links leads to.
    pub(crate) wrong: (u64, u64),
    /// A page and an answer that is no next page: the page itself, a page past the end, another page of the site or of
    /// another one.
    pub(crate) answers: (u64, u64),
}

impl PairExamples {
    /// Judges the pairs of the groups that are measured.
    pub(crate) fn held(&self, judge: &PairDetector, is_measured: impl Fn(&usize) -> bool) -> PairsHeld {
        let mut held = PairsHeld::default();
        for pair in self.pairs.iter().filter(|pair| is_measured(&pair.group)) {
            let (is_held, all) = match (pair.holds, pair.kind) {
                (true, _) => &mut held.right,
                (false, PairKind::Linked) if pair.rank < 3 => &mut held.wrong,
                (false, PairKind::Linked) => continue,
                (false, _) => &mut held.answers,
            };
            *all += 1;
            *is_held += u64::from(judge.score_row(&pair.row) >= judge.threshold());
        }
        held
    }
}

struct StoredPage {
    group: usize,
    only_teaches: bool,
    url: Url,
    facts: PageFacts,
    best: Option<NextLink>,
    links: Vec<StoredLink>,
}

struct StoredLink {
    link: NextLink,
    rank: usize,
    followed: bool,
    is_drawn: bool,
    to: usize,
}

impl StoredPage {
    fn of(
        page: &Page,
        group: usize,
        (set, label): (&DataSet, usize),
        next: &NextLinkDetector,
        content: &ContentModel,
    ) -> StoredPage {
        let ranked = next.ranked(&Described::of(page));
        let best = ranked.first().cloned();
        let sure = best.as_ref().filter(|best| best.score >= next.threshold());
        let content = content.detector().find(page, sure.map(|next| next.node));
        let is_followed = sure.is_some();
        let links = ranked.into_iter().enumerate().filter_map(|(rank, link)| {
            let to = set.label_of(link.url.as_str()).filter(|to| *to != label)?;
            let is_drawn = rank < BEST || mix(label as u64, rank).is_multiple_of(EVERY);
            Some(StoredLink { link, rank, followed: rank == 0 && is_followed, is_drawn, to })
        });
        StoredPage {
            group,
            only_teaches: set.only_teaches(),
            url: page.url().clone(),
            facts: PageFacts::of(page, &content),
            links: links.collect(),
            best,
        }
    }

    fn onward(&self) -> Option<&Url> {
        self.best.as_ref().map(|best| &best.url)
    }

    fn example(
        &self,
        link: &StoredLink,
        kind: PairKind,
        holds: bool,
        after: &PageFacts,
        onward: Option<&Url>,
    ) -> PairExample {
        let pair = Pair { before: &self.facts, link: &link.link, after, onward };
        PairExample {
            group: self.group,
            kind,
            holds,
            rank: link.rank,
            followed: link.followed,
            only_teaches: self.only_teaches,
            row: pair.row(),
            urls: [self.url.to_string(), link.link.url.to_string()],
        }
    }
}
