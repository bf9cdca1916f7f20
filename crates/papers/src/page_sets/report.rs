//! The report of page-set methods.

use super::kept_table::{CELLS, cells};
use super::{
    BlockErrors, ErrorKind, KeptFigures, LEARNED_FROM, MOST_COMPARED, PAGES_OF_A_SET, PageSetMethod,
    PageSetPage, PageSetSite, PageSetsResult, Rates, StepTimes, TimedStep, Times, mean_over_groups,
};
use crate::snapshots::put_snapshots;
use serde::Serialize;
use std::collections::BTreeMap;
use tsugi_learning::Interval;
use tsugi_training::dataset::DataSet;
use tsugi_training::measure::{Overlap, rounded};
use tsugi_training::tables::{
    Report, ReportDraft, ReportValue, difference, figure, grid, interval, mean, table,
};

/// Upper ends of the classes of sizes of page sets.
const SIZES: [(usize, &str); 3] = [(4, "3 and 4"), (7, "5 to 7"), (usize::MAX, "8 and more")];

/// How far the mean text F of a site must move to count as better or worse.
const MOVED: f64 = 0.005;

/// Reports page-set methods; times are left to [`page_sets_times`].
pub fn page_sets_report(sets: &[DataSet], result: &PageSetsResult) -> Report {
    let pages: Vec<MeasuredPage<'_>> = result
        .sites
        .iter()
        .flat_map(|site| {
            site.measured.iter().map(move |page| MeasuredPage { site, page, set: &sets[site.set] })
        })
        .collect();
    let others: Vec<MeasuredPage<'_>> = pages.iter().copied().filter(|one| !one.page.learned_from).collect();
    let mut draft = ReportDraft::default();
    draft.put("pages_of_a_set", PAGES_OF_A_SET);
    draft.put("learned_from", LEARNED_FROM);
    draft.put("sets", result.sites.len());
    draft.put("set_pages", result.sites.iter().map(|site| site.pages).sum::<usize>());
    draft.put("measured", pages.len());
    draft.put("measured_by_text", result.sites.iter().map(|site| site.by_text.len()).sum::<usize>());
    draft.put("unusable", result.complaints.len());
    draft.put("blocks", blocks_table(&pages));
    draft.put("characters", characters_table(&pages));
    draft.put("other_blocks", blocks_table(&others));
    draft.put("other_characters", characters_table(&others));
    draft.put("block_counts", block_counts(sets, result, &pages));
    draft.put("errors", block_errors(&pages));
    draft.put("moved", MOVED.to_string());
    draft.put("gains", gains(&pages));
    draft.put("by_set", grouped("data set", &pages, |one| one.set.name.clone()));
    draft.put("by_kind", grouped("data set, kind", &pages, |one| format!("{} {}", one.set.name, one.kind())));
    draft.put("by_text", text_table(sets, result));
    draft.put("by_size", grouped("pages of the set", &pages, |one| size(one.site.pages).to_owned()));
    put_snapshots(&mut draft, &result.snapshots);
    draft.finish(include_str!("report.md"))
}

#[derive(Clone, Copy)]
struct MeasuredPage<'a> {
    set: &'a DataSet,
    site: &'a PageSetSite,
    page: &'a PageSetPage,
}

impl<'a> MeasuredPage<'a> {
    fn kind(self) -> &'a str {
        self.set.labels()[self.page.label].kind.as_deref().unwrap_or("unknown")
    }

    fn text_f(self, method: PageSetMethod) -> Option<f64> {
        self.page.verdicts[method as usize]?.text_f
    }
}

fn size(pages: usize) -> &'static str {
    SIZES.iter().find(|(most, _)| pages <= *most).map_or("", |(_, name)| name)
}

