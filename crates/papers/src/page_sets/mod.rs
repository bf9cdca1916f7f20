//! Page-set methods by labels: how well content is found by comparing the pages of a site, beside the finds of the models.
//!
//! The pages of a site that a data set holds are a *page set*. All of them take part in the comparison; those whose
//! content is labelled are measured: by blocks, characters and text if its nodes are, by tokens if only its text is.

mod errors;
mod kept_table;
mod measure;
mod report;
mod taught;

pub use crate::dated::with_dates;
pub(crate) use errors::{BlockErrors, ErrorKind};
pub use kept_table::{KeptMeasures, kept_report};
pub(crate) use measure::{Gold, KeptFigures, KeptVerdict, Rates, mean_over_groups};
pub use report::{PageSetLine, page_sets_report, page_sets_times};
pub(crate) use taught::keep_unique;

use crate::repeated::RepeatedStrings;
use crate::snapshots::{SnapshotSite, SnapshotsResult, evaluate_snapshots};
use std::collections::BTreeMap;
use std::time::Duration;
use taught::Taught;
use tsugi::Tsugi;
use tsugi_main_content::paper::baseline::content_by_half;
use tsugi_page::{Page, Response, Url};
use tsugi_site_blocks::{Extensions, Kept, PageSet, SelectorRules, SiteIndex, blocks, same_block};
use tsugi_siteinfo::learn::spread;
use tsugi_training::conventions::Convention;
use tsugi_training::cross_validation::{EvaluateError, FoldPlan};
use tsugi_training::dataset::{Complaint, DataSet, DataSetError};
use tsugi_training::measure::{Overlap, token_overlap};

pub(crate) const PAGES_OF_A_SET: usize = 3;

/// How many pages rules are learned from: the first of the set, in the order of the archive.
///
/// # Source
///
/// YIY, section 3: the three oldest pages of a site.
pub(crate) const LEARNED_FROM: usize = 3;

named_enum! {
    /// A way to find the content of pages, with its names in the report and in the files of results.
    pub(crate) enum PageSetMethod, names -> [&'static str; 2] {
        Unique: ["unique blocks", "unique"],
        AcrossSites: ["… one set over all sites", "unique_across_sites"],
        AtLeastOne: ["… at least one a page", "unique_at_least_one"],
        /// With at least one a page, too.
        WithoutTwins: ["… near-duplicates set aside", "unique_without_twins"],
        WithDates: ["… and dates", "unique_with_dates"],
        /// Selector rules learned from the unique blocks of [`LEARNED_FROM`] pages, for the others.
        PlainRules: ["selector rules", "rules_plain"],
        Rules: ["… of unique blocks with extensions", "rules"],
        SpreadRules: ["… of pages spread over the set", "rules_spread"],
        Repeated: ["without repeated blocks", "repeated"],
        /// The content models, trained without the site.
        Models: ["models", "models"],
        // Measured only: ranking candidates with recurring text as lost gained .015 text F on the sites it was chosen on, and
        // .006 (−.004 to .016) on others.
        ModelsLess: ["… less blocks that others have", "models_less"],
        ModelsMore: ["… and unique blocks", "models_more"],
        /// Trained on other sites.
        TaughtByUnique: ["thesis' features, taught by unique blocks", "taught_by_unique"],
        TaughtByLabels: ["… taught by the labels of the same pages", "taught_by_labels"],
        Kato: ["Kato's rule", "kato"],
    }
}

