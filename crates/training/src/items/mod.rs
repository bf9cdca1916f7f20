//! Learned items by labels: how good the siteinfo item is that is learned of a site nobody wrote one for.
//!
//! Models read the pages of sites that they never saw. One item is learned from their finds on all pages of a site, another
//! from a few pages. Labels measure the answers of items and models.

mod report;

pub use report::items_report;

use crate::cross_validation::{EvaluateError, FoldPlan};
use crate::dataset::DataSet;
use crate::label::PageLabel;
use crate::measure::rounded;
use crate::verdict::{NextVerdict, PageVerdict, TextVerdict};
use serde::Serialize;
use std::collections::BTreeMap;
use tsugi_page::{Page, address};
use tsugi_siteinfo::learn::{Learned, Observed, PageCheck, apply, learn, spread};

/// Number of pages of a first look at a site.
pub const FEW: usize = 4;

const PAGES_OF_A_SITE: usize = 2;

/// Who answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Answerer {
    /// The models.
    Models,
    /// The item learned from all pages of the site.
    ItemOfAll,
    /// The item learned from [`FEW`] of them.
    ItemOfFew,
}

impl Answerer {
    /// All of them, in the order of the report.
    pub const ALL: [Answerer; 3] = [Answerer::Models, Answerer::ItemOfAll, Answerer::ItemOfFew];
}

/// An answer about one page, measured.
#[derive(Debug, Clone, PartialEq)]
pub struct ItemAnswer {
    pub(crate) next: Option<String>,
    pub(crate) verdict: PageVerdict,
    /// Measured by the label as it should be.
    pub(crate) corrected: PageVerdict,
}

/// A page of a site.
#[derive(Debug, Clone, PartialEq)]
pub struct ItemPage {
    pub(crate) url: String,
    /// `true` if it is one of the few.
    pub(crate) given: bool,
    /// The answers, in the order of [`Answerer::ALL`].
    pub(crate) answers: [ItemAnswer; 3],
}

/// An item learned of a site, or the reason why nothing was learned.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct SiteItem {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) error: Option<String>,
    pub(crate) url: Option<String>,
    #[serde(rename = "nextLink")]
    pub(crate) next_link: Option<String>,
    #[serde(rename = "pageElement")]
    pub(crate) page_element: Option<String>,
    /// The next-page link as CSS, where CSS can say it.
    #[serde(rename = "nextLinkCss")]
    pub(crate) next_link_css: Option<String>,
    #[serde(rename = "pageElementCss")]
    pub(crate) page_element_css: Option<String>,
    /// `true` if item and models agree on every page that it was learned from.
    pub(crate) agrees: bool,
}

/// A site and its learned items.
#[derive(Debug, Clone, PartialEq)]
pub struct ItemSite {
    /// The place of its data set.
    pub set: usize,
    pub(crate) site: String,
    /// The host, `www.` aside.
    pub(crate) host: String,
    pub(crate) group: usize,
    pub(crate) all: SiteItem,
    pub(crate) few: SiteItem,
    pub(crate) pages: Vec<ItemPage>,
}

impl ItemSite {
    /// Returns `true` if somebody answers every page right; `least_f` is the least F of a right text, `None` where the
    /// next link alone counts.
    pub(crate) fn right(&self, who: Answerer, least_f: Option<f64>) -> bool {
        self.pages.iter().all(|page| is_right(&page.answers[who as usize].verdict, least_f))
    }

    fn corrected_right(&self, who: Answerer, least_f: Option<f64>) -> bool {
        self.pages.iter().all(|page| is_right(&page.answers[who as usize].corrected, least_f))
    }

    pub(crate) fn item(&self, who: Answerer) -> Option<&SiteItem> {
        match who {
            Answerer::Models => None,
            Answerer::ItemOfAll => Some(&self.all),
            Answerer::ItemOfFew => Some(&self.few),
        }
    }
}

