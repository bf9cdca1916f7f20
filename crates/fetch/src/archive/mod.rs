//! WARC archives: reading records one after the other, finding pages by address, writing, keeping what is fetched.
//!
//! An archive may be plain or compressed, one gzip member a record (members that hold several records are
//! read as well). Damage is local: what cannot be read becomes an [`ArchiveProblem`] with its offset, and
//! reading goes on at the next record that can be found. No more than one record is held in memory, and none
//! that is longer than 64 MiB.
//!
//! Only `response` records of http and https addresses are pages; all other records are passed over, but for the
//! failures that a [`Store`] records, and revisits where the captures of a page are listed ([`Captures`]).
//!
//! The reader is our own: the one crate for the format gives no offsets, stops at the first broken record, and
//! allocates what a record's head asks for.
//!
//! # Source
//!
//! The WARC format 1.1, <https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/>,
//! and its annex D on compression; 1.0 differs in angle brackets around the target address.

mod captures;
mod draft;
pub(crate) mod error;
mod head;
mod index;
mod reader;
mod record;
mod saved;
mod store;
mod stored;
mod stream;
mod writer;

pub use captures::{Capture, Captures};
pub use error::{ArchiveError, ArchiveProblem, Flaw};
pub use reader::{PackedRecord, PackedRecords, Record, packed_records, records};
pub use saved::Saved;
pub use store::{Clock, Store};
pub use stored::Archive;
pub use writer::ArchiveWriter;
