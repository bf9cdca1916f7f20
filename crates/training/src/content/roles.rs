//! Trains and measures the models of roles.
//!
//! The labels name the role of every block that a reader read; blocks that were not read are the site's. Text of the article is
//! the roles `lead` and `body` (the convention of article benchmarks).

use super::pages::{ContentPage, spans_of};
use super::train::{
    LinearModels, TrainPlan, blocks_out_of_fold, fit_blocks, linear_out_of_fold, model_file, rows_with,
    trained_on, weights_of,
};
use crate::dataset::{Complaint, DataDigest, DataSet, DataSetError};
use crate::label::PageLabel;
use crate::measure::Overlap;
use crate::random::mix;
use crate::sites::SiteGroups;
use crate::train_error::TrainError;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use tsugi_learning::boost;
use tsugi_main_content::{
    BlockRole, BlocksAround, PageContext, RoleColumns, RoleDetector, RoleSet, scored_roles,
};
use tsugi_page::{Content, NodeId, Page};
use tsugi_scoring::{BoostedParams, Bundle, Matrix};

/// A page whose blocks have labelled roles.
#[derive(Debug)]
struct RolePage {
    /// Its targets are the roles of [`RoleSet::BODY`].
    page: ContentPage,
    roles: Vec<BlockRole>,
}

/// Pages with labelled roles, and pages of other sets to measure on.
#[derive(Debug)]
pub struct RoleData {
    pages: Vec<RolePage>,
    others: Vec<ContentPage>,
    /// The names of the sets that pages are counted by.
    names: Vec<String>,
    digest: String,
    /// Problems with pages and labels that are not used.
    pub complaints: Vec<Complaint>,
}

/// How the models of roles are trained.
#[derive(Debug, Clone)]
pub struct RolePlan {
    /// The linear models, the model of text, and all else.
    pub base: TrainPlan,
    /// The models of single roles.
    pub roles: BoostedParams,
}

impl Default for RolePlan {
    fn default() -> Self {
        let roles = BoostedParams {
            trees: 80,
            leaves: 15,
            learning_rate: 0.1,
            min_leaf_rows: 20,
            l2: 5.0,
            columns_per_tree: 0.5,
            rows_per_tree: 0.7,
        };
        RolePlan { base: TrainPlan::default(), roles }
    }
}

/// The blocks of a label: where, which role, with which text.
fn labelled_blocks(label: &PageLabel) -> Option<Vec<(&str, BlockRole, &str)>> {
    let blocks = label.others.get("blocks")?.as_array()?;
    blocks
        .iter()
        .map(|block| {
            let role = block.get("role")?.as_str()?.parse().ok()?;
            Some((block.get("at")?.as_str()?, role, block.get("text")?.as_str()?))
        })
        .collect()
}

/// Finds the element of a path like `/html[1]/body[1]/p[2]`.
fn element_at(page: &Page, path: &str) -> Option<NodeId> {
    path.split('/').filter(|step| !step.is_empty()).try_fold(NodeId::DOCUMENT, |at, step| {
        let (name, place) = step.strip_suffix(']')?.split_once('[')?;
        let place: usize = place.parse().ok()?;
        page.child_elements(at).filter(|child| page.tag(*child) == name).nth(place.checked_sub(1)?)
    })
}

/// Returns the letters and digits of a text.
fn bare(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).collect()
}

/// Returns the role of each text block. Of several blocks of one element, the texts tell which is which.
fn roles_of(page: &Page, label: &PageLabel) -> Option<Vec<BlockRole>> {
    let mut of_element: BTreeMap<NodeId, Vec<(BlockRole, &str)>> = BTreeMap::new();
    for (path, role, text) in labelled_blocks(label)? {
        if let Some(element) = element_at(page, path) {
            of_element.entry(element).or_default().push((role, text));
        }
    }
    let context = PageContext::new(page, None);
    let blocks = context.blocks();
    let mut counts: BTreeMap<NodeId, usize> = BTreeMap::new();
    for block in &blocks.blocks {
        *counts.entry(block.owner).or_default() += 1;
    }
    let mut places: BTreeMap<NodeId, usize> = BTreeMap::new();
    let role = |block: &tsugi_main_content::TextBlock| {
        let place = places.entry(block.owner).or_default();
        let at = std::mem::replace(place, *place + 1);
        let labelled = of_element.get(&block.owner)?;
        if labelled.len() == counts[&block.owner] {
            return Some(labelled[at].0);
        }
        let text: String = blocks.texts[block.texts.clone()].iter().map(|id| bare(page.data(*id))).collect();
        let start: String = text.chars().take(40).collect();
        labelled.iter().find(|(_, labelled)| bare(labelled).contains(&start)).map(|(role, _)| *role)
    };
    Some(blocks.blocks.iter().map(role).map(|role| role.unwrap_or(BlockRole::Site)).collect())
}

