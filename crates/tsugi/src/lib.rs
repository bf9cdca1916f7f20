//! Puts a paginated web article back together: finds the next-page link, takes the main content of every page, and
//! returns one document. Both steps are learned, so it works on sites that nobody wrote a rule for.
//!
//! ```no_run
//! # #[cfg(not(feature = "fetch"))]
//! # fn main() {}
//! # #[cfg(feature = "fetch")]
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let (html, url, file) = (b"", "https://a.test/story".parse()?, std::io::stdout());
//! let tsugi = tsugi::Tsugi::new();                           // built-in models, read when first needed
//! let page = tsugi::Page::parse(html, &url, None);
//! let look = tsugi.look(&page);                              // reads the page once
//! if let Some(next) = look.next() { println!("{} {:.2}", next.url, next.score) }
//! println!("{}", look.content().markdown());
//! let document = tsugi.join(&url, &tsugi::Http::polite()?)?; // follow, verify, stitch
//! document.write(tsugi::Format::Epub, file)?;
//! # Ok(())
//! # }
//! ```
//!
//! [`Tsugi`] holds the models and the rules: make one and share it between threads. [`Look`] is what it finds on one page,
//! [`Document`] the result. The folder `examples` has whole programs: `extract`, `join`, `archive`, `rules`.
//!
//! # Features
//!
//! Both features are on by default. `fetch` reads pages from the network, WARC archives and files. `rules` adds siteinfo
//! rules (Wedata items), which take precedence over the models. Without both, the crate uses no clock, thread, file or
//! socket, and compiles to WebAssembly: [`Tsugi::follow`] says which page to fetch, and the caller fetches it.

mod chains;
mod explain;
mod extract;
mod following;
mod limits;
mod lines;
mod look;
mod models;
#[cfg(feature = "fetch")]
pub mod pipeline;
mod scan_line;
mod sight;
mod tsugi;

pub use crate::tsugi::Tsugi;
pub use chains::{ChainPlan, ChainRun, ChainRuns, Chaining, Looked, chains};
pub use explain::{Explained, ExplainedLink, ExplainedNode};
pub use extract::ExtractOptions;
pub use following::Following;
pub use limits::Limits;
pub use look::{Look, MainContent};
pub use models::{
    ContentModel, FindContent, FindNext, JudgeModel, JudgePair, LinkModel, ModelError, built_in_models,
};
pub use scan_line::{ScanContent, ScanLine, ScanNext, TooManyPlaces};
pub use tsugi_document::{
    Comments, ContentText, Document, DocumentPage, EpubOptions, Format, FormatError, ImageFile, ImagePlace,
    Images, Part, Reassembly, Shown, StopReason, Stopped, content_html, content_markdown, stitch,
};
#[cfg(feature = "fetch")]
pub use tsugi_fetch::{Archive, Fetch, FetchError, Files, Http, HttpOptions, file_url};
pub use tsugi_main_content::Focus;
pub use tsugi_metadata::{Metadata, Said, Source, stated_dates};
pub use tsugi_next_link::{PageFacts, Pair};
pub use tsugi_page::{
    Content, Evidence, NextLink, NodeId, Page, Reason, Relation, Response, Unavailable, Url, Verdict,
    WhyUnavailable,
};
#[cfg(feature = "rules")]
pub use tsugi_siteinfo::{Siteinfo, SiteinfoError};
