//! Errors of archives and their records.

use std::io;
use std::path::{Path, PathBuf};

/// The longest record that is read, in bytes; also the longest body after decompression.
pub(crate) const MAX_RECORD: u64 = 64 << 20;

/// Why an archive cannot be read or written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ArchiveError {
    /// The file cannot be opened, read or written.
    #[error("cannot access archive `{}`", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What failed.
        source: io::Error,
    },
    /// The file has no WARC record at all.
    #[error("`{}` is not a WARC archive: it has no records", path.display())]
    NotAnArchive {
        /// The file.
        path: PathBuf,
    },
    /// The file is of a format that is not read.
    #[error("`{}` is {what}, which is not read; {remedy}", path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// Its format, with an article ("an ARC file").
        what: &'static str,
        /// What to do instead.
        remedy: &'static str,
    },
    /// Another run is writing the file.
    #[error("archive `{}` is being written by another run; wait for it, or name another file", path.display())]
    InUse {
        /// The file.
        path: PathBuf,
    },
    /// The end of the file has more damage than one torn record, so nothing is added to it.
    #[error("the last {length} bytes of archive `{}` cannot be read; move them away, or name another file", path.display())]
    DamagedEnd {
        /// The file.
        path: PathBuf,
        /// The number of bytes after the last whole record.
        length: u64,
    },
    /// A damaged record claims more bytes than come before the end of the file, so nothing is added to it: the record
    /// would look whole then, and the records behind it would be part of it.
    #[error("record at byte {offset} of archive `{}` is damaged, and would swallow what is added; name another file", path.display())]
    Unclosed {
        /// The file.
        path: PathBuf,
        /// Where the record, or the gzip member that holds it, starts in the file, in bytes.
        offset: u64,
    },
    /// A scratch file cannot be used.
    #[error("cannot use a temporary file")]
    Scratch {
        /// What failed.
        #[from]
        source: io::Error,
    },
    /// A record that was found cannot be read any more.
    #[error("archive `{}` is damaged", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        source: Box<ArchiveProblem>,
    },
}

impl ArchiveError {
    pub(crate) fn of_record(path: &Path, problem: ArchiveProblem) -> ArchiveError {
        let path = path.to_owned();
        match problem.flaw {
            Flaw::Unreadable(reason) => ArchiveError::Io { path, source: io::Error::other(reason) },
            _ => ArchiveError::Damaged { path, source: Box::new(problem) },
        }
    }
}

/// A record that cannot be read, and its place.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("record at byte {offset}: {flaw}")]
#[non_exhaustive]
pub struct ArchiveProblem {
    /// Where the record, or the gzip member that holds it, starts in the file, in bytes.
    pub offset: u64,
    /// What is wrong with it.
    pub flaw: Flaw,
}

/// What is wrong with a record.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Flaw {
    /// The file ends inside it.
    #[error("the file ends inside it")]
    CutOff,
    /// The gzip member is broken.
    #[error("broken gzip member: {0}")]
    Gzip(String),
    /// The bytes are not a record.
    #[error("no record starts here, expected `WARC/` and a version, or a gzip member")]
    NotARecord,
    /// The head has no end.
    #[error("head is longer than {limit} bytes")]
    LongHead {
        /// The limit, in bytes.
        limit: usize,
    },
    /// A header is missing or invalid.
    #[error("header `{name}` is `{value}`, expected {expected}")]
    Header {
        /// Its name.
        name: &'static str,
        /// Its value; empty if it is missing.
        value: String,
        /// What belongs there.
        expected: &'static str,
    },
    /// The bytes do not fit a digest in the head: one of the two is damaged. The record is not read.
    #[error("`{target}` is damaged: its bytes have the digest `{found}`, but `{name}` is `{declared}`")]
    Digest {
        /// The address of the record; empty if it has none.
        target: String,
        /// The header with the digest.
        name: &'static str,
        /// Its value.
        declared: String,
        /// The digest of the bytes.
        found: String,
    },
    /// The record is one of several segments of an answer. Segments are not joined.
    #[error("`{target}` is stored in segments, which are not joined")]
    Segment {
        /// The address of the record.
        target: String,
    },
    /// The record is longer than 64 MiB.
    #[error("{length} bytes long, expected at most {MAX_RECORD}")]
    TooLong {
        /// Its `Content-Length`.
        length: u64,
    },
    /// `Content-Length` does not match the end of the record.
    #[error("`Content-Length` is {declared}, which is not where the record ends")]
    Length {
        /// Its `Content-Length`.
        declared: u64,
    },
    /// The record does not hold an HTTP response.
    #[error("not an HTTP response: it starts with `{start}`, expected `HTTP/`")]
    NotHttp {
        /// The first line, shortened.
        start: String,
    },
    /// A revisit of an answer, after others that repeated as much as is read a second time.
    #[error("revisits before it repeat more than {limit} bytes; what `{target}` refers to was not read")]
    Repeated {
        /// The address of the revisit.
        target: String,
        /// The limit, in bytes.
        limit: u64,
    },
    /// The file cannot be read.
    #[error("reading failed: {0}")]
    Unreadable(String),
    /// The search for further records was given up after too much damage.
    #[error("too much damage before it; the rest was not read")]
    GivenUp,
}

impl Flaw {
    /// Returns `true` if bytes of the archive are missing, changed, or cannot be read. Other flaws are of one record that is whole,
    /// and of no use.
    pub fn is_damage(&self) -> bool {
        match self {
            Flaw::CutOff
            | Flaw::Gzip(_)
            | Flaw::NotARecord
            | Flaw::LongHead { .. }
            | Flaw::Header { name: "Content-Length", .. }
            | Flaw::Digest { .. }
            | Flaw::Length { .. }
            | Flaw::Unreadable(_)
            | Flaw::GivenUp => true,
            Flaw::Header { .. }
            | Flaw::Segment { .. }
            | Flaw::TooLong { .. }
            | Flaw::NotHttp { .. }
            | Flaw::Repeated { .. } => false,
        }
    }
}
