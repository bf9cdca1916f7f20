//! Content measured by the convention of each data set: texts, roles of blocks, and what pages say of themselves.
//!
//! Each page is read by models that saw no page of its site. The answers of other programs are measured beside them, on the same pages
//! by the same scorer. A program has one text for a page, and is scored with it whatever the convention.

mod report;

pub use report::content_report;

use crate::content::{ContentPage, RolePlan, document_of_blocks, roles_of, train_content_and_roles};
use crate::conventions::Convention;
use crate::cross_validation::EvaluateError;
use crate::dataset::DataSet;
use crate::label::PageLabel;
use crate::labelled_pages::{ContentAlone, LabelledPages};
use crate::measure::{Overlap, TokenRule, for_each_token, rounded, token_overlap};
use crate::metadata::{MetadataLine, metadata_line};
use crate::side_by_side::WrittenAnswers;
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;
use tsugi::models::{ContentModel, RoleModel};
use tsugi::scan::ScanLine;
use tsugi::{Look, Tsugi};
use tsugi_main_content::{BlockRole, PageContext, RoleSet};
use tsugi_page::Page;

/// The text of one page by one program, measured.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MeasuredText {
    /// The place of its data set.
    #[serde(skip)]
    pub set: usize,
    #[serde(skip)]
    label: usize,
    #[serde(skip)]
    group: usize,
    url: String,
    /// The program, by its name in the report.
    by: String,
    /// What the gold holds, in the names of `--keep`.
    keep: &'static str,
    #[serde(rename = "f", serialize_with = "f_of", skip_serializing_if = "Option::is_none")]
    overlap: Option<Overlap>,
    /// Of the texts that must be there: how many are, and how many there are.
    #[serde(skip_serializing_if = "Option::is_none")]
    required: Option<(u64, u64)>,
}

#[expect(clippy::ref_option, reason = "serde asks so")]
fn f_of<S: Serializer>(overlap: &Option<Overlap>, serializer: S) -> Result<S::Ok, S::Error> {
    overlap.map(|overlap| rounded(overlap.f())).serialize(serializer)
}

/// What was found on pages that the models were not trained on.
#[derive(Debug, Default)]
pub struct ContentTrials {
    /// The programs beside the models.
    pub others: Vec<String>,
    /// Page by page.
    pub texts: Vec<MeasuredText>,
    /// By labelled and found role: the number of words.
    pub words: BTreeMap<(BlockRole, BlockRole), u64>,
    /// What pages say of themselves, where it is labelled.
    pub metadata: Vec<MetadataLine>,
    /// Number of folds.
    pub folds: usize,
    /// Whether some page has labelled roles, so that roles can be learned.
    pub knows_roles: bool,
}

/// The name of the models in reports.
const MODELS: &str = "tsugi";

impl ContentTrials {
    /// Trains on all folds but one, in turn, and measures on the pages of that one, for the data sets at the places `measured`.
    /// `others` are answers of programs, by name; `progress` is called after every fold and page.
    ///
    /// # Errors
    ///
    /// [`EvaluateError`] if data cannot be read, or the pages of a fold are not enough.
    pub fn run(
        (sets, measured): (&[DataSet], &[usize]),
        examples: &LabelledPages,
        (plan, folds): (&RolePlan, usize),
        others: &[(String, WrittenAnswers)],
        mut progress: impl FnMut(),
    ) -> Result<ContentTrials, EvaluateError> {
        let fold_of = examples.groups.folds(folds, plan.base.seed);
        let mut models = Vec::with_capacity(folds);
        for fold in 0..folds {
            let learned = examples.content.iter().filter(|page| fold_of[page.group] != fold);
            models.push(FoldModels::train(plan, &learned.collect::<Vec<_>>())?);
            progress();
        }
        let mut trials = ContentTrials {
            others: others.iter().map(|(name, _)| name.clone()).collect(),
            folds,
            knows_roles: models.iter().all(|models| models.knows_roles),
            ..ContentTrials::default()
        };
        for at in measured {
            sets[*at].visit(None, |label, page| {
                let group = examples.groups.group(*at, label);
                trials.add((*at, label, group), &sets[*at].labels()[label], &page, &models[fold_of[group]]);
                trials.add_others((*at, label, group), &sets[*at].labels()[label], others);
                progress();
            })?;
        }
        Ok(trials)
    }

    fn add(&mut self, place: (usize, usize, usize), label: &PageLabel, page: &Page, models: &FoldModels) {
        let look = models.tsugi.look(page);
        for gold in golds(label) {
            if let Some(text) = models.text(&look, gold.keep) {
                self.texts.push(gold.measure(place, label, MODELS, &text));
            }
        }
        if label.knows_metadata() {
            self.metadata.push(metadata_line(place.0, label, &look.metadata()));
        }
        // Pages without a text were read in part, and nobody knows what the rest of them is.
        if !models.knows_roles || label.text.is_none() {
            return;
        }
        let context = PageContext::new(page, None);
        let (Some(labelled), Some(roles)) = (roles_of(&context, label), look.roles()) else { return };
        let found = roles.blocks().map(|(role, ..)| role);
        for ((gold, found), block) in labelled.into_iter().zip(found).zip(&context.blocks().blocks) {
            if let Some(gold) = gold {
                *self.words.entry((gold, found)).or_default() += u64::from(block.counts.tokens);
            }
        }
    }

