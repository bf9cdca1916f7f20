//! Joins all articles of a WARC archive, and lists them.
//!
//! ```sh
//! cargo run -p tsugi --example archive [-- ARCHIVE]
//! ```

#![expect(clippy::print_stdout, reason = "examples print")]

use std::error::Error;
use std::path::Path;
use tsugi::chains::chains;
use tsugi::{Archive, Fetch, JoinOptions, Tsugi, Url};

fn main() -> Result<(), Box<dyn Error>> {
    let ours = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/pages/pages.warc.gz");
    let path = std::env::args().nth(1).unwrap_or_else(|| ours.to_owned());

    let archive = Archive::open(Path::new(&path))?;
    let urls: Vec<Url> = archive.urls().cloned().collect();
    chains(
        &Tsugi::new(),
        &urls,
        &JoinOptions::default(),
        |url| archive.fetch(url).map_err(|error| error.into_unavailable(url)),
        |start, joined| {
            let document = joined?.into_document();
            let title = document.title.as_deref().unwrap_or("no title");
            println!("{start}: {} pages, {title}", document.pages.len());
            Ok(())
        },
    )
}
