//! Models, and the answers of other programs, measured on the same pages, without training.
//!
//! What follows from the files that are judged is measured: a link model has no text of its own. Sites that one of the models
//! learned from are left out for all, so that the pages are the same and strange to everybody.

mod answers;
mod report;

pub use answers::{AnswerError, WrittenAnswers};
pub use report::side_by_side_report;

use crate::cross_validation::{
    EvaluateError, EvaluatedPage, LearnedPart, NextAnswer, Prediction, join_archive, prediction,
};
use crate::dataset::{Complaint, DataSet};
use crate::joins::Joins;
use crate::pairs::{PairExamples, PairSources, PairsHeld};
use crate::seen_sites::SeenSites;
use crate::sites::SiteGroups;
use crate::verdict::{JudgedSite, PageVerdict};
use std::collections::{BTreeMap, BTreeSet};
use tsugi::Tsugi;
use tsugi::models::JudgeModel;
use tsugi_next_link::PairDetector;
use tsugi_page::Page;

/// What is judged.
#[derive(Debug)]
pub struct Contender {
    /// Its name in the report.
    pub name: String,
    /// What it is, in words.
    pub about: String,
    /// Where its answers come from.
    pub answers: ContenderAnswers,
    /// The sites that it learned from; `None` if that is not known.
    pub saw: Option<SeenSites>,
}

/// Where the answers of a contender come from.
#[derive(Debug)]
pub enum ContenderAnswers {
    /// Models that read the pages.
    Models {
        /// The models.
        tsugi: Box<Tsugi>,
        /// The judge of pairs, if it is one of the parts.
        judge: Option<JudgeModel>,
        /// The parts that are judged; the others only help.
        parts: BTreeSet<LearnedPart>,
    },
    /// The output of a program.
    Written(WrittenAnswers),
}

impl Contender {
    fn measures(&self, part: LearnedPart) -> bool {
        match &self.answers {
            ContenderAnswers::Models { parts, .. } => parts.contains(&part),
            ContenderAnswers::Written(answers) => match part {
                LearnedPart::NextLinks => answers.has_next,
                LearnedPart::Content => answers.has_text,
                LearnedPart::Pairs => false,
            },
        }
    }

    fn answer(&self, place: EvaluatedPage, set: &DataSet, page: &Page) -> (PageVerdict, Option<Prediction>) {
        let label = set.corrected(place.label);
        let (verdict, predicted) = match &self.answers {
            ContenderAnswers::Written(answers) => {
                let answer = answers.of(&label.url);
                let next = answer.and_then(|answer| answer.next.as_deref());
                (place.written(label, next, answer.map_or("", |answer| &answer.text)), None)
            }
            ContenderAnswers::Models { tsugi, .. } => {
                let look = tsugi.look(page);
                let said = NextAnswer { best: look.best(), found: look.next() };
                let content = self.measures(LearnedPart::Content).then(|| look.content());
                let text = content.as_ref().map(|content| (content.text(), content.score()));
                let verdict =
                    place.verdict(label, said, text.as_ref().map(|(text, score)| (&**text, *score)));
                let found = content.as_ref().map(|content| (content.page(), content.as_content()));
                let predicted = prediction(label, found, said, &verdict);
                (verdict, Some(predicted))
            }
        };
        let verdict = PageVerdict {
            next: verdict.next.filter(|_| self.measures(LearnedPart::NextLinks)),
            text: verdict.text.filter(|_| self.measures(LearnedPart::Content)),
            ..verdict
        };
        (verdict, predicted)
    }
}

/// The answers of a contender, measured.
#[derive(Debug, Default)]
pub struct Judged {
    /// Page by page; those of all contenders are about the same pages in the same order.
    pub verdicts: Vec<PageVerdict>,
    /// Data set → the documents that it joined. Data sets without two pages that follow each other are absent, and so are all for
    /// written answers.
    pub joins: BTreeMap<String, Joins>,
    /// Data set → the pairs that its judge holds, if it has one of its own.
    pub pairs: BTreeMap<String, PairsHeld>,
    /// Data set → its predictions, if it is models.
    pub predictions: BTreeMap<String, Vec<Prediction>>,
}

