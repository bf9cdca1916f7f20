//! `LinkSimilarity`: the similarity of a link's address to those of its neighbours.
//!
//! The links of a pager are adjacent, and their addresses differ only in a number.

use super::candidate::Candidates;

const REACH: usize = 2; // Number of neighbours on either side in the A-tag list.

/// Returns the `LinkSimilarity` of every tag of a page, in the order of the A-tag list.
///
/// ```text
/// LinkSimilarity(i) = max over j ∈ {i−2, i−1, i+1, i+2} of J(UC_i, UC_j)
/// UC = the set of characters of the absolute address, J = Jaccard
/// ```
///
/// # Units
///
/// Ratio in [0, 1]; 0 for the only link of a page.
///
/// # Source
///
/// Hanamura (2020), 3.2.2, eqs. 3.3–3.5.
pub(super) fn link_similarities(candidates: &Candidates) -> Vec<f32> {
    let sets: Vec<u128> = candidates.urls.iter().map(|url| characters(url.as_str())).collect();
    let tags = &candidates.tags;
    let similarity = |at: usize| {
        let (from, to) = (at.saturating_sub(REACH), (at + REACH + 1).min(tags.len()));
        let own = sets[tags[at].candidate];
        let others = (from..to).filter(|other| *other != at).map(|other| sets[tags[other].candidate]);
        others.map(|other| jaccard(own, other)).fold(0.0, f32::max)
    };
    (0..tags.len()).map(similarity).collect()
}

/// Returns the set of characters of a text, one bit each; all non-ASCII characters share one bit.
fn characters(text: &str) -> u128 {
    text.bytes().fold(0, |set, byte| set | 1 << byte.min(127))
}

/// Returns |A ∩ B| ÷ |A ∪ B|; 0 for two empty sets.
fn jaccard(one: u128, other: u128) -> f32 {
    match (one | other).count_ones() {
        0 => 0.0,
        union => (one & other).count_ones() as f32 / union as f32,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tsugi_page::Page;

    #[test]
    fn the_worked_example_of_the_paper() {
        // https://nancoco.net/nyuuin_report2 has the 18 characters h t p s : / n a c o . e y u i _ r 2;
        // …report3 has the same with 3 for 2. Common: 17; together: 19.
        let two = characters("https://nancoco.net/nyuuin_report2");
        let three = characters("https://nancoco.net/nyuuin_report3");
        assert_eq!(two.count_ones(), 18);
        assert!((jaccard(two, three) - 17.0 / 19.0).abs() < f32::EPSILON);
    }

    #[test]
    fn two_neighbours_to_either_side_count() {
        let html =
            "<a href=/a></a><a href=/qq></a><a href=/xyz></a><a href=/b></a><a href=/a1></a><a href=/a></a>";
        let page = Page::from_text(html, &"http://h.test/".parse().unwrap());
        let candidates = Candidates::of(&page);
        let similarity = link_similarities(&candidates);
        // `http://h.test/` has h t p : / . e s: 8 characters. Tag 0 (+a: 9) against tag 1 (+q: 9): 8/10,
        // against tag 2 (+x y z: 11): 8/12.
        assert!((similarity[0] - 0.8).abs() < 1e-6);
        // Tag 5 (+a: 9) against tag 4 (+a 1: 10): 9/10.
        assert!((similarity[5] - 0.9).abs() < 1e-6);
    }

    #[test]
    fn a_lone_link_is_like_nothing() {
        let page = Page::from_text("<a href=x>", &"http://h.test/".parse().unwrap());
        assert_eq!(link_similarities(&Candidates::of(&page))[0], 0.0);
        assert_eq!(jaccard(0, 0), 0.0);
    }
}
