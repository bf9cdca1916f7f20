//! Measures joined documents by labelled sequences.

use crate::dataset::DataSet;
use crate::label::url_key;
use crate::measure::{TokenRule, rounded, token_f};
use crate::paired::PairedSums;
use crate::sites::SiteGroups;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::AddAssign;
use tsugi_document::Document;
use tsugi_learning::{Interval, bootstrap_of_sums};

/// A joined document, without its text: a line of the files that show the effect of a change.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct JoinedDocument {
    /// The addresses of its pages.
    pub pages: Vec<String>,
    /// The probability that each page but the first continues the one before; absent if it was not judged.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(crate) verified: Vec<f64>,
    pub(crate) stopped: &'static str,
    pub(crate) detail: String,
    /// F over tokens of the text, for documents that start at the first page of a labelled sequence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) text_f: Option<f64>,
}

#[derive(Debug, Clone, Copy, Default, PartialEq)]
struct JoinSums {
    right: u64,
    wrong: u64,
    gold: u64,
    exact: u64,
    sequences: u64,
    text_f: f64,
    texts: u64,
}

impl AddAssign for JoinSums {
    fn add_assign(&mut self, other: JoinSums) {
        self.right += other.right;
        self.wrong += other.wrong;
        self.gold += other.gold;
        self.exact += other.exact;
        self.sequences += other.sequences;
        self.text_f += other.text_f;
        self.texts += other.texts;
    }
}

impl JoinSums {
    /// A draw without any joined pair has none wrong.
    fn precision(&self) -> f64 {
        let joined = self.right + self.wrong;
        if joined == 0 { 1.0 } else { self.right as f64 / joined as f64 }
    }

    fn recall(&self) -> f64 {
        self.right as f64 / self.gold.max(1) as f64
    }

    fn exact(&self) -> f64 {
        self.exact as f64 / self.sequences.max(1) as f64
    }

    fn text_f(&self) -> f64 {
        self.text_f / self.texts.max(1) as f64
    }
}

/// Figures over joined documents, with intervals over their sites.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct JoinFigures {
    pub(crate) right: u64,
    pub(crate) wrong: u64,
    /// Number of labelled pairs whose two pages are stored.
    pub(crate) gold: u64,
    /// Number of labelled sequences that are stored from their first page on.
    pub(crate) sequences: u64,
    /// Right ÷ joined; `None` if nothing was joined.
    pub(crate) precision: Option<Interval>,
    /// Right ÷ labelled; `None` if nothing is labelled.
    pub(crate) recall: Option<Interval>,
    /// The share of the sequences that came out as just their pages, in order; `None` without sequences.
    pub(crate) exact: Option<Interval>,
    /// Mean F of the text over the sequences whose text is known; `None` without such.
    pub(crate) text_f: Option<Interval>,
}

impl JoinFigures {
    fn of<'a>(groups: impl Iterator<Item = &'a JoinSums>) -> JoinFigures {
        let groups: Vec<JoinSums> = groups.copied().collect();
        let mut all = JoinSums::default();
        for group in &groups {
            all += *group;
        }
        let interval = |applies: bool, figure: fn(&JoinSums) -> f64| {
            applies.then(|| bootstrap_of_sums(&groups, figure)).flatten()
        };
        JoinFigures {
            right: all.right,
            wrong: all.wrong,
            gold: all.gold,
            sequences: all.sequences,
            precision: interval(all.right + all.wrong > 0, JoinSums::precision),
            recall: interval(all.gold > 0, JoinSums::recall),
            exact: interval(all.sequences > 0, JoinSums::exact),
            text_f: interval(all.texts > 0, JoinSums::text_f),
        }
    }
}

/// Figures by data set, and over all of them (`all`).
pub fn join_figures(joins: &BTreeMap<String, Joins>) -> BTreeMap<String, JoinFigures> {
    let mut figures: BTreeMap<String, JoinFigures> =
        joins.iter().map(|(name, joins)| (name.clone(), JoinFigures::of(joins.groups.values()))).collect();
    let mut all: BTreeMap<usize, JoinSums> = BTreeMap::new();
    for (group, sums) in joins.values().flat_map(|joins| &joins.groups) {
        *all.entry(*group).or_default() += *sums;
    }
    figures.insert("all".to_owned(), JoinFigures::of(all.values()));
    figures
}

/// The documents of one data set, measured.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Joins {
    /// The joined documents, in order.
    pub documents: Vec<JoinedDocument>,
    groups: BTreeMap<usize, JoinSums>,
}

impl Joins {
    /// Keeps the figures of the groups that are measured; the documents stay.
    pub(crate) fn of_groups(mut self, is_measured: impl Fn(&usize) -> bool) -> Joins {
        self.groups.retain(|group, _| is_measured(group));
        self
    }
}

