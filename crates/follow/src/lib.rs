//! Follows next-page links, joins the main content of the pages, and writes the document. No I/O: no socket, file or clock.
//!
//! [`Following`] is a state machine: it says which page it wants, and is given the answer. A [`Detector`], which may use any
//! model or rule, finds the next link and the main content of each page, and judges pairs of pages. [`chains()`] joins all
//! stored pages, [`extract()`] takes one page alone. [`stitch()`] makes a [`Document`] of the pages, without what each of them
//! repeats. [`Document::write`] writes Markdown, HTML, text, JSON or EPUB.
//!
//! Nothing in a page is ever run, and nothing active gets into the documents.
//!
//! ```text
//! wanted → Url ─(caller)→ Response ─parse→ Page ─Detector→ (link, content) ─judge→ Part ─ … ─stitch→ Document ─write→ bytes
//! ```
//!
//! # Examples
//!
//! ```
//! use tsugi_follow::{Detector, Following, Format, Limits, PageLook, StopReason, stitch};
//! use tsugi_page::{Content, Evidence, NextLink, Page, Relation, Response, Url, Verdict};
//!
//! /// The first link is the next page, paragraphs and headings are the content, and nothing is judged.
//! struct Simple;
//! struct SimpleLook(Option<NextLink>, Content);
//! impl Detector for Simple {
//!     type Look<'p> = SimpleLook;
//!     type Facts = ();
//!     fn look<'p>(&'p self, page: &'p Page) -> SimpleLook {
//!         let link = |node| {
//!             let url = page.resolve(page.attribute(node, "href")?)?;
//!             Some(NextLink { url, node, relation: Relation::Page, score: 0.9, evidence: Evidence::Model })
//!         };
//!         let nodes = page.elements().filter(|id| page.is(*id, "h1") || page.is(*id, "p")).collect();
//!         let content = Content { nodes, without: Vec::new(), score: 1.0, evidence: Evidence::Model };
//!         SimpleLook(page.first("a").and_then(link), content)
//!     }
//!     fn judge(&self, _: &(), _: &NextLink, _: &(), _: Option<&NextLink>) -> Option<Verdict> {
//!         None
//!     }
//! }
//! impl PageLook for SimpleLook {
//!     type Facts = ();
//!     fn best(&self) -> Option<&NextLink> {
//!         self.0.as_ref()
//!     }
//!     fn threshold(&self) -> f32 {
//!         0.5
//!     }
//!     fn content(&self) -> &Content {
//!         &self.1
//!     }
//!     fn facts(&self) {}
//! }
//!
//! let mut following = Following::new(Simple, "https://a.test/1".parse()?, Limits::default());
//! while let Some(url) = following.wanted().cloned() {
//!     let body = match url.path() {
//!         "/1" => "<h1>Title</h1><p>One.</p><a href=/2>next</a>",
//!         _ => "<h1>Title</h1><p>Two.</p>",
//!     };
//!     following.give(Ok(Response { url, status: 200, content_type: None, body: body.into() }));
//! }
//! let joined = following.finish()?;
//! assert_eq!(joined.stopped.reason, StopReason::NoNext);
//! let document = stitch(joined);
//! assert_eq!(document.text, "Title\nOne.\nTwo.");
//! let mut markdown = Vec::new();
//! document.write(Format::Markdown, &mut markdown)?;
//! assert_eq!(markdown, b"# Title\n\nOne.\n\nTwo.\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod addresses;
mod anchor;
mod chains;
mod comments;
mod detect;
mod document;
mod extract;
mod following;
mod images;
mod limits;
mod lines;
mod noise;
mod part;
mod reading;
mod shape;
mod shown;
mod sight;
mod stitch;
mod stop;
mod write;

pub use chains::{ChainPlan, ChainRun, ChainRuns, Chaining, Looked, chains};
pub use comments::Comments;
pub use detect::{Detector, PageLook};
pub use document::{Document, DocumentPage};
pub use extract::{ExtractOptions, extract};
pub use following::Following;
pub use limits::Limits;
pub use part::{Part, Reassembly};
pub use shown::Shown;
pub use stitch::stitch;
pub use stop::{StopReason, Stopped};
pub use write::{
    ContentText, EpubOptions, Format, FormatError, ImageFile, ImagePlace, Images, content_html,
    content_markdown,
};
