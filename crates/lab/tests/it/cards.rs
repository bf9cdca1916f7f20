//! The cards of the models that ship.

use std::fs;
use std::path::Path;
use tsugi_main_content::{BlockColumns, CandidateColumns, paper::PaperContent};
use tsugi_next_link::{LinkColumns, PairColumns, paper::PaperLinks};
use tsugi_papers::block_crf::TreeBlockColumns;
use tsugi_scoring::Schema;

fn rows<S: Schema>() -> impl Iterator<Item = String> {
    S::columns().iter().map(|column| format!("{}\n", column.card_row()))
}

#[test]
fn cards_name_the_columns_of_their_models() {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    for (card, columns) in [
        ("next-link", rows::<LinkColumns>().collect::<String>()),
        ("content", rows::<BlockColumns>().chain(rows::<CandidateColumns>()).collect()),
        ("continuation", rows::<PairColumns>().collect()),
        ("crf", rows::<TreeBlockColumns>().collect()),
        ("paper/next-link", rows::<PaperLinks>().collect()),
        ("paper/content", rows::<PaperContent>().collect()),
    ] {
        let text = fs::read_to_string(models.join(format!("{card}.md"))).unwrap();
        let found: String = text.split_inclusive('\n').filter(|line| line.starts_with("| `")).collect();
        assert_eq!(found, columns, "models/{card}.md: `tsugi-lab train --card` writes it anew");
    }
}