/// The contenders, measured on the same pages.
#[derive(Debug)]
pub struct SideBySide {
    /// By contender.
    pub judged: Vec<Judged>,
    /// Data set → number of pages of sites that a model saw; they are left out if `leaves_out_seen`.
    pub seen: BTreeMap<String, usize>,
    /// Whether pages of sites that a model saw are left out.
    pub leaves_out_seen: bool,
    /// Problems with pages and labels that are not used.
    pub complaints: Vec<Complaint>,
}

impl SideBySide {
    /// Measures contenders on data sets. If `leaves_out_seen`, pages of sites that one of them learned from are not measured.
    /// `progress` is called after every page.
    ///
    /// # Errors
    ///
    /// [`EvaluateError`] if data cannot be read.
    pub fn measure(
        sets: &[DataSet],
        contenders: &[Contender],
        leaves_out_seen: bool,
        mut progress: impl FnMut(),
    ) -> Result<SideBySide, EvaluateError> {
        let groups = SiteGroups::of(sets);
        let seen = seen_groups(sets, &groups, contenders);
        let is_measured = |group: &usize| !leaves_out_seen || !seen.contains(group);
        let mut result = SideBySide {
            judged: contenders.iter().map(|_| Judged::default()).collect(),
            seen: BTreeMap::new(),
            leaves_out_seen,
            complaints: Vec::new(),
        };
        for (index, set) in sets.iter().enumerate() {
            let group_of = |label| groups.group(index, label);
            let of_seen = (0..set.labels().len()).filter(|label| seen.contains(&group_of(*label))).count();
            result.seen.insert(set.name.clone(), of_seen);
            let complaints = set.visit(None, |label, page| {
                progress();
                let place = EvaluatedPage { set: index, label, group: group_of(label) };
                if !is_measured(&place.group) {
                    return;
                }
                for (contender, judged) in contenders.iter().zip(&mut result.judged) {
                    let (verdict, predicted) = contender.answer(place, set, &page);
                    judged.verdicts.push(verdict);
                    if let Some(predicted) = predicted {
                        judged.predictions.entry(set.name.clone()).or_default().push(predicted);
                    }
                }
            })?;
            result.complaints.extend(complaints);
            if !set.has_pairs() {
                continue;
            }
            for (contender, judged) in contenders.iter().zip(&mut result.judged) {
                let ContenderAnswers::Models { tsugi, judge, .. } = &contender.answers else { continue };
                let takes = |label| is_measured(&group_of(label));
                let joins = join_archive((set, index), &groups, [(&**tsugi, takes)], &mut progress, |_| ())?;
                judged.joins.insert(set.name.clone(), joins.of_groups(is_measured));
                if let Some(judge) = judge {
                    let held = pairs_held(
                        (sets, index),
                        &groups,
                        (tsugi, judge.detector()),
                        is_measured,
                        &mut progress,
                    )?;
                    judged.pairs.insert(set.name.clone(), held);
                }
            }
        }
        Ok(result)
    }

    /// Returns the number of measured pages.
    pub fn pages(&self) -> usize {
        self.judged.first().map_or(0, |judged| judged.verdicts.len())
    }

    /// Returns the figures of each site: lines for a file.
    pub fn sites(&self, sets: &[DataSet], contenders: &[Contender]) -> Vec<JudgedSite> {
        let of_one = |(contender, judged): (&Contender, &Judged)| {
            JudgedSite::of(&contender.name, sets, &judged.verdicts)
        };
        contenders.iter().zip(&self.judged).flat_map(of_one).collect()
    }
}

fn seen_groups(sets: &[DataSet], groups: &SiteGroups, contenders: &[Contender]) -> BTreeSet<usize> {
    let mut seen = BTreeSet::new();
    for (index, set) in sets.iter().enumerate() {
        for (at, label) in set.labels().iter().enumerate() {
            if contenders.iter().filter_map(|contender| contender.saw.as_ref()).any(|saw| saw.knows(label)) {
                seen.insert(groups.group(index, at));
            }
        }
    }
    seen
}