/// The figures of one who joins minus those of another, on the same pages, with intervals over sites that are drawn for both at
/// once.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct JoinDifferences {
    pub(crate) precision: Option<Interval>,
    pub(crate) recall: Option<Interval>,
    pub(crate) exact: Option<Interval>,
    pub(crate) text_f: Option<Interval>,
}

impl JoinDifferences {
    /// Compares the joins of a data set.
    pub(crate) fn of(joins: &Joins, others: &Joins) -> JoinDifferences {
        let first = joins.groups.iter().map(|(group, sums)| (*group, [*sums, JoinSums::default()]));
        let second = others.groups.iter().map(|(group, sums)| (*group, [JoinSums::default(), *sums]));
        let sums = PairedSums::of(first.chain(second));
        JoinDifferences {
            precision: sums.difference(|sums| sums.right + sums.wrong, JoinSums::precision),
            recall: sums.difference(|sums| sums.gold, JoinSums::recall),
            exact: sums.difference(|sums| sums.sequences, JoinSums::exact),
            text_f: sums.difference(|sums| sums.texts, JoinSums::text_f),
        }
    }
}

/// Measures the documents of a data set one by one.
///
/// Pairs are of pages that follow each other in a document; a pair counts if the first page's next link is labelled.
/// A pair is wrong if the label names another page, or none. A sequence counts if it is labelled from its first page
/// on and has two pages or more; it is exact if the document that starts there has just its pages, in order.
#[derive(Debug)]
pub struct JoinMeasure<'a> {
    set: &'a DataSet,
    /// The data set's place among those that the groups are of.
    index: usize,
    groups: &'a SiteGroups,
    /// Key of a page whose next link is labelled → key of the next page, group.
    next: BTreeMap<String, (Option<String>, usize)>,
    stored: BTreeSet<String>,
    /// Key of its first page → pages, by their labels.
    sequences: BTreeMap<String, Vec<usize>>,
    pairs: BTreeSet<(String, String)>,
    joins: Joins,
}

