//! Puts a paginated web article back together: finds the next-page link, takes the main content of every page, and
//! returns one document. Both steps are learned, so it works on sites that nobody wrote a rule for.
//!
//! ```no_run
//! use tsugi::{Format, Http, Page, Tsugi};
//!
//! fn main() -> Result<(), Box<dyn std::error::Error>> {
//!     let tsugi = Tsugi::new(); // built-in models, read when first needed
//!     let url = "https://example.com/story".parse()?;
//!
//!     let page = Page::parse(&std::fs::read("story.html")?, &url, None);
//!     let look = tsugi.look(&page); // reads the page once
//!     if let Some(next) = look.next() {
//!         println!("{} {:.2}", next.url, next.score);
//!     }
//!     println!("{}", look.content().markdown());
//!
//!     let web = Http::builder("my-reader/1.0 (+mailto:me@example.org)").build()?;
//!     let document = tsugi.join(&url, &web)?; // follows, verifies, stitches
//!     document.write(Format::Epub, std::fs::File::create("story.epub")?)?;
//!     Ok(())
//! }
//! ```
//!
//! [`Tsugi`] holds the models and the rules: make one and share it between threads. [`Look`] is what it finds on one page,
//! [`Document`] the result. [`Following`] joins with a client of your own, without I/O; [`Tsugi::join_async`] in asynchronous code.
//! The folder `examples` has whole programs.
//!
//! # Features
//!
//! | feature | on by default | what it adds |
//! | --- | --- | --- |
//! | `files` | yes | pages from files: [`Files`] |
//! | `archive` | yes | pages from WARC archives: [`Archive`] |
//! | `http` | yes | pages from the network: [`Http`] |
//! | `ring` | yes | the TLS provider `ring`, where the process has no default |
//! | `aws-lc-rs` | no | the TLS provider `aws-lc-rs`, where the process has no default |
//! | `serde` | no | results that can be written, and all but documents read |
//! | `rules` | yes | siteinfo rules (Wedata items), which take precedence over the models: [`rules`] |
//!
//! A provider is never made the default of the process. A program that uses rustls with its own default features needs
//! `default-features = false` and `aws-lc-rs` here: with two providers switched on, rustls chooses none.
//!
//! Without features, the crate uses no clock, thread, file or socket, and compiles to WebAssembly.

#![cfg_attr(docsrs, feature(doc_cfg))]

#[cfg(all(doctest, feature = "http", feature = "rules"))]
#[doc = include_str!("../../../docs/src/how-to/library.md")]
mod book {}

pub mod chains;
pub mod detect;
pub mod explain;
mod following;
mod lines;
mod look;
pub mod models;
mod options;
#[cfg(feature = "archive")]
pub mod pipeline;
pub mod roles;
pub mod scan;
mod sight;
mod tsugi;

pub use crate::tsugi::Tsugi;
pub use following::{Following, Given, Way};
pub use look::{Look, MainContent};
pub use options::{Drawing, JoinOptions, ScoreError};
pub use sight::Control;
#[doc(inline)]
pub use tsugi_document as document;
pub use tsugi_document::{Comments, Document, Format, Part, Reassembly, StopReason, Stopped, Tried};
#[doc(inline)]
pub use tsugi_fetch as fetch;
#[cfg(feature = "archive")]
pub use tsugi_fetch::Archive;
#[cfg(feature = "files")]
pub use tsugi_fetch::Files;
#[cfg(feature = "http")]
pub use tsugi_fetch::Http;
pub use tsugi_fetch::{Fetch, FetchError};
#[doc(inline)]
pub use tsugi_metadata as metadata;
#[doc(inline)]
pub use tsugi_page as page;
pub use tsugi_page::{NextLink, Page, Response, Unavailable, Url, Verdict};
#[cfg(feature = "rules")]
#[doc(inline)]
pub use tsugi_siteinfo as rules;
