//! Measures update dates on synthetic histories of stored pages, whose times of change are known.
//!
//! No archive records when the text of a page changed. So stored pages with labelled content are changed between
//! snapshots: around their content (advertisements, a sidebar, latest news, datelines) and, in half of the histories, once
//! inside it. Each method then says between which snapshots the text changed.
//!
//! Nor do the archives hold `Last-Modified` headers, or any address twice. So a history is told again with headers and stated
//! dates that are right, wrong or missing, and the estimate within the interval is judged.
//!
//! Other pages of the site bear the same latest news and sidebar at the same time, as on sites that are crawled again and
//! again, and advertisements of their own.

mod headers;
mod history;
mod report;

pub(crate) use headers::{Estimate, Statements};
pub(crate) use history::ChangeKind;
pub(crate) use report::put_snapshots;

use crate::repeated::RepeatedStrings;
use crate::updated::{Snapshot, last_update};
use headers::{judge, time_of};
use history::{AroundContent, HistoryDraw, Lender, SNAPSHOTS, SiteTemplate, edit_body};
use std::collections::BTreeMap;
use tsugi_page::{Content, Edits, NodeId, Page};
use tsugi_site_blocks::{Extensions, PageSet};
use tsugi_training::dataset::{DataSet, DataSetError};
use tsugi_training::random::mix;
use tsugi_training::sites::SiteGroups;

/// Most histories of a site, and most other pages that a history is compared with.
const MOST_HISTORIES: usize = 3;
const MOST_OTHERS: usize = 4;

#[derive(Debug)]
pub(crate) struct SnapshotSite {
    pub(crate) site: String,
    /// The group that must not be trained on when the site is measured.
    pub(crate) group: usize,
    pub(crate) pages: Vec<(Page, Vec<NodeId>)>,
}

impl SnapshotSite {
    /// Reads the sites of a data set whose content nodes are labelled; sites of one page are left out. All pages are held.
    pub(crate) fn read(
        sets: &[DataSet],
        set: usize,
        groups: &SiteGroups,
    ) -> Result<Vec<SnapshotSite>, DataSetError> {
        let mut sites: BTreeMap<&str, SnapshotSite> = BTreeMap::new();
        sets[set].visit(None, |index, page| {
            let label = &sets[set].labels()[index];
            if !label.knows_content() {
                return;
            }
            // Labels that cannot be used are complained of where they are trained on.
            let nodes = label.content_nodes(&page).map_or_else(|_| Vec::new(), |nodes| page.outermost(nodes));
            if !nodes.is_empty() {
                let new = || SnapshotSite {
                    site: label.site.clone(),
                    group: groups.group(set, index),
                    pages: Vec::new(),
                };
                sites.entry(&label.site).or_insert_with(new).pages.push((page, nodes));
            }
        })?;
        Ok(sites.into_values().filter(|site| site.pages.len() > 1).collect())
    }

    /// Returns `true` if methods were designed on this site; by the hash of its name, so that it stays so.
    pub(crate) fn is_design(&self) -> bool {
        let hash = self.site.bytes().fold(7, |hash, byte| mix(hash, usize::from(byte)));
        hash.is_multiple_of(2)
    }
}

