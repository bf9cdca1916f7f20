use std::collections::BTreeMap;

use proptest::prelude::*;

use super::*;

fn overlap(candidate: &str, reference: &str) -> NGramOverlap {
    ReferenceText::new(reference).overlap(candidate)
}

fn measures(candidate: &str, reference: &str) -> (f64, f64) {
    let found = overlap(candidate, reference);
    (found.bleu_4(), found.rouge_2())
}

fn slow_measures(candidate: &str, reference: &str) -> (f64, f64) {
    let [candidate, reference] = [candidate, reference].map(|text| text_tokens(text).collect::<Vec<_>>());
    let matched = |order: usize| {
        let [s, r] = [&candidate, &reference].map(|tokens| {
            let mut counts = BTreeMap::new();
            tokens.windows(order).for_each(|gram| *counts.entry(gram).or_insert(0_u32) += 1);
            counts
        });
        s.iter().map(|(gram, count)| f64::from(*count.min(r.get(gram).unwrap_or(&0)))).sum::<f64>()
    };
    if candidate.is_empty() || reference.is_empty() {
        let both = f64::from(candidate.is_empty() && reference.is_empty());
        return (both, both);
    }
    let orders = candidate.len().min(4);
    let product: f64 =
        (1..=orders).map(|order| matched(order) / candidate.windows(order).count() as f64).product();
    let order = reference.len().min(2);
    (product.powf(1.0 / orders as f64), matched(order) / reference.windows(order).count() as f64)
}

fn is_close(a: (f64, f64), b: (f64, f64)) -> bool {
    (a.0 - b.0).abs() < 1e-12 && (a.1 - b.1).abs() < 1e-12
}

#[test]
fn english_by_hand() {
    // Candidate: 7 tokens with the full stop, reference: 7. Right: 6 of 7 · the cat, on the, the mat, mat . of 6 ·
    // on the mat, the mat . of 5 · on the mat . of 4.
    let found = overlap("The cat lay on the mat.", "The cat sat on the mat.");
    assert_eq!(found, NGramOverlap { matched: [6, 4, 2, 1], candidate: 7, reference: 7 });
    let expected = (6.0 / 7.0 * 4.0 / 6.0 * 2.0 / 5.0 * 1.0 / 4.0_f64).powf(0.25);
    assert!(is_close((found.bleu_4(), found.rouge_2()), (expected, 4.0 / 6.0)));
}

#[test]
fn japanese_by_hand() {
    // 月 が 昇 る 。 against 月 が 沈 む 。: 月, が, 。 of 5 · 月が of 4 · nothing of 3.
    let found = overlap("月が昇る。", "月が沈む。");
    assert_eq!(found, NGramOverlap { matched: [3, 1, 0, 0], candidate: 5, reference: 5 });
    assert_eq!((found.bleu_4(), found.rouge_2()), (0.0, 1.0 / 4.0));
    // 次のページへ within 次のページへ進む: all 6 tokens are right, 5 of 7 pairs are there.
    assert_eq!(measures("次のページへ", "次のページへ進む"), (1.0, 5.0 / 7.0));
}

#[test]
fn repeats_count_as_often_as_the_reference_has_them() {
    // Papineni's example: the word occurs twice in the reference, seven times in the candidate.
    let found = overlap("the the the the the the the", "the cat is on the mat");
    assert_eq!(found, NGramOverlap { matched: [2, 0, 0, 0], candidate: 7, reference: 6 });
    // a b a b a: the pair a b twice, b a twice; the reference has a b once, b a once.
    let found = overlap("a b a b a", "a b a");
    assert_eq!(found, NGramOverlap { matched: [3, 2, 1, 0], candidate: 5, reference: 3 });
    assert_eq!(found.rouge_2(), 1.0);
}

#[test]
fn short_texts_have_the_orders_that_they_have() {
    assert_eq!(measures("page two", "page two"), (1.0, 1.0));
    // 2 of 2 · 0 of 1.
    assert_eq!(measures("two page", "page two"), (0.0, 0.0));
    // 1 of 3 · 0 of 2 · 0 of 1; the reference's only token is there.
    assert_eq!(measures("page two now", "page"), (0.0, 1.0));
    assert_eq!(measures("page", "page two now"), (1.0, 0.0));
    assert_eq!(measures("x", "page"), (0.0, 0.0));
}

#[test]
fn empty_texts() {
    assert_eq!(measures("", " \n"), (1.0, 1.0));
    assert_eq!(measures("", "a b"), (0.0, 0.0));
    assert_eq!(measures("a b", ""), (0.0, 0.0));
}

#[test]
fn tokens_are_words_characters_and_signs() {
    let tokens = |text| text_tokens(text).collect::<Vec<_>>();
    assert_eq!(tokens(" Größe 3.14\u{3000}ＡＢ "), ["Größe", "3", ".", "14", "ＡＢ"]);
    assert_eq!(tokens("It's page 2,"), ["It", "'", "s", "page", "2", ","]);
    assert_eq!(tokens("人々ｶﾅA1한글"), ["人", "々", "ｶ", "ﾅ", "A1", "한", "글"]);
    assert_eq!(tokens("𠮷x「_」"), ["𠮷", "x", "「", "_", "」"]);
    assert_eq!(tokens("\u{a0}\n\t"), [""; 0]);
}

#[test]
fn case_and_punctuation_count() {
    assert_eq!(overlap("The End", "the end").matched[0], 0);
    assert_eq!(overlap("the end!", "the end").matched[0], 2);
}

proptest! {
    #[test]
    fn measures_are_those_of_the_definitions(candidate in "[ab 月]{0,24}", reference in "[ab 月]{0,24}") {
        let (fast, slow) = (measures(&candidate, &reference), slow_measures(&candidate, &reference));
        prop_assert!(is_close(fast, slow), "{fast:?} against {slow:?}");
    }

    #[test]
    fn any_texts_have_measures_in_range(candidate in ".{0,60}", reference in ".{0,60}") {
        let (bleu, rouge) = measures(&candidate, &reference);
        prop_assert!((0.0..=1.0).contains(&bleu) && (0.0..=1.0).contains(&rouge));
        prop_assert_eq!(measures(&candidate, &candidate), (1.0, 1.0));
    }

    #[test]
    fn a_part_is_right_and_a_whole_is_complete(before in "[ab月 ]{0,12}", part in "[ab月 ]{1,12}a", behind in "[ab月 ]{0,12}") {
        let whole = format!("{before}\n{part}\n{behind}");
        prop_assert_eq!(overlap(&part, &whole).bleu_4(), 1.0);
        prop_assert_eq!(overlap(&whole, &part).rouge_2(), 1.0);
    }
}
