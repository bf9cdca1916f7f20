use super::*;
use crate::column::{Column, Unit};
use crate::flat::Combination;
use crate::model_header::ColumnMark;
use crate::params::{Algorithm, Params};
use crate::samples::{TwoColumns, X, Y, by_hand, leaf, schema, split};
use proptest::prelude::*;

fn file(model: FlatModel<TwoColumns>) -> ModelFile<TwoColumns> {
    let mut header = ModelHeader::new::<TwoColumns>(Params::of(Algorithm::Forest), 42);
    header.notes.insert("median".to_owned(), "3.5".to_owned());
    header.trained_on.sites = 103;
    ModelFile { header, model }
}

#[test]
fn the_header_can_be_read_alone() {
    let file = file(by_hand(Combination::MeanOfLeaves));
    assert_eq!(read_header(file.to_bytes().unwrap().as_slice()).unwrap(), file.header);
}

#[test]
fn other_files_are_refused() {
    let bytes = file(by_hand(Combination::MeanOfLeaves)).to_bytes().unwrap();
    let error = |bytes: &[u8]| ModelFile::<TwoColumns>::from_bytes(bytes).unwrap_err().to_string();
    assert_eq!(error(b"GIF89a"), "expected a model file, found something else");
    let mut newer = bytes.clone();
    newer[8] = 3;
    assert_eq!(error(&newer), "expected model format 2, found 3: train the model with this version");
    let mut changed = bytes.clone();
    changed[14] ^= 1;
    let damaged = "expected a whole model file, found a damaged part";
    assert_eq!(error(&changed), damaged);
    assert_eq!(error(&[&bytes[..], &[0]].concat()), damaged);
    for length in 0..bytes.len() {
        ModelFile::<TwoColumns>::from_bytes(&bytes[..length]).unwrap_err();
    }
}

schema!(Space, "space", X, Y);
schema!(Renamed, "plane", X, Column { name: "z", ..Y });
schema!(OtherUnit, "plane", X, Column { unit: Unit::Edges, ..Y });
schema!(Longer, "plane", X, Y, Column { name: "z", ..Y });

fn refusal<S: Schema>(bytes: &[u8]) -> String {
    ModelFile::<S>::from_bytes(bytes).unwrap_err().to_string()
}

#[test]
fn models_of_other_columns_name_the_first_that_differs() {
    let bytes = file(by_hand(Combination::MeanOfLeaves)).to_bytes().unwrap();
    assert_eq!(refusal::<Space>(&bytes), "expected a model for `space`, found one for `plane`");
    assert_eq!(refusal::<Renamed>(&bytes), "expected column 1 to be `z`, found `y`");
    let other = "expected column 1 to be `y`, found `y` with another unit or range";
    assert_eq!(refusal::<OtherUnit>(&bytes), other);
    assert_eq!(refusal::<Longer>(&bytes), "expected column 2 to be `z`, found absent");
}

#[derive(serde::Serialize)]
struct Streams {
    base: Option<f32>,
    columns: Vec<u16>,
    thresholds: Vec<Vec<f32>>,
    threshold_of: Vec<u32>,
    leaves: Vec<f32>,
    leaf_of: Vec<u32>,
    covers: Vec<u32>,
}

#[test]
fn tables_of_columns_that_there_are_not_are_refused() {
    let read = |tables| {
        let body = Streams {
            base: None,
            columns: vec![0],
            thresholds: vec![Vec::new(); tables],
            threshold_of: Vec::new(),
            leaves: vec![0.5],
            leaf_of: vec![0],
            covers: vec![1],
        };
        let header = ModelHeader::new::<TwoColumns>(Params::of(Algorithm::Tree), 1);
        let bytes = file_of(MAGIC, &postcard::to_stdvec(&(header, body)).unwrap());
        ModelFile::<TwoColumns>::from_bytes(&bytes).map_err(|error| error.to_string())
    };
    assert!(read(2).is_ok());
    // Empty tables take a byte each in the file; the last are more than are read at all.
    for tables in [0, 1, 3, 1 << 16, 1 << 24] {
        assert_eq!(read(tables), Err("expected a whole model file, found a damaged body".to_owned()));
    }
}