/// Returns `true` if a page is answered right, as far as is known: the next page is the labelled one, or none where none is
/// labelled; and F of the text is `least_f` at least.
pub fn is_right(verdict: &PageVerdict, least_f: Option<f64>) -> bool {
    let next = verdict.next.is_none_or(NextVerdict::is_right);
    let text = least_f.is_none_or(|least| verdict.text.is_none_or(|text| text.f >= least));
    next && text
}

/// The results of learning items of sites.
#[derive(Debug, Default)]
pub struct ItemsResult {
    /// The sites, by data set and name.
    pub sites: Vec<ItemSite>,
    /// Data set → sites that are passed over, since no page of theirs has a next page by its label.
    pub(crate) without_next: BTreeMap<String, usize>,
    pub(crate) thresholds: Vec<f32>,
}

/// Learns items of the sites of the measured data sets from the finds of models that saw no page of those sites. Measures
/// items and models by the labels. A site that is spread over hosts counts once for each. Sites of one page are passed over,
/// and those where no page has a next page.
///
/// # Errors
///
/// [`EvaluateError`] if data cannot be read or a fold cannot be trained.
///
/// # Panics
///
/// If there is no data set at a place of `plan.measured`.
pub fn evaluate_items(plan: &FoldPlan<'_>, mut progress: impl FnMut()) -> Result<ItemsResult, EvaluateError> {
    let folds = plan.train_whole(&mut progress)?;
    let mut result = ItemsResult { thresholds: folds.thresholds(), ..ItemsResult::default() };
    for &set_index in plan.measured {
        let set = &plan.sets[set_index];
        let mut sites: BTreeMap<(String, String), Vec<(usize, Observed)>> = BTreeMap::new();
        set.visit(None, |at, page| {
            progress();
            let label = &set.labels()[at];
            if label.knows_next() {
                let trained = &folds.models[folds.fold(set_index, at)];
                let name = (label.site.clone(), address::host_key(page.url()));
                sites.entry(name).or_default().push((at, trained.observe(page)));
            }
        })?;
        for ((site, host), pages) in sites {
            if pages.len() < PAGES_OF_A_SITE {
                continue;
            }
            if pages.iter().all(|(at, _)| set.labels()[*at].next_keys().is_empty()) {
                *result.without_next.entry(set.name.clone()).or_default() += 1;
                continue;
            }
            let group = plan.groups.group(set_index, pages[0].0);
            let threshold = result.thresholds[folds.fold_of_group[group]];
            let site = ItemSite {
                set: set_index,
                site,
                host,
                group,
                all: SiteItem::default(),
                few: SiteItem::default(),
                pages: Vec::new(),
            };
            result.sites.push(measure(site, set, pages, threshold));
        }
    }
    Ok(result)
}

fn measure(mut site: ItemSite, set: &DataSet, pages: Vec<(usize, Observed)>, threshold: f32) -> ItemSite {
    let (labels, observed): (Vec<usize>, Vec<Observed>) = pages.into_iter().unzip();
    let given = spread(observed.len(), FEW);
    let of_all = learn(&observed.iter().collect::<Vec<_>>(), threshold);
    let of_few = learn(&given.iter().map(|at| &observed[*at]).collect::<Vec<_>>(), threshold);
    let (all, few) = (of_all.as_ref().ok(), of_few.as_ref().ok());
    for (at, (label, observed)) in labels.into_iter().zip(&observed).enumerate() {
        let place = LabelledPlace { set, index: site.set, label, group: site.group };
        site.pages.push(ItemPage {
            url: set.labels()[label].url.clone(),
            given: given.contains(&at),
            answers: [
                place.by_models(observed, threshold),
                place.by_item(&observed.page, all),
                place.by_item(&observed.page, few),
            ],
        });
    }
    site.all = SiteItem::of(of_all);
    site.few = SiteItem::of(of_few);
    site
}