impl PageSetMethod {
    pub(crate) fn name(self) -> &'static str {
        self.names()[0]
    }

    pub(crate) fn key(self) -> &'static str {
        self.names()[1]
    }

    /// Finds the content of the pages of a set, one after the other; `None` if the method has no answer for a page.
    /// `before` has the answers of the methods before this.
    fn keep(
        self,
        pages: &[Page],
        known: &Known<'_>,
        before: &[Vec<Option<Kept>>],
        watch: &mut Stopwatch<'_>,
    ) -> Vec<Option<Kept>> {
        let step = TimedStep::Keep(self);
        let mut unique = |at_least_one, skip_twins| {
            watch.run(step, pages.len(), || keep_unique(pages, Extensions { skip_twins, at_least_one }))
        };
        match self {
            PageSetMethod::Unique => unique(false, false),
            PageSetMethod::AcrossSites => {
                pages.iter().zip(known.first..).map(|(page, number)| known.all.kept(number, page)).collect()
            }
            PageSetMethod::AtLeastOne => unique(true, false),
            PageSetMethod::WithoutTwins => unique(true, true),
            PageSetMethod::WithDates => watch.run(step, pages.len(), || {
                let unique = &before[PageSetMethod::WithoutTwins as usize];
                pages.iter().zip(unique).map(|(page, kept)| Some(with_dates(kept.as_ref()?, page))).collect()
            }),
            PageSetMethod::PlainRules => {
                let plain = Extensions::default();
                keep_by_rules(pages, &first_pages(pages.len()), self, plain, watch)
            }
            PageSetMethod::SpreadRules => {
                keep_by_rules(pages, &spread(pages.len(), LEARNED_FROM), self, Extensions::BOTH, watch)
            }
            PageSetMethod::Rules => {
                keep_by_rules(pages, &first_pages(pages.len()), self, Extensions::BOTH, watch)
            }
            PageSetMethod::Repeated => watch.run(step, pages.len(), || {
                let strings: RepeatedStrings = pages.iter().collect();
                keep_each(pages, |page| strings.keep(page))
            }),
            PageSetMethod::Models => watch.run(step, pages.len(), || {
                keep_each(pages, |page| {
                    Kept::of_content(page, known.trained.look(page).shown_content().as_content())
                })
            }),
            PageSetMethod::ModelsLess => combine(before, Kept::and),
            PageSetMethod::ModelsMore => combine(before, Kept::or),
            PageSetMethod::TaughtByUnique | PageSetMethod::TaughtByLabels => {
                let taught = known.taught.map(|taught| match self {
                    PageSetMethod::TaughtByUnique => &taught.by_unique,
                    _ => &taught.by_labels,
                });
                let keep = |page: &Page| Some(Kept::of_content(page, &taught?.find(page, None)));
                pages.iter().map(keep).collect()
            }
            PageSetMethod::Kato => watch.run(step, pages.len(), || {
                keep_each(pages, |page| Kept::of_content(page, &content_by_half(page)))
            }),
        }
    }
}

struct Known<'a> {
    trained: &'a Tsugi,
    /// Models of the thesis' features that saw no page of it; `None` if there is nothing to train on.
    taught: Option<&'a Taught>,
    all: &'a SiteIndex,
    /// The number of the first page of the set among them.
    first: usize,
}

/// The places of the pages that rules are learned from.
fn first_pages(pages: usize) -> Vec<usize> {
    (0..pages.min(LEARNED_FROM)).collect()
}

fn combine(before: &[Vec<Option<Kept>>], both: fn(&Kept, &Kept) -> Kept) -> Vec<Option<Kept>> {
    let [models, unique] =
        [PageSetMethod::Models, PageSetMethod::WithoutTwins].map(|of| &before[of as usize]);
    models.iter().zip(unique).map(|(models, unique)| Some(both(models.as_ref()?, unique.as_ref()?))).collect()
}

fn keep_each(pages: &[Page], keep: impl Fn(&Page) -> Kept) -> Vec<Option<Kept>> {
    pages.iter().map(|page| Some(keep(page))).collect()
}

fn keep_by_rules(
    pages: &[Page],
    learned_from: &[usize],
    method: PageSetMethod,
    extensions: Extensions,
    watch: &mut Stopwatch<'_>,
) -> Vec<Option<Kept>> {
    let others = pages.len() - learned_from.len();
    if others == 0 {
        return vec![None; pages.len()];
    }
    let chosen: Vec<&Page> = learned_from.iter().map(|at| &pages[*at]).collect();
    let rules = watch.run(TimedStep::Learn(method), chosen.len(), || {
        SelectorRules::learn_from_unique(&chosen, extensions)
    });
    watch.run(TimedStep::Keep(method), others, || {
        let keep = |(at, page)| (!learned_from.contains(&at)).then(|| rules.kept(page));
        pages.iter().enumerate().map(keep).collect()
    })
}

/// Most blocks of a set whose blocks are compared pair by pair.
const MOST_COMPARED: usize = 2_000;