impl RoleData {
    /// Reads data sets. Pages of sets with labelled roles are read from the archives that their labels name (`archive`), beside
    /// the set; pages of other sets are only measured. `step` is called after every page.
    ///
    /// # Errors
    ///
    /// [`DataSetError`] if an archive cannot be opened.
    pub fn read(sets: &[DataSet], mut step: impl FnMut()) -> Result<RoleData, DataSetError> {
        let parts: Vec<DataSet> = sets.iter().flat_map(by_archive).collect();
        let groups = SiteGroups::of(&parts);
        let mut digest = DataDigest::default();
        let mut data = RoleData {
            pages: Vec::new(),
            others: Vec::new(),
            names: parts.iter().map(|part| part.name.clone()).collect(),
            digest: String::new(),
            complaints: Vec::new(),
        };
        for (set, part) in parts.iter().enumerate() {
            let mut problems = Vec::new();
            part.visit(Some(&mut digest), |at, page| {
                step();
                let label = &part.labels()[at];
                let roles = roles_of(&page, label);
                match ContentPage::of(page, label, (set, groups.group(set, at))) {
                    Ok(Some(page)) => data.add(page, roles),
                    // Only a part of the page was read.
                    Ok(None) => {}
                    Err(what) => problems.push(part.complaint(at, what)),
                }
            })?;
            data.complaints.extend(problems);
        }
        data.digest = digest.finish();
        Ok(data)
    }

    fn add(&mut self, mut page: ContentPage, roles: Option<Vec<BlockRole>>) {
        let Some(roles) = roles else { return self.others.push(page) };
        page.targets = roles.iter().map(|role| f32::from(u8::from(RoleSet::BODY.contains(*role)))).collect();
        self.pages.push(RolePage { page, roles });
    }

    /// Trains on the pages of the groups for which `takes` returns `true`.
    ///
    /// # Errors
    ///
    /// [`TrainError`] if those pages are not enough.
    pub fn train(&self, plan: &RolePlan, takes: &dyn Fn(usize) -> bool) -> Result<RoleDetector, TrainError> {
        let taken: Vec<&RolePage> = self.pages.iter().filter(|page| takes(page.page.group)).collect();
        let pages: Vec<&ContentPage> = taken.iter().map(|page| &page.page).collect();
        if !pages.iter().any(|page| page.targets.iter().any(|target| *target > 0.5)) {
            return Err(TrainError::NoExamples("roles"));
        }
        let base = &plan.base;
        let linear = linear_out_of_fold(base, &pages)?;
        let body = blocks_out_of_fold(base, &pages, &linear)?;
        let with_linear: Vec<_> = pages.iter().copied().zip(linear.iter().map(Vec::as_slice)).collect();
        let count = pages.iter().map(|page| page.tokens.len()).sum();
        let (mut x, mut weights): (Matrix<RoleColumns>, Vec<f32>) =
            (Matrix::with_capacity(count), Vec::new());
        for ((page, linear), body) in with_linear.iter().zip(&body) {
            x.append(
                &BlocksAround::new(linear, body, &page.tokens).rows(&rows_with(base, page, linear)?, 0)?,
            );
            weights.extend(weights_of(base, page));
        }
        let mut roles = Vec::new();
        let trained_on = trained_on(&pages);
        for role in scored_roles() {
            let is_one = |other: &BlockRole| f32::from(u8::from(*other == role));
            let targets: Vec<f32> = taken.iter().flat_map(|page| page.roles.iter().map(is_one)).collect();
            let model = boost(&plan.roles, &x, &targets, Some(&weights), mix(base.seed, role as usize))?;
            roles.push(model_file(&plan.roles, base.seed, trained_on, model));
        }
        let model = fit_blocks(base, &with_linear, 1)?;
        let LinearModels { words, markup } = LinearModels::fit(base, &pages)?;
        Ok(RoleDetector {
            words,
            markup,
            body: model_file(&base.blocks, base.seed, trained_on, model),
            roles,
        })
    }

    /// Returns the models as a bundle.
    ///
    /// # Errors
    ///
    /// [`TrainError`] if the pages are not enough.
    pub fn bundle(&self, plan: &RolePlan) -> Result<Bundle, TrainError> {
        let models = self.train(plan, &|_| true)?;
        let mut bundle = models.to_bundle()?;
        bundle.about.seed = plan.base.seed;
        bundle.about.trained_on = models.body.header.trained_on;
        bundle.about.data_digest.clone_from(&self.digest);
        Ok(bundle)
    }

