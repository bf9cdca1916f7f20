//! Joins an article of several HTML files, and prints each page as it comes.
//!
//! ```sh
//! cargo run -p tsugi --example join [-- FILE]
//! ```
//!
//! Pages from the network: `let pages = tsugi::Http::polite()?` and a start at a web address, nothing else changes.

#![expect(clippy::print_stdout, reason = "examples print")]

use std::error::Error;
use std::path::Path;
use tsugi::{Fetch, Files, Limits, Tsugi, Unavailable, file_url, stitch};

fn main() -> Result<(), Box<dyn Error>> {
    let ours = concat!(env!("CARGO_MANIFEST_DIR"), "/../../datasets/english-article/1.html");
    let first = std::env::args().nth(1).unwrap_or_else(|| ours.to_owned());
    let first = Path::new(&first).canonicalize()?;
    let pages = Files::below(first.parent().ok_or("the file is in no folder")?)?;

    let tsugi = Tsugi::new();
    let mut following = tsugi.follow(file_url(&first)?, Limits::default());
    while let Some(url) = following.wanted() {
        let answer = pages.fetch(url).map_err(Unavailable::from);
        let before = following.parts().len();
        following.give(answer);
        for part in following.parts().iter().skip(before) {
            println!("{}: link by {}, score {:.2}", part.page.url(), part.by, part.score);
        }
    }

    let document = stitch(following.finish()?);
    let title = document.title.as_deref().unwrap_or("no title");
    println!("{title}: {} pages; {}", document.pages.len(), document.stopped.detail);
    Ok(())
}