fn compare_all_pairs(pages: &[Page], watch: &mut Stopwatch<'_>) -> bool {
    if pages.iter().map(|page| blocks(page).len()).sum::<usize>() > MOST_COMPARED {
        return false;
    }
    watch.run(TimedStep::AllPairs, pages.len(), || {
        let all: Vec<_> = pages.iter().map(blocks).collect();
        let unique = all.iter().enumerate().map(|(number, page)| {
            let others = || all.iter().enumerate().filter(|(other, _)| *other != number);
            let is_alone =
                |block: &&_| !others().flat_map(|(_, page)| page).any(|other| same_block(block, other));
            page.iter().filter(is_alone).count()
        });
        std::hint::black_box(unique.sum::<usize>())
    });
    true
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum TimedStep {
    Parse,
    /// Finding the unique blocks of some pages of a set, and learning selector rules from them.
    Learn(PageSetMethod),
    /// Finding the unique blocks by comparing all pairs of blocks, of small sets.
    AllPairs,
    /// Finding the content of parsed pages by a method.
    Keep(PageSetMethod),
}

/// By step: time in all, and how many pages.
type StepTimes = BTreeMap<TimedStep, (Duration, usize)>;

/// How long the steps took.
#[derive(Debug, Clone, Default)]
pub struct Times {
    all: StepTimes,
    /// Over the sets whose blocks were compared pair by pair.
    small: StepTimes,
}

struct Stopwatch<'a> {
    clock: &'a dyn Fn() -> Duration,
    times: StepTimes,
}

impl Stopwatch<'_> {
    fn run<T>(&mut self, step: TimedStep, pages: usize, work: impl FnOnce() -> T) -> T {
        let begin = (self.clock)();
        let result = work();
        let took = (self.clock)().saturating_sub(begin);
        let (time, count) = self.times.entry(step).or_default();
        *time += took;
        *count += pages;
        result
    }
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct PageSetPage {
    pub(crate) label: usize,
    pub(crate) learned_from: bool,
    /// The kept parts, in the order of [`PageSetMethod::ALL`]; `None` if a method has no answer for the page.
    pub(crate) verdicts: Vec<Option<KeptVerdict>>,
    /// The errors of unique blocks with both extensions, and of those with dates.
    pub(crate) errors: [BlockErrors; 2],
}

/// A page set.
#[derive(Debug, Clone, PartialEq)]
pub struct PageSetSite {
    /// The place of its data set.
    pub set: usize,
    pub(crate) site: String,
    pub(crate) group: usize,
    pub(crate) pages: usize,
    /// Their blocks, blank ones included.
    pub(crate) blocks: usize,
    pub(crate) measured: Vec<PageSetPage>,
    pub(crate) by_text: Vec<TextOverlaps>,
}

/// The tokens that each method keeps of a page whose label has a text and no nodes, in the order of [`PageSetMethod::ALL`];
/// `None` if a method has no answer for the page.
pub(crate) type TextOverlaps = Vec<Option<Overlap>>;

/// The results of measuring page-set methods.
#[derive(Debug, Clone, Default)]
pub struct PageSetsResult {
    /// The page sets with a measured page, by data set and site.
    pub sites: Vec<PageSetSite>,
    /// How long it took.
    pub times: Times,
    pub(crate) complaints: Vec<Complaint>,
    /// When texts changed, by histories made up from the pages of the same data sets.
    pub(crate) snapshots: SnapshotsResult,
}

