use super::*;
use crate::chain::samples::ChainPlane;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

/// Runs of positive rows, which have a greater x more often than not; y is noise.
fn sequences(count: usize, seed: u64) -> Vec<(Matrix<ChainPlane>, Vec<bool>)> {
    let mut generator = ChaCha8Rng::seed_from_u64(seed);
    (0..count)
        .map(|_| {
            let mut label = false;
            let mut labels = Vec::new();
            let rows = (0..generator.random_range(1..30)).map(|_| {
                label ^= generator.random_bool(0.05);
                labels.push(label);
                let right = generator.random_bool(0.7);
                [f32::from(u8::from(label == right)), f32::from(generator.random_range(0..4_u8))]
            });
            (Matrix::from_rows(rows.collect::<Vec<_>>()).unwrap(), labels)
        })
        .collect()
}

fn labelled(sequences: &[(Matrix<ChainPlane>, Vec<bool>)]) -> Vec<LabelledSequence<'_, ChainPlane>> {
    sequences.iter().map(|(rows, labels)| LabelledSequence { rows, labels }).collect()
}

fn right(crf: &Crf<ChainPlane>, sequences: &[(Matrix<ChainPlane>, Vec<bool>)]) -> f64 {
    let (mut right, mut all) = (0, 0);
    for (rows, labels) in sequences {
        right += crf.judge(rows).iter().zip(labels).filter(|(found, label)| found == label).count();
        all += labels.len();
    }
    f64::from(u32::try_from(right).unwrap()) / all as f64
}

#[test]
fn the_slope_is_that_of_the_likelihood() {
    let sequences = sequences(20, 5);
    let rows = sequences.iter().map(|(rows, _)| rows);
    let coding = Coding::of(&rows, 4);
    let coded: Vec<Labelled<'_>> =
        sequences.iter().map(|(rows, labels)| Labelled { coded: Coded::of(&coding, rows), labels }).collect();
    let objective = Objective { sequences: &coded, attributes: coding.attributes(), width: 3, l2: 0.3 };
    let mut generator = ChaCha8Rng::seed_from_u64(2);
    let mut weights: Vec<f64> = (0..objective.weights()).map(|_| generator.random_range(-1.0..1.0)).collect();
    let mut slope = vec![0.0; weights.len()];
    objective.evaluate(&weights, &mut slope);
    let mut other = slope.clone();
    for at in 0..weights.len() {
        let step = 1e-5;
        let weight = weights[at];
        weights[at] = weight + step;
        let above = objective.evaluate(&weights, &mut other);
        weights[at] = weight - step;
        let below = objective.evaluate(&weights, &mut other);
        weights[at] = weight;
        let expected = (above - below) / (2.0 * step);
        assert!(
            (expected - slope[at]).abs() < 1e-5 * (1.0 + expected.abs()),
            "{at}: {expected} {}",
            slope[at]
        );
    }
}

#[test]
fn runs_are_learned() {
    let (training, held_out) = (sequences(400, 1), sequences(200, 2));
    let (crf, fit) = Crf::fit(&labelled(&training), &CrfParams::default()).unwrap();
    let by_row_alone = held_out.iter().flat_map(|(rows, labels)| rows.iter().zip(labels));
    let (count, alone) = by_row_alone.fold((0, 0), |(count, right), (row, label)| {
        (count + 1, right + u32::from((row[0] > 0.5) == *label))
    });
    let (alone, of_chain) = (f64::from(alone) / f64::from(count), right(&crf, &held_out));
    assert!((0.65..0.75).contains(&alone) && of_chain > alone + 0.1, "{alone} {of_chain}");
    assert!(fit.settled && fit.iterations > 3 && fit.loss > 0.0, "{fit:?}");
    assert_eq!((crf.attributes(), crf.weights()), (1 + 1 + 3, 5 * 5));
    // The first attribute is that of all rows, the second an x of 1; the middle of five weights is that of the own row.
    assert!(crf.weights[5 + 2] > 0.3, "{}", crf.weights[5 + 2]);
}

#[test]
fn a_window_tells_left_from_right() {
    // A row is positive if the one before it has x = 1; x is drawn anew for each row.
    let mut generator = ChaCha8Rng::seed_from_u64(9);
    let mut draw = |_| {
        let x: Vec<bool> = (0..20).map(|_| generator.random_bool(0.5)).collect();
        let rows = x.iter().map(|x| [f32::from(u8::from(*x)), 0.0]).collect::<Vec<_>>();
        let labels = (0..20).map(|at: usize| at > 0 && x[at - 1]).collect();
        (Matrix::from_rows(rows).unwrap(), labels)
    };
    let (training, held_out): (Vec<_>, Vec<_>) =
        ((0..100).map(&mut draw).collect(), (0..50).map(&mut draw).collect());
    let fit = |reach| Crf::fit(&labelled(&training), &CrfParams { reach, ..CrfParams::default() }).unwrap().0;
    assert_eq!(right(&fit(1), &held_out), 1.0);
    assert!(right(&fit(0), &held_out) < 0.65);
}