#[test]
fn a_header_of_more_columns_than_a_schema_can_have_is_refused() {
    let file = file(by_hand(Combination::MeanOfLeaves));
    let mut header = file.header;
    let column = ColumnMark { name: String::new(), mark: 0 };
    header.columns = vec![column; 1 << 16];
    let bytes = file_of(MAGIC, &postcard::to_stdvec(&(header, ModelBody::of(&file.model))).unwrap());
    assert_eq!(refusal::<TwoColumns>(&bytes), "expected a whole model file, found a damaged header");
    assert!(read_header(bytes.as_slice()).is_err());
}

fn any_model() -> impl Strategy<Value = FlatModel<TwoColumns>> {
    // Any tree is a list of insertions: each one turns the leaf at its place into a split.
    let thresholds = prop::num::f32::NORMAL | prop::num::f32::SUBNORMAL | prop::num::f32::ZERO;
    let insertion = (any::<usize>(), 0..2_u16, thresholds, 0.0..=1.0_f32, any::<u32>());
    let tree = prop::collection::vec(insertion, 0..20).prop_map(|insertions| {
        let mut symbols = vec![leaf(0.5, 1)];
        for (place, column, threshold, value, cover) in insertions {
            let place = place % symbols.len();
            if matches!(symbols[place], crate::flat::Symbol::Leaf { .. }) {
                symbols.splice(place..=place, [split(column, threshold), leaf(value, cover), leaf(-0.0, 0)]);
            }
        }
        symbols
    });
    (prop::collection::vec(tree, 1..4), prop::option::of(-9.0..9.0_f32)).prop_map(|(trees, base)| {
        let combination = base.map_or(Combination::MeanOfLeaves, |base| Combination::LogisticOfSum { base });
        FlatModel::assemble(combination, trees.concat()).unwrap()
    })
}

proptest! {
    #[test]
    fn any_model_comes_back(model in any_model(), threshold in 0.0..1.0_f32) {
        let mut file = file(model);
        file.header.threshold = threshold;
        let bytes = file.to_bytes().unwrap();
        let read = ModelFile::<TwoColumns>::from_bytes(&bytes).unwrap();
        prop_assert_eq!(&read, &file);
        let bits = |file: &ModelFile<TwoColumns>| -> Vec<String> {
            file.model.symbols().map(|symbol| format!("{symbol:?}")).collect()
        };
        prop_assert_eq!(bits(&read), bits(&file), "signs of zeros and all other bits");
        prop_assert_eq!(read.to_bytes().unwrap(), bytes);
    }

    #[test]
    fn random_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = ModelFile::<TwoColumns>::from_bytes(&bytes);
        let _ = ModelFile::<TwoColumns>::from_bytes(&file_of(MAGIC, &bytes));
        let header = postcard::to_stdvec(&ModelHeader::new::<TwoColumns>(Params::of(Algorithm::Tree), 1)).unwrap();
        let _ = ModelFile::<TwoColumns>::from_bytes(&file_of(MAGIC, &[header, bytes].concat()));
    }

    #[test]
    fn changed_bytes_never_panic(model in any_model(), at: usize, value: u8, cut: usize) {
        let file = file(model);
        let content = postcard::to_stdvec(&(&file.header, ModelBody::of(&file.model))).unwrap();
        let cut = cut % content.len();
        let mut changed = content.clone();
        changed[at % content.len()] = value;
        // The checksum is made to fit, so that the change reaches the parser. A changed length may make a shorter
        // file that is whole, so a changed file that is cut need not be refused.
        for bytes in [&changed[..], &changed[..cut]] {
            if let Ok(read) = ModelFile::<TwoColumns>::from_bytes(&file_of(MAGIC, bytes)) {
                let score = read.model.score_row(&[1.0, 2.0]);
                prop_assert!((0.0..=1.0).contains(&score), "{score}");
            }
        }
        prop_assert!(ModelFile::<TwoColumns>::from_bytes(&file_of(MAGIC, &content[..cut])).is_err());
    }
}
