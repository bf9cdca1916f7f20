//! Page-set methods by labels: how well content is found by comparing the pages of a site, beside what the models find.
//!
//! The pages of a site that a data set holds are a *page set*. All of them take part in the comparison; those whose
//! content nodes are labelled are measured.

mod measure;
mod report;

pub use measure::{Gold, KeptVerdict};
pub(crate) use measure::{KeptFigures, Rates};
pub use report::{PageSetLine, kept_report, page_sets_report, page_sets_times};

use crate::cross_validation::{EvaluateError, Trainer, train_folds};
use crate::dataset::{Complaint, DataSet, DataSetError};
use crate::sites::Groups;
use crate::snapshots::{SnapshotSite, SnapshotsResult, evaluate_snapshots};
use std::collections::BTreeMap;
use std::time::Duration;
use tsugi::Tsugi;
use tsugi_main_content::baseline::content_by_half;
use tsugi_page::{Page, Response};
use tsugi_site_blocks::{Extensions, Kept, PageSet, RepeatedStrings, SelectorRules};

/// Fewest pages of a page set.
pub(crate) const PAGES_OF_A_SET: usize = 3;

/// How many pages rules are learned from: the first of the set, in the order of the archive.
///
/// # Source
///
/// YIY, section 3: the three oldest pages of a site.
pub(crate) const LEARNED_FROM: usize = 3;

/// A way to find the content of pages.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum PageSetMethod {
    /// The blocks that one page alone has.
    Unique,
    /// The same, and those that the fewest others have where a page has none.
    AtLeastOne,
    /// The same, and near-duplicate pages are set aside first.
    WithoutTwins,
    /// Selector rules learned from the unique blocks of [`LEARNED_FROM`] pages, found with both extensions, for the others.
    Rules,
    /// The strings between tags that the pages do not repeat in runs.
    Repeated,
    /// The content models, trained without the site.
    Models,
    /// What the models find, less the blocks that other pages have.
    ModelsLess,
    /// What the models find, and the blocks that the page alone has.
    ModelsMore,
    /// The smallest node with half of the text.
    Kato,
}

impl PageSetMethod {
    /// All of them, in the order of the report.
    pub(crate) const ALL: [PageSetMethod; 9] = [
        PageSetMethod::Unique,
        PageSetMethod::AtLeastOne,
        PageSetMethod::WithoutTwins,
        PageSetMethod::Rules,
        PageSetMethod::Repeated,
        PageSetMethod::Models,
        PageSetMethod::ModelsLess,
        PageSetMethod::ModelsMore,
        PageSetMethod::Kato,
    ];

    /// Returns its name in the report.
    pub(crate) fn name(self) -> &'static str {
        match self {
            PageSetMethod::Unique => "unique blocks",
            PageSetMethod::AtLeastOne => "… at least one a page",
            PageSetMethod::WithoutTwins => "… near-duplicates set aside",
            PageSetMethod::Rules => "selector rules",
            PageSetMethod::Repeated => "without repeated blocks",
            PageSetMethod::Models => "models",
            PageSetMethod::ModelsLess => "… less blocks that others have",
            PageSetMethod::ModelsMore => "… and unique blocks",
            PageSetMethod::Kato => "Kato's rule",
        }
    }

    /// Returns its name in the file of results.
    pub(crate) fn key(self) -> &'static str {
        match self {
            PageSetMethod::Unique => "unique",
            PageSetMethod::AtLeastOne => "unique_at_least_one",
            PageSetMethod::WithoutTwins => "unique_without_twins",
            PageSetMethod::Rules => "rules",
            PageSetMethod::Repeated => "repeated",
            PageSetMethod::Models => "models",
            PageSetMethod::ModelsLess => "models_less",
            PageSetMethod::ModelsMore => "models_more",
            PageSetMethod::Kato => "kato",
        }
    }

    /// Keeps what it takes for the content of the pages of a set, one after the other; `None` if it says nothing of a
    /// page. `before` is what the methods before it keep.
    fn keep(
        self,
        pages: &[Page],
        trained: &Tsugi,
        before: &[Vec<Option<Kept>>],
        watch: &mut Stopwatch<'_>,
    ) -> Vec<Option<Kept>> {
        let step = Step::Keep(self);
        let mut unique = |at_least_one, skip_twins| {
            watch.run(step, pages.len(), || keep_unique(pages, Extensions { skip_twins, at_least_one }))
        };
        match self {
            PageSetMethod::Unique => unique(false, false),
            PageSetMethod::AtLeastOne => unique(true, false),
            PageSetMethod::WithoutTwins => unique(true, true),
            PageSetMethod::Rules => keep_by_rules(pages, watch),
            PageSetMethod::Repeated => watch.run(step, pages.len(), || {
                let strings: RepeatedStrings = pages.iter().collect();
                keep_each(pages, |page| strings.keep(page))
            }),
            PageSetMethod::Models => watch.run(step, pages.len(), || {
                keep_each(pages, |page| Kept::of_content(page, trained.look(page).shown_content()))
            }),
            PageSetMethod::ModelsLess => combine(before, Kept::and),
            PageSetMethod::ModelsMore => combine(before, Kept::or),
            PageSetMethod::Kato => watch.run(step, pages.len(), || {
                keep_each(pages, |page| Kept::of_content(page, &content_by_half(page)))
            }),
        }
    }
}

