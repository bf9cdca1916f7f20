//! The report of learned items.

use super::{Answerer, FEW, ItemPage, ItemSite, ItemsResult, is_right};
use crate::dataset::DataSet;
use crate::tables::{Report, ReportDraft, ReportValue, figure, interval, mean, sections, table, thresholds};
use crate::verdict::{Figures, PageVerdict};
use std::collections::BTreeMap;
use tsugi_learning::{Confusion, Interval, bootstrap_of_sums};

pub(super) const RIGHT_TEXT: f64 = 0.90;

const STRICTER: [f64; 2] = [0.95, 0.99];

const TARGET: f64 = 0.90;

const TARGET_SET: &str = "sites";

fn name(who: Answerer) -> &'static str {
    match who {
        Answerer::Models => "models",
        Answerer::ItemOfAll => "item of all pages",
        Answerer::ItemOfFew => "item of a few",
    }
}

type SitesBySet<'a> = BTreeMap<&'a str, Vec<&'a ItemSite>>;

/// Reports the results of learning items of sites.
pub fn items_report(sets: &[DataSet], result: &ItemsResult) -> Report {
    let mut by_set: SitesBySet<'_> = BTreeMap::new();
    for site in &result.sites {
        by_set.entry(&sets[site.set].name).or_default().push(site);
    }
    let mut draft = ReportDraft::default();
    draft.put("few", FEW);
    draft.put("right_text", format!("{RIGHT_TEXT:.2}"));
    draft.put("folds", result.thresholds.len());
    draft.put("thresholds", thresholds(&result.thresholds));
    draft.put("target", by_set.get(TARGET_SET).map_or_else(String::new, |sites| target(sites)));
    draft.put("sites", sites_table(&by_set));
    draft.put("pages", pages_table(&by_set));
    draft.put("agreement", agreement_table(&by_set));
    draft.put("css", css_table(&by_set));
    draft.put("unlearned", unlearned(&by_set));
    let passed_over = result.without_next.iter().map(|(set, count)| {
        format!("{set}: {count} sites are passed over, since none of their pages has a next page.")
    });
    draft.put("without_next", passed_over.collect::<Vec<_>>().join("\n"));
    draft.finish(include_str!("report.md"))
}

fn target(sites: &[&ItemSite]) -> String {
    let right = sites.iter().filter(|site| site.right(Answerer::ItemOfAll, Some(RIGHT_TEXT))).count();
    let share = right as f64 / sites.len().max(1) as f64;
    let reached = if share >= TARGET { "reached" } else { "not reached" };
    format!(
        "Target: the item of all pages is right on {TARGET:.2} of the sites of `{TARGET_SET}`; {reached}: \
        {share:.3} ({right} of {}).",
        sites.len()
    )
}

fn share(sites: &[&ItemSite], holds: impl Fn(&ItemSite) -> bool) -> Option<Interval> {
    let mut groups: BTreeMap<usize, Confusion> = BTreeMap::new();
    for site in sites {
        groups.entry(site.group).or_default().add(holds(site), true);
    }
    bootstrap_of_sums(&groups.into_values().collect::<Vec<_>>(), |sums| sums.recall())
}

fn right_share(sites: &[&ItemSite], who: Answerer, least_f: Option<f64>) -> Option<Interval> {
    share(sites, |site| site.right(who, least_f))
}

fn sites_table(by_set: &SitesBySet<'_>) -> ReportValue {
    let rows = by_set.iter().flat_map(|(set, sites)| Answerer::ALL.map(|who| (*set, sites.as_slice(), who)));
    table(
        rows,
        &[
            ("data set", &|(set, ..)| (*set).into()),
            ("answers by", &|(_, _, who)| name(*who).into()),
            ("sites", &|(_, sites, _)| sites.len().into()),
            ("learned", &|(_, sites, who)| {
                let is_learned = |site: &&&ItemSite| site.item(*who).is_none_or(|item| item.error.is_none());
                sites.iter().filter(is_learned).count().into()
            }),
            ("right", &|(_, sites, who)| interval(right_share(sites, *who, Some(RIGHT_TEXT)))),
            ("text F ≥ 0.95", &|(_, sites, who)| mean(right_share(sites, *who, Some(STRICTER[0])))),
            ("≥ 0.99", &|(_, sites, who)| mean(right_share(sites, *who, Some(STRICTER[1])))),
            ("next link alone", &|(_, sites, who)| mean(right_share(sites, *who, None))),
            ("by corrected labels", &|(_, sites, who)| {
                mean(share(sites, |site| site.corrected_right(*who, Some(RIGHT_TEXT))))
            }),
        ],
    )
}

struct PagesRow<'a> {
    set: &'a str,
    name: &'static str,
    verdicts: Vec<&'a PageVerdict>,
    figures: Figures,
}

