//! Finds the pages on which a method is worst.

use super::split::DrawnPage;
use tsugi_training::dataset::DataSet;

/// Scores above this count as positive; a tie counts for neither class.
pub(crate) const CUT: f32 = 0.5;
const SHOWN: usize = 10;
const NAMED: usize = 3;

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct WorstPage {
    pub(crate) url: String,
    pub(crate) wrong: usize,
    /// The predictions, the most confident first.
    pub(crate) predicted: Vec<String>,
    pub(crate) labelled: Vec<String>,
}

/// Returns the pages with most wrong links; of equal ones, the page with the most confident mistake comes first.
pub(crate) fn worst_links(sets: &[DataSet], test: &[DrawnPage<'_>], scores: &[f32]) -> Vec<WorstPage> {
    let with_labels: Vec<_> = test.iter().map(|drawn| (*drawn, &drawn.links.is_next)).collect();
    rank(sets, &with_labels, scores, |drawn, at| drawn.links.urls[at].to_string())
}

pub(crate) fn worst_content(sets: &[DataSet], test: &[DrawnPage<'_>], scores: &[f32]) -> Vec<WorstPage> {
    let labels: Vec<Vec<bool>> = test
        .iter()
        .map(|drawn| {
            drawn.content.page.elements().map(|id| drawn.content.gold.binary_search(&id).is_ok()).collect()
        })
        .collect();
    let with_labels: Vec<(DrawnPage<'_>, &Vec<bool>)> = test.iter().copied().zip(&labels).collect();
    rank(sets, &with_labels, scores, |drawn, at| {
        let page = &drawn.content.page;
        page.elements().nth(at).map(|id| page.location_path(id)).unwrap_or_default()
    })
}

fn rank(
    sets: &[DataSet],
    pages: &[(DrawnPage<'_>, &Vec<bool>)],
    scores: &[f32],
    name: impl Fn(&DrawnPage<'_>, usize) -> String,
) -> Vec<WorstPage> {
    let mut ranked = Vec::new();
    let mut start = 0;
    for (drawn, labels) in pages {
        let own = &scores[start..start + labels.len()];
        start += labels.len();
        let is_wrong = |at: &usize| (own[*at] > CUT) != labels[*at];
        let wrong = (0..own.len()).filter(is_wrong).count();
        if wrong == 0 {
            continue;
        }
        let distance = |at: usize| (own[at] - f32::from(u8::from(labels[at]))).abs();
        let confidence = (0..own.len()).filter(is_wrong).map(distance).fold(0.0, f32::max);
        let mut predicted: Vec<usize> = (0..own.len()).filter(|at| own[*at] > CUT).collect();
        predicted.sort_by(|a, b| own[*b].total_cmp(&own[*a]));
        let labelled: Vec<usize> = (0..own.len()).filter(|at| labels[*at]).collect();
        let names = |places: &[usize]| shortened(places, |at| name(drawn, at));
        ranked.push((
            wrong,
            confidence,
            WorstPage {
                url: sets[drawn.page.set].labels()[drawn.page.label].url.clone(),
                wrong,
                predicted: names(&predicted),
                labelled: names(&labelled),
            },
        ));
    }
    ranked.sort_by(|a, b| b.0.cmp(&a.0).then(b.1.total_cmp(&a.1)));
    ranked.into_iter().take(SHOWN).map(|(_, _, page)| page).collect()
}

fn shortened(places: &[usize], name: impl Fn(usize) -> String) -> Vec<String> {
    let mut names: Vec<String> = places.iter().take(NAMED).map(|at| name(*at)).collect();
    if places.len() > NAMED {
        names.push(format!("… {} in all", places.len()));
    }
    names
}
