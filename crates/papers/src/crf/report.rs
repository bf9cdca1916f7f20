//! The report of the experiment, as Markdown and figures.

use super::evaluate::{CrfMethod, CrfPageResult, CrfResult, MethodVerdict};
use super::measure::{Overlaps, PageOverlap, mean_of};
use super::pages::PageKind;
use crate::block_crf::Thresholds;
use crate::page_sets::KeptFigures;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use tsugi_learning::{Interval, bootstrap_interval};
use tsugi_training::dataset::DataSet;
use tsugi_training::figures::{FigureError, HeatMap, heat_map, per_cent};
use tsugi_training::measure::rounded;
use tsugi_training::report::with_interval;

/// The seed of the bootstrap.
const SEED: u64 = 1;

/// What the paper gives.
const PUBLISHED: &str = "\
Published (Fujita et al., table 1; 1,391 pages, in brackets; pages that differ outside):

| upper | lower | BLEU-4 | baseline | ROUGE-2 | baseline | pages |
| --- | --- | --- | --- | --- | --- | --- |
| 0.7 | 0.4 | .776 (.827) | .776 (.826) | .946 (.949) | .931 (.943) | 618 |
| 0.7 | 0.5 | .780 (.827) | .780 (.826) | .941 (.947) | .932 (.943) | 639 |
| 0.8 | 0.4 | .775 (.828) | .771 (.826) | .939 (.944) | .936 (.943) | 521 |

";

/// Writes the results of the experiment.
pub fn crf_report(sets: &[DataSet], result: &CrfResult) -> String {
    let mut out = String::from("# Chains over blocks, and their hierarchy\n\n");
    let attributes = result.attributes.iter().map(|[texts, parents]| format!("{texts} / {parents}"));
    let _ = writeln!(
        out,
        "Fujita et al.: a page is cut at `div`, `p`, `td` and `body`; a linear-chain CRF labels the blocks that hold text, \
        another those around them (the first judgement; of text blocks alone it is the baseline, Marek et al. 2007); then a \
        block and those right below it are judged together by two thresholds (the second judgement). All pages are judged \
        by models that saw no page of their site. Columns after binning, of text / parent blocks, by fold: {}.\n\n\
        BLEU-4 has a brevity penalty of 1 and ROUGE-2 is recall; both are means over pages of the text that is kept against \
        the labelled one. Where nothing is kept, both are 0. Tokens are words and single signs, CJK characters one by one. Text F: mean F over \
        bags of tokens. In brackets the interval that covers 95 of 100 draws of sites. The content models are trained on more \
        data sets, with their conventions, and on guessed labels, too, at less weight; the chains on those that are measured alone. Bins, window and the price of weights of the chains were not searched \
        for. That price is 1 for the square of a weight. The paper's program, CRF++, has two weights for each of ours, of opposite \
        sign, and its default C = 1 is a price of .25 here, which has rows of its own; the paper does not give its C.\n",
        attributes.collect::<Vec<_>>().join(", "),
    );
    let pages: Vec<&CrfPageResult> = result.pages.iter().collect();
    let of_sets = |page: &&CrfPageResult| page.verdicts[CrfMethod::Unique as usize].is_some();
    let page_sets: Vec<&CrfPageResult> = pages.iter().copied().filter(of_sets).collect();
    out.push_str("## All pages\n\n");
    methods_table(&mut out, sets, &pages, &CrfMethod::ALL[..CrfMethod::Unique as usize]);
    let _ = writeln!(
        out,
        "## At most {OF_A_SITE} pages of a site\n\nAs in the paper's data: the first {OF_A_SITE} pages of each site.\n"
    );
    methods_table(
        &mut out,
        sets,
        &few_of_a_site(sets, &pages),
        &CrfMethod::ALL[..CrfMethod::Unique as usize],
    );
    out.push_str(
        "## Pages of page sets\n\nSites with three pages and more, whose unique blocks are known.\n\n",
    );
    methods_table(&mut out, sets, &page_sets, &CrfMethod::ALL);
    gains(&mut out, result, &pages);
    best_pairs(&mut out, "chains", &pages, |page| &page.chains);
    out.push_str(PUBLISHED);
    best_pairs(&mut out, "content models' blocks", &pages, |page| &page.models);
    kinds(&mut out, &pages);
    by_set(&mut out, sets, &pages);
    moved(&mut out, sets, &pages);
    out
}

/// Most pages of a site in the paper's data.
const OF_A_SITE: usize = 2;