impl<'a> PagesRow<'a> {
    fn of(
        (set, name): (&'a str, &'static str),
        sites: &[&'a ItemSite],
        who: Answerer,
        takes: impl Fn(&ItemPage) -> bool,
    ) -> PagesRow<'a> {
        let pages = sites.iter().flat_map(|site| &site.pages).filter(|page| takes(page));
        let verdicts: Vec<&PageVerdict> = pages.map(|page| &page.answers[who as usize].verdict).collect();
        PagesRow { set, name, figures: Figures::of(verdicts.iter().copied()), verdicts }
    }

    fn right(&self, least_f: Option<f64>) -> ReportValue {
        let right = self.verdicts.iter().filter(|verdict| is_right(verdict, least_f)).count();
        figure(right as f64 / self.verdicts.len().max(1) as f64)
    }
}

fn pages_table(by_set: &SitesBySet<'_>) -> ReportValue {
    let mut rows = Vec::new();
    for (set, sites) in by_set {
        for who in Answerer::ALL {
            rows.push(PagesRow::of((set, name(who)), sites, who, |_| true));
        }
        for (name, who) in [
            ("models, pages not among the few", Answerer::Models),
            ("item of a few, pages not among them", Answerer::ItemOfFew),
        ] {
            rows.push(PagesRow::of((set, name), sites, who, |page| !page.given));
        }
    }
    table(
        rows,
        &[
            ("data set", &|row| row.set.into()),
            ("answers by", &|row| row.name.into()),
            ("pages", &|row| row.verdicts.len().into()),
            ("right", &|row| row.right(Some(RIGHT_TEXT))),
            ("text F ≥ 0.95", &|row| row.right(Some(STRICTER[0]))),
            ("≥ 0.99", &|row| row.right(Some(STRICTER[1]))),
            ("next link right", &|row| row.right(None)),
            ("P", &|row| figure(row.figures.next.precision())),
            ("R", &|row| figure(row.figures.next.recall())),
            ("F", &|row| interval(row.figures.next_f)),
            ("FPR", &|row| interval(row.figures.next_fpr)),
            ("text F", &|row| interval(row.figures.text_f)),
        ],
    )
}

fn agreement_table(by_set: &SitesBySet<'_>) -> ReportValue {
    let items = [Answerer::ItemOfAll, Answerer::ItemOfFew];
    let rows = by_set.iter().flat_map(|(set, sites)| items.map(|who| (*set, who, agreements(sites, who))));
    table(
        rows,
        &[
            ("data set", &|(set, ..)| (*set).into()),
            ("item", &|(_, who, _)| name(*who).into()),
            ("agree", &|(.., counts)| counts[0].0.into()),
            ("of them right", &|(.., counts)| counts[0].1.into()),
            ("differ", &|(.., counts)| counts[1].0.into()),
            ("of them right", &|(.., counts)| counts[1].1.into()),
        ],
    )
}

fn agreements(sites: &[&ItemSite], who: Answerer) -> [(usize, usize); 2] {
    let mut counts = [(0, 0); 2];
    for site in sites {
        let Some(item) = site.item(who).filter(|item| item.error.is_none()) else { continue };
        let (all, right) = &mut counts[usize::from(!item.agrees)];
        *all += 1;
        *right += usize::from(site.right(who, Some(RIGHT_TEXT)));
    }
    counts
}

fn css_table(by_set: &SitesBySet<'_>) -> ReportValue {
    let rows = by_set.iter().map(|(set, sites)| {
        let items = sites.iter().map(|site| &site.all).filter(|item| item.error.is_none());
        (*set, items.map(|item| [item.next_link_css.is_some(), item.page_element_css.is_some()]).collect())
    });
    table(
        rows,
        &[
            ("data set", &|(set, _): &(&str, Vec<[bool; 2]>)| (*set).into()),
            ("items of all pages", &|(_, items)| items.len().into()),
            ("next link as CSS", &|(_, items)| items.iter().filter(|[next, _]| *next).count().into()),
            ("content as CSS", &|(_, items)| items.iter().filter(|[_, content]| *content).count().into()),
            ("both", &|(_, items)| items.iter().filter(|both| **both == [true; 2]).count().into()),
        ],
    )
}

fn unlearned(by_set: &SitesBySet<'_>) -> ReportValue {
    let mut rows: Vec<(&str, &str, Answerer, &str)> = Vec::new();
    for (set, sites) in by_set {
        for site in sites {
            for (who, item) in [(Answerer::ItemOfAll, &site.all), (Answerer::ItemOfFew, &site.few)] {
                rows.extend(item.error.as_deref().map(|error| (*set, site.host.as_str(), who, error)));
            }
        }
    }
    let is_empty = rows.is_empty();
    let reasons = table(
        rows,
        &[
            ("data set", &|row| row.0.into()),
            ("host", &|row| row.1.into()),
            ("item", &|row| name(row.2).into()),
            ("why", &|row| row.3.into()),
        ],
    );
    sections((!is_empty).then_some(("Nothing learned", reasons)))
}
