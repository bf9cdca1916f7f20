//! Trains a model of main content on a folder of labelled pages, and asks it about one of them.
//!
//! ```sh
//! cargo run -p tsugi-training --example train [-- FOLDER]
//! ```
//!
//! The folder holds `pages.warc.gz` and `labels.jsonl`; `datasets/README.md` says what is in them.

#![expect(clippy::print_stdout, reason = "examples print")]

use std::error::Error;
use std::path::Path;
use tsugi::models::ContentModel;
use tsugi::{Fetch, Tsugi};
use tsugi_fetch::Archive;
use tsugi_training::content::TrainPlan;
use tsugi_training::dataset::DataSet;
use tsugi_training::labelled_pages::{LabelledPages, ModelTrainer, WantedExamples};
use tsugi_training::links::LinkParams;

fn main() -> Result<(), Box<dyn Error>> {
    let ours = concat!(env!("CARGO_MANIFEST_DIR"), "/../../datasets");
    let folder = std::env::args().nth(1).unwrap_or_else(|| ours.to_owned());
    let folder = Path::new(&folder);

    let sets = [DataSet::open(folder)?];
    let examples = LabelledPages::read(&sets, WantedExamples { links: false, content: true }, || ())?;
    let trainer = ModelTrainer {
        examples: &examples,
        links: LinkParams::default(),
        content: TrainPlan::default(),
        seed: 1,
    };
    let bundle = trainer.content(&|_| true)?;
    let bytes = bundle.to_bytes()?;
    let trained = &bundle.about.trained_on;
    println!("{} bytes, trained on {} pages of {} sites", bytes.len(), trained.pages, trained.sites);

    let tsugi = Tsugi::new().with_content_model(ContentModel::from_bytes(&bytes)?);
    let archive = Archive::open(&folder.join("pages.warc.gz"))?;
    let first = archive.urls().next().ok_or("the archive is empty")?;
    let page = archive.fetch(first)?.page();
    println!("{}", tsugi.look(&page).content().text());
    Ok(())
}