impl<'a> JoinMeasure<'a> {
    /// Begins to measure the documents of a data set.
    pub fn new(set: &'a DataSet, index: usize, groups: &'a SiteGroups) -> JoinMeasure<'a> {
        let labels = set.labels();
        let of_label = |label| groups.group(index, label);
        let mut measure = JoinMeasure {
            set,
            index,
            groups,
            next: BTreeMap::new(),
            stored: labels.iter().map(|label| url_key(&label.url)).collect(),
            sequences: BTreeMap::new(),
            pairs: BTreeSet::new(),
            joins: Joins::default(),
        };
        let mut sequences: BTreeMap<&str, BTreeMap<u32, usize>> = BTreeMap::new();
        for (at, label) in labels.iter().enumerate() {
            if label.knows_next() {
                let next = label.next.as_deref().map(url_key);
                measure.next.insert(url_key(&label.url), (next, of_label(at)));
            }
            if let (Some(sequence), Some(position)) = (&label.sequence, label.position) {
                sequences.entry(sequence).or_default().insert(position, at);
            }
        }
        for pages in sequences.into_values().filter(|pages| pages.len() > 1 && pages.contains_key(&1)) {
            let pages: Vec<usize> = pages.into_values().collect();
            measure.joins.groups.entry(of_label(pages[0])).or_default().sequences += 1;
            measure.sequences.insert(url_key(&labels[pages[0]].url), pages);
        }
        for (next, group) in measure.next.values() {
            if next.as_ref().is_some_and(|next| measure.stored.contains(next)) {
                measure.joins.groups.entry(*group).or_default().gold += 1;
            }
        }
        measure
    }

    /// Adds a document.
    pub fn add(&mut self, document: &Document) {
        let keys: Vec<String> = document.pages.iter().map(|page| url_key(page.url.as_str())).collect();
        for pair in keys.windows(2) {
            let Some((next, group)) = self.next.get(&pair[0]) else { continue };
            if !self.pairs.insert((pair[0].clone(), pair[1].clone())) {
                continue;
            }
            let sums = self.joins.groups.entry(*group).or_default();
            if next.as_ref() == Some(&pair[1]) {
                sums.right += u64::from(self.stored.contains(&pair[1]));
            } else {
                sums.wrong += 1;
            }
        }
        let mut text_f = None;
        // The first document that starts there counts.
        if let Some(pages) = keys.first().and_then(|first| self.sequences.remove(first)) {
            let labels = self.set.labels();
            let sums = self.joins.groups.entry(self.groups.group(self.index, pages[0])).or_default();
            let wanted = pages.iter().map(|at| url_key(&labels[*at].url));
            sums.exact += u64::from(wanted.eq(keys));
            let gold: Option<Vec<&str>> = pages.iter().map(|at| labels[*at].text.as_deref()).collect();
            if let Some(gold) = gold {
                let f = token_f(&document.text, &gold.join("\n"), TokenRule::CjkByCharacter);
                (sums.text_f, sums.texts) = (sums.text_f + f, sums.texts + 1);
                text_f = Some(rounded(f));
            }
        }
        let verdicts = document.pages.iter().filter_map(|page| page.verdict.as_ref());
        self.joins.documents.push(JoinedDocument {
            pages: document.pages.iter().map(|page| page.url.to_string()).collect(),
            verified: verdicts.map(|verdict| rounded(f64::from(verdict.score))).collect(),
            stopped: document.stopped.reason.as_str(),
            detail: document.stopped.detail.clone(),
            text_f,
        });
    }

    /// Ends the measure; a sequence without a document has a text of no token.
    pub fn finish(mut self) -> Joins {
        let labels = self.set.labels();
        for pages in self.sequences.into_values() {
            if pages.iter().all(|at| labels[*at].text.is_some()) {
                let group = self.groups.group(self.index, pages[0]);
                self.joins.groups.entry(group).or_default().texts += 1;
            }
        }
        self.joins
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::label::PageLabel;
    use std::path::Path;
    use tsugi_document::{Part, Reassembly, Shown, StopReason, Stopped, stitch};
    use tsugi_page::{Content, Evidence, Page, Url};

    /// Pages 1 to 3 of a story, and page 1 of another one that leads nowhere.
    fn set() -> DataSet {
        let label = |path: &str, next: Option<&str>, sequence: &str, position| PageLabel {
            url: format!("https://a.test/{path}"),
            site: "a".to_owned(),
            next: next.map(|next| format!("https://a.test/{next}")),
            labels: vec!["next".to_owned()],
            sequence: Some(sequence.to_owned()),
            position: Some(position),
            text: Some(format!("text {path}")),
            ..PageLabel::default()
        };
        let labels = vec![
            label("1", Some("2"), "one", 1),
            label("2", Some("3"), "one", 2),
            label("3", None, "one", 3),
            label("b/1", Some("b/2"), "two", 1),
        ];
        DataSet::of("small".into(), Path::new("."), labels)
    }

    fn document(paths: &[&str], text: &str) -> Document {
        let part = |(at, path): (usize, &&str)| {
            let url: Url = format!("https://a.test/{path}").parse().unwrap();
            let page = Page::from_text(if at == 0 { text } else { "" }, &url);
            let nodes = page.first("body").into_iter().collect();
            let content = Content { nodes, without: Vec::new(), score: 1.0, evidence: Evidence::Model };
            Part::of(page, content, "model")
        };
        let parts: Vec<Part> = paths.iter().enumerate().map(part).collect();
        let stopped = Stopped::new(StopReason::NoNext, parts[0].page.url().clone(), "");
        stitch(Reassembly {
            parts,
            stopped,
            tried: Vec::new(),
            warnings: Vec::new(),
            shown: Shown::default(),
        })
    }

    fn measured(documents: &[Document]) -> JoinFigures {
        let sets = [set()];
        let groups = SiteGroups::of(&sets);
        let mut measure = JoinMeasure::new(&sets[0], 0, &groups);
        for document in documents {
            measure.add(document);
        }
        join_figures(&BTreeMap::from([("small".to_owned(), measure.finish())]))["all"]
    }

    #[test]
    fn a_whole_sequence_is_exact() {
        let figures = measured(&[document(&["1", "2", "3"], "text 1 text 2 text 3")]);
        assert_eq!((figures.right, figures.wrong, figures.gold, figures.sequences), (2, 0, 2, 1));
        let means = [figures.precision, figures.recall, figures.exact, figures.text_f];
        assert_eq!(means.map(|figure| figure.map(|figure| figure.mean)), [Some(1.0); 4]);
    }

    #[test]
    fn wrong_and_missing_pairs_count() {
        // 1 → 2 is right, 2 → b/1 is wrong, 2 → 3 is missing; b/1 → c is wrong, too: its label names b/2.
        let figures = measured(&[document(&["1", "2", "b/1", "c"], "text 1"), document(&["3"], "")]);
        assert_eq!((figures.right, figures.wrong, figures.gold), (1, 2, 2));
        assert_eq!(figures.exact.unwrap().mean, 0.0);
        // {text, 1} against {text ×3, 1, 2, 3}: 2 in both, 2·2 ÷ (2 + 6).
        assert!((figures.text_f.unwrap().mean - 0.5).abs() < 1e-12);
    }

    #[test]
    fn a_sequence_without_a_document_has_no_text() {
        let figures = measured(&[document(&["2", "3"], "text 2 text 3")]);
        assert_eq!((figures.right, figures.text_f.unwrap().mean), (1, 0.0));
        // The next page is right and not stored: neither right nor wrong.
        let figures = measured(&[document(&["b/1", "b/2"], "")]);
        assert_eq!((figures.right, figures.wrong, figures.precision), (0, 0, None));
    }
}