    fn add_others(
        &mut self,
        place: (usize, usize, usize),
        label: &PageLabel,
        others: &[(String, WrittenAnswers)],
    ) {
        for gold in golds(label) {
            for (name, answers) in others {
                // As where models are judged: no line is no text.
                let text = answers.text_of(&label.url).unwrap_or_default();
                self.texts.push(gold.measure(place, label, name, text));
            }
        }
    }
}

/// The models of a fold.
struct FoldModels {
    tsugi: Tsugi,
    knows_roles: bool,
}

impl FoldModels {
    fn train(plan: &RolePlan, pages: &[&ContentPage]) -> Result<FoldModels, EvaluateError> {
        let (content, roles) = train_content_and_roles(plan, pages)?;
        let tsugi = Tsugi::new()
            .with_judge(None)
            .with_content_model(ContentModel::new(content.clone()))
            .with_detector(ContentAlone(content));
        let knows_roles = roles.is_some();
        let tsugi = match roles {
            Some(roles) => tsugi.with_role_model(RoleModel::new(roles)),
            None => tsugi,
        };
        Ok(FoldModels { tsugi, knows_roles })
    }

    /// The text of what is kept of a page, as a scan writes it; `None` if no role was learned, and roles are asked for.
    fn text(&self, look: &Look<'_>, keep: &str) -> Option<String> {
        let roles = RoleSet::kept(keep).unwrap_or_default();
        if roles.is_some() && !self.knows_roles {
            return None;
        }
        Some(ScanLine::keeping(look, roles).content.map(|content| content.text).unwrap_or_default())
    }
}

/// What a page should hold.
struct GoldText<'a> {
    keep: &'static str,
    tokens: TokenRule,
    text: Option<String>,
    required: Vec<&'a str>,
}

/// What a label says that a page should hold. Pages that are labelled block by block say what a document holds, too.
fn golds(label: &PageLabel) -> Vec<GoldText<'_>> {
    let Convention { keep, tokens, .. } = *Convention::of(label);
    let required = label.others.get("with").and_then(|texts| texts.as_array());
    let required: Vec<&str> = required.into_iter().flatten().filter_map(|text| text.as_str()).collect();
    let text = label.text.clone();
    let document = text.as_ref().and_then(|_| document_of_blocks(label));
    let document =
        document.map(|text| GoldText { keep: "document", tokens, text: Some(text), required: Vec::new() });
    let own = (text.is_some() || !required.is_empty()).then_some(GoldText { keep, tokens, text, required });
    own.into_iter().chain(document).collect()
}

impl GoldText<'_> {
    fn measure(
        &self,
        (set, at, group): (usize, usize, usize),
        label: &PageLabel,
        by: &str,
        text: &str,
    ) -> MeasuredText {
        let required = (!self.required.is_empty()).then(|| {
            let all = words(text, self.tokens);
            let there = self.required.iter().filter(|one| all.contains(&words(one, self.tokens)));
            (there.count() as u64, self.required.len() as u64)
        });
        MeasuredText {
            set,
            label: at,
            group,
            url: label.url.clone(),
            by: by.to_owned(),
            keep: self.keep,
            overlap: self.text.as_ref().map(|gold| token_overlap(text, gold, self.tokens)),
            required,
        }
    }
}

/// The words of a text with a space around each, so that the words of one text are found in another whatever stands between them.
fn words(text: &str, rule: TokenRule) -> String {
    let mut words = " ".to_owned();
    for_each_token(text, rule, |token| {
        words.push_str(token);
        words.push(' ');
    });
    words
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn pages_are_measured_by_what_their_gold_holds() {
        let block = |role: &str, text: &str| json!({"at": "/html[1]", "role": role, "text": text});
        let blocks =
            [block("title", "The mill"), block("body", "It stands."), block("caption", "Its wheel.")];
        let of_roles = PageLabel {
            text: Some("It stands.".to_owned()),
            source: Some("set web".to_owned()),
            others: [("blocks".to_owned(), json!(blocks))].into(),
            ..PageLabel::default()
        };
        let kept: Vec<_> = golds(&of_roles).into_iter().map(|gold| (gold.keep, gold.text.unwrap())).collect();
        let expected = [("body", "It stands."), ("document", "It stands.\nIts wheel.")];
        assert_eq!(kept, expected.map(|(keep, text)| (keep, text.to_owned())));
        let recipe = PageLabel {
            source: Some("hhursev/recipe-scrapers x.test".to_owned()),
            others: [("with".to_owned(), json!(["Stir, then wait.", "Bake it"]))].into(),
            ..PageLabel::default()
        };
        let golds = golds(&recipe);
        let measured = golds[0].measure((0, 0, 0), &recipe, "x", "First:\nstir\nthen wait. Bake items.");
        assert_eq!((golds.len(), measured.required, measured.overlap), (1, Some((1, 2)), None));
        assert!(super::golds(&PageLabel::default()).is_empty());
    }
}
