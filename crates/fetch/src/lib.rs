//! Fetches pages and their images from the network, from WARC archives and from files.
//!
//! [`Http`], [`Archive`] and [`Files`] are all a [`Fetch`], so callers need not know where a page comes from. [`Saved`]
//! writes every answer of the network to an archive, so that a run can be resumed and repeated. [`given_page`] reads a page
//! that is at hand.
//!
//! Only this crate opens sockets. [`Http`] honours `robots.txt`, waits between requests to one host, and connects to
//! public addresses only. [`SiteHeaders`] and a [`CookieJar`] are sent to their own sites only. A fetched page is a
//! [`Response`]: bytes, an address, and a content type.
//!
//! [`Response`]: tsugi_page::Response
//!
//! # Examples
//!
//! From the network, with a header for one site:
//!
//! ```no_run
//! use tsugi_fetch::{Fetch, Http, HttpOptions, SiteHeaders};
//! let url = "https://example.com/article".parse()?;
//! let headers = SiteHeaders::new(["Accept-Language: de"], [&url])?;
//! let page = Http::new(HttpOptions::new("my-reader/1.0").headers(headers))?.fetch(&url)?.page();
//! println!("{}", page.title().unwrap_or_default());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! From files:
//!
//! ```
//! use tsugi_fetch::{Fetch, Files, file_url};
//! let folder = std::env::temp_dir().join(format!("tsugi-fetch-{}", std::process::id()));
//! std::fs::create_dir_all(&folder)?;
//! std::fs::write(folder.join("1.html"), "<title>One</title>")?;
//! let page = Files::below(&folder)?.fetch(&file_url(&folder.join("1.html"))?)?.page();
//! assert_eq!(page.title().as_deref(), Some("One"));
//! # std::fs::remove_dir_all(&folder)?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(feature = "archive")]
mod archive;
#[cfg(feature = "_bodies")]
mod body;
mod error;
mod exchange;
mod fetch;
#[cfg(feature = "files")]
mod files;
#[cfg(feature = "files")]
mod given;
#[cfg(feature = "http")]
mod http;
mod locked;
mod media;
#[cfg(feature = "_new-files")]
mod new_file;
#[cfg(feature = "_bodies")]
mod redirect;
#[cfg(feature = "archive")]
pub mod row;
mod sniff;
#[cfg(feature = "archive")]
mod sorter;
mod special;

#[cfg(feature = "archive")]
pub use archive::{
    Archive, ArchiveError, ArchiveProblem, ArchiveWriter, Capture, Captures, Catalog, CatalogHost,
    CatalogPage, Catalogued, Clock, Flaw, PackedRecord, PackedRecords, Record, Saved, Store, Turn,
    looks_like_archive, packed_records, records,
};
pub use error::{FetchError, chain};
pub use exchange::{Exchange, Keep, Wanted};
pub use fetch::{Fetch, FetchImage};
#[cfg(feature = "files")]
pub use files::{Files, file_url};
#[cfg(feature = "files")]
pub use given::given_page;
#[cfg(feature = "fuzzing")]
#[doc(hidden)]
pub use http::fuzzing;
#[cfg(feature = "http")]
pub use http::relay::{RelayedAnswer, RelayedRequest};
#[cfg(feature = "http")]
pub use http::{
    AllowedPlace, CacheFolder, CookieError, CookieJar, CookieProblem, Download, Guard, HeaderError, HeldFile,
    Http, HttpOptions, Pause, PlaceError, RetryReason, SiteHeaders, Watch,
};
#[cfg(feature = "archive")]
pub use jiff::Timestamp;
pub use locked::locked;
pub use media::{checked_image, checked_page};
#[cfg(feature = "_new-files")]
pub use new_file::{NewFile, Readers};
#[cfg(feature = "archive")]
pub use sorter::{Scratch, SortedRows, Sorter};
