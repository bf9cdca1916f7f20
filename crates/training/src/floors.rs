//! Floors: figures that an evaluation must not fall below, in `models/results/floors.json`.

use crate::joins::JoinFigures;
use crate::verdict::Figures;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use tsugi_learning::Interval;

/// The least figures (for false alarms: the greatest) that an evaluation may have, by data set.
///
/// Floors only rise: [`Floors::raise`] raises those that were passed, and never lowers one.
///
/// # Examples
///
/// ```
/// use tsugi_training::floors::Floors;
/// let floors: Floors = serde_json::from_str(r#"{"sites": {"next_f": 0.95, "next_fpr": 0.03, "text_f": null}}"#)?;
/// assert_eq!(floors.len(), 2);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Floors(BTreeMap<String, Floor>);

#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Floor {
    next_f: Option<f64>,
    next_fpr: Option<f64>,
    text_f: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pair_precision: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pair_recall: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    exact: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    joined_text_f: Option<f64>,
}

impl Floor {
    /// The figures by name, each with `true` if low values are good.
    fn figures(&mut self) -> [(&'static str, &mut Option<f64>, bool); 7] {
        [
            ("next_f", &mut self.next_f, false),
            ("next_fpr", &mut self.next_fpr, true),
            ("text_f", &mut self.text_f, false),
            ("pair_precision", &mut self.pair_precision, false),
            ("pair_recall", &mut self.pair_recall, false),
            ("exact", &mut self.exact, false),
            ("joined_text_f", &mut self.joined_text_f, false),
        ]
    }
}

/// The figures of an evaluation, by data set.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct MeasuredFigures {
    /// Links and content, page by page.
    pub pages: BTreeMap<String, Figures>,
    /// Joined documents.
    pub joins: BTreeMap<String, JoinFigures>,
}

impl MeasuredFigures {
    fn names(&self) -> BTreeSet<&String> {
        self.pages.keys().chain(self.joins.keys()).collect()
    }

    fn of(&self, name: &str) -> Floor {
        let mean = |interval: Option<Interval>| interval.map(|interval| interval.mean);
        let (pages, joins) = (self.pages.get(name), self.joins.get(name));
        Floor {
            next_f: pages.and_then(|figures| mean(figures.next_f)),
            next_fpr: pages.and_then(|figures| mean(figures.next_fpr)),
            text_f: pages.and_then(|figures| mean(figures.text_f)),
            pair_precision: joins.and_then(|figures| mean(figures.precision)),
            pair_recall: joins.and_then(|figures| mean(figures.recall)),
            exact: joins.and_then(|figures| mean(figures.exact)),
            joined_text_f: joins.and_then(|figures| mean(figures.text_f)),
        }
    }
}

/// A figure on the wrong side of its floor.
#[derive(Debug, Clone, PartialEq)]
pub struct Shortfall {
    pub(crate) name: String,
    pub(crate) figure: &'static str,
    pub(crate) found: Option<f64>,
    pub(crate) floor: f64,
}

impl std::fmt::Display for Shortfall {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Shortfall { name, figure, floor, .. } = self;
        let at = if *figure == "next_fpr" { "most" } else { "least" };
        match self.found {
            Some(found) => write!(f, "{name}: {figure} is {found:.4}, expected at {at} {floor}"),
            None => write!(f, "{name}: {figure} was not measured, expected at {at} {floor}"),
        }
    }
}

impl Floors {
    /// The number of floors.
    pub fn len(&self) -> usize {
        let count =
            |floor: &Floor| { *floor }.figures().iter().filter(|(_, floor, _)| floor.is_some()).count();
        self.0.values().map(count).sum()
    }

    /// Returns `true` if there is no floor.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Compares figures with the floors; figures without a floor are ignored.
    pub fn check(&self, measured: &MeasuredFigures) -> Vec<Shortfall> {
        let mut shortfalls = Vec::new();
        for (name, floor) in &self.0 {
            let (mut floor, mut found) = (*floor, measured.of(name));
            for ((figure, floor, falls), (_, found, _)) in floor.figures().into_iter().zip(found.figures()) {
                let (Some(floor), found) = (*floor, *found) else { continue };
                if found.is_none_or(|found| if falls { found > floor } else { found < floor }) {
                    shortfalls.push(Shortfall { name: name.clone(), figure, found, floor });
                }
            }
        }
        shortfalls
    }

    /// Raises every floor that the figures pass, and adds missing ones. Floors have three digits, rounded to the side that
    /// the figures meet.
    pub fn raise(&mut self, measured: &MeasuredFigures) {
        for name in measured.names() {
            let mut found = measured.of(name);
            let floor = self.0.entry(name.clone()).or_default();
            for ((_, floor, falls), (_, found, _)) in floor.figures().into_iter().zip(found.figures()) {
                let Some(found) = *found else { continue };
                let rounded =
                    if falls { (found * 1000.0).ceil() / 1000.0 } else { (found * 1000.0).floor() / 1000.0 };
                let better = |old: f64| if falls { old.min(rounded) } else { old.max(rounded) };
                *floor = Some(floor.map_or(rounded, better));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn figures(next_f: f64, next_fpr: f64) -> MeasuredFigures {
        let interval = |mean| Some(Interval { mean, low: mean, high: mean });
        let figures =
            Figures { next_f: interval(next_f), next_fpr: interval(next_fpr), ..Figures::default() };
        let joins = JoinFigures { exact: interval(0.9), ..JoinFigures::default() };
        MeasuredFigures {
            pages: BTreeMap::from([("sites".to_owned(), figures)]),
            joins: BTreeMap::from([("sites".to_owned(), joins)]),
        }
    }

    #[test]
    fn floors_rise_and_never_fall() {
        let mut floors = Floors::default();
        floors.raise(&figures(0.950_76, 0.0201));
        assert_eq!(serde_json::to_value(&floors).unwrap()["sites"]["next_f"], 0.95);
        assert_eq!(serde_json::to_value(&floors).unwrap()["sites"]["next_fpr"], 0.021);
        assert_eq!(floors.check(&figures(0.950_76, 0.0201)), [], "what set the floors meets them");
        let before = floors.clone();
        floors.raise(&figures(0.9, 0.5));
        assert_eq!(floors, before);
        floors.raise(&figures(0.97, 0.01));
        let said: Vec<String> = floors.check(&figures(0.96, 0.02)).iter().map(ToString::to_string).collect();
        let expected = [
            "sites: next_f is 0.9600, expected at least 0.97",
            "sites: next_fpr is 0.0200, expected at most 0.01",
        ];
        assert_eq!(said, expected);
    }

    #[test]
    fn what_is_not_measured_does_not_pass() {
        let mut floors = Floors::default();
        floors.raise(&figures(0.9, 0.1));
        let said = floors.check(&MeasuredFigures::default());
        assert_eq!(said.len(), 3);
        assert_eq!(said[0].to_string(), "sites: next_f was not measured, expected at least 0.9");
    }
}