/// Puts together what the models and the unique blocks keep.
fn combine(before: &[Vec<Option<Kept>>], both: fn(&Kept, &Kept) -> Kept) -> Vec<Option<Kept>> {
    let [models, unique] =
        [PageSetMethod::Models, PageSetMethod::WithoutTwins].map(|of| &before[of as usize]);
    models.iter().zip(unique).map(|(models, unique)| Some(both(models.as_ref()?, unique.as_ref()?))).collect()
}

fn keep_each(pages: &[Page], keep: impl Fn(&Page) -> Kept) -> Vec<Option<Kept>> {
    pages.iter().map(|page| Some(keep(page))).collect()
}

pub(crate) fn keep_unique(pages: &[Page], extensions: Extensions) -> Vec<Option<Kept>> {
    let site = pages.iter().collect::<PageSet>().index(extensions);
    pages.iter().enumerate().map(|(number, page)| site.kept(number, page)).collect()
}

/// Learns rules from the first pages and applies them to the others.
fn keep_by_rules(pages: &[Page], watch: &mut Stopwatch<'_>) -> Vec<Option<Kept>> {
    let (first, others) = pages.split_at(pages.len().min(LEARNED_FROM));
    let mut kept = vec![None; first.len()];
    if !others.is_empty() {
        let rules = watch.run(Step::Learn, first.len(), || {
            SelectorRules::learn_from_unique(&first.iter().collect::<Vec<_>>(), Extensions::BOTH)
        });
        kept.extend(watch.run(Step::Keep(PageSetMethod::Rules), others.len(), || {
            keep_each(others, |page| rules.kept(page))
        }));
    }
    kept
}

/// What takes time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Step {
    /// Parsing pages.
    Parse,
    /// Finding the unique blocks of the first pages of a set, and learning selector rules from them.
    Learn,
    /// Finding the content of parsed pages by a method.
    Keep(PageSetMethod),
}

/// How long the steps took: time in all, and how many pages.
#[derive(Debug, Clone, Default)]
pub struct Times(BTreeMap<Step, (Duration, usize)>);

/// Times the steps by somebody else's clock.
struct Stopwatch<'a> {
    clock: &'a dyn Fn() -> Duration,
    times: Times,
}

impl Stopwatch<'_> {
    fn run<T>(&mut self, step: Step, pages: usize, work: impl FnOnce() -> T) -> T {
        let begin = (self.clock)();
        let result = work();
        let took = (self.clock)().saturating_sub(begin);
        let (time, count) = self.times.0.entry(step).or_default();
        *time += took;
        *count += pages;
        result
    }
}

/// A measured page of a set.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PageSetPage {
    /// Its label.
    pub(crate) label: usize,
    /// `true` if rules were learned from it.
    pub(crate) learned_from: bool,
    /// What was kept, in the order of [`PageSetMethod::ALL`]; `None` if a method says nothing of the page.
    pub(crate) verdicts: Vec<Option<KeptVerdict>>,
}

/// A page set.
#[derive(Debug, Clone, PartialEq)]
pub struct PageSetSite {
    /// The place of its data set.
    pub set: usize,
    /// The site, as labels name it.
    pub(crate) site: String,
    /// The group of pages that stays on one side; see [`Groups`].
    pub(crate) group: usize,
    /// All pages that took part.
    pub(crate) pages: usize,
    /// Those that are measured, in the order of the archive.
    pub(crate) measured: Vec<PageSetPage>,
}

/// The results of measuring page-set methods.
#[derive(Debug, Clone, Default)]
pub struct PageSetsResult {
    /// The page sets with a measured page, by data set and site.
    pub sites: Vec<PageSetSite>,
    /// How long it took.
    pub times: Times,
    /// Labels that cannot be measured by.
    pub(crate) complaints: Vec<Complaint>,
    /// When texts changed, by histories made up from the pages of the same data sets.
    pub(crate) snapshots: SnapshotsResult,
}

