//! Formats of archives that are not read, told by their first bytes.

use super::error::ArchiveError;
use super::stream::GZIP;
use flate2::read::GzDecoder;
use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::Path;

const ARC: &[u8] = b"filedesc://";

/// How a Zstandard frame starts, and how one that decoders skip: the dictionary of a `.warc.zst` is in one.
// RFC 8878, section 3.1; IIPC, “WARC with Zstandard compression”, section 3.2.
const ZSTANDARD: [&[u8]; 2] = [b"\x28\xb5\x2f\xfd", b"\x5d\x2a\x4d\x18"];

const ZIP: &[u8] = b"PK\x03\x04";

/// Returns `true` if a file starts like an archive of the web: WARC, anything compressed by gzip, and the formats that
/// opening an archive refuses by name (ARC, WACZ, Zstandard).
///
/// # Errors
///
/// The error of opening or reading it.
pub fn looks_like_archive(path: &Path) -> io::Result<bool> {
    let head = start(File::open(path)?)?;
    let is_wacz = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("wacz"));
    let is_archive = [GZIP, b"WARC/", ARC].into_iter().chain(ZSTANDARD).any(|start| head.starts_with(start));
    Ok(is_archive || (is_wacz && head.starts_with(ZIP)))
}

pub(super) fn open(path: &Path) -> Result<File, ArchiveError> {
    let opened = || -> io::Result<_> {
        let mut file = File::open(path)?;
        let mut head = start(&file)?;
        file.rewind()?;
        if head.starts_with(GZIP) {
            // What cannot be unpacked is told when it is read.
            head = start(GzDecoder::new(&file)).unwrap_or_default();
            file.rewind()?;
        }
        Ok((file, head))
    };
    let (file, head) = opened().map_err(|source| ArchiveError::Io { path: path.to_owned(), source })?;
    let (what, remedy) = if head.starts_with(ARC) {
        ("an ARC file", "convert it first (`warcio recompress` does)")
    } else if head.starts_with(ZIP) {
        ("a ZIP file", "if it is a WACZ, unpack it and give the files `archive/*.warc.gz`")
    } else if ZSTANDARD.iter().any(|start| head.starts_with(start)) {
        ("compressed by Zstandard", "unpack it first (`zstd -d` does)")
    } else {
        return Ok(file);
    };
    Err(ArchiveError::Format { path: path.to_owned(), what, remedy })
}

fn start(from: impl Read) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    from.take(ARC.len() as u64).read_to_end(&mut head)?;
    Ok(head)
}
