//! Gets pages and their images: from the network, from WARC archives, from files.
//!
//! All three are a [`Fetch`], so that who asks need not know where a page comes from: [`Http`], [`Archive`], [`Files`].
//! With [`Saved`], what the network answers is kept in an archive as it comes, so that a run can be resumed and
//! repeated.
//!
//! Only this crate opens sockets. [`Http`] honours `robots.txt`, waits between requests to one host, and connects to
//! public addresses alone. What comes back are bytes ([`Response`]); nothing here knows what a page holds.
//!
//! [`Response`]: tsugi_page::Response
//!
//! # Examples
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

mod archive;
mod body;
mod error;
mod exchange;
mod fetch;
mod files;
mod given;
mod http;
mod media;
mod redirect;
mod sniff;
mod special;

pub use archive::{
    Archive, ArchiveError, ArchiveProblem, ArchiveWriter, Capture, Captures, Clock, Flaw, PackedRecord,
    PackedRecords, Record, Saved, Store, packed_records, records,
};
pub use error::{FetchError, chain};
pub use exchange::{Exchange, Keep, Wanted};
pub use fetch::{Fetch, FetchImage};
pub use files::{Files, file_url};
pub use given::{Given, given_page};
pub use http::{
    CacheFolder, CookieError, CookieJar, CookieProblem, Download, Guard, HeaderError, HeldFile, Http,
    HttpOptions, Pause, RetryReason, SiteHeaders, Watch,
};
pub use media::{checked_image, checked_page};
