//! The stored pages: bodies of the responses of WARC archives.

use flate2::bufread::MultiGzDecoder;
use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

pub(crate) fn stored() -> Vec<PathBuf> {
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let folders = std::fs::read_dir(&data).unwrap_or_else(|error| panic!("{}: {error}", data.display()));
    let archives = folders.map(|folder| folder.expect("a folder").path().join("pages.warc.gz"));
    let mut archives: Vec<PathBuf> = archives.filter(|archive| archive.exists()).collect();
    archives.sort();
    archives
}

pub(crate) fn bodies(path: &Path) -> impl Iterator<Item = Vec<u8>> {
    let mut records =
        BufReader::new(MultiGzDecoder::new(BufReader::new(File::open(path).expect("an archive"))));
    std::iter::from_fn(move || {
        loop {
            let record = record(&mut records)?;
            if let Some(body) = body(&record) {
                return Some(body.to_vec());
            }
        }
    })
}

/// Returns the block of the next record, which is empty if it is no response; `None` at the end.
fn record(records: &mut impl BufRead) -> Option<Vec<u8>> {
    let (mut length, mut is_response, mut seen) = (0, false, false);
    loop {
        let mut line = String::new();
        if records.read_line(&mut line).expect("a line of a header") == 0 {
            return None;
        }
        let line = line.trim_end();
        if line.is_empty() {
            if seen {
                break;
            }
            continue;
        }
        seen = true;
        if let Some(number) = line.strip_prefix("Content-Length: ") {
            length = number.parse().expect("a length");
        }
        is_response |= line == "WARC-Type: response";
    }
    let mut block = Vec::new();
    records.by_ref().take(length).read_to_end(&mut block).expect("a block");
    Some(if is_response { block } else { Vec::new() })
}

fn body(block: &[u8]) -> Option<&[u8]> {
    let end = block.windows(4).position(|four| four == b"\r\n\r\n")?;
    Some(&block[end + 4..])
}
