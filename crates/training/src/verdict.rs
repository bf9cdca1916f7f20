//! Predictions compared with labels, and figures over many pages.

use crate::conventions::Convention;
use crate::dataset::DataSet;
use crate::label::{PageLabel, url_key};
use crate::measure::{PageCounts, rounded, token_f};
use crate::paired::PairedSums;
use serde::Serialize;
use std::collections::BTreeMap;
use std::ops::AddAssign;
use tsugi_learning::{Interval, bootstrap_of_sums};

/// The prediction for one page, measured by its label.
#[derive(Debug, Clone, PartialEq)]
pub struct PageVerdict {
    pub(crate) set: usize,
    pub(crate) label: usize,
    pub(crate) group: usize,
    pub(crate) next: Option<NextVerdict>,
    pub(crate) text: Option<TextVerdict>,
}

/// A next link, measured.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct NextVerdict {
    pub(crate) has_next: bool,
    pub(crate) predicted: bool,
    pub(crate) right: bool,
    /// The score of the best candidate, however low, and whether it is right; `None` without candidates.
    pub(crate) best: Option<(f32, bool)>,
    /// `true` if the relation is right; `None` if the link is wrong, or the relation not labelled.
    pub(crate) relation: Option<bool>,
}

/// A text, measured.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TextVerdict {
    /// F over tokens.
    pub f: f64,
    pub(crate) score: f32,
}

impl NextVerdict {
    /// Measures a prediction; `best` is the best candidate and its score.
    pub fn of(label: &PageLabel, predicted: Option<&str>, best: Option<(&str, f32)>) -> Option<NextVerdict> {
        if !label.knows_next() {
            return None;
        }
        let right = label.next_keys();
        let is_right = |url: &str| right.contains(&url_key(url));
        Some(NextVerdict {
            has_next: !right.is_empty(),
            predicted: predicted.is_some(),
            right: predicted.is_some_and(is_right),
            best: best.map(|(url, score)| (score, is_right(url))),
            relation: None,
        })
    }

    /// Returns `true` if the next page is the right one, or none was predicted and there is none.
    pub(crate) fn is_right(self) -> bool {
        if self.has_next { self.right } else { !self.predicted }
    }
}

impl TextVerdict {
    /// Measures a text; `score` is the F that the detector expected.
    pub fn of(label: &PageLabel, text: &str, score: f32) -> Option<TextVerdict> {
        let rule = Convention::of(label).tokens;
        label.text.as_ref().map(|gold| TextVerdict { f: token_f(text, gold, rule), score })
    }
}

#[derive(Debug, Clone, Copy, Default)]
struct VerdictSums {
    next: PageCounts,
    text_f: f64,
    texts: u64,
}

impl AddAssign for VerdictSums {
    fn add_assign(&mut self, other: VerdictSums) {
        self.next += other.next;
        self.text_f += other.text_f;
        self.texts += other.texts;
    }
}

impl VerdictSums {
    fn add(&mut self, verdict: &PageVerdict) {
        if let Some(next) = verdict.next {
            self.next.add(next.predicted, next.right, next.has_next);
        }
        if let Some(text) = verdict.text {
            self.text_f += text.f;
            self.texts += 1;
        }
    }

    fn mean_text_f(&self) -> f64 {
        self.text_f / (self.texts.max(1)) as f64
    }
}

/// Figures over some pages, with intervals over their sites.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Figures {
    pub(crate) next: PageCounts,
    /// F of the next link; `None` if no page has one.
    pub(crate) next_f: Option<Interval>,
    /// The share of pages without a next page that got one; `None` if all have one.
    pub(crate) next_fpr: Option<Interval>,
    /// Mean F of the text over pages; `None` if no text is known.
    pub(crate) text_f: Option<Interval>,
    pub(crate) texts: u64,
}

impl Figures {
    /// Computes the figures; intervals cover 95 of 100 draws of sites with repetition.
    pub fn of<'a>(verdicts: impl IntoIterator<Item = &'a PageVerdict>) -> Figures {
        let mut groups: BTreeMap<usize, VerdictSums> = BTreeMap::new();
        for verdict in verdicts {
            groups.entry(verdict.group).or_default().add(verdict);
        }
        let groups: Vec<VerdictSums> = groups.into_values().collect();
        let mut all = VerdictSums::default();
        for group in &groups {
            all += *group;
        }
        let interval = |applies: bool, figure: fn(&VerdictSums) -> f64| {
            applies.then(|| bootstrap_of_sums(&groups, figure)).flatten()
        };
        Figures {
            next: all.next,
            next_f: interval(all.next.gold > 0, |sums| sums.next.f1()),
            next_fpr: interval(all.next.none > 0, |sums| sums.next.false_positive_rate()),
            text_f: interval(all.texts > 0, VerdictSums::mean_text_f),
            texts: all.texts,
        }
    }
}

/// The figures of one who answers minus those of another, on the same pages. Intervals are over sites that are drawn for both
/// at once, so a difference can be sure where both figures are not.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct FigureDifferences {
    pub(crate) next_f: Option<Interval>,
    pub(crate) next_fpr: Option<Interval>,
    pub(crate) text_f: Option<Interval>,
}