/// Returns the first pages of each site.
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

/// The mean of a figure over pages, with its interval over groups of sites; `None` without any page.
fn mean_over(pages: &[&CrfPageResult], figure: impl Fn(&CrfPageResult) -> Option<f64>) -> Option<Interval> {
    let mut groups: BTreeMap<usize, (f64, u32)> = BTreeMap::new();
    for page in pages {
        if let Some(figure) = figure(page) {
            let (sum, count) = groups.entry(page.group).or_default();
            (*sum, *count) = (*sum + figure, *count + 1);
        }
    }
    let groups: Vec<(f64, u32)> = groups.into_values().collect();
    bootstrap_interval(groups.len(), SEED, |drawn| {
        let (sum, count) =
            drawn.iter().fold((0.0, 0), |(sum, count), at| (sum + groups[*at].0, count + groups[*at].1));
        sum / f64::from(count.max(1))
    })
}

fn methods_table(out: &mut String, sets: &[DataSet], pages: &[&CrfPageResult], methods: &[CrfMethod]) {
    out.push_str(
        "| method | pages | groups of sites | nothing kept | BLEU-4 | ROUGE-2 | text F | blocks F | perfect |\n\
        | --- | --- | --- | --- | --- | --- | --- | --- | --- |\n",
    );
    for method in methods {
        let figure = |figure: fn(&MethodVerdict) -> Option<f64>| {
            with_interval(mean_over(pages, |page| verdict(page, *method).and_then(figure)))
        };
        let of_nodes: Vec<_> = pages
            .iter()
            .filter_map(|page| {
                let kept = verdict(page, *method)?.kept.as_ref()?;
                Some(((page.set, sets[page.set].labels()[page.label].site.as_str()), page.group, kept))
            })
            .collect();
        let kept = KeptFigures::of(of_nodes);
        let of_method = || pages.iter().filter_map(|page| Some((page.group, verdict(page, *method)?)));
        let groups: BTreeSet<usize> = of_method().map(|(group, _)| group).collect();
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} | {} | {} | {} | {} | {} |",
            method.name(),
            of_method().count(),
            groups.len(),
            of_method().filter(|(_, verdict)| verdict.is_empty).count(),
            figure(|verdict| Some(verdict.overlap.bleu)),
            figure(|verdict| Some(verdict.overlap.rouge)),
            figure(|verdict| verdict.text_f),
            with_interval(kept.as_ref().map(|kept| kept.blocks.f)),
            with_interval(kept.as_ref().map(|kept| kept.perfect)),
        );
    }
    let of_nodes = |page: &&&CrfPageResult| {
        verdict(page, CrfMethod::First).is_some_and(|verdict| verdict.kept.is_some())
    };
    let _ = writeln!(
        out,
        "\nBlocks F and perfect matching are over the {} pages whose content nodes are labelled; blocks are those of page sets.\n",
        pages.iter().filter(of_nodes).count(),
    );
}

/// How far the mean of a site must move to count as better or worse.
const MOVED: f64 = 0.005;

/// What the second judgement adds to the first, with thresholds that were chosen without the page's site.
fn gains(out: &mut String, result: &CrfResult, pages: &[&CrfPageResult]) {
    let thresholds = |which: usize| {
        let pairs =
            result.thresholds.iter().map(|pair| format!("{} / {}", pair[which].upper, pair[which].lower));
        pairs.collect::<Vec<_>>().join(", ")
    };
    let _ = writeln!(
        out,
        "## What the second judgement adds\n\nThresholds (upper / lower) are chosen without the fold's pages: the greatest \
        ROUGE-2 of those that do not lower BLEU-4; if all do, those that lower it least. Those of the chains are chosen by chains \
        that saw neither the page's site nor the fold, those of the models' blocks on the other folds, by models that saw the \
        fold. Chosen by fold, for the chains: {}; for the models' blocks: {}. Better, worse: groups of sites whose mean moves by more than {MOVED}.\n\n\
        | first judgement | pages | that differ | BLEU-4 | ROUGE-2 | text F | text F better | worse |\n\
        | --- | --- | --- | --- | --- | --- | --- | --- |",
        thresholds(0),
        thresholds(1),
    );
    let rows =
        [(CrfMethod::First, CrfMethod::Second), (CrfMethod::ModelBlocks, CrfMethod::ModelBlocksSecond)];
    for (which, (first, second)) in rows.into_iter().enumerate() {
        let gain = |figure: fn(&MethodVerdict) -> Option<f64>| {
            move |page: &CrfPageResult| Some(figure(verdict(page, second)?)? - figure(verdict(page, first)?)?)
        };
        let text_f = gain(|verdict| verdict.text_f);
        let mut sites: BTreeMap<usize, Vec<f64>> = BTreeMap::new();
        for page in pages {
            sites.entry(page.group).or_default().extend(text_f(page));
        }
        let means = sites.values().filter(|gains| !gains.is_empty());
        let means: Vec<f64> = means.map(|gains| gains.iter().sum::<f64>() / gains.len() as f64).collect();
        let _ = writeln!(
            out,
            "| {} | {} | {} | {} | {} | {} | {} | {} |",
            first.name(),
            pages.len(),
            pages.iter().filter(|page| page.differs[which]).count(),
            signed(mean_over(pages, gain(|verdict| Some(verdict.overlap.bleu)))),
            signed(mean_over(pages, gain(|verdict| Some(verdict.overlap.rouge)))),
            signed(mean_over(pages, text_f)),
            means.iter().filter(|gain| **gain > MOVED).count(),
            means.iter().filter(|gain| **gain < -MOVED).count(),
        );
    }
    out.push('\n');
}

