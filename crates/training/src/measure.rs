//! Measures a page: next link right or wrong, content by characters and by tokens.

use tsugi_page::text::is_cjk;
use tsugi_page::{NodeId, Page};

/// Counts over pages, for the next link.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PageCounts {
    /// Number of pages whose predicted next page is a labelled one.
    pub right: u64,
    /// Number of pages with a prediction.
    pub predicted: u64,
    /// Number of pages that have a next page.
    pub gold: u64,
    /// Number of pages without a next page that got one.
    pub false_alarms: u64,
    /// Number of pages without a next page.
    pub none: u64,
}

impl PageCounts {
    /// Counts a page: whether it got a prediction, whether that is right, whether the page has a next page.
    pub fn add(&mut self, predicted: bool, right: bool, has_next: bool) {
        self.predicted += u64::from(predicted);
        self.right += u64::from(right);
        self.gold += u64::from(has_next);
        self.none += u64::from(!has_next);
        self.false_alarms += u64::from(predicted && !has_next);
    }

    /// Returns precision, right ÷ predicted; 0 without predictions.
    pub fn precision(&self) -> f64 {
        ratio(self.right, self.predicted)
    }

    /// Returns recall, right ÷ pages that have a next page; 0 without any.
    pub fn recall(&self) -> f64 {
        ratio(self.right, self.gold)
    }

    /// Returns the harmonic mean of precision and recall; 0 if nothing is right.
    pub fn f1(&self) -> f64 {
        ratio(2 * self.right, self.predicted + self.gold)
    }

    pub(crate) fn false_positive_rate(&self) -> f64 {
        ratio(self.false_alarms, self.none)
    }
}

impl std::ops::AddAssign for PageCounts {
    fn add_assign(&mut self, other: PageCounts) {
        self.right += other.right;
        self.predicted += other.predicted;
        self.gold += other.gold;
        self.false_alarms += other.false_alarms;
        self.none += other.none;
    }
}

fn ratio(part: u64, whole: u64) -> f64 {
    if whole == 0 { 0.0 } else { part as f64 / whole as f64 }
}

/// Returns F over characters of visible text: how much of the text of `found` and of `gold` is in both. Both hold
/// outermost nodes in document order.
///
/// It is 1 if neither holds text, and 0 if only one does or they share nothing.
pub fn character_f(page: &Page, found: &[NodeId], gold: &[NodeId]) -> f64 {
    let characters =
        |nodes: &[NodeId]| -> u64 { nodes.iter().map(|id| u64::from(page.totals(*id).characters)).sum() };
    let mut common = 0;
    for one in found {
        for other in gold {
            if page.contains(*other, *one) {
                common += u64::from(page.totals(*one).characters);
            } else if page.contains(*one, *other) {
                common += u64::from(page.totals(*other).characters);
            }
        }
    }
    let total = characters(found) + characters(gold);
    if total == 0 { 1.0 } else { ratio(2 * common, total) }
}

/// A rule that cuts texts into tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenRule {
    /// Words in lower case, CJK characters one by one.
    CjkByCharacter,
    /// Runs of word characters in lower case, whatever the script, as the WCXB benchmark counts them.
    Words,
}

pub(crate) fn token_f(found: &str, gold: &str, rule: TokenRule) -> f64 {
    token_overlap(found, gold, rule).f()
}

/// Compares the bags of tokens of two texts.
pub fn token_overlap(found: &str, gold: &str, rule: TokenRule) -> Overlap {
    let bag = |text| {
        let mut tokens = Vec::new();
        for_each_token(text, rule, |token| tokens.push(token.to_owned()));
        tokens.sort_unstable();
        tokens
    };
    Overlap::of(&bag(found), &bag(gold))
}

/// The sizes of two bags and of their common part.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Overlap {
    pub(crate) found: usize,
    pub(crate) gold: usize,
    pub(crate) common: usize,
}

impl Overlap {
    /// Compares two sorted bags.
    pub fn of<T: Ord>(found: &[T], gold: &[T]) -> Overlap {
        Overlap { found: found.len(), gold: gold.len(), common: common(found, gold) }
    }

    /// Returns precision: common ÷ found; 1 if nothing was found.
    pub fn precision(self) -> f64 {
        if self.found == 0 { 1.0 } else { self.common as f64 / self.found as f64 }
    }

