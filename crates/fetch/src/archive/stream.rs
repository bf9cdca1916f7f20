//! The bytes of an archive, plain or unpacked, with the position.

use flate2::bufread::GzDecoder;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Seek, SeekFrom};

/// How a gzip member starts: magic number and the only compression method.
pub(crate) const GZIP: &[u8] = b"\x1f\x8b\x08";

/// How a record starts: the format's name and its version.
const VERSIONS: [&[u8; 7]; 2] = [b"WARC/1.", b"WARC/0."];

pub(crate) const RECORD_START: usize = VERSIONS[0].len();

pub(crate) fn starts_record(bytes: &[u8]) -> bool {
    VERSIONS.iter().any(|version| bytes.starts_with(*version))
}

/// Returns `true` if a record's start begins with these bytes; also for no bytes at all.
pub(crate) fn may_start_record(bytes: &[u8]) -> bool {
    VERSIONS.iter().any(|version| version.starts_with(bytes))
}

#[derive(Debug)]
pub(crate) struct ArchiveFile {
    inner: BufReader<File>,
    at: u64,
}

impl ArchiveFile {
    pub(crate) fn new(file: File) -> ArchiveFile {
        ArchiveFile { inner: BufReader::with_capacity(1 << 16, file), at: 0 }
    }

    pub(crate) fn at(&self) -> u64 {
        self.at
    }

    pub(crate) fn seek(&mut self, to: u64) -> io::Result<()> {
        self.at = self.inner.seek(SeekFrom::Start(to))?;
        Ok(())
    }

    /// Looks at up to 8 bytes without moving on.
    pub(crate) fn peek(&mut self) -> io::Result<Vec<u8>> {
        let at = self.at;
        if self.fill_buf()?.len() < 8 {
            // The buffer may end in the middle of what we look for.
            self.seek(at)?;
        }
        let seen = self.fill_buf()?;
        Ok(seen[..seen.len().min(8)].to_vec())
    }

    /// Moves on to the next place, from here on, where `is_start` holds of the byte before and the bytes
    /// from there on; to the end of the file if there is none.
    pub(crate) fn search(&mut self, is_start: impl Fn(Option<u8>, &[u8]) -> bool) -> io::Result<()> {
        let mut window: Vec<u8> = Vec::new();
        let mut start = self.at;
        let mut before = None;
        loop {
            let mut chunk = [0; 1 << 14];
            let read = self.read(&mut chunk)?;
            window.extend_from_slice(&chunk[..read]);
            // The last bytes are judged with those that follow.
            let judged = if read == 0 { window.len() } else { window.len().saturating_sub(8) };
            for index in 0..judged {
                if is_start(before, &window[index..]) {
                    return self.seek(start + index as u64);
                }
                before = Some(window[index]);
            }
            window.drain(..judged);
            start += judged as u64;
            if read == 0 {
                return Ok(());
            }
        }
    }
}

impl Read for ArchiveFile {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(buffer)?;
        self.at += read as u64;
        Ok(read)
    }
}

impl BufRead for ArchiveFile {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        self.inner.fill_buf()
    }

    fn consume(&mut self, amount: usize) {
        self.inner.consume(amount);
        self.at += amount as u64;
    }
}

/// The archive between two members or records, or inside a gzip member.
#[derive(Debug)]
pub(crate) enum Stream {
    Plain(ArchiveFile),
    Member(Box<GzipMember>),
}

#[derive(Debug)]
pub(crate) struct GzipMember {
    inner: BufReader<GzDecoder<ArchiveFile>>,
    read: u64,
}

impl Stream {
    pub(crate) fn enter_member(source: ArchiveFile) -> Stream {
        let inner = BufReader::with_capacity(1 << 15, GzDecoder::new(source));
        Stream::Member(Box::new(GzipMember { inner, read: 0 }))
    }

    /// Leaves the member, if in one. The file stays wherever unpacking stopped.
    pub(crate) fn into_source(self) -> ArchiveFile {
        match self {
            Stream::Plain(source) => source,
            Stream::Member(member) => member.inner.into_inner().into_inner(),
        }
    }

    pub(crate) fn is_member(&self) -> bool {
        matches!(self, Stream::Member(_))
    }

    /// Returns the place of the next byte: in the unpacked member, or in the file.
    pub(crate) fn at(&self) -> u64 {
        match self {
            Stream::Plain(source) => source.at(),
            Stream::Member(member) => member.read,
        }
    }
}

impl Read for Stream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self {
            Stream::Plain(source) => source.read(buffer),
            Stream::Member(member) => {
                let read = member.inner.read(buffer)?;
                member.read += read as u64;
                Ok(read)
            }
        }
    }
}

impl BufRead for Stream {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        match self {
            Stream::Plain(source) => source.fill_buf(),
            Stream::Member(member) => member.inner.fill_buf(),
        }
    }

    fn consume(&mut self, amount: usize) {
        match self {
            Stream::Plain(source) => source.consume(amount),
            Stream::Member(member) => {
                member.inner.consume(amount);
                member.read += amount as u64;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::Write;

    #[test]
    fn a_search_finds_what_spans_two_reads() {
        for gap in [0, 1, (1 << 14) - 4, 1 << 14, (1 << 16) - 3, 70_000] {
            let mut file = tempfile::tempfile().unwrap();
            file.write_all(&vec![b'x'; gap]).unwrap();
            file.write_all(b"\nWARC/1.1\n").unwrap();
            let mut source = ArchiveFile::new(file);
            source.seek(0).unwrap();
            source.search(|before, bytes| before == Some(b'\n') && starts_record(bytes)).unwrap();
            assert_eq!(source.at(), gap as u64 + 1);
            assert_eq!(source.peek().unwrap(), b"WARC/1.1");
            source.search(|_, bytes| bytes.starts_with(GZIP)).unwrap();
            assert_eq!((source.at(), source.peek().unwrap().len()), (gap as u64 + 10, 0));
        }
    }
}