fn signed(interval: Option<Interval>) -> String {
    interval.map_or_else(
        || "–".to_owned(),
        |gain| format!("{:+.4} ({:+.4} – {:+.4})", gain.mean, gain.low, gain.high),
    )
}

/// Means over pages by one pair of thresholds, beside those of the first judgement.
struct Pair {
    thresholds: Thresholds,
    /// Over all pages: second and first judgement.
    all: [PageOverlap; 2],
    /// Over the pages whose text differs.
    differing: [PageOverlap; 2],
    pages: usize,
}

fn pairs(pages: &[&CrfPageResult], of: fn(&CrfPageResult) -> &Overlaps) -> Vec<Pair> {
    let of_pages = || pages.iter().map(|page| of(page));
    let pair = |(at, thresholds)| {
        let differing = || of_pages().filter(move |page| page.differs[at]);
        Pair {
            thresholds,
            all: [
                mean_of(of_pages().map(|page| page.second[at])),
                mean_of(of_pages().map(|page| page.first)),
            ],
            differing: [
                mean_of(differing().map(|page| page.second[at])),
                mean_of(differing().map(|page| page.first)),
            ],
            pages: differing().count(),
        }
    };
    Thresholds::grid().enumerate().map(pair).collect()
}

/// A change against the first judgement, as a part of it.
fn change(measures: [PageOverlap; 2], of: fn(&PageOverlap) -> f64) -> f64 {
    let [second, first] = measures.each_ref().map(of);
    if first > 0.0 { second / first - 1.0 } else { 0.0 }
}

const BLEU: fn(&PageOverlap) -> f64 = |overlap| overlap.bleu;
const ROUGE: fn(&PageOverlap) -> f64 = |overlap| overlap.rouge;

/// The three best pairs of thresholds, after the paper's table 1.
fn best_pairs(out: &mut String, what: &str, pages: &[&CrfPageResult], of: fn(&CrfPageResult) -> &Overlaps) {
    let mut pairs = pairs(pages, of);
    let unharmed = |pair: &&Pair| change(pair.all, BLEU) >= 0.0 && change(pair.all, ROUGE) > 0.0;
    let count = pairs.iter().filter(unharmed).count();
    // Those that harm neither measure first, by what they gain; then by the sum of both changes.
    let worth = |pair: &Pair| {
        let (bleu, rouge) = (change(pair.all, BLEU), change(pair.all, ROUGE));
        (unharmed(&pair), bleu + rouge)
    };
    pairs.sort_by(|one, other| {
        let (one, other) = (worth(one), worth(other));
        other.0.cmp(&one.0).then(other.1.total_cmp(&one.1))
    });
    let _ = writeln!(
        out,
        "## Best pairs of thresholds: {what}\n\nOver the pages whose text differs from that of the first judgement, in \
        brackets over all {} pages; after the paper's table 1. Chosen here on the pages that are measured, to compare with the paper; {count} of \
        the {} pairs raise ROUGE-2 over all pages and do not lower BLEU-4{}. The pair that the paper found best (0.7 / 0.4) stands below \
        them, if it is none of them.\n\n\
        | upper | lower | BLEU-4 | first judgement | change | ROUGE-2 | first judgement | change | pages |\n\
        | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
        pages.len(),
        pairs.len(),
        if count == 0 { ", so that these are the least harmful" } else { "" },
    );
    let published = pairs.iter().skip(3).find(|pair| pair.thresholds == Thresholds::PUBLISHED);
    for pair in pairs.iter().take(3).chain(published) {
        let Pair { thresholds, all, differing, pages } = pair;
        let columns = |of: fn(&PageOverlap) -> f64| {
            let [second, first] = differing.each_ref().map(of);
            let [all_second, all_first] = all.each_ref().map(of);
            let [change, all_change] = [differing, all].map(|measures| per_cent(change(*measures, of)));
            format!(
                "{second:.3} ({all_second:.3}) | {first:.3} ({all_first:.3}) | {change} % ({all_change} %)"
            )
        };
        let Thresholds { upper, lower } = thresholds;
        let _ = writeln!(out, "| {upper} | {lower} | {} | {} | {pages} |", columns(BLEU), columns(ROUGE));
    }
    out.push('\n');
}

