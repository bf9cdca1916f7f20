//! Joins all articles of a WARC archive, and lists them.
//!
//! ```sh
//! cargo run -p tsugi --example archive [-- ARCHIVE]
//! ```

#![expect(clippy::print_stdout, reason = "examples print")]

use std::error::Error;
use std::path::Path;
use tsugi::{Archive, Fetch, Limits, Tsugi, Unavailable, Url, chains, stitch};

fn main() -> Result<(), Box<dyn Error>> {
    let ours = concat!(env!("CARGO_MANIFEST_DIR"), "/../../datasets/pages.warc.gz");
    let path = std::env::args().nth(1).unwrap_or_else(|| ours.to_owned());

    let archive = Archive::open(Path::new(&path))?;
    let urls: Vec<Url> = archive.urls().cloned().collect();
    chains(
        &Tsugi::new(),
        &urls,
        Limits::default(),
        |url| archive.fetch(url).map_err(Unavailable::from),
        || (),
        |start, joined| {
            let document = stitch(joined?);
            let title = document.title.as_deref().unwrap_or("no title");
            println!("{start}: {} pages, {title}", document.pages.len());
            Ok(())
        },
    )
}
