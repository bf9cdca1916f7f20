//! The vector that a block is compared by: the number of occurrences of each tag and text.

use std::cmp::Ordering;

/// Blocks are the same if their cosine exceeds 0.9: squared, in percent, so that integer comparisons are exact.
const COSINE_SQUARED_PERCENT: u128 = 81;

/// One dimension of a [`Vector`]. Tags come before texts, each in alphabetical order, as in the paper's table 1.
///
/// CHOICE: a `title` or `alt` value is a text like any other, so a picture's `alt` and an equal caption count as one
/// text twice. The paper lists them separately, but its table 1 has only two kinds of columns, and the authors'
/// program (`ExtractUniqueBlock` 0.01) counts them together.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum BlockFeature {
    Tag(Box<str>),
    /// A line of text, or of the value of a `title` or `alt`, in lower case.
    Text(Box<str>),
}

/// Counts of the features of a block, without zeros: Yoshida & Yamamoto (2009), section 3.5 and table 1.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Vector {
    counts: Vec<(BlockFeature, u32)>,
}

impl Vector {
    pub(crate) fn count(mut features: Vec<BlockFeature>) -> Vector {
        features.sort_unstable();
        let mut counts: Vec<(BlockFeature, u32)> = Vec::new();
        for feature in features {
            match counts.last_mut() {
                Some((last, count)) if *last == feature => *count += 1,
                _ => counts.push((feature, 1)),
            }
        }
        Vector { counts }
    }

    #[cfg(test)]
    pub(crate) fn counts(&self) -> &[(BlockFeature, u32)] {
        &self.counts
    }

    #[cfg(test)]
    pub(crate) fn tag(&self, name: &str) -> u32 {
        self.get(&BlockFeature::Tag(name.into()))
    }

    #[cfg(test)]
    pub(crate) fn text(&self, text: &str) -> u32 {
        self.get(&BlockFeature::Text(text.into()))
    }

    #[cfg(test)]
    fn get(&self, feature: &BlockFeature) -> u32 {
        self.counts.binary_search_by(|(held, _)| held.cmp(feature)).map_or(0, |at| self.counts[at].1)
    }

    /// The definition of Sim in section 3.6 of the paper.
    #[cfg(test)]
    pub(crate) fn cosine(&self, other: &Vector) -> f64 {
        let squares = length_squared(&self.counts) as f64 * length_squared(&other.counts) as f64;
        if squares == 0.0 { 0.0 } else { dot(&self.counts, &other.counts) as f64 / squares.sqrt() }
    }

    pub(crate) fn is_close_to(&self, other: &Vector) -> bool {
        is_close(
            dot(&self.counts, &other.counts),
            length_squared(&self.counts),
            length_squared(&other.counts),
        )
    }
}

/// Returns `true` if vectors with this product and these squared lengths are close: `dot / √(one · other) > 0.9`,
/// with both sides squared.
pub(crate) fn is_close(dot: u64, one: u64, other: u64) -> bool {
    100 * u128::from(dot).pow(2) > COSINE_SQUARED_PERCENT * u128::from(one) * u128::from(other)
}

/// Returns `true` if a part of a vector is too short to be all that it shares with a close one.
///
/// By Cauchy–Schwarz, the product with any `y` is at most `√part · |y|`; so if `part ≤ 0.81 · |x|²`, the cosine is at
/// most 0.9.
pub(crate) fn is_negligible(part: u64, whole: u64) -> bool {
    100 * u128::from(part) <= COSINE_SQUARED_PERCENT * u128::from(whole)
}

pub(crate) fn dot<T: Ord>(one: &[(T, u32)], other: &[(T, u32)]) -> u64 {
    let (mut left, mut right, mut sum) = (0, 0, 0);
    while let (Some((key, count)), Some((other_key, other_count))) = (one.get(left), other.get(right)) {
        match key.cmp(other_key) {
            Ordering::Less => left += 1,
            Ordering::Greater => right += 1,
            Ordering::Equal => {
                sum += u64::from(*count) * u64::from(*other_count);
                left += 1;
                right += 1;
            }
        }
    }
    sum
}

pub(crate) fn length_squared<T>(counts: &[(T, u32)]) -> u64 {
    counts.iter().map(|(_, count)| u64::from(*count).pow(2)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vector(texts: &str) -> Vector {
        Vector::count(texts.chars().map(|c| BlockFeature::Text(c.to_string().into())).collect())
    }

    #[test]
    fn equal_features_are_counted_once_each() {
        let vector = vector("baab b");
        assert_eq!((vector.text("a"), vector.text("b"), vector.text("c"), vector.tag("a")), (2, 3, 0, 0));
        assert_eq!(vector.counts().len(), 3);
        assert_eq!(vector.counts()[0].0, BlockFeature::Text(" ".into()), "sorted");
    }

    #[test]
    fn cosine_is_the_product_over_the_lengths() {
        // a²b · ab² : (2·1 + 1·2) / (√5 · √5) = 4/5.
        assert!((vector("aab").cosine(&vector("abb")) - 0.8).abs() < 1e-12);
        assert!((vector("ab").cosine(&vector("aabb")) - 1.0).abs() < 1e-12, "length does not matter");
        assert!(vector("a").cosine(&vector("b")).abs() < 1e-12);
        assert!(vector("").cosine(&vector("a")).abs() < 1e-12);
    }

    #[test]
    fn nine_tenths_is_not_close_and_more_is() {
        // a⁹ · (a⁹ and 19 others once): 81 / (9 · √(81 + 19)) = 0.9 exactly.
        let nines = "a".repeat(9);
        let others = "bcdefghijklmnopqrst";
        assert!(!vector(&nines).is_close_to(&vector(&(nines.clone() + others))));
        // With 18 others: 81 / (9 · √99) = 0.9045.
        assert!(vector(&nines).is_close_to(&vector(&(nines.clone() + &others[1..]))));
        assert!(!vector("").is_close_to(&vector("")));
    }
}