/// Changes of one measure by thresholds, in parts of the first judgement's: a row for each upper threshold, ascending, and in
/// it a value for each lower one. Over the pages whose text differs; `None` if no page does.
type Grid = Vec<Vec<Option<f64>>>;

fn changes(pairs: &[Pair], of: fn(&PageOverlap) -> f64, differing: bool) -> Grid {
    let value = |pair: &Pair| match (differing, pair.pages) {
        (true, 0) => None,
        (true, _) => Some(change(pair.differing, of)),
        (false, _) => Some(change(pair.all, of)),
    };
    pairs.chunks(usize::from(Thresholds::TENTHS)).map(|row| row.iter().map(value).collect()).collect()
}

/// Draws the changes by thresholds as heat maps, after the paper's figure 4: names of files and what is in them.
///
/// # Errors
///
/// [`FigureError`] if one cannot be drawn.
pub fn crf_figures(result: &CrfResult) -> Result<Vec<(String, String)>, FigureError> {
    let pages: Vec<&CrfPageResult> = result.pages.iter().collect();
    let pairs = pairs(&pages, |page| &page.chains);
    let tenths: Vec<String> = (1..=Thresholds::TENTHS).map(|tenth| format!("0.{tenth}")).collect();
    let figures = [
        ("bleu", "BLEU-4", BLEU, true),
        ("rouge", "ROUGE-2", ROUGE, true),
        ("bleu-all", "BLEU-4", BLEU, false),
        ("rouge-all", "ROUGE-2", ROUGE, false),
    ];
    let draw = |(name, measure, of, differing)| {
        let over = if differing { "pages that differ" } else { "all pages" };
        let map = HeatMap {
            title: format!("Change of {measure} in %, {over}"),
            x: "lower threshold".to_owned(),
            y: "upper threshold".to_owned(),
            columns: tenths.clone(),
            rows: tenths.clone(),
            values: changes(&pairs, of, differing),
        };
        Ok((format!("{name}.svg"), heat_map(&map)?))
    };
    figures.into_iter().map(draw).collect()
}

/// ROUGE-2 that moves by as much is much, as in the paper's section 5.2.
const MUCH: f64 = 0.4;

/// What the second judgement adds to a page's ROUGE-2.
fn rouge_gain(page: &CrfPageResult) -> Option<f64> {
    let of = |method| Some(verdict(page, method)?.overlap.rouge);
    Some(of(CrfMethod::Second)? - of(CrfMethod::First)?)
}