    /// Returns recall: common ÷ labelled; 1 if nothing is labelled.
    pub fn recall(self) -> f64 {
        if self.gold == 0 { 1.0 } else { self.common as f64 / self.gold as f64 }
    }

    /// Returns F: twice the common part ÷ found and labelled; 1 if both bags are empty.
    pub fn f(self) -> f64 {
        let total = self.found + self.gold;
        if total == 0 { 1.0 } else { 2.0 * self.common as f64 / total as f64 }
    }
}

fn common<T: Ord>(one: &[T], other: &[T]) -> usize {
    let (mut a, mut b, mut common) = (0, 0, 0_usize);
    while a < one.len() && b < other.len() {
        match one[a].cmp(&other[b]) {
            std::cmp::Ordering::Less => a += 1,
            std::cmp::Ordering::Greater => b += 1,
            std::cmp::Ordering::Equal => {
                (a, b, common) = (a + 1, b + 1, common + 1);
            }
        }
    }
    common
}

pub(crate) fn for_each_token(text: &str, rule: TokenRule, mut each: impl FnMut(&str)) {
    let mut word = String::new();
    let mut flush = |word: &mut String| {
        if !word.is_empty() {
            each(word);
            word.clear();
        }
    };
    for c in text.chars().flat_map(char::to_lowercase) {
        if rule == TokenRule::CjkByCharacter && is_cjk(c) {
            flush(&mut word);
            word.push(c);
            flush(&mut word);
        } else if c.is_alphanumeric() || c == '_' {
            word.push(c);
        } else {
            flush(&mut word);
        }
    }
    flush(&mut word);
}

/// Rounds a figure to three decimals, as in files.
pub fn rounded(figure: f64) -> f64 {
    (figure * 1000.0).round() / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_counted_with_the_arithmetic_of_the_scorer() {
        let mut counts = PageCounts::default();
        counts.add(true, true, true);
        counts.add(true, false, true);
        counts.add(false, false, true);
        counts.add(true, false, false);
        counts.add(false, false, false);
        // 1 right of 3 predicted, of 3 gold; 1 of 2 pages without got one.
        assert!((counts.precision() - 1.0 / 3.0).abs() < 1e-12);
        assert!((counts.recall() - 1.0 / 3.0).abs() < 1e-12);
        assert!((counts.f1() - 1.0 / 3.0).abs() < 1e-12);
        assert!((counts.false_positive_rate() - 0.5).abs() < 1e-12);
        assert_eq!(PageCounts::default().f1(), 0.0);
    }

    #[test]
    fn characters_in_both_count() {
        let page =
            Page::from_text("<div><p>aaaa</p><p>bb</p></div><ul>cc", &"https://a.test/".parse().unwrap());
        let (div, ul) = (page.first("div").unwrap(), page.first("ul").unwrap());
        let p = page.first("p").unwrap();
        // Common 4; found 4, gold 6 + 2: 8 ÷ 12.
        assert!((character_f(&page, &[p], &[div, ul]) - 8.0 / 12.0).abs() < 1e-12);
        assert!((character_f(&page, &[div, ul], &[p]) - 8.0 / 12.0).abs() < 1e-12);
        assert_eq!(character_f(&page, &[], &[div]), 0.0);
        assert_eq!(character_f(&page, &[], &[]), 1.0);
    }

    #[test]
    fn tokens_are_words_and_cjk_characters() {
        // {the: 2, cat: 1} against {the: 1, cat: 1, sat: 1}: 2 in both; 2·2 ÷ (3 + 3).
        let f = |found, gold| token_f(found, gold, TokenRule::CjkByCharacter);
        assert!((f("The the-cat", "the cat sat") - 4.0 / 6.0).abs() < 1e-12);
        assert!((f("次のpage", "次 page") - 4.0 / 5.0).abs() < 1e-12);
        assert_eq!((f("", ""), f("x", "")), (1.0, 0.0));
        assert_eq!(token_f("次のpage", "次 page", TokenRule::Words), 0.0, "one word against two others");
    }

    #[test]
    fn bags_are_compared_with_their_counts() {
        // {1, 1, 2} against {1, 2, 3}: 2 in both; 2·2 ÷ (3 + 3).
        assert!((Overlap::of(&[1, 1, 2], &[1, 2, 3]).f() - 4.0 / 6.0).abs() < 1e-12);
        assert_eq!((Overlap::of::<u8>(&[], &[]).f(), Overlap::of(&[1], &[]).f()), (1.0, 0.0));
    }
}