impl SiteItem {
    fn of(learned: Result<Learned, impl std::fmt::Display>) -> SiteItem {
        match learned {
            Ok(learned) => SiteItem {
                error: None,
                url: Some(learned.item.url.source().to_owned()),
                next_link: Some(learned.item.next_link.source().to_owned()),
                page_element: Some(learned.item.page_element.source().to_owned()),
                agrees: learned.checks.iter().all(PageCheck::agrees),
                next_link_css: learned.next_link_css,
                page_element_css: learned.page_element_css,
            },
            Err(error) => SiteItem { error: Some(error.to_string()), ..SiteItem::default() },
        }
    }
}

#[derive(Clone, Copy)]
struct LabelledPlace<'a> {
    set: &'a DataSet,
    index: usize,
    label: usize,
    group: usize,
}

impl LabelledPlace<'_> {
    fn by_models(self, observed: &Observed, threshold: f32) -> ItemAnswer {
        let next = observed.next.as_ref().filter(|next| next.score >= threshold);
        let text = observed.page.text_of_content(&observed.content.nodes, &observed.content.without);
        self.answer(next.map(|next| next.url.to_string()), &text)
    }

    /// Answers as an item does when a page is joined by it: nothing if its content is not on the page, and no link to the
    /// page itself.
    fn by_item(self, page: &Page, learned: Option<&Learned>) -> ItemAnswer {
        let (next, content) = learned.map(|learned| apply(&learned.item, page)).unwrap_or_default();
        self.answer(next.map(String::from), &page.text_of(&content))
    }

    fn answer(self, next: Option<String>, text: &str) -> ItemAnswer {
        let verdict = |label: &PageLabel| PageVerdict {
            set: self.index,
            label: self.label,
            group: self.group,
            next: NextVerdict::of(label, next.as_deref(), None),
            text: TextVerdict::of(label, text, 1.0),
        };
        let (verdict, corrected) =
            (verdict(&self.set.labels()[self.label]), verdict(self.set.corrected(self.label)));
        ItemAnswer { next, verdict, corrected }
    }
}

/// A line of the file of a data set: one line a site, without text.
#[derive(Debug, Serialize)]
pub struct ItemLine<'a> {
    site: &'a str,
    host: &'a str,
    pages: usize,
    right: [bool; 3],
    all: &'a SiteItem,
    few: &'a SiteItem,
    verdicts: Vec<PageLine<'a>>,
}

#[derive(Debug, Serialize)]
struct PageLine<'a> {
    url: &'a str,
    given: bool,
    models: AnswerLine<'a>,
    all: AnswerLine<'a>,
    few: AnswerLine<'a>,
}

#[derive(Debug, Serialize)]
struct AnswerLine<'a> {
    next: Option<&'a str>,
    next_right: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    text_f: Option<f64>,
}

impl<'a> ItemLine<'a> {
    /// The line of a site; `right` says of models, item of all and item of few whether they answer all pages.
    pub fn of(site: &'a ItemSite) -> ItemLine<'a> {
        let page = |page: &'a ItemPage| {
            let [models, all, few] = &page.answers;
            let [models, all, few] = [models, all, few].map(AnswerLine::of);
            PageLine { url: &page.url, given: page.given, models, all, few }
        };
        ItemLine {
            site: &site.site,
            host: &site.host,
            pages: site.pages.len(),
            right: Answerer::ALL.map(|who| site.right(who, Some(report::RIGHT_TEXT))),
            all: &site.all,
            few: &site.few,
            verdicts: site.pages.iter().map(page).collect(),
        }
    }
}

impl<'a> AnswerLine<'a> {
    fn of(answer: &'a ItemAnswer) -> AnswerLine<'a> {
        AnswerLine {
            next: answer.next.as_deref(),
            next_right: is_right(&answer.verdict, None),
            text_f: answer.verdict.text.map(|text| rounded(text.f)),
        }
    }
}

#[cfg(test)]
mod tests;
