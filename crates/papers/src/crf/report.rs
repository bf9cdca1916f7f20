//! The report of the experiment: tables and heat maps.

use super::evaluate::{CrfMethod, CrfPageResult, CrfResult, MethodVerdict};
use super::measure::{Overlaps, PageOverlap, mean_of};
use super::pages::PageKind;
use crate::block_crf::Thresholds;
use crate::page_sets::{KeptFigures, mean_over_groups};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use tsugi_learning::Interval;
use tsugi_training::dataset::DataSet;
use tsugi_training::figures::{FigureError, HeatMap, heat_map, per_cent};
use tsugi_training::measure::rounded;
use tsugi_training::tables::{Report, ReportDraft, ReportValue, difference, figure, interval, table};

/// Most pages of a site in the paper's data.
const OF_A_SITE: usize = 2;

/// How far the mean of a site must move to count as better or worse.
const MOVED: f64 = 0.005;

/// ROUGE-2 that moves by as much is much, as in the paper's section 5.2.
const MUCH: f64 = 0.4;

/// Pages that are named at each end of the list.
const NAMED: usize = 8;

/// Reports the experiment, with the changes by thresholds as heat maps (the paper's figure 4).
///
/// # Errors
///
/// [`FigureError`] if a heat map cannot be drawn.
pub fn crf_report(sets: &[DataSet], result: &CrfResult) -> Result<Report, FigureError> {
    let pages: Vec<&CrfPageResult> = result.pages.iter().collect();
    let of_sets = pages.iter().copied().filter(|page| verdict(page, CrfMethod::Unique).is_some());
    let without_unique = &CrfMethod::ALL[..CrfMethod::Unique as usize];
    let chains = ThresholdPair::all(&pages, |page| &page.chains);
    let models = ThresholdPair::all(&pages, |page| &page.models);
    let mut draft = ReportDraft::default();
    let attributes = result.attributes.iter().map(|[texts, parents]| format!("{texts} / {parents}"));
    draft.put("attributes", attributes.collect::<Vec<_>>().join(", "));
    draft.put("methods", methods_table(sets, &pages, without_unique));
    draft.put("labelled", pages.iter().filter(|page| kept(page, CrfMethod::First).is_some()).count());
    draft.put("of_a_site", OF_A_SITE);
    draft.put("methods_of_few", methods_table(sets, &few_of_a_site(sets, &pages), without_unique));
    draft.put("methods_of_sets", methods_table(sets, &of_sets.collect::<Vec<_>>(), &CrfMethod::ALL));
    draft.put("chain_thresholds", chosen_thresholds(result, 0));
    draft.put("model_thresholds", chosen_thresholds(result, 1));
    draft.put("moved", MOVED.to_string());
    draft.put("gains", gains(&pages));
    draft.put("chain_pairs_count", chains.iter().filter(|pair| pair.harms_nothing()).count());
    draft.put("chain_pairs", best_pairs(&chains));
    draft.put("model_pairs_count", models.iter().filter(|pair| pair.harms_nothing()).count());
    draft.put("model_pairs", best_pairs(&models));
    draft.put("much", MUCH.to_string());
    draft.put("kinds", kinds(&pages));
    draft.put("by_set", by_set(sets, &pages));
    draft.put("moved_pages", moved_pages(sets, &pages));
    for (name, measure, of, differing) in [
        ("bleu", "BLEU-4", BLEU, true),
        ("rouge", "ROUGE-2", ROUGE, true),
        ("bleu-all", "BLEU-4", BLEU, false),
        ("rouge-all", "ROUGE-2", ROUGE, false),
    ] {
        draft.file(format!("{name}.svg"), thresholds_map(&chains, measure, of, differing)?);
    }
    Ok(draft.finish(include_str!("report.md")))
}

fn few_of_a_site<'a>(sets: &[DataSet], pages: &[&'a CrfPageResult]) -> Vec<&'a CrfPageResult> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    let is_early = |page: &&&CrfPageResult| {
        let count = counts.entry(&sets[page.set].labels()[page.label].site).or_default();
        *count += 1;
        *count <= OF_A_SITE
    };
    pages.iter().filter(is_early).copied().collect()
}

