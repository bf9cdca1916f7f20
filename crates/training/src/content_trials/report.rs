//! The report of content.

use super::{ContentTrials, MODELS, MeasuredText};
use crate::conventions::{CONVENTIONS, Convention};
use crate::dataset::DataSet;
use crate::label::PageLabel;
use crate::metadata::fields_table;
use crate::report::{PAGES_OF_A_LANGUAGE, language};
use crate::tables::{Report, ReportDraft, ReportValue, figure, grid, interval, mean, table};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::AddAssign;
use tsugi_learning::{Interval, bootstrap_of_sums};
use tsugi_main_content::BlockRole;

/// Reports texts by data set and language, each role, which is taken for which, and what pages say of themselves.
pub fn content_report(sets: &[DataSet], trials: &ContentTrials) -> Report {
    let label = |text: &MeasuredText| &sets[text.set].labels()[text.label];
    let used: BTreeSet<usize> = trials
        .texts
        .iter()
        .filter_map(|text| CONVENTIONS.iter().position(|row| row == Convention::of(label(text))))
        .collect();
    let mut draft = ReportDraft::default();
    draft.put("folds", trials.folds);
    let conventions = table(
        used.into_iter().map(|at| &CONVENTIONS[at]),
        &[
            ("data set", &|row| row.set.into()),
            ("pages", &|row| pages_of(row).into()),
            ("convention", &|row| row.keep.into()),
            ("the gold holds", &|row| row.holds.into()),
        ],
    );
    draft.put("conventions", conventions);
    let texts = |measures: fn(&MeasuredText) -> bool| trials.texts.iter().filter(move |text| measures(text));
    let with_text = || texts(|text| text.overlap.is_some());
    let of_set = |text: &MeasuredText| [sets[text.set].name.clone(), "all".to_owned(), text.keep.to_owned()];
    let of_part = |text: &MeasuredText| {
        [sets[text.set].name.clone(), part(label(text)).to_owned(), text.keep.to_owned()]
    };
    draft.put("texts", trials.texts_table(["data set", "pages of", "convention"], with_text(), of_set));
    draft.put("parts", trials.texts_table(["data set", "pages of", "convention"], with_text(), of_part));
    let own = || with_text().filter(|text| text.keep == Convention::of(label(text)).keep);
    let mut pages: BTreeMap<String, usize> = BTreeMap::new();
    for text in own().filter(|text| text.by == MODELS) {
        *pages.entry(language(label(text))).or_default() += 1;
    }
    let of_language = |text: &MeasuredText| {
        let language = language(label(text));
        [if pages.get(&language) >= Some(&PAGES_OF_A_LANGUAGE) { language } else { "others".to_owned() }]
    };
    draft.put("languages", trials.texts_table(["language"], own(), of_language));
    draft.put("required", trials.required_table(texts(|text| text.required.is_some()), of_set));
    draft.put("metadata", fields_table(sets, &trials.metadata));
    draft.put("roles", if trials.knows_roles { trials.roles_table() } else { NO_ROLES.into() });
    draft.put("confusion", if trials.knows_roles { trials.confusion() } else { "".into() });
    draft.finish(include_str!("report.md"))
}

const NO_ROLES: &str =
    "No page has labelled roles, so that none is learned, and what is kept by roles is not measured.";

fn pages_of(row: &Convention) -> String {
    match (row.source, row.kind) {
        ("", _) => "all others".to_owned(),
        (source, None) => format!("`{}`", source.trim()),
        (source, Some(kind)) => format!("`{}`, kind {kind}", source.trim()),
    }
}

/// The part of a data set that a page belongs to: another set's archive that holds it, a benchmark, or a kind of pages.
fn part(label: &PageLabel) -> &str {
    let row = Convention::of(label);
    let is_named =
        CONVENTIONS.iter().filter(|other| other.set == row.set && other.kind.is_none()).count() > 1;
    let kind = || label.kind.as_deref().unwrap_or("unknown");
    label.archive().unwrap_or_else(|| if is_named { row.source.trim() } else { kind() })
}

#[derive(Debug, Clone, Copy, Default)]
struct TextSums {
    precision: f64,
    recall: f64,
    f: f64,
    texts: u64,
    there: u64,
    required: u64,
}

impl AddAssign for TextSums {
    fn add_assign(&mut self, other: TextSums) {
        self.precision += other.precision;
        self.recall += other.recall;
        self.f += other.f;
        self.texts += other.texts;
        self.there += other.there;
        self.required += other.required;
    }
}

impl TextSums {
    fn of(text: &MeasuredText) -> TextSums {
        let overlap = text.overlap.unwrap_or_default();
        let (there, required) = text.required.unwrap_or_default();
        let (precision, recall, f) = (overlap.precision(), overlap.recall(), overlap.f());
        TextSums { precision, recall, f, texts: 1, there, required }
    }
}

/// The sums of some pages by one program, site by site.
#[derive(Debug, Default)]
struct SitesOfOne(BTreeMap<usize, TextSums>);

