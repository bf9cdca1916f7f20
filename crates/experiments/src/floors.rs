//! Figures that must not fall again.

use crate::verdict::Figures;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The least (for false alarms: the greatest) figures that an evaluation may have, by what it is measured on.
///
/// Floors only rise: [`Floors::raise`] moves those that were passed, and never lowers one.
///
/// # Examples
///
/// ```
/// use tsugi_experiments::Floors;
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
}

/// A figure on the wrong side of its floor.
#[derive(Debug, Clone, PartialEq)]
pub struct Shortfall {
    /// What it was measured on.
    pub name: String,
    /// Which figure.
    pub figure: &'static str,
    /// The figure; `None` where it was not measured.
    pub found: Option<f64>,
    /// What it must reach.
    pub floor: f64,
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
        let count = |floor: &Floor| [floor.next_f, floor.next_fpr, floor.text_f].iter().flatten().count();
        self.0.values().map(count).sum()
    }

    /// Whether there is no floor.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Compares figures with the floors; what was measured beyond them is no matter.
    pub fn check(&self, figures: &BTreeMap<String, Figures>) -> Vec<Shortfall> {
        let mut shortfalls = Vec::new();
        for (name, floor) in &self.0 {
            let found = figures.get(name).map(measured).unwrap_or_default();
            let mut compare = |figure, found: Option<f64>, floor: Option<f64>, falls: bool| {
                let Some(floor) = floor else { return };
                if found.is_none_or(|found| if falls { found > floor } else { found < floor }) {
                    shortfalls.push(Shortfall { name: name.clone(), figure, found, floor });
                }
            };
            compare("next_f", found.next_f, floor.next_f, false);
            compare("next_fpr", found.next_fpr, floor.next_fpr, true);
            compare("text_f", found.text_f, floor.text_f, false);
        }
        shortfalls
    }

    /// Raises every floor that the figures pass, and sets those that were not there. Floors have three digits,
    /// rounded to the side that the figures meet.
    pub fn raise(&mut self, figures: &BTreeMap<String, Figures>) {
        let better = |old: Option<f64>, new: Option<f64>, pick: fn(f64, f64) -> f64| match (old, new) {
            (Some(old), Some(new)) => Some(pick(old, new)),
            (old, new) => old.or(new),
        };
        for (name, figures) in figures {
            let found = measured(figures);
            let floor = self.0.entry(name.clone()).or_default();
            let down = |figure: f64| (figure * 1000.0).floor() / 1000.0;
            let up = |figure: f64| (figure * 1000.0).ceil() / 1000.0;
            floor.next_f = better(floor.next_f, found.next_f.map(down), f64::max);
            floor.next_fpr = better(floor.next_fpr, found.next_fpr.map(up), f64::min);
            floor.text_f = better(floor.text_f, found.text_f.map(down), f64::max);
        }
    }
}

fn measured(figures: &Figures) -> Floor {
    Floor {
        next_f: figures.next_f.map(|interval| interval.mean),
        next_fpr: figures.next_fpr.map(|interval| interval.mean),
        text_f: figures.text_f.map(|interval| interval.mean),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tsugi_learning::Interval;

    fn figures(next_f: f64, next_fpr: f64) -> BTreeMap<String, Figures> {
        let interval = |mean| Some(Interval { mean, low: mean, high: mean });
        let figures =
            Figures { next_f: interval(next_f), next_fpr: interval(next_fpr), ..Figures::default() };
        BTreeMap::from([("sites".to_owned(), figures)])
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
        let said = floors.check(&BTreeMap::new());
        assert_eq!(said.len(), 2);
        assert_eq!(said[0].to_string(), "sites: next_f was not measured, expected at least 0.9");
    }
}
