//! The vocabulary of tsugi: a parsed web page and what can be asked of it.
//!
//! [`Page`] holds the tree that a browser builds, in one arena in document order, with prefix sums over it;
//! a subtree is a range, and its totals are a subtraction. Charset, addresses, visible text, location paths,
//! CSS selection and XPath 1.0 all work on that arena. [`NextLink`], [`Content`] and [`Verdict`] are the answers that
//! those give who look at pages, and those take who follow them, so that neither knows the other.
//!
//! There is no model here, no network and no file: bytes come in, a page comes out, and parsing never fails.
//!
//! ```text
//! bytes ─charset→ characters ─parse→ linked nodes ─flatten→ Page ─ text | paths | select | xpath
//! ```
//!
//! # Examples
//!
//! ```
//! use tsugi_page::{Page, XPath, charset};
//! let header = charset::from_content_type("text/html; charset=EUC-JP");
//! let page = Page::parse(b"<a href=2.html>\xbc\xa1</a>", &"http://a.test/1.html".parse().unwrap(), header);
//! let link = XPath::parse("//a[. = '次']")?.nodes(&page)?[0];
//! assert_eq!(page.resolve(page.attribute(link, "href").unwrap()).unwrap().as_str(), "http://a.test/2.html");
//! assert_eq!(page.location_path(link), "/html[1]/body[1]/a[1]");
//! # Ok::<(), tsugi_page::xpath::XPathError>(())
//! ```

pub mod address;
mod answer;
pub mod charset;
mod html;
pub mod image;
mod page;
mod parse;
mod path;
mod plain;
mod recurrence;
mod response;
#[cfg(feature = "css")]
mod select;
pub mod style;
mod tags;
pub mod text;
pub mod walk;
pub mod word_list;
#[cfg(feature = "xpath")]
pub mod xpath;

pub use answer::{Content, Evidence, NextLink, Reason, Relation, Verdict};
pub use encoding_rs::Encoding;
pub use html::Edits;
pub use page::{AttributeNamespace, Namespace, NodeId, NodeKind, Note, Page, Totals};
pub use parse::{MAX_DEPTH, MAX_NODES};
pub use recurrence::Recurrence;
pub use response::{Response, Unavailable, media_type};
#[cfg(feature = "css")]
pub use select::{Selector, SelectorError};
pub use tags::{Attr, Tag, TagClass};
pub use text::escaped;
pub use text::visible::{TextForm, TextForms};
pub use url::Url;
#[cfg(feature = "xpath")]
pub use xpath::XPath;