fn verdict(page: &CrfPageResult, method: CrfMethod) -> Option<&MethodVerdict> {
    page.verdicts[method as usize].as_ref()
}

fn kept(page: &CrfPageResult, method: CrfMethod) -> Option<&crate::page_sets::KeptVerdict> {
    verdict(page, method)?.kept.as_ref()
}

type VerdictFigure = fn(&MethodVerdict) -> Option<f64>;

const BLEU_4: VerdictFigure = |verdict| Some(verdict.overlap.bleu);
const ROUGE_2: VerdictFigure = |verdict| Some(verdict.overlap.rouge);
const TEXT_F: VerdictFigure = |verdict| verdict.text_f;

/// The mean of a figure over pages, with its interval over groups of sites; `None` without any page.
fn mean_over(pages: &[&CrfPageResult], figure: impl Fn(&CrfPageResult) -> Option<f64>) -> Option<Interval> {
    mean_over_groups(pages.iter().filter_map(|page| Some((page.group, figure(page)?))))
}

fn mean_of_method(pages: &[&CrfPageResult], method: CrfMethod, of: VerdictFigure) -> ReportValue {
    interval(mean_over(pages, |page| verdict(page, method).and_then(of)))
}

fn kept_figures(sets: &[DataSet], pages: &[&CrfPageResult], method: CrfMethod) -> Option<KeptFigures> {
    let of_nodes = pages.iter().filter_map(|page| {
        let site = sets[page.set].labels()[page.label].site.as_str();
        Some(((page.set, site), page.group, kept(page, method)?))
    });
    KeptFigures::of(of_nodes.collect::<Vec<_>>())
}

fn methods_table(sets: &[DataSet], pages: &[&CrfPageResult], methods: &[CrfMethod]) -> ReportValue {
    let rows = methods.iter().map(|method| {
        let known: Vec<_> =
            pages.iter().filter_map(|page| Some((page.group, verdict(page, *method)?))).collect();
        (*method, known, kept_figures(sets, pages, *method))
    });
    table(
        rows,
        &[
            ("method", &|(method, ..)| method.name().into()),
            ("pages", &|(_, known, _)| known.len().into()),
            ("groups of sites", &|(_, known, _)| {
                known.iter().map(|(group, _)| group).collect::<BTreeSet<_>>().len().into()
            }),
            ("nothing kept", &|(_, known, _)| {
                known.iter().filter(|(_, verdict)| verdict.is_empty).count().into()
            }),
            ("BLEU-4", &|(method, ..)| mean_of_method(pages, *method, BLEU_4)),
            ("ROUGE-2", &|(method, ..)| mean_of_method(pages, *method, ROUGE_2)),
            ("text F", &|(method, ..)| mean_of_method(pages, *method, TEXT_F)),
            ("blocks F", &|(.., kept)| interval(kept.as_ref().map(|kept| kept.blocks.f))),
            ("perfect", &|(.., kept)| interval(kept.as_ref().map(|kept| kept.perfect))),
        ],
    )
}

fn chosen_thresholds(result: &CrfResult, which: usize) -> String {
    let pairs = result.thresholds.iter().map(|pair| format!("{} / {}", pair[which].upper, pair[which].lower));
    pairs.collect::<Vec<_>>().join(", ")
}

fn gain(page: &CrfPageResult, [first, second]: [CrfMethod; 2], of: VerdictFigure) -> Option<f64> {
    Some(of(verdict(page, second)?)? - of(verdict(page, first)?)?)
}

const OF_CHAINS: [CrfMethod; 2] = [CrfMethod::First, CrfMethod::Second];
const OF_MODELS: [CrfMethod; 2] = [CrfMethod::ModelBlocks, CrfMethod::ModelBlocksSecond];