named_enum! {
    /// A way to say when a text changed.
    pub(crate) enum SnapshotMethod, as_str -> &'static str {
        /// The update date by the content of a model.
        Model: "model",
        /// The update date by unique blocks, near-duplicates set aside.
        Unique: "unique",
        /// The update date by repeated strings.
        Repeated: "repeated",
        ModelText: "*for comparison:* model, its text compared as it is",
        PageText: "text of the page compared",
        PageMarkup: "page compared",
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct HistoryResult {
    pub(crate) site: String,
    /// `true` if methods were designed on the site.
    pub(crate) design: bool,
    /// The change between each two snapshots.
    pub(crate) steps: Vec<ChangeKind>,
    /// How the text was changed, if it was.
    pub(crate) body: Option<&'static str>,
    /// By method, in the order of [`SnapshotMethod::ALL`].
    pub(crate) answers: Vec<HistoryAnswer>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct HistoryAnswer {
    /// For each two snapshots, `true` if the text changed between them.
    pub(crate) changed: Vec<bool>,
    /// Before which snapshot the text was changed last; `None`: before the first, or not at all.
    pub(crate) last: Option<usize>,
    /// By [`Statements::ALL`]: the worth of the estimate; empty for methods that only compare.
    pub(crate) estimates: Vec<Estimate>,
}

impl HistoryResult {
    /// Before which snapshot the text was changed.
    pub(crate) fn changed_at(&self) -> Option<usize> {
        self.steps.iter().position(|step| *step == ChangeKind::Body).map(|step| step + 1)
    }
}

/// The answers about all histories.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct SnapshotsResult {
    /// By site, then by page.
    pub(crate) histories: Vec<HistoryResult>,
    /// Pages without a place for changes, or whose text could not be changed where it should have been.
    pub(crate) left_out: usize,
}

/// Makes histories from the pages of sites, up to three a site, and asks every method when their texts changed. `model` finds
/// the content of a page, given what may not have been trained on ([`SnapshotSite::group`]). Equal pages and equal `seed` give
/// equal histories.
pub(crate) fn evaluate_snapshots(
    sites: &[SnapshotSite],
    model: &dyn Fn(usize, &Page) -> Content,
    seed: u64,
) -> SnapshotsResult {
    let mut result = SnapshotsResult::default();
    for site in sites {
        let lender = Lender::of(site.pages.iter().map(|(page, _)| page));
        let own_seed = site.site.bytes().fold(seed, |seed, byte| mix(seed, usize::from(byte)));
        for number in 0..site.pages.len().min(MOST_HISTORIES) {
            match SnapshotHistory::new(site, &lender, number, mix(own_seed, number)) {
                Some(history) => result.histories.push(history.judged(&|page| model(site.group, page))),
                None => result.left_out += 1,
            }
        }
    }
    result
}

#[derive(Debug)]
struct SnapshotHistory<'a> {
    site: &'a SnapshotSite,
    steps: Vec<ChangeKind>,
    body: Option<&'static str>,
    snapshots: Vec<Page>,
    /// Other pages of the site as they were at the time of each snapshot.
    others: Vec<Page>,
}