/// Measures page-set methods on the sites of the measured data sets: every site with `PAGES_OF_A_SET` pages or more, one of
/// them with labelled content, is a page set. The models are those of the fold that saw no page of the site.
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
/// Equal plans give equal results, times aside.
///
/// # Panics
///
/// If there is no data set at a place of `plan.measured`.
pub fn evaluate_page_sets(
    plan: &FoldPlan<'_>,
    clock: &dyn Fn() -> Duration,
    mut progress: impl FnMut(),
) -> Result<PageSetsResult, EvaluateError> {
    let FoldPlan { sets, measured, groups, .. } = *plan;
    let folds = plan.train_whole(&mut progress)?;
    let mut examples = Vec::new();
    let mut all = PageSet::new();
    for &set_index in measured {
        for (labels, pages) in read_page_sets(&sets[set_index], || {}, Response::page)?.into_values() {
            for page in &pages {
                all.add(page);
            }
            examples.extend(taught::examples(sets, set_index, groups, &labels, pages));
        }
    }
    let all = all.index(Extensions::default());
    let taught: Vec<Option<Taught>> = taught::teach(examples, &folds.fold_of_group, plan.folds, plan.seed);
    let (mut times, mut first) = (Times::default(), 0);
    let mut result = PageSetsResult::default();
    for &set_index in measured {
        let set = &sets[set_index];
        let mut parse_times: BTreeMap<Url, StepTimes> = BTreeMap::new();
        let parse = |response: &Response| {
            let mut watch = Stopwatch { clock, times: StepTimes::default() };
            let page = watch.run(TimedStep::Parse, 1, || response.page());
            add_times(parse_times.entry(page.url().clone()).or_default(), &watch.times);
            page
        };
        for (site, (labels, pages)) in read_page_sets(set, &mut progress, parse)? {
            let group = groups.group(set_index, labels[0]);
            let fold = folds.fold_of_group[group];
            let mut watch = Stopwatch { clock, times: StepTimes::default() };
            for page in &pages {
                add_times(&mut watch.times, &parse_times.remove(page.url()).unwrap_or_default());
            }
            let is_small = compare_all_pairs(&pages, &mut watch);
            let known =
                Known { trained: &folds.models[fold], taught: taught[fold].as_ref(), all: &all, first };
            first += pages.len();
            let (measured, by_text) =
                measure(set, &labels, &pages, &known, &mut watch, &mut result.complaints);
            add_times(&mut times.all, &watch.times);
            if is_small {
                add_times(&mut times.small, &watch.times);
            }
            if !measured.is_empty() || !by_text.is_empty() {
                let blocks = pages.iter().map(|page| blocks(page).len()).sum();
                let (site, pages) = (site.to_owned(), pages.len());
                result.sites.push(PageSetSite {
                    set: set_index,
                    site,
                    group,
                    pages,
                    blocks,
                    measured,
                    by_text,
                });
            }
        }
    }
    result.times = times;
    let mut histories_of = Vec::new();
    for &set_index in measured {
        histories_of.extend(SnapshotSite::read(sets, set_index, groups)?);
    }
    let model = |group: usize, page: &Page| {
        folds.models[folds.fold_of_group[group]].look(page).shown_content().as_content().clone()
    };
    result.snapshots = evaluate_snapshots(&histories_of, &model, plan.seed);
    Ok(result)
}

fn add_times(sum: &mut StepTimes, times: &StepTimes) {
    for (step, (time, pages)) in times {
        let (all, count) = sum.entry(*step).or_default();
        *all += *time;
        *count += pages;
    }
}

/// Pages of one site, and the places of their labels.
type PageSetPages = (Vec<usize>, Vec<Page>);

/// Reads the page sets of a data set, by site: at least [`PAGES_OF_A_SET`] pages that can be read, one of them with labelled
/// content. `progress` is called after every page of the archive.
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

fn large_sites(set: &DataSet) -> Vec<&str> {
    let mut counts: BTreeMap<&str, (usize, bool)> = BTreeMap::new();
    for label in set.labels() {
        let (pages, knows_content) = counts.entry(&label.site).or_default();
        *pages += 1;
        *knows_content |= label.knows_content() || label.knows_text();
    }
    let large = counts.into_iter().filter(|(_, (pages, content))| *pages >= PAGES_OF_A_SET && *content);
    large.map(|(site, _)| site).collect()
}

fn measure(
    set: &DataSet,
    labels: &[usize],
    pages: &[Page],
    known: &Known<'_>,
    watch: &mut Stopwatch<'_>,
    complaints: &mut Vec<Complaint>,
) -> (Vec<PageSetPage>, Vec<TextOverlaps>) {
    let mut kept: Vec<Vec<Option<Kept>>> = Vec::new();
    for method in PageSetMethod::ALL {
        kept.push(method.keep(pages, known, &kept, watch));
    }
    let (mut measured, mut by_text) = (Vec::new(), Vec::new());
    for (at, (page, label_index)) in pages.iter().zip(labels).enumerate() {
        let label = &set.labels()[*label_index];
        match Gold::of(page, label) {
            Ok(None) => by_text.extend(label.text.as_deref().map(|gold| {
                let tokens = Convention::of(label).tokens;
                let of = |kept: &Kept| token_overlap(&kept.text(page), gold, tokens);
                kept.iter().map(|kept| kept[at].as_ref().map(of)).collect::<TextOverlaps>()
            })),
            Ok(Some(gold)) => measured.push(PageSetPage {
                label: *label_index,
                learned_from: at < LEARNED_FROM,
                verdicts: kept
                    .iter()
                    .map(|kept| kept[at].as_ref().map(|kept| KeptVerdict::of(page, label, &gold, kept)))
                    .collect(),
                errors: [PageSetMethod::WithoutTwins, PageSetMethod::WithDates].map(|method| {
                    let kept = kept[method as usize][at].as_ref();
                    kept.map_or_else(BlockErrors::default, |kept| BlockErrors::of(page, &gold, kept))
                }),
            }),
            Err(what) => complaints.push(set.complaint(*label_index, what)),
        }
    }
    (measured, by_text)
}

#[cfg(test)]
mod tests;