#[test]
fn threads_change_nothing() {
    // 300 sequences are shared by two threads; those of each part alone are not.
    let training = sequences(300, 3);
    let coding = Coding::of(&training.iter().map(|(rows, _)| rows), 4);
    let coded: Vec<Labelled<'_>> =
        training.iter().map(|(rows, labels)| Labelled { coded: Coded::of(&coding, rows), labels }).collect();
    let evaluate = |sequences: &[Labelled<'_>]| {
        let objective = Objective { sequences, attributes: coding.attributes(), width: 3, l2: 0.0 };
        let weights: Vec<f64> = (0..objective.weights()).map(|at| at as f64 / 10.0 - 1.0).collect();
        let mut slope = vec![0.0; weights.len()];
        (objective.evaluate(&weights, &mut slope), slope)
    };
    let (loss, slope) = evaluate(&coded);
    let mut sum = (0.0, vec![0.0; slope.len()]);
    for part in coded.chunks(64) {
        let (loss, slope) = evaluate(part);
        sum.0 += loss;
        sum.1.iter_mut().zip(slope).for_each(|(sum, slope)| *sum += slope);
    }
    assert_eq!((loss, slope), sum);
    let fit = || Crf::fit(&labelled(&training), &CrfParams::default()).unwrap().0;
    assert_eq!(fit(), fit());
}

#[test]
fn steps_are_counted_and_hard_data_end_in_weights() {
    let training = sequences(40, 6);
    let with = |params: CrfParams| Crf::fit(&labelled(&training), &params).unwrap();
    for max_iterations in [1, 2, 5] {
        let (_, fit) = with(CrfParams { max_iterations, ..CrfParams::default() });
        assert_eq!((fit.iterations, fit.settled), (max_iterations, false));
    }
    // Nothing holds the weights back, or everything does; columns with a bin for each value.
    for l2 in [0.0, 1e-30, 1e-8, 1e6] {
        let (crf, fit) = with(CrfParams { bins: 50, l2, ..CrfParams::default() });
        assert!(fit.loss.is_finite() && crf.weights.iter().all(|weight| weight.is_finite()), "{l2}: {fit:?}");
    }
}

/// The same data given to `CRFsuite`'s port: it has a weight for each label of an attribute, so that twice the price of a
/// square makes the same model.
#[test]
fn another_implementation_labels_alike() {
    let (training, held_out) = (sequences(150, 7), sequences(150, 8));
    let params = CrfParams { reach: 1, l2: 0.5, ..CrfParams::default() };
    let (crf, fit) = Crf::fit(&labelled(&training), &params).unwrap();
    let attributes = |rows: &Matrix<ChainPlane>| -> Vec<Vec<crfs::Attribute>> {
        let coded = Coded::of(&crf.coding, rows);
        let rows: Vec<&[u16]> = coded.rows().collect();
        (0..rows.len())
            .map(|at| {
                let near =
                    (0..3).filter_map(|offset| Some((offset, rows.get((at + offset).checked_sub(1)?)?)));
                let name = |(offset, row): (usize, &&[u16])| {
                    let of_row = row.iter().map(move |attribute| format!("{attribute}@{offset}"));
                    of_row.map(|name| crfs::Attribute::new(name, 1.0)).collect::<Vec<_>>()
                };
                near.flat_map(name).collect()
            })
            .collect()
    };
    let word = |label: &bool| if *label { "positive" } else { "negative" };
    let mut trainer = crfs::Trainer::lbfgs().with_c2(1.0).unwrap().with_epsilon(1e-6).unwrap();
    for (rows, labels) in &training {
        let labels: Vec<&str> = labels.iter().map(word).collect();
        trainer.append(&attributes(rows), &labels).unwrap();
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("model.crfsuite");
    trainer.train(&path).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    let model = crfs::Model::new(&bytes).unwrap();
    let tagger = model.tagger().unwrap();
    let (mut alike, mut all) = (0, 0);
    for (rows, _) in &held_out {
        let theirs: Vec<&str> = tagger.tag(&attributes(rows)).unwrap();
        alike += crf.judge(rows).iter().zip(theirs).filter(|(own, their)| word(own) == *their).count();
        all += rows.rows();
    }
    assert!(all > 1_500 && all - alike <= all / 500, "{alike} of {all} alike; loss {}", fit.loss);
}

#[test]
fn what_makes_no_sense_is_refused() {
    let sequences = sequences(3, 1);
    let fit = |params: CrfParams| Crf::fit(&labelled(&sequences), &params).unwrap_err();
    assert!(matches!(fit(CrfParams { bins: 1, ..CrfParams::default() }), CrfError::Params(_)));
    assert!(matches!(fit(CrfParams { l2: f32::NAN, ..CrfParams::default() }), CrfError::Params(_)));
    let rows = &sequences[0].0;
    let labels = vec![true; rows.rows()];
    let one = LabelledSequence { rows, labels: &labels };
    assert_eq!(Crf::fit(&[one], &CrfParams::default()).unwrap_err(), CrfError::SingleLabel);
    let short = LabelledSequence { rows, labels: &labels[1..] };
    let wrong = CrfError::Labels { sequence: 1, rows: labels.len(), labels: labels.len() - 1 };
    assert_eq!(Crf::fit(&[one, short], &CrfParams::default()).unwrap_err(), wrong);
}

#[test]
fn bins_are_no_more_than_wanted() {
    let rows: Vec<[f32; 2]> = (0..1000_u16).map(|i| [f32::from(i), f32::from(i % 3)]).collect();
    let rows = Matrix::<ChainPlane>::from_rows(rows).unwrap();
    let coding = Coding::of(&[&rows].into_iter(), 5);
    assert_eq!(coding.attributes(), 1 + 4 + 2);
}
