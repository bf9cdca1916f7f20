//! Writes what the native library finds on the pages of archives, for comparison with WebAssembly: `native PAGES.warc.gz…`.
//!
//! One JSON array a page: the line of `tsugi scan`, and, if the archive has the next page, score and verdict of the
//! pair and the address of that page.

use std::error::Error;
use std::io::Write;
use tsugi::scan::ScanLine;
use tsugi::{Archive, Fetch, Tsugi, Verdict};

fn main() -> Result<(), Box<dyn Error>> {
    let tsugi = Tsugi::new();
    let mut out = std::io::BufWriter::new(std::io::stdout().lock());
    for path in std::env::args().skip(1) {
        let archive = Archive::open(path.as_ref())?;
        for url in archive.urls() {
            let Ok(response) = archive.fetch(url) else { continue };
            let page = response.page();
            let look = tsugi.look(&page);
            let next =
                look.next().and_then(|next| archive.fetch(&next.url).ok()).map(|response| response.page());
            let judged = next.and_then(|after| {
                let Verdict { score, holds, .. } = look.is_continued_by(&tsugi.look(&after))?;
                Some((score, holds, after.url().to_string()))
            });
            serde_json::to_writer(&mut out, &(ScanLine::of(&look), judged))?;
            writeln!(out)?;
        }
    }
    Ok(out.flush()?)
}
