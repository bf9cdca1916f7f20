//! WARC archives: reading records in order, finding pages by address, writing, saving what is fetched.
//!
//! An archive may be plain or compressed, one gzip member a record (members that hold several records are read as
//! well). Damage is local: a record that cannot be read becomes an [`ArchiveProblem`] with its offset, and reading
//! continues at the next record. Only one record is in memory at a time, of at most 64 MiB.
//!
//! A record whose bytes do not fit its digests is such a problem, too. The block's digest must fit exactly. That of the
//! payload may be of the body as sent, without its chunks, or unpacked: writers differ. Digests do not cover the head of
//! a record, so a damaged address or date is not noticed.
//!
//! Pages are `response`, `resource` and `conversion` records of http and https addresses, and the answers that `revisit`
//! records refer to. Records about the crawl hold no page and are passed over: `warcinfo`, `request`, `metadata` (except
//! the failures that a [`Store`] records), and answers of name servers. What else there is, is refused by name.
//!
//! The reader is our own: the one crate for the format gives no offsets, stops at the first broken record, and
//! allocates what a record's head asks for.
//!
//! # Source
//!
//! The WARC format 1.1, <https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/>,
//! and its annex D on compression; 1.0 differs in angle brackets around the target address.

mod captures;
mod catalog;
mod digest;
mod draft;
pub(crate) mod error;
mod format;
mod head;
mod index;
mod reader;
mod record;
mod revisits;
mod saved;
mod store;
mod stored;
mod stream;
mod writer;

pub use captures::{Capture, Captures};
pub use catalog::{Catalog, CatalogHost, CatalogPage, Catalogued};
pub use error::{ArchiveError, ArchiveProblem, Flaw};
pub use format::looks_like_archive;
pub use index::Turn;
pub use reader::{PackedRecord, PackedRecords, Record, packed_records, records};
pub use saved::Saved;
pub use store::{Clock, Store};
pub use stored::Archive;
pub use writer::ArchiveWriter;
