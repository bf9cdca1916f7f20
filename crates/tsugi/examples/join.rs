//! Joins an article of several HTML files, and prints each page as it comes.
//!
//! ```sh
//! cargo run -p tsugi --example join [-- FILE]
//! ```
//!
//! Pages from the network: `let pages = tsugi::Http::builder("my-reader/1.0").build()?` and a start at a web address, nothing else changes.

#![expect(clippy::print_stdout, reason = "examples print")]

use std::error::Error;
use std::path::Path;
use tsugi::fetch::file_url;
use tsugi::{Fetch, Files, Given, JoinOptions, Tsugi};

fn main() -> Result<(), Box<dyn Error>> {
    let ours = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/pages/english-article/1.html");
    let first = std::env::args().nth(1).unwrap_or_else(|| ours.to_owned());
    let first = Path::new(&first).canonicalize()?;
    let pages = Files::below(first.parent().ok_or("the file is in no folder")?)?;

    let tsugi = Tsugi::new();
    let mut following = tsugi.follow(file_url(&first)?, &JoinOptions::default());
    while let Some(url) = following.wanted() {
        let answer = pages.fetch(url).map_err(|error| error.into_unavailable(url));
        if let Given::Added(parts) = following.give(answer) {
            for part in parts {
                println!("{}: link by {}, score {:.2}", part.page.url(), part.by, part.score);
            }
        }
    }

    let document = following.finish()?.into_document();
    let title = document.title.as_deref().unwrap_or("no title");
    println!("{title}: {} pages; {}", document.pages.len(), document.stopped.detail);
    Ok(())
}