/// Pages of some kinds, after the paper's table 2.
fn kinds(out: &mut String, pages: &[&CrfPageResult]) {
    let _ = writeln!(
        out,
        "## Kinds of page\n\nThe second judgement with thresholds chosen without the page's site, on the kinds of the paper's \
        table 2 (better there: nested tables; worse: pages for phones, lists). Tables and lists are told by the markup \
        around the labelled content, phones by the address, flat pages by all their blocks. Much better, much worse: groups of \
        sites with a page of the kind whose ROUGE-2 moves by {MUCH} and more, and how many pages.\n\n\
        | kind | pages | groups of sites | that differ | BLEU-4, first | second | ROUGE-2, first | second | change of ROUGE-2 | \
        much better | much worse |\n\
        | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    );
    let mut row = |name: &str, is: &dyn Fn(&[PageKind]) -> bool| {
        let of_kind: Vec<&CrfPageResult> = pages.iter().copied().filter(|page| is(&page.kinds)).collect();
        let mean = |method: CrfMethod| {
            mean_of(of_kind.iter().filter_map(|page| Some(verdict(page, method)?.overlap)))
        };
        let (first, second) = (mean(CrfMethod::First), mean(CrfMethod::Second));
        let groups = |pages: &mut dyn Iterator<Item = &&CrfPageResult>| {
            pages.map(|page| page.group).collect::<BTreeSet<usize>>().len()
        };
        let moved = |is_much: fn(f64) -> bool| {
            let is_much = |page: &&&CrfPageResult| rouge_gain(page).is_some_and(is_much);
            let count = of_kind.iter().filter(is_much).count();
            format!("{} ({count} pages)", groups(&mut of_kind.iter().filter(is_much)))
        };
        let shown = |figure: f64| if of_kind.is_empty() { "–".to_owned() } else { format!("{figure:.3}") };
        let _ = writeln!(
            out,
            "| {name} | {} | {} | {} | {} | {} | {} | {} | {} | {} | {} |",
            of_kind.len(),
            groups(&mut of_kind.iter()),
            of_kind.iter().filter(|page| page.differs[0]).count(),
            shown(first.bleu),
            shown(second.bleu),
            shown(first.rouge),
            shown(second.rouge),
            signed(mean_over(&of_kind, rouge_gain)),
            moved(|gain| gain >= MUCH),
            moved(|gain| gain <= -MUCH),
        );
    };
    for kind in PageKind::ALL {
        row(kind.name(), &|kinds| kinds.contains(&kind));
    }
    row("none of these", &<[PageKind]>::is_empty);
    row("all", &|_| true);
    out.push('\n');
}

fn by_set(out: &mut String, sets: &[DataSet], pages: &[&CrfPageResult]) {
    out.push_str(
        "## By data set\n\n| data set | method | pages | BLEU-4 | ROUGE-2 | text F |\n| --- | --- | --- | --- | --- | --- |\n",
    );
    let mut by_set: BTreeMap<&str, Vec<&CrfPageResult>> = BTreeMap::new();
    for page in pages {
        by_set.entry(&sets[page.set].name).or_default().push(page);
    }
    for (name, pages) in by_set {
        for method in CrfMethod::ALL {
            let figure = |figure: fn(&MethodVerdict) -> Option<f64>| {
                with_interval(mean_over(&pages, |page| verdict(page, method).and_then(figure)))
            };
            let count = pages.iter().filter(|page| verdict(page, method).is_some()).count();
            if count > 0 {
                let _ = writeln!(
                    out,
                    "| {name} | {} | {count} | {} | {} | {} |",
                    method.name(),
                    figure(|verdict| Some(verdict.overlap.bleu)),
                    figure(|verdict| Some(verdict.overlap.rouge)),
                    figure(|verdict| verdict.text_f),
                );
            }
        }
    }
    out.push('\n');
}

/// Pages that are named at each end of the list.
const NAMED: usize = 8;

/// The pages that the second judgement moves most, one of each group of sites.
fn moved(out: &mut String, sets: &[DataSet], pages: &[&CrfPageResult]) {
    let gain = |page: &CrfPageResult| rouge_gain(page).unwrap_or_default();
    let mut order: Vec<&CrfPageResult> = pages.to_vec();
    order.sort_by(|one, other| gain(other).total_cmp(&gain(one)));
    out.push_str(
        "## Pages whose ROUGE-2 moves most\n\nOne page of each group of sites.\n\n\
        | page | kind | BLEU-4, first | second | ROUGE-2, first | second |\n\
        | --- | --- | --- | --- | --- | --- |\n",
    );
    let mut named = |pages: &mut dyn Iterator<Item = &&CrfPageResult>| {
        let mut seen = BTreeSet::new();
        for page in pages.filter(|page| seen.insert(page.group)).take(NAMED) {
            let [Some(first), Some(second)] =
                [CrfMethod::First, CrfMethod::Second].map(|method| verdict(page, method))
            else {
                continue;
            };
            let kinds: Vec<&str> = page.kinds.iter().map(|kind| kind.name()).collect();
            let _ = writeln!(
                out,
                "| {} | {} | {:.3} | {:.3} | {:.3} | {:.3} |",
                sets[page.set].labels()[page.label].url.replace('|', "%7C"),
                kinds.join(", "),
                first.overlap.bleu,
                second.overlap.bleu,
                first.overlap.rouge,
                second.overlap.rouge,
            );
        }
    };
    named(&mut order.iter().take_while(|page| gain(page) > 0.0));
    named(&mut order.iter().rev().take_while(|page| gain(page) < 0.0));
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