fn gains(pages: &[&CrfPageResult]) -> ReportValue {
    let mean = |methods, of| difference(mean_over(pages, |page| gain(page, methods, of)), 4);
    let rows = [OF_CHAINS, OF_MODELS].into_iter().enumerate().map(|(which, methods)| {
        let mut groups: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
        for page in pages {
            groups.entry(page.group).or_default().extend(gain(page, methods, TEXT_F));
        }
        let groups = groups.values().filter(|gains| !gains.is_empty());
        let means = groups.map(|gains| gains.iter().sum::<f64>() / gains.len() as f64);
        (which, methods, means.collect::<Vec<f64>>())
    });
    table(
        rows,
        &[
            ("first judgement", &|(_, methods, _)| methods[0].name().into()),
            ("pages", &|_| pages.len().into()),
            ("that differ", &|(which, ..)| pages.iter().filter(|page| page.differs[*which]).count().into()),
            ("BLEU-4", &|(_, methods, _)| mean(*methods, BLEU_4)),
            ("ROUGE-2", &|(_, methods, _)| mean(*methods, ROUGE_2)),
            ("text F", &|(_, methods, _)| mean(*methods, TEXT_F)),
            ("text F better", &|(.., means)| means.iter().filter(|gain| **gain > MOVED).count().into()),
            ("worse", &|(.., means)| means.iter().filter(|gain| **gain < -MOVED).count().into()),
        ],
    )
}

struct ThresholdPair {
    thresholds: Thresholds,
    /// Over all pages: second and first judgement.
    all: [PageOverlap; 2],
    differing: [PageOverlap; 2],
    pages: usize,
}

type OverlapFigure = fn(&PageOverlap) -> f64;

const BLEU: OverlapFigure = |overlap| overlap.bleu;
const ROUGE: OverlapFigure = |overlap| overlap.rouge;

/// A change against the first judgement, as a part of it.
fn change(measures: [PageOverlap; 2], of: OverlapFigure) -> f64 {
    let [second, first] = measures.each_ref().map(of);
    if first > 0.0 { second / first - 1.0 } else { 0.0 }
}

impl ThresholdPair {
    /// The pairs in the order of [`Thresholds::grid`].
    fn all(pages: &[&CrfPageResult], of: fn(&CrfPageResult) -> &Overlaps) -> Vec<ThresholdPair> {
        let pair = |(at, thresholds)| {
            let differing: Vec<&Overlaps> =
                pages.iter().filter(|page| of(page).differs[at]).map(|page| of(page)).collect();
            let of_pages = || pages.iter().map(|page| of(page));
            ThresholdPair {
                thresholds,
                all: [
                    mean_of(of_pages().map(|page| page.second[at])),
                    mean_of(of_pages().map(|page| page.first)),
                ],
                differing: [
                    mean_of(differing.iter().map(|page| page.second[at])),
                    mean_of(differing.iter().map(|page| page.first)),
                ],
                pages: differing.len(),
            }
        };
        Thresholds::grid().enumerate().map(pair).collect()
    }

    /// Returns `true` if the pair raises ROUGE-2 over all pages and does not lower BLEU-4.
    fn harms_nothing(&self) -> bool {
        change(self.all, BLEU) >= 0.0 && change(self.all, ROUGE) > 0.0
    }

    fn both(&self, which: usize, of: OverlapFigure) -> ReportValue {
        let means = [self.differing[which], self.all[which]].each_ref().map(of);
        ReportValue::new(format!("{:.3} ({:.3})", means[0], means[1]), means)
    }

    fn change(&self, of: OverlapFigure) -> ReportValue {
        let changes = [self.differing, self.all].map(|measures| change(measures, of));
        ReportValue::new(format!("{} % ({} %)", per_cent(changes[0]), per_cent(changes[1])), changes)
    }
}

/// The three best pairs of thresholds, after the paper's table 1: those that harm neither measure first, by their gain.
fn best_pairs(pairs: &[ThresholdPair]) -> ReportValue {
    let worth = |pair: &ThresholdPair| change(pair.all, BLEU) + change(pair.all, ROUGE);
    let mut pairs: Vec<&ThresholdPair> = pairs.iter().collect();
    pairs.sort_by(|one, other| {
        let harmless = other.harms_nothing().cmp(&one.harms_nothing());
        harmless.then(worth(other).total_cmp(&worth(one)))
    });
    let published = pairs.iter().skip(3).find(|pair| pair.thresholds == Thresholds::PUBLISHED);
    table(
        pairs.iter().take(3).chain(published),
        &[
            ("upper", &|pair| pair.thresholds.upper.to_string().into()),
            ("lower", &|pair| pair.thresholds.lower.to_string().into()),
            ("BLEU-4", &|pair| pair.both(0, BLEU)),
            ("first judgement", &|pair| pair.both(1, BLEU)),
            ("change", &|pair| pair.change(BLEU)),
            ("ROUGE-2", &|pair| pair.both(0, ROUGE)),
            ("first judgement", &|pair| pair.both(1, ROUGE)),
            ("change", &|pair| pair.change(ROUGE)),
            ("pages", &|pair| pair.pages.into()),
        ],
    )
}

