//! The report of learned items, as Markdown.

use super::{Answerer, FEW, ItemPage, ItemSite, ItemsResult, is_right};
use crate::dataset::DataSet;
use crate::report::with_interval;
use crate::verdict::{Figures, Verdict};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use tsugi_learning::{Interval, bootstrap_interval};

/// The least F of a text that is right.
pub(super) const RIGHT_TEXT: f64 = 0.90;

/// Stricter ones.
const STRICTER: [f64; 2] = [0.95, 0.99];

/// The share of the sites of [`TARGET_SET`] on all of whose pages learned items shall be right.
const TARGET: f64 = 0.90;

/// The data set of the target.
const TARGET_SET: &str = "sites";

/// The seed of the bootstrap.
const SEED: u64 = 1;

fn name(who: Answerer) -> &'static str {
    match who {
        Answerer::Models => "models",
        Answerer::ItemOfAll => "item of all pages",
        Answerer::ItemOfFew => "item of a few",
    }
}

/// Writes the results of learning items of sites.
pub fn items_report(sets: &[DataSet], result: &ItemsResult) -> String {
    let mut out = String::from("# Items learned of sites\n\n");
    let thresholds: Vec<String> = result.thresholds.iter().map(|value| format!("{value:.3}")).collect();
    let _ = writeln!(
        out,
        "Models that saw no page of a site read its pages; an item is learned from what they found on all pages of \
        the site, and one from a few: {FEW} at most, the first and the last among them. A page is right if the \
        next page is the labelled one, or none where none is labelled, and F over bags of tokens of the text is \
        {RIGHT_TEXT:.2} or more where the text is known; a site is right if all its pages are. A site of which \
        nothing was learned is not right. In brackets the interval that covers 95 of 100 draws of sites.\n\n\
        {} folds; thresholds for links, chosen on the training side of each: {}.\n",
        thresholds.len(),
        thresholds.join(", ")
    );
    let mut by_set: BTreeMap<&str, Vec<&ItemSite>> = BTreeMap::new();
    for site in &result.sites {
        by_set.entry(&sets[site.set].name).or_default().push(site);
    }
    target(&mut out, &by_set);
    sites_table(&mut out, &by_set);
    pages_table(&mut out, &by_set);
    agreement_table(&mut out, &by_set);
    css_table(&mut out, &by_set);
    unlearned(&mut out, &by_set);
    for (set, count) in &result.without_next {
        let _ =
            writeln!(out, "{set}: {count} sites are passed over, since none of their pages has a next page.");
    }
    out
}

fn target(out: &mut String, by_set: &BTreeMap<&str, Vec<&ItemSite>>) {
    let Some(sites) = by_set.get(TARGET_SET) else { return };
    let right = sites.iter().filter(|site| site.right(Answerer::ItemOfAll, Some(RIGHT_TEXT))).count();
    let share = right as f64 / sites.len().max(1) as f64;
    let reached = if share >= TARGET { "reached" } else { "not reached" };
    let _ = writeln!(
        out,
        "Target: the item of all pages is right on {TARGET:.2} of the sites of `{TARGET_SET}`; {reached}: \
        {share:.3} ({right} of {}).\n",
        sites.len()
    );
}

/// The share of sites for which something holds.
fn share(sites: &[&ItemSite], holds: impl Fn(&ItemSite) -> bool) -> Option<Interval> {
    let mut groups: BTreeMap<usize, (u32, u32)> = BTreeMap::new();
    for site in sites {
        let (holding, all) = groups.entry(site.group).or_default();
        *holding += u32::from(holds(site));
        *all += 1;
    }
    let groups: Vec<(u32, u32)> = groups.into_values().collect();
    bootstrap_interval(groups.len(), SEED, |drawn| {
        let sum = drawn.iter().map(|at| groups[*at]).fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        f64::from(sum.0) / f64::from(sum.1.max(1))
    })
}

fn sites_table(out: &mut String, by_set: &BTreeMap<&str, Vec<&ItemSite>>) {
    let _ = writeln!(
        out,
        "## Sites right\n\n| data set | answers by | sites | learned | right | text F ≥ {:.2} | ≥ {:.2} | next link \
        alone | by corrected labels |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
        STRICTER[0], STRICTER[1]
    );
    for (set, sites) in by_set {
        for who in Answerer::ALL {
            let learned = sites.iter().filter(|site| site.item(who).is_none_or(|item| item.error.is_none()));
            let right = |least| with_interval(share(sites, |site| site.right(who, least)));
            let mean = |least| {
                let share = share(sites, |site| site.right(who, least));
                share.map_or_else(|| "–".to_owned(), |share| format!("{:.3}", share.mean))
            };
            let corrected = share(sites, |site| site.corrected_right(who, Some(RIGHT_TEXT)));
            let _ = writeln!(
                out,
                "| {set} | {} | {} | {} | {} | {} | {} | {} | {} |",
                name(who),
                sites.len(),
                learned.count(),
                right(Some(RIGHT_TEXT)),
                mean(Some(STRICTER[0])),
                mean(Some(STRICTER[1])),
                mean(None),
                corrected.map_or_else(|| "–".to_owned(), |share| format!("{:.3}", share.mean)),
            );
        }
    }
    out.push('\n');
}

