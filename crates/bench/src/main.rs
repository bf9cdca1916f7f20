//! Runs every whole once on made-up pages, for profilers that count: `tsugi-bench KIND`.

use tsugi_bench::{made, wholes};

fn main() -> Result<(), String> {
    let kind = std::env::args().nth(1).unwrap_or_default();
    let pages = made::responses(&kind).ok_or_else(|| format!("`{kind}` is no kind of pages"))?;
    wholes::run(&pages);
    Ok(())
}
