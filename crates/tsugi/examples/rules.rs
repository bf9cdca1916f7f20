//! Joins an article by a rule of our own: where its next link and its content are, in XPath.
//!
//! ```sh
//! cargo run -p tsugi --example rules [-- RULES]
//! ```

#![expect(clippy::print_stdout, reason = "examples print")]

use std::error::Error;
use std::path::Path;
use tsugi::rules::Siteinfo;
use tsugi::{Archive, Tsugi};

/// One item, as `AutoPagerize` and Wedata have them.
const RULES: &str = r#"[{
    "name": "The Estuary Review",
    "data": {
        "url": "^https://magazine\\.example/features/",
        "nextLink": "//a[@class='pager-next']",
        "pageElement": "//div[@class='story-body']"
    }
}]"#;

fn main() -> Result<(), Box<dyn Error>> {
    let rules = match std::env::args().nth(1) {
        Some(path) => Siteinfo::read(&std::fs::read(path)?)?,
        None => Siteinfo::read(RULES.as_bytes())?,
    };
    let ours = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/pages/pages.warc.gz");
    let archive = Archive::open(Path::new(ours))?;

    let tsugi = Tsugi::new().with_rules(rules);
    let document = tsugi.join(&"https://magazine.example/features/tide-mill/1.html".parse()?, &archive)?;
    for page in &document.pages {
        let rule = page.rule.as_deref().unwrap_or("none");
        println!("{}: link by {}, content by rule {rule}", page.url, page.by);
    }
    Ok(())
}