fn pages_table(out: &mut String, by_set: &BTreeMap<&str, Vec<&ItemSite>>) {
    let _ = writeln!(
        out,
        "## Pages\n\nP = right ÷ predicted, R = right ÷ pages with a next page, FPR = share of the pages without one \
        that got one.\n\n| data set | answers by | pages | right | text F ≥ {:.2} | ≥ {:.2} | next link right | P | R \
        | F | FPR | text F |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- | --- |",
        STRICTER[0], STRICTER[1]
    );
    for (set, sites) in by_set {
        for who in Answerer::ALL {
            pages_row(out, set, name(who), sites, who, |_| true);
        }
        let not_given = |page: &ItemPage| !page.given;
        pages_row(out, set, "models, pages not among the few", sites, Answerer::Models, not_given);
        pages_row(out, set, "item of a few, pages not among them", sites, Answerer::ItemOfFew, not_given);
    }
    out.push('\n');
}

fn pages_row(
    out: &mut String,
    set: &str,
    name: &str,
    sites: &[&ItemSite],
    who: Answerer,
    takes: impl Fn(&ItemPage) -> bool,
) {
    let pages = sites.iter().flat_map(|site| &site.pages).filter(|page| takes(page));
    let verdicts: Vec<&Verdict> = pages.map(|page| &page.answers[who as usize].verdict).collect();
    let figures = Figures::of(verdicts.iter().copied());
    let share = |least| {
        let right = verdicts.iter().filter(|verdict| is_right(verdict, least)).count();
        format!("{:.3}", right as f64 / verdicts.len().max(1) as f64)
    };
    let next = &figures.next;
    let _ = writeln!(
        out,
        "| {set} | {name} | {} | {} | {} | {} | {} | {:.3} | {:.3} | {} | {} | {} |",
        verdicts.len(),
        share(Some(RIGHT_TEXT)),
        share(Some(STRICTER[0])),
        share(Some(STRICTER[1])),
        share(None),
        next.precision(),
        next.recall(),
        with_interval(figures.next_f),
        with_interval(figures.next_fpr),
        with_interval(figures.text_f),
    );
}

/// How much it says of an item that it agrees with the models.
fn agreement_table(out: &mut String, by_set: &BTreeMap<&str, Vec<&ItemSite>>) {
    out.push_str(
        "## Items that agree with the models\n\nOn every page that they were learned from: the same next page, and \
        content that agrees.\n\n| data set | item | agree | of them right | differ | of them right |\n\
        | --- | --- | --- | --- | --- | --- |\n",
    );
    for (set, sites) in by_set {
        for who in [Answerer::ItemOfAll, Answerer::ItemOfFew] {
            let mut counts = [(0_usize, 0_usize); 2];
            for site in sites {
                let Some(item) = site.item(who).filter(|item| item.error.is_none()) else { continue };
                let (all, right) = &mut counts[usize::from(!item.agrees)];
                *all += 1;
                *right += usize::from(site.right(who, Some(RIGHT_TEXT)));
            }
            let [(agree, agree_right), (differ, differ_right)] = counts;
            let name = name(who);
            let _ = writeln!(out, "| {set} | {name} | {agree} | {agree_right} | {differ} | {differ_right} |");
        }
    }
    out.push('\n');
}

fn css_table(out: &mut String, by_set: &BTreeMap<&str, Vec<&ItemSite>>) {
    out.push_str(
        "## Items as CSS\n\n| data set | items of all pages | next link as CSS | content as CSS | both |\n\
        | --- | --- | --- | --- | --- |\n",
    );
    for (set, sites) in by_set {
        let items: Vec<_> = sites.iter().map(|site| &site.all).filter(|item| item.error.is_none()).collect();
        let next = items.iter().filter(|item| item.next_link_css.is_some());
        let content = items.iter().filter(|item| item.page_element_css.is_some());
        let both = next.clone().filter(|item| item.page_element_css.is_some());
        let _ = writeln!(
            out,
            "| {set} | {} | {} | {} | {} |",
            items.len(),
            next.count(),
            content.count(),
            both.count()
        );
    }
    out.push('\n');
}

fn unlearned(out: &mut String, by_set: &BTreeMap<&str, Vec<&ItemSite>>) {
    let mut lines = Vec::new();
    for (set, sites) in by_set {
        for site in sites {
            for (who, item) in [(Answerer::ItemOfAll, &site.all), (Answerer::ItemOfFew, &site.few)] {
                if let Some(error) = &item.error {
                    lines.push(format!("| {set} | {} | {} | {error} |\n", site.host, name(who)));
                }
            }
        }
    }
    if lines.is_empty() {
        return;
    }
    out.push_str("## Nothing learned\n\n| data set | host | item | why |\n| --- | --- | --- | --- |\n");
    out.extend(lines);
    out.push('\n');
}