/// The figures of a method on some pages; `None` if it says nothing of any.
fn figures(pages: &[MeasuredPage<'_>], method: PageSetMethod) -> Option<KeptFigures> {
    // Two data sets may hold pages of one site: those are two page sets.
    KeptFigures::of(pages.iter().filter_map(|one| {
        let verdict = one.page.verdicts[method as usize].as_ref()?;
        Some(((one.site.set, one.site.site.as_str()), one.site.group, verdict))
    }))
}

fn method_rows(pages: &[MeasuredPage<'_>]) -> impl Iterator<Item = (PageSetMethod, KeptFigures)> {
    PageSetMethod::ALL.into_iter().filter_map(|method| Some((method, figures(pages, method)?)))
}

/// Means over pages of tokens P, R and F, for each data set that has pages whose text alone is labelled.
fn text_table(sets: &[DataSet], result: &PageSetsResult) -> ReportValue {
    let rows = sets.iter().enumerate().flat_map(|(place, set)| {
        PageSetMethod::ALL.into_iter().filter_map(move |method| {
            let mut pages: Vec<(usize, Overlap)> = Vec::new();
            let mut sites = 0_usize;
            for site in result.sites.iter().filter(|site| site.set == place) {
                let before = pages.len();
                let of_method = site.by_text.iter().filter_map(|page| page[method as usize]);
                pages.extend(of_method.map(|overlap| (site.group, overlap)));
                sites += usize::from(pages.len() > before);
            }
            (sites > 0).then_some((set.name.as_str(), method, sites, pages))
        })
    });
    // What nothing is kept of has no precision; it counts as wrong.
    let precision: fn(Overlap) -> f64 = |of| if of.f() > 0.0 { of.precision() } else { 0.0 };
    let mean_of = |pages: &[(usize, Overlap)], figure: fn(Overlap) -> f64| {
        interval(mean_over_groups(pages.iter().map(|(group, overlap)| (*group, figure(*overlap)))))
    };
    table(
        rows,
        &[
            ("data set", &|row| row.0.into()),
            ("method", &|row| row.1.name().into()),
            ("pages", &|row| row.3.len().into()),
            ("sites", &|row| row.2.into()),
            ("tokens P", &|row| mean_of(&row.3, precision)),
            ("R", &|row| mean_of(&row.3, Overlap::recall)),
            ("F", &|row| mean_of(&row.3, Overlap::f)),
        ],
    )
}

/// Sums of blocks, after the papers' tables 3 and 6.
fn block_counts(sets: &[DataSet], result: &PageSetsResult, pages: &[MeasuredPage<'_>]) -> ReportValue {
    let rows = sets.iter().enumerate().filter_map(|(place, set)| {
        let of_set: Vec<&PageSetSite> = result.sites.iter().filter(|site| site.set == place).collect();
        let measured: Vec<_> = pages.iter().copied().filter(|one| one.site.set == place).collect();
        let counts = figures(&measured, PageSetMethod::Unique)?.block_counts;
        Some((set.name.as_str(), of_set, counts))
    });
    table(
        rows,
        &[
            ("data set", &|row| row.0.into()),
            ("page sets", &|row| row.1.len().into()),
            ("pages", &|row| row.1.iter().map(|site| site.pages).sum::<usize>().into()),
            ("blocks in all", &|row| row.1.iter().map(|site| site.blocks).sum::<usize>().into()),
            ("that show something", &|row| row.2.all().into()),
            ("C", &|row| (row.2.true_positives + row.2.false_negatives).into()),
            ("N", &|row| (row.2.true_positives + row.2.false_positives).into()),
            ("R", &|row| row.2.true_positives.into()),
        ],
    )
}

fn block_errors(pages: &[MeasuredPage<'_>]) -> ReportValue {
    let sum = |kind: ErrorKind, method: usize, of: fn(&BlockErrors) -> &[u64]| {
        pages.iter().map(|one| of(&one.page.errors[method])[kind as usize]).sum::<u64>().into()
    };
    table(
        ErrorKind::ALL,
        &[
            ("kind", &|kind| kind.name().into()),
            ("missed", &|kind| sum(*kind, 0, |errors| &errors.missed)),
            ("missed, with dates", &|kind| sum(*kind, 1, |errors| &errors.missed)),
            ("kept by mistake", &|kind| sum(*kind, 0, |errors| &errors.too_much)),
            ("kept by mistake, with dates", &|kind| sum(*kind, 1, |errors| &errors.too_much)),
        ],
    )
}

/// The group of a site, and by page F of the models alone and together with another method.
type GainsOfSite = (usize, Vec<[f64; 2]>);

/// Text F of the models alone and together with another method, by site in the order of groups.
struct Gains {
    method: PageSetMethod,
    sites: Vec<GainsOfSite>,
}

impl Gains {
    fn of(method: PageSetMethod, pages: &[MeasuredPage<'_>]) -> Gains {
        let mut by_site: BTreeMap<(usize, usize, &str), Vec<[f64; 2]>> = BTreeMap::new();
        for one in pages {
            if let (Some(alone), Some(together)) = (one.text_f(PageSetMethod::Models), one.text_f(method)) {
                let site = (one.site.group, one.site.set, one.site.site.as_str());
                by_site.entry(site).or_default().push([alone, together]);
            }
        }
        let sites = by_site.into_iter().map(|((group, _, _), pages)| (group, pages)).collect();
        Gains { method, sites }
    }

    fn mean(&self, figure: fn(&[f64; 2]) -> f64) -> Option<Interval> {
        let pages =
            self.sites.iter().flat_map(|(group, pages)| pages.iter().map(|page| (*group, figure(page))));
        mean_over_groups(pages)
    }

    fn moved(&self, holds: impl Fn(f64) -> bool) -> usize {
        let means = self.sites.iter().map(|(_, pages)| {
            pages.iter().map(|[alone, together]| together - alone).sum::<f64>() / pages.len() as f64
        });
        means.filter(|gain| holds(*gain)).count()
    }
}

fn gains(pages: &[MeasuredPage<'_>]) -> ReportValue {
    table(
        [PageSetMethod::ModelsLess, PageSetMethod::ModelsMore].map(|method| Gains::of(method, pages)),
        &[
            ("models", &|row| row.method.name().into()),
            ("pages", &|row| row.sites.iter().map(|(_, pages)| pages.len()).sum::<usize>().into()),
            ("sites", &|row| row.sites.len().into()),
            ("alone", &|row| mean(row.mean(|[alone, _]| *alone))),
            ("together", &|row| mean(row.mean(|[_, together]| *together))),
            ("gain", &|row| difference(row.mean(|[alone, together]| together - alone), 4)),
            ("better", &|row| row.moved(|gain| gain > MOVED).into()),
            ("worse", &|row| row.moved(|gain| gain < -MOVED).into()),
        ],
    )
}

fn blocks_table(pages: &[MeasuredPage<'_>]) -> ReportValue {
    table(
        method_rows(pages),
        &[
            ("method", &|(method, _)| method.name().into()),
            ("pages", &|(_, of)| of.pages.into()),
            ("sites", &|(_, of)| of.sites.into()),
            ("blocks P", &|(_, of)| interval(of.blocks.precision)),
            ("R", &|(_, of)| interval(of.blocks.recall)),
            ("F", &|(_, of)| interval(of.blocks.f)),
            ("perfect", &|(_, of)| interval(of.perfect)),
            ("P of sites", &|(_, of)| interval(of.blocks_of_sites.precision)),
            ("R", &|(_, of)| interval(of.blocks_of_sites.recall)),
            ("F", &|(_, of)| interval(of.blocks_of_sites.f)),
        ],
    )
}

fn characters_table(pages: &[MeasuredPage<'_>]) -> ReportValue {
    table(
        method_rows(pages),
        &[
            ("method", &|(method, _)| method.name().into()),
            ("characters P", &|(_, of)| interval(of.characters.precision)),
            ("R", &|(_, of)| interval(of.characters.recall)),
            ("F", &|(_, of)| interval(of.characters.f)),
            ("P of sites", &|(_, of)| interval(of.characters_of_sites.precision)),
            ("R", &|(_, of)| interval(of.characters_of_sites.recall)),
            ("F", &|(_, of)| interval(of.characters_of_sites.f)),
            ("text F", &|(_, of)| interval(of.text_f)),
        ],
    )
}

fn grouped(
    title: &str,
    pages: &[MeasuredPage<'_>],
    name: impl Fn(MeasuredPage<'_>) -> String,
) -> ReportValue {
    let mut groups: BTreeMap<String, Vec<MeasuredPage<'_>>> = BTreeMap::new();
    for one in pages {
        groups.entry(name(*one)).or_default().push(*one);
    }
    let rows = groups.iter().flat_map(|(name, pages)| {
        method_rows(pages).map(move |(method, figures)| {
            let mut row = vec![name.as_str().into(), method.name().into()];
            row.extend(cells(&figures, interval));
            row
        })
    });
    grid(&[&[title, "method"], CELLS.as_slice()].concat(), rows)
}

/// Reports how long the methods took: no two runs say the same, so it stands apart from the report.
pub fn page_sets_times(times: &Times) -> String {
    let mut draft = ReportDraft::default();
    draft.put("all", times_table(&times.all));
    draft.put("most_compared", MOST_COMPARED);
    draft.put("small", times_table(&times.small));
    draft.put("ratio", rules_to_pairs(&times.small).unwrap_or_default());
    draft.fill(include_str!("times.md"))
}

fn rules_to_pairs(times: &StepTimes) -> Option<String> {
    let [parse, rules, pairs] =
        [TimedStep::Parse, TimedStep::Keep(PageSetMethod::PlainRules), TimedStep::AllPairs]
            .map(|step| a_page(times, step).map(|(_, time)| time));
    let (parse, rules, pairs) = (parse?, rules?, pairs?);
    Some(format!(
        "Applying rules takes {:.3} of the time of all pairs, and {:.3} with parsing.",
        rules / pairs,
        (parse + rules) / (parse + pairs)
    ))
}

/// Number of pages of a step, and milliseconds a page.
fn a_page(times: &StepTimes, step: TimedStep) -> Option<(usize, f64)> {
    let (time, pages) = times.get(&step).filter(|(_, pages)| *pages > 0)?;
    Some((*pages, time.as_secs_f64() * 1e3 / *pages as f64))
}

fn times_table(times: &StepTimes) -> ReportValue {
    let parsing = a_page(times, TimedStep::Parse).map(|(_, time)| time).filter(|time| *time > 0.0);
    let of_methods =
        PageSetMethod::ALL.into_iter().flat_map(|one| [TimedStep::Learn(one), TimedStep::Keep(one)]);
    let steps = [TimedStep::Parse, TimedStep::AllPairs].into_iter().chain(of_methods);
    table(
        steps.filter_map(|step| Some((step, a_page(times, step)?))),
        &[
            ("step", &|(step, _)| match step {
                TimedStep::Parse => "parsing".into(),
                TimedStep::AllPairs => "unique blocks, all pairs".into(),
                TimedStep::Learn(method) => format!("{}, learning", method.name()).into(),
                TimedStep::Keep(method) => method.name().into(),
            }),
            ("pages", &|(_, (pages, _))| (*pages).into()),
            ("ms a page", &|(_, (_, time))| figure(*time)),
            ("÷ parsing", &|(_, (_, time))| {
                let ratio = parsing.map(|parsing| time / parsing);
                ReportValue::new(ratio.map_or_else(|| "–".to_owned(), |ratio| format!("{ratio:.2}")), ratio)
            }),
        ],
    )
}

/// A line of the file of a data set: one line a page set, without text.
#[derive(Debug, Serialize)]
pub struct PageSetLine<'a> {
    site: &'a str,
    pages: usize,
    /// Blocks of all pages, blank ones included.
    blocks: usize,
    measured: usize,
    methods: BTreeMap<&'static str, MethodLine>,
    /// Pages whose text alone is labelled, and the mean F over tokens of each method.
    #[serde(skip_serializing_if = "Option::is_none")]
    by_text: Option<(usize, BTreeMap<&'static str, f64>)>,
}

#[derive(Debug, Serialize)]
struct MethodLine {
    pages: u64,
    /// Blocks that are kept and content (R), kept (N), content (C), and all that show something.
    counts: [u64; 4],
    blocks: [f64; 3],
    perfect: f64,
    characters: [f64; 3],
    #[serde(skip_serializing_if = "Option::is_none")]
    text_f: Option<f64>,
}

impl<'a> PageSetLine<'a> {
    /// The line of a page set.
    pub fn of(site: &'a PageSetSite) -> PageSetLine<'a> {
        let line = |method: PageSetMethod| {
            let verdicts = site.measured.iter().filter_map(|page| page.verdicts[method as usize].as_ref());
            let figures = KeptFigures::of(verdicts.map(|verdict| (site.site.as_str(), site.group, verdict)))?;
            Some((method.key(), MethodLine::of(&figures)))
        };
        PageSetLine {
            site: &site.site,
            pages: site.pages,
            blocks: site.blocks,
            measured: site.measured.len(),
            methods: PageSetMethod::ALL.into_iter().filter_map(line).collect(),
            by_text: (!site.by_text.is_empty()).then(|| (site.by_text.len(), text_f_of_methods(site))),
        }
    }
}

fn text_f_of_methods(site: &PageSetSite) -> BTreeMap<&'static str, f64> {
    let mean = |method: PageSetMethod| {
        let f: Vec<f64> = site.by_text.iter().filter_map(|page| Some(page[method as usize]?.f())).collect();
        (!f.is_empty()).then(|| (method.key(), rounded(f.iter().sum::<f64>() / f.len() as f64)))
    };
    PageSetMethod::ALL.into_iter().filter_map(mean).collect()
}

impl MethodLine {
    fn of(figures: &KeptFigures) -> MethodLine {
        let mean = |interval: Interval| rounded(interval.mean);
        let rates = |rates: Rates| [rates.precision, rates.recall, rates.f].map(mean);
        let counts = figures.block_counts;
        MethodLine {
            pages: figures.pages,
            counts: [
                counts.true_positives,
                counts.true_positives + counts.false_positives,
                counts.true_positives + counts.false_negatives,
                counts.all(),
            ],
            blocks: rates(figures.blocks),
            perfect: mean(figures.perfect),
            characters: rates(figures.characters),
            text_f: figures.text_f.map(mean),
        }
    }
}
