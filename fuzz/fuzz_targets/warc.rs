//! A WARC archive: its records, its pages by address, its captures; then it is continued.
//!
//! Input: one byte that chooses the compression, which is then done here, and the records.

#![no_main]

use flate2::{Compression, write::GzEncoder};
use libfuzzer_sys::fuzz_target;
use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::sync::LazyLock;
use tsugi::{Archive, Fetch, Url};
use tsugi_fetch::{ArchiveError, Captures, Exchange, FetchImage, Keep, Store, Wanted, records};
use tsugi_fuzz::{choice, scratch_folder, within_limits};

static FILE: LazyLock<PathBuf> = LazyLock::new(|| scratch_folder("warc").join("a.warc"));

fuzz_target!(|data: &[u8]| within_limits(data.len(), || {
    let Some((options, rest)) = choice(data) else { return };
    let archive = match options % 4 {
        0 | 1 => rest.to_vec(),
        2 => gzip(rest),
        _ => records_of(rest).flat_map(gzip).collect(),
    };
    fs::write(&*FILE, &archive).expect("the file can be written");

    let records = match records(&FILE) {
        // A file whose first bytes say that it is something else, or that has no record near its start.
        Err(ArchiveError::Format { .. } | ArchiveError::NotAnArchive { .. }) => return,
        records => records.expect("the file can be read"),
    };
    let offsets: Vec<u64> =
        records.map(|record| record.map_or_else(|problem| problem.offset, |record| record.offset)).collect();
    assert!(offsets.iter().all(|offset| *offset < archive.len() as u64), "{offsets:?}");
    // Revisits come after all other records.
    let turns = offsets.windows(2).filter(|pair| pair[1] < pair[0]).count();
    assert!(turns <= 1, "{offsets:?}");
    let Some(before) = addresses() else { return };
    if let Ok(captures) = Captures::open(&FILE) {
        for capture in captures.pages().flat_map(|(_, captures)| captures) {
            let read = captures.read(capture);
            assert!(read.is_err() || capture.is_page, "{read:?}");
        }
    }
    continue_archive(&before);
}));

/// Splits a file where records seem to start.
fn records_of(file: &[u8]) -> impl Iterator<Item = &[u8]> {
    const START: &[u8] = b"WARC/1.";
    let starts = (1..file.len()).filter(|at| file[*at..].starts_with(START));
    let ends: Vec<usize> = starts.chain([file.len()]).collect();
    let begins: Vec<usize> = std::iter::once(0).chain(ends.iter().copied()).collect();
    begins.into_iter().zip(ends).map(|(from, to)| &file[from..to])
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(bytes).and_then(|()| encoder.finish()).expect("writing to memory")
}

fn addresses() -> Option<Vec<Url>> {
    let archive = Archive::open(&FILE).ok()?;
    for url in archive.urls() {
        if let Ok(page) = archive.fetch(url) {
            page.page();
        }
        _ = archive.fetch_image(url);
    }
    Some(archive.urls().cloned().collect())
}

/// Writes one more page. The archive has it then, and what it had before.
fn continue_archive(before: &[Url]) {
    let clock = || "2027-01-02T03:04:05Z".to_owned();
    let Ok(store) = Store::open(&FILE, "fuzz", clock) else { return };
    let url: Url = "https://added.test/".parse().expect("an address");
    let headers = [("content-type".to_owned(), "text/html".to_owned())];
    let exchange =
        Exchange { url: &url, wanted: Wanted::Page, status: 200, headers: &headers, body: b"<p>added" };
    store.keep(&exchange).expect("the file can be written");
    drop(store);
    let held = addresses().expect("an archive");
    assert!(before.iter().chain([&url]).all(|url| held.contains(url)), "{before:?} became {held:?}");
}
