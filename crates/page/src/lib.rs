//! A parsed web page: tree, text, addresses, XPath and CSS.
//!
//! # Examples
//!
//! ```
//! use tsugi_page::{Page, Selector, XPath, charset};
//! let header = charset::from_content_type("text/html; charset=EUC-JP");
//! let html = b"<article>\xa4\xa2</article><a class=next href=2.html>\xbc\xa1</a>";
//! let page = Page::parse(html, &"http://a.test/1.html".parse()?, header);
//!
//! let article = page.select(&Selector::parse("article:has(+ a)")?)[0];
//! assert_eq!(page.text(article), "あ");
//! let link = XPath::parse("//a[. = '次']")?.nodes(&page)?[0];
//! let href = page.attribute(link, "href").expect("the link has an address");
//! assert_eq!(page.resolve(href), Some("http://a.test/2.html".parse()?));
//! assert_eq!(page.location_path(link), "/html[1]/body[1]/a[1]");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Design
//!
//! ```text
//! bytes ─charset→ characters ─tokenizer→ tokens ─builder→ Page ─ text | paths | select | xpath
//! ```
//!
//! [`Page`] holds the tree that a browser builds, in one arena in document order, with prefix sums over it: a subtree is a
//! range, and its totals are a difference. Parsing never fails, in time and memory linear in the length of the page.
//!
//! [`NextLink`], [`Content`] and [`Verdict`] are answers about pages. They are defined here so that the crates that find
//! them and the crate that follows them do not depend on each other.
//!
//! This crate has no models, no network and no files.

pub mod address;
mod address_noise;
mod answer;
pub mod charset;
mod header_link;
mod hiding;
mod html;
pub mod image;
pub mod lexicon;
mod limits;
mod node;
mod note;
#[cfg(feature = "oracle")]
pub mod oracle;
mod page;
mod parse;
mod path;
mod plain;
mod public_suffix;
mod recurrence;
mod response;
#[cfg(feature = "css")]
mod select;
mod size;
pub mod style;
mod tags;
pub mod text;
pub mod walk;
pub mod word_list;
#[cfg(feature = "xpath")]
pub mod xpath;

pub use answer::{Content, Evidence, NextLink, Reason, Relation, Verdict};
pub use encoding_rs::Encoding;
pub use header_link::HeaderLink;
pub use hiding::HidingRules;
pub use html::Edits;
pub use limits::{MAX_DEPTH, MAX_NODES};
pub use node::{AttributeNamespace, Namespace, NodeId, NodeKind};
pub use note::Note;
pub use page::{Page, Totals};
pub use recurrence::Recurrence;
pub use response::{Response, Unavailable, UnavailableKind, media_type};
#[cfg(feature = "css")]
pub use select::{Selector, SelectorError};
pub use tags::{Attr, Tag, TagClass};
pub use text::escaped;
pub use text::visible::{TextForm, TextForms};
pub use url::Url;
#[cfg(feature = "xpath")]
pub use xpath::XPath;
