//! Formats of archives that are not read, told by their first bytes.

use super::error::ArchiveError;
use super::stream::{GZIP, RECORD_START, starts_record};
use flate2::read::{GzDecoder, MultiGzDecoder};
use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::Path;

const ARC: &[u8] = b"filedesc://";

/// How a Zstandard frame starts, and how one that decoders skip: the dictionary of a `.warc.zst` is in one.
// RFC 8878, section 3.1; IIPC, “WARC with Zstandard compression”, section 3.2.
const ZSTANDARD: [&[u8]; 2] = [b"\x28\xb5\x2f\xfd", b"\x5d\x2a\x4d\x18"];

const ZIP: &[u8] = b"PK\x03\x04";

const RECORD: &[u8] = b"WARC/";

/// How many bytes are searched for a record, if a file does not start with one.
const SEARCHED: u64 = 1 << 20;

/// Returns `true` if a file starts like an archive of the web: WARC, anything compressed by gzip, and the formats that
/// opening an archive refuses by name (ARC, WACZ, Zstandard).
///
/// # Errors
///
/// The error of opening or reading it.
pub fn looks_like_archive(path: &Path) -> io::Result<bool> {
    let head = start(File::open(path)?)?;
    let is_wacz = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("wacz"));
    let is_archive = [GZIP, RECORD, ARC].into_iter().chain(ZSTANDARD).any(|start| head.starts_with(start));
    Ok(is_archive || (is_wacz && head.starts_with(ZIP)))
}

pub(super) fn open(path: &Path) -> Result<File, ArchiveError> {
    let opened = || -> io::Result<_> {
        let mut file = File::open(path)?;
        let mut head = start(&file)?;
        file.rewind()?;
        let is_packed = head.starts_with(GZIP);
        if is_packed {
            // What cannot be unpacked is told when it is read.
            head = start(GzDecoder::new(&file)).unwrap_or_default();
            file.rewind()?;
        }
        // A file may be cut inside its first line.
        let is_warc = head.len() < RECORD_START || starts_record(&head) || holds_record(&file, is_packed);
        file.rewind()?;
        Ok((file, head, is_warc))
    };
    let (file, head, is_warc) =
        opened().map_err(|source| ArchiveError::Io { path: path.to_owned(), source })?;
    let (what, remedy) = if head.starts_with(ARC) {
        ("an ARC file", "convert it first (`warcio recompress` does)")
    } else if head.starts_with(ZIP) {
        ("a ZIP file", "if it is a WACZ, unpack it and give the files `archive/*.warc.gz`")
    } else if ZSTANDARD.iter().any(|start| head.starts_with(start)) {
        ("compressed by Zstandard", "unpack it first (`zstd -d` does)")
    } else if is_warc {
        return Ok(file);
    } else {
        return Err(ArchiveError::NotAnArchive { path: path.to_owned() });
    };
    Err(ArchiveError::Format { path: path.to_owned(), what, remedy })
}

/// Returns `true` if a record may begin somewhere near the start, so that an archive with a damaged start is still one.
fn holds_record(file: &File, is_packed: bool) -> bool {
    let mut bytes = Vec::new();
    if is_packed {
        let unpacked = MultiGzDecoder::new(file).take(SEARCHED).read_to_end(&mut bytes);
        // A damaged member hides what comes after it.
        unpacked.is_err() || holds(&bytes, RECORD)
    } else {
        let read = file.take(SEARCHED).read_to_end(&mut bytes);
        read.is_ok() && (holds(&bytes, RECORD) || holds(&bytes, GZIP))
    }
}

fn holds(bytes: &[u8], wanted: &[u8]) -> bool {
    bytes.windows(wanted.len()).any(|found| found == wanted)
}

fn start(from: impl Read) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    from.take(ARC.len() as u64).read_to_end(&mut head)?;
    Ok(head)
}