/// Measures page-set methods on the sites of some data sets, `measured` by their places: every site with
/// `PAGES_OF_A_SET` pages or more, one of them with labelled content nodes, is a page set. The models are those of the
/// fold that saw no page of the site; all data sets are trained on, and with equal ones the folds are those of
/// [`cross_validate`](crate::cross_validate).
///
/// `clock` tells the time since any moment; nothing but the times depends on it. `progress` is called after every fold and
/// every page.
///
/// # Errors
///
/// [`EvaluateError`] if data cannot be read or a fold cannot be trained.
///
/// # Determinism
///
/// Equal data, trainer, number of folds and seed give equal results, times aside.
///
/// # Panics
///
/// If there is no data set at a place of `measured`.
pub fn evaluate_page_sets(
    (sets, measured): (&[DataSet], &[usize]),
    groups: &Groups,
    trainer: &dyn Trainer,
    (count, seed): (usize, u64),
    clock: &dyn Fn() -> Duration,
    mut progress: impl FnMut(),
) -> Result<PageSetsResult, EvaluateError> {
    let fold_of_group = groups.folds(count, seed);
    let folds = train_folds(trainer, &fold_of_group, count, &mut progress)?;
    let mut watch = Stopwatch { clock, times: Times::default() };
    let mut result = PageSetsResult::default();
    for &set_index in measured {
        let set = &sets[set_index];
        let parse = |response: &Response| watch.run(Step::Parse, 1, || response.page());
        for (site, (labels, pages)) in read_page_sets(set, &mut progress, parse)? {
            let group = groups.group(set_index, labels[0]);
            let trained = &folds[fold_of_group[group]];
            let measured = measure(set, &labels, &pages, trained, &mut watch, &mut result.complaints);
            if !measured.is_empty() {
                let (site, pages) = (site.to_owned(), pages.len());
                result.sites.push(PageSetSite { set: set_index, site, group, pages, measured });
            }
        }
    }
    result.times = watch.times;
    let mut histories_of = Vec::new();
    for &set_index in measured {
        histories_of.extend(SnapshotSite::read(sets, set_index, groups)?.0);
    }
    let model = |group: usize, page: &Page| folds[fold_of_group[group]].look(page).shown_content().clone();
    result.snapshots = evaluate_snapshots(&histories_of, &model, seed);
    Ok(result)
}

/// Pages of one site, and the places of their labels.
type PageSetPages = (Vec<usize>, Vec<Page>);

/// Reads the page sets of a data set, by site: at least [`PAGES_OF_A_SET`] pages that can be read, one of them with labelled
/// content nodes. `progress` is called after every page of the archive.
pub(crate) fn read_page_sets(
    set: &DataSet,
    mut progress: impl FnMut(),
    mut parse: impl FnMut(&Response) -> Page,
) -> Result<BTreeMap<&str, PageSetPages>, DataSetError> {
    let wanted = large_sites(set);
    let mut sites: BTreeMap<&str, PageSetPages> = BTreeMap::new();
    set.visit_responses(None, |label, response| {
        progress();
        let site = set.labels()[label].site.as_str();
        if wanted.contains(&site) {
            let (labels, pages) = sites.entry(site).or_default();
            labels.push(label);
            pages.push(parse(&response));
        }
    })?;
    sites.retain(|_, (labels, _)| labels.len() >= PAGES_OF_A_SET);
    Ok(sites)
}

/// The sites that have pages enough, and a page whose content nodes are labelled; in order.
fn large_sites(set: &DataSet) -> Vec<&str> {
    let mut counts: BTreeMap<&str, (usize, bool)> = BTreeMap::new();
    for label in set.labels() {
        let (pages, knows_content) = counts.entry(&label.site).or_default();
        *pages += 1;
        *knows_content |= label.knows_content();
    }
    let large = counts.into_iter().filter(|(_, (pages, content))| *pages >= PAGES_OF_A_SET && *content);
    large.map(|(site, _)| site).collect()
}

/// Measures all methods on the pages of a set.
fn measure(
    set: &DataSet,
    labels: &[usize],
    pages: &[Page],
    trained: &Tsugi,
    watch: &mut Stopwatch<'_>,
    complaints: &mut Vec<Complaint>,
) -> Vec<PageSetPage> {
    let mut kept: Vec<Vec<Option<Kept>>> = Vec::new();
    for method in PageSetMethod::ALL {
        kept.push(method.keep(pages, trained, &kept, watch));
    }
    let mut measured = Vec::new();
    for (at, (page, label_index)) in pages.iter().zip(labels).enumerate() {
        let label = &set.labels()[*label_index];
        match Gold::of(page, label) {
            Ok(None) => {}
            Ok(Some(gold)) => measured.push(PageSetPage {
                label: *label_index,
                learned_from: at < LEARNED_FROM,
                verdicts: kept
                    .iter()
                    .map(|kept| kept[at].as_ref().map(|kept| KeptVerdict::of(page, label, &gold, kept)))
                    .collect(),
            }),
            Err(what) => complaints.push(set.complaint(*label_index, what)),
        }
    }
    measured
}

#[cfg(test)]
mod tests;