/// Draws the changes of a measure by thresholds: a row for each upper threshold, and in it a cell for each lower one. Over
/// the pages whose text differs, a pair without such pages has no value.
fn thresholds_map(
    pairs: &[ThresholdPair],
    measure: &str,
    of: OverlapFigure,
    differing: bool,
) -> Result<String, FigureError> {
    let tenths: Vec<String> = (1..=Thresholds::TENTHS).map(|tenth| format!("0.{tenth}")).collect();
    let value = |pair: &ThresholdPair| match (differing, pair.pages) {
        (true, 0) => None,
        (true, _) => Some(change(pair.differing, of)),
        (false, _) => Some(change(pair.all, of)),
    };
    let rows = pairs.chunks(usize::from(Thresholds::TENTHS));
    let over = if differing { "pages that differ" } else { "all pages" };
    heat_map(&HeatMap {
        title: format!("Change of {measure} in %, {over}"),
        x: "lower threshold".to_owned(),
        y: "upper threshold".to_owned(),
        columns: tenths.clone(),
        rows: tenths,
        values: rows.map(|row| row.iter().map(value).collect()).collect(),
    })
}

struct KindRow<'a> {
    name: &'static str,
    pages: Vec<&'a CrfPageResult>,
    means: [PageOverlap; 2],
}

impl<'a> KindRow<'a> {
    fn of(name: &'static str, pages: &[&'a CrfPageResult], is: impl Fn(&[PageKind]) -> bool) -> KindRow<'a> {
        let pages: Vec<&CrfPageResult> = pages.iter().copied().filter(|page| is(&page.kinds)).collect();
        let means = OF_CHAINS
            .map(|method| mean_of(pages.iter().filter_map(|page| Some(verdict(page, method)?.overlap))));
        KindRow { name, pages, means }
    }

    fn mean(&self, which: usize, of: OverlapFigure) -> ReportValue {
        figure((!self.pages.is_empty()).then(|| of(&self.means[which])))
    }

    /// Counts the groups of sites, and in brackets the pages, whose ROUGE-2 moves so far.
    fn moved(&self, is_much: fn(f64) -> bool) -> ReportValue {
        let moved: Vec<&&CrfPageResult> =
            self.pages.iter().filter(|page| gain(page, OF_CHAINS, ROUGE_2).is_some_and(is_much)).collect();
        let counts = [groups(moved.iter().copied()), moved.len()];
        ReportValue::new(format!("{} ({} pages)", counts[0], counts[1]), counts)
    }
}

fn groups<'a>(pages: impl Iterator<Item = &'a &'a CrfPageResult>) -> usize {
    pages.map(|page| page.group).collect::<BTreeSet<usize>>().len()
}

/// Pages of some kinds, after the paper's table 2.
fn kinds(pages: &[&CrfPageResult]) -> ReportValue {
    let mut rows: Vec<KindRow<'_>> = PageKind::ALL
        .iter()
        .map(|kind| KindRow::of(kind.name(), pages, |kinds| kinds.contains(kind)))
        .collect();
    rows.push(KindRow::of("none of these", pages, <[PageKind]>::is_empty));
    rows.push(KindRow::of("all", pages, |_| true));
    table(
        rows,
        &[
            ("kind", &|row| row.name.into()),
            ("pages", &|row| row.pages.len().into()),
            ("groups of sites", &|row| groups(row.pages.iter()).into()),
            ("that differ", &|row| row.pages.iter().filter(|page| page.differs[0]).count().into()),
            ("BLEU-4, first", &|row| row.mean(0, BLEU)),
            ("second", &|row| row.mean(1, BLEU)),
            ("ROUGE-2, first", &|row| row.mean(0, ROUGE)),
            ("second", &|row| row.mean(1, ROUGE)),
            ("change of ROUGE-2", &|row| {
                difference(mean_over(&row.pages, |page| gain(page, OF_CHAINS, ROUGE_2)), 4)
            }),
            ("much better", &|row| row.moved(|gain| gain >= MUCH)),
            ("much worse", &|row| row.moved(|gain| gain <= -MUCH)),
        ],
    )
}

