//! Model files and bundles: read, checked, used.
//!
//! Input: one byte that chooses what the rest is: a file, the header of a model behind its columns, a body, a bundle, a part
//! of a bundle. What comes before it, and checksums, are made here, so that what follows their check is reached.

#![no_main]

use libfuzzer_sys::fuzz_target;
use serde::ser::{Serialize, SerializeTuple, Serializer};
use tsugi::models::{ContentModel, JudgeModel, LinkModel};
use tsugi_fuzz::{choice, within_limits};
use tsugi_scoring::{
    Algorithm, Bundle, Calibration, Column, FORMAT_VERSION, InTurn, Linear, Matrix, ModelFile, ModelHeader,
    Params, Range, Schema, Unit, read_header,
};

#[derive(Clone, Copy, Debug)]
struct Plane;

impl Schema for Plane {
    const NAME: &'static str = "plane";
    fn columns() -> &'static [Column] {
        const {
            const ANY: Range = Range { low: -1000.0, high: 1000.0 };
            &[
                Column::new("x", Unit::Count, ANY, "first coordinate", "own"),
                Column::new("y", Unit::Count, ANY, "second coordinate", "own"),
            ]
        }
    }
}

struct Raw<'a>(&'a [u8]);

impl Serialize for Raw<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut tuple = serializer.serialize_tuple(self.0.len())?;
        self.0.iter().try_for_each(|byte| tuple.serialize_element(byte))?;
        tuple.end()
    }
}

fuzz_target!(|data: &[u8]| within_limits(data.len(), || {
    let Some((what, rest)) = choice(data) else { return };
    let header = ModelHeader::new::<Plane>(Params::of(Algorithm::Forest), 1);
    match what % 5 {
        0 => {
            use_file(rest);
            _ = LinkModel::from_bytes(rest);
            _ = ContentModel::from_bytes(rest);
            _ = JudgeModel::from_bytes(rest);
        }
        1 => {
            use_file(&model_file(
                &(header.format, &header.schema, &header.columns, header.fingerprint),
                rest,
            ));
        }
        2 => use_file(&model_file(&header, rest)),
        3 => use_bundle(&file_of(b"TSUGI-MB", rest)),
        _ => use_bundle(&bundle(&Raw(rest))),
    }
}));

/// Returns a model file with what comes before, and the rest.
fn model_file(before: &impl Serialize, rest: &[u8]) -> Vec<u8> {
    let before = postcard::to_stdvec(before).expect("a header");
    file_of(b"TSUGI-ML", &[&before, rest].concat())
}

fn bundle(part: &impl Serialize) -> Vec<u8> {
    let mut bundle = Bundle::new("sample/1");
    bundle.insert("part", part).expect("bytes");
    bundle.to_bytes().expect("a small bundle")
}

fn file_of(magic: &[u8], content: &[u8]) -> Vec<u8> {
    [magic, &FORMAT_VERSION.to_le_bytes(), &crc32fast::hash(content).to_le_bytes(), content].concat()
}

fn rows() -> Matrix<Plane> {
    let values = [0.0, -0.0, 1.0, -1.0, 0.5, f32::MIN_POSITIVE, f32::MAX, f32::MIN];
    let rows = values.iter().flat_map(|x| values.map(|y| [*x, y]));
    Matrix::from_rows(rows).expect("finite rows")
}

fn use_file(bytes: &[u8]) {
    _ = read_header(bytes);
    let Ok(file) = ModelFile::<Plane>::from_bytes(bytes) else { return };
    let (model, rows) = (&file.model, rows());
    let scores = model.score(&rows);
    for (row, score) in rows.iter().zip(&scores) {
        assert!((0.0..=1.0).contains(score), "{score} for {row:?}");
        assert_eq!(model.score_row(row).to_bits(), score.to_bits(), "{row:?}");
        model.reasons(row);
    }
    for models in 0..4 {
        let in_turn = InTurn::of(model, models, 4.0);
        let scores = in_turn.map(|in_turn| in_turn.score(&rows)).unwrap_or_default();
        assert!(scores.iter().all(|score| (0.0..=1.0).contains(score)), "{scores:?}");
    }
    let again =
        ModelFile::<Plane>::from_bytes(&file.to_bytes().expect("a small model")).expect("a model file");
    assert_eq!(again.model.score(&rows), scores);
}

fn use_bundle(bytes: &[u8]) {
    let Ok(bundle) = Bundle::from_bytes(bytes, "sample/1") else { return };
    for (name, _) in bundle.parts() {
        if let Ok(file) = bundle.model::<Plane>(name) {
            use_file(&file.to_bytes().expect("a small model"));
        }
        if let Ok(linear) = bundle.get::<Linear>(name) {
            let score = linear.score([0, 1, 1 << 31, u32::MAX]);
            assert!(score.is_finite(), "{score}");
        }
        if let Ok(calibration) = bundle.get::<Calibration>(name) {
            for score in [f32::MIN, -1.0, 0.0, 0.3, 1.0, f32::MAX] {
                let probability = calibration.apply(score);
                assert!((0.0..=1.0).contains(&probability), "{probability} for {score}");
            }
        }
    }
}
