//! Runs an extractor on pages, for `scripts/bench`.
//!
//! ```text
//! bench-others TOOL FOLDER
//! ```
//!
//! For each line of the input, the number of a page, `FOLDER/NUMBER.html` is read and `FOLDER/NUMBER.url`; the extractor
//! runs on what was read, and a line of JSON says how long that took and which text it found. A panic counts as an error.

use serde_json::json;
use std::io::{BufRead, Write};
use std::panic::catch_unwind;
use std::path::Path;
use std::time::Instant;

type Extract = fn(&str, &str) -> Result<String, String>;

fn rs_trafilatura(html: &str, _: &str) -> Result<String, String> {
    rs_trafilatura::extract(html).map(|found| found.content_text).map_err(|error| error.to_string())
}

fn dom_smoothie(html: &str, url: &str) -> Result<String, String> {
    let mut document =
        dom_smoothie::Readability::new(html, Some(url), None).map_err(|error| error.to_string())?;
    document.parse().map(|article| article.text_content.to_string()).map_err(|error| error.to_string())
}

fn legible(html: &str, url: &str) -> Result<String, String> {
    legible::parse(html, Some(url), None).map(|article| article.text_content).map_err(|error| error.to_string())
}

fn trafilatura(html: &str, _: &str) -> Result<String, String> {
    // Fallbacks are on in the Python package unless one asks for speed.
    let options = trafilatura::Options::default().with_fallback(true);
    trafilatura::extract(html, &options).map(|found| found.content_text).map_err(|error| error.to_string())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [tool, folder] = arguments.as_slice() else { return Err("usage: bench-others TOOL FOLDER".into()) };
    let extract: Extract = match tool.as_str() {
        "rs-trafilatura" => rs_trafilatura,
        "dom_smoothie" => dom_smoothie,
        "legible" => legible,
        "trafilatura" => trafilatura,
        _ => return Err(format!("`{tool}` is no extractor").into()),
    };
    // What is counted need not be told.
    std::panic::set_hook(Box::new(|_| ()));
    let mut output = std::io::stdout().lock();
    for number in std::io::stdin().lock().lines() {
        let page = Path::new(folder).join(number?);
        let html = std::fs::read_to_string(page.with_extension("html"))?;
        let url = std::fs::read_to_string(page.with_extension("url"))?;
        let start = Instant::now();
        let found = catch_unwind(|| extract(&html, &url)).unwrap_or_else(|_| Err("panic".to_owned()));
        let seconds = start.elapsed().as_secs_f64();
        let answer = match found {
            Ok(text) => json!({ "seconds": seconds, "text": text }),
            Err(error) => json!({ "seconds": seconds, "text": "", "error": error }),
        };
        writeln!(output, "{answer}")?;
        output.flush()?;
    }
    Ok(())
}