fn by_set(sets: &[DataSet], pages: &[&CrfPageResult]) -> ReportValue {
    let mut by_set: BTreeMap<&str, Vec<&CrfPageResult>> = BTreeMap::new();
    for page in pages {
        by_set.entry(&sets[page.set].name).or_default().push(page);
    }
    let rows = by_set.iter().flat_map(|(name, pages)| {
        let known = |method: &CrfMethod| pages.iter().filter(|page| verdict(page, *method).is_some()).count();
        CrfMethod::ALL.into_iter().map(move |method| (*name, pages, method, known(&method)))
    });
    table(
        rows.filter(|(.., count)| *count > 0),
        &[
            ("data set", &|row| row.0.into()),
            ("method", &|row| row.2.name().into()),
            ("pages", &|row| row.3.into()),
            ("BLEU-4", &|row| mean_of_method(row.1, row.2, BLEU_4)),
            ("ROUGE-2", &|row| mean_of_method(row.1, row.2, ROUGE_2)),
            ("text F", &|row| mean_of_method(row.1, row.2, TEXT_F)),
        ],
    )
}

/// The pages that the second judgement moves most, one of each group of sites.
fn moved_pages(sets: &[DataSet], pages: &[&CrfPageResult]) -> ReportValue {
    let rouge_gain = |page: &CrfPageResult| gain(page, OF_CHAINS, ROUGE_2).unwrap_or_default();
    let mut order: Vec<&CrfPageResult> = pages.to_vec();
    order.sort_by(|one, other| rouge_gain(other).total_cmp(&rouge_gain(one)));
    let rising = order.iter().copied().take_while(|page| rouge_gain(page) > 0.0);
    let falling = order.iter().copied().rev().take_while(|page| rouge_gain(page) < 0.0);
    let rows = first_of_groups(rising).into_iter().chain(first_of_groups(falling)).filter_map(|page| {
        Some((page, verdict(page, CrfMethod::First)?.overlap, verdict(page, CrfMethod::Second)?.overlap))
    });
    table(
        rows,
        &[
            ("page", &|(page, ..)| sets[page.set].labels()[page.label].url.replace('|', "%7C").into()),
            ("kind", &|(page, ..)| {
                page.kinds.iter().map(|kind| kind.name()).collect::<Vec<_>>().join(", ").into()
            }),
            ("BLEU-4, first", &|(_, first, _)| figure(first.bleu)),
            ("second", &|(.., second)| figure(second.bleu)),
            ("ROUGE-2, first", &|(_, first, _)| figure(first.rouge)),
            ("second", &|(.., second)| figure(second.rouge)),
        ],
    )
}

fn first_of_groups<'a>(pages: impl Iterator<Item = &'a CrfPageResult>) -> Vec<&'a CrfPageResult> {
    let mut seen = BTreeSet::new();
    pages.filter(|page| seen.insert(page.group)).take(NAMED).collect()
}

/// A line of the file of a data set: one line a page, without text.
#[derive(Debug, Serialize)]
pub struct CrfLine<'a> {
    url: &'a str,
    fold: usize,
    kinds: Vec<&'static str>,
    /// By method: BLEU-4, ROUGE-2 and text F.
    methods: BTreeMap<&'static str, [Option<f64>; 3]>,
}

impl<'a> CrfLine<'a> {
    /// The line of a page.
    pub fn of(sets: &'a [DataSet], page: &CrfPageResult) -> CrfLine<'a> {
        let line = |method: CrfMethod| {
            let verdict = verdict(page, method)?;
            let figures = [Some(verdict.overlap.bleu), Some(verdict.overlap.rouge), verdict.text_f];
            Some((method.key(), figures.map(|figure| figure.map(rounded))))
        };
        CrfLine {
            url: &sets[page.set].labels()[page.label].url,
            fold: page.fold,
            kinds: page.kinds.iter().map(|kind| kind.name()).collect(),
            methods: CrfMethod::ALL.into_iter().filter_map(line).collect(),
        }
    }
}
