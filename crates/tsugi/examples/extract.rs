//! Prints the main content of one HTML file as Markdown, below YAML front matter.
//!
//! ```sh
//! cargo run -p tsugi --example extract [-- FILE [URL]]
//! ```

use std::error::Error;
use std::io::{Write, stdout};
use std::path::Path;
use tsugi::fetch::file_url;
use tsugi::{JoinOptions, Page, Tsugi};

fn main() -> Result<(), Box<dyn Error>> {
    let ours = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/pages/single/plum-barley-bread.html");
    let mut arguments = std::env::args().skip(1);
    let file = arguments.next().unwrap_or_else(|| ours.to_owned());
    let url = match arguments.next() {
        Some(url) => url.parse()?,
        None => file_url(Path::new(&file))?,
    };

    let page = Page::parse(&std::fs::read(&file)?, &url, None);
    let document = Tsugi::new().extract(page, &JoinOptions::default());

    let mut out = stdout().lock();
    out.write_all(document.front_matter().as_bytes())?;
    out.write_all(document.markdown().as_bytes())?;
    Ok(())
}