    /// Trains on all folds but one, in turn, and measures on the pages of that one.
    ///
    /// # Errors
    ///
    /// [`TrainError`] if the pages of a fold are not enough.
    pub fn cross_validate(&self, plan: &RolePlan, folds: u64) -> Result<RoleTrials, TrainError> {
        let fold_of = |group: usize| mix(plan.base.seed ^ 0xf01d, group) % folds;
        let mut trials = RoleTrials::default();
        for fold in 0..folds {
            let models = self.train(plan, &|group| fold_of(group) != fold)?;
            let detector = RoleDetector::from_bundle(&models.to_bundle()?)?;
            for RolePage { page, roles } in self.pages.iter().filter(|page| fold_of(page.page.group) == fold)
            {
                trials.add(&self.names[page.set], page, Some(roles), &detector);
            }
            for page in self.others.iter().filter(|page| fold_of(page.group) == fold) {
                trials.add(&self.names[page.set], page, None, &detector);
            }
        }
        Ok(trials)
    }
}

/// Splits a set by the archives that hold its pages.
fn by_archive(set: &DataSet) -> Vec<DataSet> {
    let archive =
        |label: &PageLabel| label.others.get("archive").and_then(|name| name.as_str()).map(str::to_owned);
    let archives: BTreeSet<Option<String>> = set.labels().iter().map(archive).collect();
    let own = set.pages_path();
    let folder = own.parent().unwrap_or(Path::new(""));
    let part = |name: Option<String>| {
        let labels: Vec<PageLabel> =
            set.labels().iter().filter(|label| archive(label) == name).cloned().collect();
        match name {
            Some(name) => DataSet::of(name.clone(), &folder.with_file_name(name), labels),
            None => DataSet::of(set.name.clone(), folder, labels),
        }
    };
    archives.into_iter().map(part).collect()
}

/// What was found on pages that the models were not trained on.
#[derive(Debug, Default)]
pub struct RoleTrials {
    /// By set and kind or source of a page: how the text of the article agrees with the label's.
    pub texts: BTreeMap<(String, String), Vec<Overlap>>,
    /// By labelled and found role: the number of words.
    pub words: BTreeMap<(BlockRole, BlockRole), u64>,
}

impl RoleTrials {
    fn add(
        &mut self,
        set: &str,
        page: &ContentPage,
        roles: Option<&Vec<BlockRole>>,
        detector: &RoleDetector,
    ) {
        let found = detector.roles(&page.page, page.next);
        let kind = page.source.clone().unwrap_or_else(|| page.kind.clone().unwrap_or_default());
        let Content { nodes, without, .. } = found.content(RoleSet::BODY);
        let overlap = page.overlap(&spans_of(&PageContext::new(&page.page, page.next), &nodes, &without));
        self.texts.entry((set.to_owned(), kind)).or_default().push(overlap);
        for ((role, _, _), (gold, tokens)) in
            found.blocks().zip(roles.into_iter().flatten().zip(&page.tokens))
        {
            *self.words.entry((*gold, role)).or_default() += u64::from(*tokens);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const HTML: &str = "<nav>Home</nav><main><h1>The mill</h1><p>It stands by the river.</p><div>One<br><br>Two</div></main>";

    fn label() -> PageLabel {
        let block = |at: &str, role: &str, text: &str| json!({"at": at, "role": role, "text": text});
        let blocks = json!([
            block("/html[1]/body[1]/main[1]/h1[1]", "title", "The mill"),
            block("/html[1]/body[1]/main[1]/p[1]", "body", "It stands by the river."),
            block("/html[1]/body[1]/main[1]/div[1]", "tags", "One"),
            block("/html[1]/body[1]/main[1]/div[1]", "share", "Two"),
            block("/html[1]/body[1]/main[1]/div[7]", "body", "not there"),
        ]);
        PageLabel { others: [("blocks".to_owned(), blocks)].into(), ..PageLabel::default() }
    }

    #[test]
    fn blocks_have_the_roles_of_their_elements() {
        let page = Page::from_text(HTML, &"https://a.test/".parse().unwrap());
        let roles = roles_of(&page, &label()).unwrap();
        let names: Vec<&str> = roles.into_iter().map(BlockRole::as_str).collect();
        assert_eq!(names, ["site", "title", "body", "tags", "share"]);
        assert_eq!(roles_of(&page, &PageLabel::default()), None);
        for path in ["/html[1]/body[1]/p[0]", "/html", "/html[1]/x[1]", "/html[a]"] {
            assert_eq!(element_at(&page, path), None, "{path}");
        }
    }

    #[test]
    fn a_set_is_read_by_the_archives_of_its_labels() {
        let labels = ["one", "two", "one"].map(|name| PageLabel {
            url: format!("https://{name}.test/"),
            others: [("archive".to_owned(), name.into())].into(),
            ..PageLabel::default()
        });
        let set = DataSet::of("roles".to_owned(), Path::new("data/roles"), labels.to_vec());
        let parts: Vec<_> =
            by_archive(&set).iter().map(|part| (part.pages_path(), part.labels().len())).collect();
        assert_eq!(parts, [("data/one/pages.warc.gz".into(), 2), ("data/two/pages.warc.gz".into(), 1)]);
    }
}
