//! The thesis' experiment: one page a website, 8:2 by website, link by link and node by node.

use crate::examples::{ContentExample, Examples, LinkExample, PageExample};
use crate::recipe::{TrainError, fit_content, fit_links, median_distance};
use crate::sites::mix;
use tsugi_learning::{Algorithm, Confusion, Params, average_precision};
use tsugi_main_content::baseline::kato;
use tsugi_main_content::features;

/// The test side's share of the websites, as one part in so many.
const TEST_PART: usize = 5;

/// A row of a result table.
#[derive(Debug, Clone, PartialEq)]
pub struct PaperRow {
    /// What was tried.
    pub name: String,
    /// Over links or nodes of the test side.
    pub confusion: Confusion,
    /// Area under the precision–recall curve; `None` for rules.
    pub average_precision: Option<f64>,
    /// What the thesis reports: precision, recall, F.
    pub published: [f64; 3],
}

/// The results of one split.
#[derive(Debug, Clone, PartialEq)]
pub struct PaperResult {
    /// Websites on the training side.
    pub train_sites: usize,
    /// Websites on the test side.
    pub test_sites: usize,
    /// Links, next links, nodes, content nodes of the training side (tables 4.1 and 4.2).
    pub train_counts: [u64; 4],
    /// The same of the test side.
    pub test_counts: [u64; 4],
    /// Link by link (table 4.4).
    pub links: Vec<PaperRow>,
    /// Node by node, with the labelled link (table 4.6).
    pub content: Vec<PaperRow>,
}

const PUBLISHED_LINKS: [[f64; 3]; 4] =
    [[0.474, 0.844, 0.607], [0.679, 0.731, 0.704], [0.818, 0.692, 0.750], [0.720, 0.692, 0.706]];
const PUBLISHED_CONTENT: [[f64; 3]; 4] =
    [[0.032, 0.002, 0.003], [0.300, 0.954, 0.451], [0.578, 0.584, 0.581], [0.415, 0.711, 0.524]];

/// The pages that take part: both labels, one page a website (drawn with `seed`), each with whether it is on
/// the test side.
fn sides(examples: &Examples, seed: u64) -> Vec<(&PageExample, &LinkExample, &ContentExample, bool)> {
    let mut by_group: Vec<Vec<(&PageExample, &LinkExample, &ContentExample)>> =
        vec![Vec::new(); examples.groups.count()];
    for page in &examples.pages {
        if let (Some(links), Some(content)) = (&page.links, &page.content)
            && links.is_next.contains(&true)
        {
            by_group[page.group].push((page, links, content));
        }
    }
    let drawn: Vec<_> = by_group
        .iter()
        .enumerate()
        .filter(|(_, pages)| !pages.is_empty())
        .map(|(group, pages)| {
            let place = usize::try_from(mix(seed, group) % pages.len() as u64).unwrap_or(0);
            pages[place]
        })
        .collect();
    let mut order: Vec<(u64, usize)> = (0..drawn.len()).map(|at| (mix(seed ^ 0x5eed, at), at)).collect();
    order.sort_unstable();
    let mut is_test = vec![false; drawn.len()];
    for (_, at) in order.iter().take(drawn.len() / TEST_PART) {
        is_test[*at] = true;
    }
    let with_side = |(at, (page, links, content))| (page, links, content, is_test[at]);
    drawn.into_iter().enumerate().map(with_side).collect()
}

/// Runs the experiment on one split.
///
/// # Errors
///
/// [`TrainError`] where too few pages have both labels.
pub fn run_paper(examples: &Examples, seed: u64) -> Result<PaperResult, TrainError> {
    let sides = sides(examples, seed);
    let train: Vec<_> = sides.iter().filter(|side| !side.3).collect();
    let test: Vec<_> = sides.iter().filter(|side| side.3).collect();
    let counts = |side: &[&(&PageExample, &LinkExample, &ContentExample, bool)]| {
        side.iter().fold([0; 4], |mut sum, (_, links, content, _)| {
            sum[0] += links.is_next.len() as u64;
            sum[1] += links.is_next.iter().filter(|next| **next).count() as u64;
            sum[2] += u64::from(content.page.totals(tsugi_page::NodeId::DOCUMENT).elements);
            sum[3] += content.gold.len() as u64;
            sum
        })
    };
    let mut links = vec![PaperRow {
        name: "baseline".to_owned(),
        confusion: test.iter().fold(Confusion::default(), |mut sum, (_, links, ..)| {
            for (found, label) in links.by_text.iter().zip(&links.is_next) {
                sum.add(*found, *label);
            }
            sum
        }),
        average_precision: None,
        published: PUBLISHED_LINKS[0],
    }];
    let mut content = vec![PaperRow {
        name: "baseline".to_owned(),
        confusion: test.iter().fold(Confusion::default(), |mut sum, (_, _, content, _)| {
            let kato = kato(&content.page);
            for id in content.page.elements() {
                // Every node below the one that the rule takes counts as content (METHODS, section 3).
                let found = kato.is_some_and(|kato| kato != id && content.page.contains(kato, id));
                sum.add(found, content.gold.binary_search(&id).is_ok());
            }
            sum
        }),
        average_precision: None,
        published: PUBLISHED_CONTENT[0],
    }];
    let distance = median_distance(train.iter().map(|side| side.2));
    for (place, algorithm) in Algorithm::ALL.into_iter().enumerate() {
        let params = Params::of(algorithm);
        let (model, _) = fit_links(train.iter().map(|side| side.1), &params, seed)?;
        let (mut scores, mut labels) = (Vec::new(), Vec::new());
        for (_, page, ..) in &test {
            scores.extend(model.score(&page.rows));
            labels.extend_from_slice(&page.is_next);
        }
        links.push(row(algorithm, &scores, &labels, PUBLISHED_LINKS[place + 1]));

        let (model, _) = fit_content(train.iter().map(|side| side.2), distance, &params, seed)?;
        let (mut scores, mut labels) = (Vec::new(), Vec::new());
        for (_, _, page, _) in &test {
            let (ids, rows) = features(&page.page, page.next, distance)?;
            scores.extend(model.score(&rows));
            labels.extend(ids.iter().map(|id| page.gold.binary_search(id).is_ok()));
        }
        content.push(row(algorithm, &scores, &labels, PUBLISHED_CONTENT[place + 1]));
    }
    Ok(PaperResult {
        train_sites: train.len(),
        test_sites: test.len(),
        train_counts: counts(&train),
        test_counts: counts(&test),
        links,
        content,
    })
}

fn row(algorithm: Algorithm, scores: &[f32], labels: &[bool], published: [f64; 3]) -> PaperRow {
    PaperRow {
        name: algorithm.to_string(),
        confusion: Confusion::at(scores, labels, 0.5).unwrap_or_default(),
        average_precision: average_precision(scores, labels).ok(),
        published,
    }
}
