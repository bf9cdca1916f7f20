//! Gets pages, follows their next-page links, joins what they hold, and writes it.
//!
//! Pages come from the network ([`Http`]), from a WARC archive ([`Archive`]) or from files ([`Files`]); all
//! three are a [`Fetch`], so that following does not know where a page came from. With [`Saved`] what the network
//! answers is kept in an archive as it comes, so that a run can go on where it ended, and be repeated.
//! [`reassemble()`] asks two detectors of `tsugi-page` for the next-page link and the main content of each page,
//! and says why it stopped. [`stitch()`] joins the parts and takes out what each page repeats; [`write()`] gives
//! Markdown, HTML, text, JSON or EPUB.
//!
//! Only this crate opens sockets. It holds no model and no rule: which link leads on is the detectors' answer.
//! It never runs what a page holds, and nothing active gets through to the documents it writes. [`Http`] keeps
//! to `robots.txt`, waits between requests to one host, and connects to public addresses alone.
//!
//! ```text
//! Url ─Fetch→ Response ─parse→ Page ─detectors→ (link, content) ─verify→ Part ─ … ─stitch→ Document ─write→ text
//! ```
//!
//! # Examples
//!
//! ```
//! use tsugi_follow::{Fetch, FetchError, Format, Joiner, Limits, Response, StopReason, reassemble, stitch, write};
//! use tsugi_page::{Content, Evidence, FindContent, FindNext, NextLink, Page, Relation, Url};
//!
//! /// Two pages, without a network.
//! struct Shelf;
//! impl Fetch for Shelf {
//!     fn fetch(&self, url: &Url) -> Result<Response, FetchError> {
//!         let body = match url.path() {
//!             "/1" => "<h1>Title</h1><p>One.</p><a href=/2>next</a>",
//!             _ => "<h1>Title</h1><p>Two.</p>",
//!         };
//!         Ok(Response { url: url.clone(), status: 200, content_type: None, body: body.into() })
//!     }
//! }
//!
//! /// The first link is the next page, the paragraphs and headings are the content.
//! #[derive(Debug)]
//! struct Simple;
//! impl FindNext for Simple {
//!     fn best_next(&self, page: &Page) -> Option<NextLink> {
//!         let node = page.first("a")?;
//!         let url = page.resolve(page.attribute(node, "href")?)?;
//!         Some(NextLink { url, node, relation: Relation::Page, score: 0.9, evidence: Evidence::Model })
//!     }
//!     fn threshold(&self) -> f32 {
//!         0.5
//!     }
//! }
//! impl FindContent for Simple {
//!     fn find_content(&self, page: &Page, _: Option<&NextLink>) -> Content {
//!         let nodes = page.elements().filter(|id| page.is(*id, "h1") || page.is(*id, "p")).collect();
//!         Content { nodes, without: Vec::new(), score: 1.0, evidence: Evidence::Model }
//!     }
//! }
//!
//! let start = "https://a.test/1".parse().unwrap();
//! let limits = Limits::default();
//! let joiner = Joiner { fetch: &Shelf, next: &Simple, content: &Simple, verify: None, limits };
//! let joined = reassemble(&start, &joiner)?;
//! assert_eq!(joined.stopped.reason, StopReason::NoNext);
//! let document = stitch(&joined);
//! assert_eq!(document.text, "Title\nOne.\nTwo.");
//! assert_eq!(write(&document, Format::Markdown)?, b"# Title\n\nOne.\n\nTwo.\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod archive;
mod body;
mod chains;
mod document;
mod exchange;
mod fetch;
mod files;
mod held;
mod http;
mod image;
mod metadata;
mod reassemble;
mod stitch;
mod write;

pub use archive::{
    Archive, ArchiveError, ArchiveProblem, ArchiveWriter, Capture, Captures, Clock, Flaw, PackedRecord,
    PackedRecords, Record, Saved, Store, packed_records, records,
};
pub use chains::chains;
pub use document::{Document, DocumentPage};
pub use exchange::{Exchange, Keep, Wanted};
pub use fetch::{Fetch, FetchError, FetchImage, Response};
pub use files::{Files, file_url};
pub use http::{CacheFolder, Download, Guard, HeldFile, Http, HttpOptions};
pub use metadata::stated_dates;
pub use reassemble::{Joiner, Limits, Part, Reassembly, StopReason, Stopped, reassemble, reassemble_from};
pub use stitch::stitch;
pub use write::{EpubOptions, Format, FormatError, GetImage, json_line, write, write_epub};