impl<'a> SnapshotHistory<'a> {
    fn new(site: &'a SnapshotSite, lender: &Lender, number: usize, seed: u64) -> Option<SnapshotHistory<'a>> {
        // All but the last, the change of the text itself.
        const AROUND: &[ChangeKind] = ChangeKind::ALL.split_at(ChangeKind::Body as usize).0;
        let mut draw = HistoryDraw::new(seed, 0);
        let mut steps: Vec<ChangeKind> = (1..SNAPSHOTS).map(|_| AROUND[draw.below(AROUND.len())]).collect();
        let changed_at = (draw.below(2) == 0).then(|| draw.below(steps.len()));
        // Where the text changes, so may what is around it.
        let with_around = changed_at.filter(|_| draw.below(2) == 0).map(|step| steps[step]);
        if let Some(step) = changed_at {
            steps[step] = ChangeKind::Body;
        }
        let (page, content) = &site.pages[number];
        let template = SiteTemplate::of(page, content, seed)?;
        let other_pages: Vec<(&Page, SiteTemplate)> = site
            .pages
            .iter()
            .enumerate()
            .filter(|(other, (other_page, _))| *other != number && other_page.url() != page.url())
            .filter_map(|(_, (page, content))| Some((page, SiteTemplate::of(page, content, seed)?)))
            .take(MOST_OTHERS)
            .collect();
        let mut around = AroundContent { advertisement: seed, sidebar: seed, news: seed, date: seed % 300 };
        let (mut text, mut body) = (Edits::default(), None);
        let (mut snapshots, mut others) = (Vec::new(), Vec::new());
        for at in 0..SNAPSHOTS {
            let step = at.checked_sub(1).map(|step| steps[step]);
            if step == Some(ChangeKind::Body) {
                let (changed, edits) = edit_body(page, content, lender, &mut draw)?;
                (text, body) = (edits, Some(changed.as_str()));
                if let Some(kind) = with_around {
                    around.change(kind, &mut draw);
                }
            } else if let Some(kind) = step {
                around.change(kind, &mut draw);
            }
            let mut edits = text.clone();
            template.edit(page, lender, around, &mut edits);
            snapshots.push(edited(page, &edits));
            for (place, (other, template)) in other_pages.iter().enumerate() {
                let advertisement = mix(around.advertisement, place + 1);
                let mut edits = Edits::default();
                let date = around.date + 1 + place as u64;
                template.edit(other, lender, AroundContent { advertisement, date, ..around }, &mut edits);
                others.push(edited(other, &edits));
            }
        }
        Some(SnapshotHistory { site, steps, body, snapshots, others })
    }

    fn judged(self, model: &dyn Fn(&Page) -> Content) -> HistoryResult {
        let contents: Vec<Content> = self.snapshots.iter().map(model).collect();
        let site = self.others.iter().collect::<PageSet>().index(Extensions::BOTH);
        let unique = self.content(|page| site.kept_on(page).content(page));
        let strings: RepeatedStrings = self.others.iter().collect();
        let repeated = self.content(|page| strings.keep_outsider(page).content(page));
        let text =
            |(page, content): (&Page, &Content)| page.text_of_content(&content.nodes, &content.without);
        let texts: Vec<String> = self.snapshots.iter().zip(&contents).map(text).collect();
        let page_texts: Vec<String> = self.snapshots.iter().map(|page| page.text(NodeId::DOCUMENT)).collect();
        let markups: Vec<String> =
            self.snapshots.iter().map(|page| page.outer_html(NodeId::DOCUMENT)).collect();
        let answers = SnapshotMethod::ALL.map(|method| match method {
            SnapshotMethod::Model => self.dated(&contents),
            SnapshotMethod::Unique => self.dated(&unique),
            SnapshotMethod::Repeated => self.dated(&repeated),
            SnapshotMethod::ModelText => compared(&texts),
            SnapshotMethod::PageText => compared(&page_texts),
            SnapshotMethod::PageMarkup => compared(&markups),
        });
        HistoryResult {
            site: self.site.site.clone(),
            design: self.site.is_design(),
            steps: self.steps,
            body: self.body,
            answers: answers.into(),
        }
    }

    fn content(&self, find: impl Fn(&Page) -> Content) -> Vec<Content> {
        self.snapshots.iter().map(find).collect()
    }

    /// The update date of the snapshots, an hour apart, with these contents.
    fn dated(&self, contents: &[Content]) -> HistoryAnswer {
        let snapshot = |at: usize, header, stated| {
            Snapshot::of(time_of(at), &self.snapshots[at], &contents[at], header, stated)
        };
        let snapshots: Vec<Snapshot> = (0..SNAPSHOTS).map(|at| snapshot(at, None, Vec::new())).collect();
        let changed = snapshots.windows(2).map(|pair| pair[0].change_to(&pair[1]).is_some()).collect();
        let update = last_update(snapshots);
        let last = update.filter(|update| update.after.is_some()).map(|update| update.before);
        let last = last.and_then(|last| (0..SNAPSHOTS).find(|at| time_of(*at) == last));
        let estimate = |statements: Statements| {
            judge(last_update(statements.said(&self.steps, snapshot)).as_ref(), &self.steps)
        };
        HistoryAnswer { changed, last, estimates: Statements::ALL.map(estimate).to_vec() }
    }
}

impl AroundContent {
    fn change(&mut self, kind: ChangeKind, draw: &mut HistoryDraw) {
        let new = |old: u64, draw: &mut HistoryDraw| mix(old, 1 + draw.below(1000));
        match kind {
            ChangeKind::None | ChangeKind::Body => {}
            ChangeKind::Advertisement => self.advertisement = new(self.advertisement, draw),
            ChangeKind::Sidebar => self.sidebar = new(self.sidebar, draw),
            ChangeKind::LatestNews => self.news = new(self.news, draw),
            // Fewer than any form of a date repeats after.
            ChangeKind::Date => self.date += 1 + draw.below(19) as u64,
        }
    }
}

fn edited(page: &Page, edits: &Edits) -> Page {
    Page::from_text(&page.edited_html(NodeId::DOCUMENT, edits), page.url())
}

/// Returns `true` if texts differ from one to the next.
fn compared(texts: &[String]) -> HistoryAnswer {
    let changed: Vec<bool> = texts.windows(2).map(|pair| pair[0] != pair[1]).collect();
    let last = changed.iter().rposition(|changed| *changed).map(|step| step + 1);
    HistoryAnswer { last, changed, estimates: Vec::new() }
}

#[cfg(test)]
mod tests;