impl SitesOfOne {
    fn figure(&self, of: fn(&TextSums) -> f64) -> Option<Interval> {
        bootstrap_of_sums(&self.0.values().copied().collect::<Vec<_>>(), of)
    }

    fn pages(&self) -> u64 {
        self.0.values().map(|sums| sums.texts).sum()
    }

    fn mean_f(&self) -> Option<Interval> {
        self.figure(|sums| sums.f / sums.texts as f64)
    }
}

/// Row → program → its sums.
fn grouped<'a, const N: usize>(
    texts: impl Iterator<Item = &'a MeasuredText>,
    row: impl Fn(&MeasuredText) -> [String; N],
) -> BTreeMap<[String; N], BTreeMap<&'a str, SitesOfOne>> {
    let mut rows: BTreeMap<[String; N], BTreeMap<&str, SitesOfOne>> = BTreeMap::new();
    for text in texts {
        let of_row = rows.entry(row(text)).or_default().entry(&text.by).or_default();
        *of_row.0.entry(text.group).or_default() += TextSums::of(text);
    }
    rows
}

impl ContentTrials {
    /// A row for each group of texts: the figures of the models, then F of each other program on the same pages.
    fn texts_table<'a, const N: usize>(
        &'a self,
        names: [&str; N],
        texts: impl Iterator<Item = &'a MeasuredText>,
        row: impl Fn(&MeasuredText) -> [String; N],
    ) -> ReportValue {
        let figures = ["pages", "sites", "precision", "recall", "F"];
        let others = self.others.iter().map(String::as_str);
        let headers: Vec<&str> = names.into_iter().chain(figures).chain(others).collect();
        let none = SitesOfOne::default();
        let rows = grouped(texts, row).into_iter().map(|(names, by)| {
            let of = |name: &str| by.get(name).unwrap_or(&none);
            let ours = of(MODELS);
            let figures = [
                ours.pages().into(),
                ours.0.len().into(),
                mean(ours.figure(|sums| sums.precision / sums.texts as f64)),
                mean(ours.figure(|sums| sums.recall / sums.texts as f64)),
                interval(ours.mean_f()),
            ];
            let others = self.others.iter().map(|name| interval(of(name).mean_f()));
            names.map(ReportValue::from).into_iter().chain(figures).chain(others).collect()
        });
        grid(&headers, rows)
    }

    /// The share of the texts that must be there, by data set and program.
    fn required_table<'a>(
        &'a self,
        texts: impl Iterator<Item = &'a MeasuredText>,
        row: impl Fn(&MeasuredText) -> [String; 3],
    ) -> ReportValue {
        let others = self.others.iter().map(String::as_str);
        let programs: Vec<&str> = [MODELS].into_iter().chain(others).collect();
        let headers: Vec<&str> = ["data set", "convention", "pages", "texts"]
            .into_iter()
            .chain(programs.iter().copied())
            .collect();
        let none = SitesOfOne::default();
        let rows = grouped(texts, row).into_iter().map(|([set, _, keep], by)| {
            let any = by.values().next().unwrap_or(&none);
            let all: u64 = any.0.values().map(|sums| sums.required).sum();
            let shares = programs.iter().map(|name| {
                let of = by.get(name).unwrap_or(&none);
                interval(of.figure(|sums| sums.there as f64 / sums.required as f64))
            });
            [set.into(), keep.into(), any.pages().into(), all.into()].into_iter().chain(shares).collect()
        });
        grid(&headers, rows)
    }

    fn words(&self, is_one: impl Fn(BlockRole, BlockRole) -> bool) -> u64 {
        self.words.iter().filter(|((gold, found), _)| is_one(*gold, *found)).map(|(_, words)| words).sum()
    }

    fn roles_table(&self) -> ReportValue {
        let share = |part: u64, whole: u64| figure((whole > 0).then(|| part as f64 / whole as f64));
        let right = |role| self.words(|gold, found| gold == role && found == role);
        let labelled = |role| self.words(|gold, _| gold == role);
        table(
            BlockRole::ALL,
            &[
                ("role", &|role| role.as_str().into()),
                ("words", &|role| labelled(*role).into()),
                ("precision", &|role| share(right(*role), self.words(|_, found| found == *role))),
                ("recall", &|role| share(right(*role), labelled(*role))),
            ],
        )
    }

    fn confusion(&self) -> ReportValue {
        let names = BlockRole::ALL.map(BlockRole::as_str);
        let headers: Vec<&str> = std::iter::once("labelled").chain(names).collect();
        let rows = BlockRole::ALL.map(|gold| {
            let all = self.words(|other, _| other == gold).max(1);
            let cell = |found| self.words(|one, other| one == gold && other == found) * 1000 / all;
            let cells = BlockRole::ALL.map(|found| cell(found).into());
            std::iter::once(gold.as_str().into()).chain(cells).collect()
        });
        grid(&headers, rows)
    }
}
