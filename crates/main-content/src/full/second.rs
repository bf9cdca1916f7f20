//! A second opinion on candidates: what of them other pages of the site have, too.

use super::decode::Taken;
use tsugi_page::{NodeId, Page};

/// How much better another candidate must be than the one that is chosen for the page alone.
///
/// CHOICE: with [`without_recurring`] measured on half of the page sets of three data sets, confirmed on the other half.
const MARGIN: f32 = 0.02;

/// How much less F than of the one that is chosen for the page alone may be expected of another candidate.
///
/// CHOICE: as for the margin; where models are sure, what recurs does not change their minds.
const REACH: f32 = 0.3;

/// The place of the candidate to choose, and the F to expect of it. `chosen` is the place of the one that is chosen for
/// the page alone, `expected` the F of each candidate for the page alone; `recurring` are leaves in document order.
pub(super) fn choose_on_site<'a>(
    page: &Page,
    candidates: impl Iterator<Item = &'a Taken>,
    (chosen, expected): (usize, &[f32]),
    recurring: &[NodeId],
) -> (usize, f32) {
    // Characters of recurring leaves before each node.
    let mut before = vec![0_u64; page.node_count() + 1];
    for leaf in recurring {
        before[leaf.index() + 1] = u64::from(page.totals(*leaf).characters);
    }
    for at in 1..before.len() {
        before[at] += before[at - 1];
    }
    let of_nodes = |nodes: &[NodeId]| {
        nodes.iter().fold((0, 0), |(all, recurring), id| {
            let inside = before[page.subtree_end(*id)] - before[id.index()];
            (all + u64::from(page.totals(*id).characters), recurring + inside)
        })
    };
    let weighed: Vec<f32> = candidates
        .zip(expected)
        .map(|(taken, expected)| {
            let (all, recurring) = of_nodes(&taken.nodes);
            let (out, out_recurring) = of_nodes(&taken.without);
            without_recurring(*expected, recurring.saturating_sub(out_recurring), all.saturating_sub(out))
        })
        .collect();
    let within = (0..weighed.len()).rev().filter(|at| expected[*at] > expected[chosen] - REACH);
    let best = within.max_by(|a, b| weighed[*a].total_cmp(&weighed[*b]));
    let best = best.filter(|best| weighed[*best] > weighed[chosen] + MARGIN).unwrap_or(chosen);
    (best, weighed[best])
}

/// The F to expect of an answer of so many characters, some of them recurring, which are no content.
///
/// Where precision and recall are both `F`, and a share `r` of what is taken is none after all, precision becomes
/// `F · (1 − r)`, recall stays, and their harmonic mean is `F · (1 − r) / (1 − r/2)`.
fn without_recurring(expected: f32, recurring: u64, all: u64) -> f32 {
    let share = if all == 0 { 0.0 } else { recurring.min(all) as f32 / all as f32 };
    expected * (1.0 - share) / (1.0 - share / 2.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recurring_characters_cost_precision() {
        assert_eq!(without_recurring(0.9, 0, 10), 0.9);
        // Half of what is taken: .8 · .5 ÷ .75.
        assert!((without_recurring(0.8, 5, 10) - 0.8 * 0.5 / 0.75).abs() < 1e-6);
        assert_eq!((without_recurring(0.8, 10, 10), without_recurring(0.8, 0, 0)), (0.0, 0.8));
    }

    #[test]
    fn another_candidate_is_chosen_where_much_recurs() {
        let html = "<div><p>menu menu menu</p><p>A short article.</p></div>";
        let page = Page::from_text(html, &"https://a.test/".parse().unwrap());
        let (div, menu) = (page.first("div").unwrap(), page.first("p").unwrap());
        let article = page.next_sibling(menu).unwrap();
        let leaf = page.children(menu).next().unwrap();
        let whole = Taken { nodes: vec![div], without: Vec::new() };
        let part = Taken { nodes: vec![article], without: Vec::new() };
        let cut = Taken { nodes: vec![div], without: vec![menu] };
        let choose = |expected: [f32; 3], recurring: &[NodeId]| {
            choose_on_site(&page, [&whole, &part, &cut].into_iter(), (0, &expected), recurring)
        };
        assert_eq!(choose([0.8, 0.75, 0.7], &[]), (0, 0.8));
        // 14 of 30 characters recur: .8 · .533 ÷ .767 = .557.
        assert_eq!(choose([0.8, 0.75, 0.7], &[leaf]), (1, 0.75));
        assert_eq!(choose([0.8, 0.6, 0.7], &[leaf]), (2, 0.7), "what is left out does not recur");
        let (place, score) = choose([0.8, 0.57, 0.51], &[leaf]);
        assert!(place == 0 && (score - 0.557).abs() < 0.001, "hardly better: {score}");
    }

    #[test]
    fn what_is_far_behind_is_not_chosen() {
        let html = format!("<div><p>{}</p><p>A short article.</p></div>", "menu ".repeat(12));
        let page = Page::from_text(&html, &"https://a.test/".parse().unwrap());
        let (div, menu) = (page.first("div").unwrap(), page.first("p").unwrap());
        let whole = Taken { nodes: vec![div], without: Vec::new() };
        let part = Taken { nodes: vec![page.next_sibling(menu).unwrap()], without: Vec::new() };
        let leaf = page.children(menu).next().unwrap();
        let choose =
            |part_f: f32| choose_on_site(&page, [&whole, &part].into_iter(), (0, &[0.9, part_f]), &[leaf]).0;
        // 59 of 75 characters recur: .9 · .213 ÷ .607 = .317.
        assert_eq!([choose(0.55), choose(0.65)], [0, 1]);
    }
}