fn pairs_held(
    (sets, index): (&[DataSet], usize),
    groups: &SiteGroups,
    (tsugi, judge): (&Tsugi, &PairDetector),
    is_measured: impl Fn(&usize) -> bool,
    progress: impl FnMut(),
) -> Result<PairsHeld, EvaluateError> {
    let sources = PairSources {
        next: &|_| tsugi.next_model().detector(),
        of_stored: None,
        content: &|_| tsugi.content_model(),
    };
    let examples = PairExamples::read_one((sets, index), groups, sources, progress)?;
    Ok(examples.held(judge, is_measured))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::label::PageLabel;
    use tsugi_page::Response;

    fn set(urls: &[&str]) -> DataSet {
        let label = |(at, url): (usize, &&str)| PageLabel {
            url: (*url).to_owned(),
            site: (*url).to_owned(),
            next: urls.get(at + 1).map(|next| (*next).to_owned()),
            text: Some(format!("text {at}")),
            labels: vec!["next".to_owned()],
            ..PageLabel::default()
        };
        let labels: Vec<PageLabel> = urls.iter().enumerate().map(label).collect();
        let page = |url: &&str| Response::new(url.parse().unwrap(), format!("<p>{url}</p>"));
        let stored = urls.iter().map(page).collect();
        DataSet::in_memory("small".to_owned(), labels, stored)
    }

    fn written(name: &str, lines: &str, saw: Option<SeenSites>) -> Contender {
        let answers = ContenderAnswers::Written(WrittenAnswers::read(lines).unwrap());
        Contender { name: name.to_owned(), about: String::new(), answers, saw }
    }

    #[test]
    fn written_answers_are_measured_beside_each_other() {
        // The pages of two sites do not follow each other, so nothing is joined.
        let sets = [set(&["https://a.test/1", "https://b.test/2"])];
        let right = r#"{"url": "http://a.test/1/", "next": {"url": "https://b.test/2"}, "content": {"text": "text 0"}}"#;
        let wrong = r#"{"url": "https://a.test/1", "next": null}
            {"url": "https://b.test/2", "next": {"url": "https://a.test/1"}}"#;
        let contenders =
            [written("right", right, None), written("wrong", &wrong.replace("            ", ""), None)];
        let result = SideBySide::measure(&sets, &contenders, true, || ()).unwrap();
        assert_eq!(result.pages(), 2);
        let [one, other] = [0, 1].map(|at| &result.judged[at].verdicts);
        assert!(one.iter().all(|verdict| verdict.next.unwrap().is_right()));
        assert!(other.iter().all(|verdict| !verdict.next.unwrap().is_right()));
        assert_eq!(one.iter().map(|verdict| verdict.text.unwrap().f).collect::<Vec<_>>(), [1.0, 0.0]);
        assert!(other.iter().all(|verdict| verdict.text.is_none()), "no line has a text");
        let report = side_by_side_report(&sets, &contenders, &result).files[0].1.clone();
        for line in [
            "| all | 1.000 | 1.000 | 1.000 (0.000–1.000) | 0.000 (0.000–0.000) | 1 | 1 | 0.500",
            "| small | wrong | -1.000 (-1.000 to +0.000) | +1.000",
        ] {
            assert!(report.contains(line), "{line}: {report}");
        }
        assert!(!report.contains('{'), "{report}");
    }

    #[test]
    fn sites_that_a_model_saw_are_left_out_for_all() {
        let sets = [set(&["https://a.test/1", "https://b.test/2"])];
        let label = PageLabel { url: "https://www.a.test/other".to_owned(), ..PageLabel::default() };
        let seen = Some(SeenSites::of_labels([&label]));
        let contenders = [written("one", "", seen), written("two", "", None)];
        let result = SideBySide::measure(&sets, &contenders, true, || ()).unwrap();
        assert_eq!((result.pages(), result.seen["small"]), (1, 1));
        assert_eq!(SideBySide::measure(&sets, &contenders, false, || ()).unwrap().pages(), 2);
    }
}