impl FigureDifferences {
    /// Compares verdicts; each pair is about one page.
    pub fn of<'a>(pairs: impl IntoIterator<Item = [&'a PageVerdict; 2]>) -> FigureDifferences {
        let of_page = |pair: [&PageVerdict; 2]| {
            let sums = pair.map(|verdict| {
                let mut sums = VerdictSums::default();
                sums.add(verdict);
                sums
            });
            (pair[0].group, sums)
        };
        let sums = PairedSums::of(pairs.into_iter().map(of_page));
        FigureDifferences {
            next_f: sums.difference(|sums| sums.next.gold, |sums| sums.next.f1()),
            next_fpr: sums.difference(|sums| sums.next.none, |sums| sums.next.false_positive_rate()),
            text_f: sums.difference(|sums| sums.texts, VerdictSums::mean_text_f),
        }
    }
}

/// The counts of a site: a line of a file.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct JudgedSite {
    pub(crate) by: String,
    pub(crate) set: String,
    pub(crate) site: String,
    pub(crate) pages: u64,
    /// Pages whose next link is right, pages with one by the label, pages that got one, pages without one that got one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) next: Option<NextCounts>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) text_f: Option<f64>,
}

/// The counts of next links on some pages.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct NextCounts {
    right: u64,
    found: u64,
    labelled: u64,
    false_alarms: u64,
    without: u64,
}

impl JudgedSite {
    /// Counts the answers of somebody by site; sites of several data sets count for each.
    pub fn of(by: &str, sets: &[DataSet], verdicts: &[PageVerdict]) -> Vec<JudgedSite> {
        let mut sites: BTreeMap<(usize, &str), (u64, VerdictSums)> = BTreeMap::new();
        for verdict in verdicts {
            let site = sets[verdict.set].labels()[verdict.label].site.as_str();
            let (pages, sums) = sites.entry((verdict.set, site)).or_default();
            *pages += 1;
            sums.add(verdict);
        }
        let line = |((set, site), (pages, sums)): ((usize, &str), (u64, VerdictSums))| {
            let PageCounts { right, predicted, gold, false_alarms, none } = sums.next;
            let counts = NextCounts { right, found: predicted, labelled: gold, false_alarms, without: none };
            JudgedSite {
                by: by.to_owned(),
                set: sets[set].name.clone(),
                site: site.to_owned(),
                pages,
                next: (gold + none > 0).then_some(counts),
                text_f: (sums.texts > 0).then(|| rounded(sums.mean_text_f())),
            }
        };
        sites.into_iter().map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn verdict(group: usize, next: (bool, bool, bool), f: Option<f64>) -> PageVerdict {
        let (has_next, predicted, right) = next;
        let next = NextVerdict { has_next, predicted, right, ..NextVerdict::default() };
        let text = f.map(|f| TextVerdict { f, score: 0.5 });
        PageVerdict { set: 0, label: 0, group, next: Some(next), text }
    }

    #[test]
    fn figures_by_hand() {
        let verdicts = [
            verdict(0, (true, true, true), Some(1.0)),
            verdict(0, (true, true, false), Some(0.5)),
            verdict(1, (false, true, false), None),
            verdict(2, (false, false, false), None),
        ];
        let figures = Figures::of(&verdicts);
        // 1 right, 3 predicted, 2 with a next page: 2 · 1 ÷ (3 + 2); 1 of 2 without one got one.
        assert!((figures.next_f.unwrap().mean - 0.4).abs() < 1e-12);
        assert!((figures.next_fpr.unwrap().mean - 0.5).abs() < 1e-12);
        assert!((figures.text_f.unwrap().mean - 0.75).abs() < 1e-12);
        assert_eq!(figures.texts, 2);
        let interval = figures.next_fpr.unwrap();
        assert!(interval.low < 0.5 && interval.high > 0.5);
        assert_eq!(Figures::of(&verdicts[2..]).next_f, None, "no page has a next page");
        assert_eq!(Figures::of(&[]), Figures::default());
    }

    #[test]
    fn differences_are_paired() {
        let one = [verdict(0, (true, true, true), Some(1.0)), verdict(1, (true, true, true), Some(0.25))];
        let other = [verdict(0, (true, true, false), Some(0.75)), verdict(1, (true, true, false), Some(0.0))];
        let differences = FigureDifferences::of(one.iter().zip(&other).map(|(one, other)| [one, other]));
        assert_eq!(differences.next_f.map(|f| (f.mean, f.low, f.high)), Some((1.0, 1.0, 1.0)));
        // The texts differ much from site to site, and by as much on each.
        assert_eq!(differences.text_f.map(|f| (f.mean, f.low, f.high)), Some((0.25, 0.25, 0.25)));
        assert_eq!(differences.next_fpr, None, "all pages have a next page");
    }

    #[test]
    fn a_prediction_is_measured_by_what_is_labelled() {
        let label = |next: Option<&str>, labels: &[&str]| PageLabel {
            next: next.map(str::to_owned),
            labels: labels.iter().map(|label| (*label).to_owned()).collect(),
            ..PageLabel::default()
        };
        let next = label(Some("http://a.test/2"), &["next"]);
        let of = |label: &PageLabel, url: &str| NextVerdict::of(label, Some(url), Some((url, 0.9)));
        let right = of(&next, "https://www.a.test/2/").unwrap();
        assert!(right.right && right.best == Some((0.9, true)));
        assert!(!of(&next, "http://a.test/3").unwrap().right);
        assert!(!of(&label(None, &["next"]), "http://a.test/3").unwrap().has_next);
        assert_eq!(of(&label(None, &["text"]), "http://a.test/3"), None);
    }
}
