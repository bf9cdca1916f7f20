//! Wedata (`AutoPagerize`) siteinfo: reading a dump, finding the item for a page, applying it.
//!
//! An [`Item`] holds a regular expression for addresses and XPath 1.0 for the next-page link and the content.
//! [`Siteinfo`] holds the items of a dump in the order in which clients try them, and says what they find on a page
//! ([`RuleMatch`]). Labels for training are made of the same answers.
//!
//! Items come from strangers: expressions are bounded in length, nesting and work, and an item that cannot be
//! used is listed and passed over. This crate reads no files and fetches nothing.
//!
//! # Examples
//!
//! ```
//! use tsugi_siteinfo::Siteinfo;
//! let dump = br#"[{"name": "a.test", "data": {"url": "^https?://a\\.test/",
//!     "nextLink": "//a[@rel='next']", "pageElement": "//article"}}]"#;
//! let siteinfo = Siteinfo::read(dump)?;
//! let html = "<article>x</article><a rel=next href=2>older</a>";
//! let page = tsugi_page::Page::from_text(html, &"https://a.test/1".parse().unwrap());
//! let applied = siteinfo.apply(&page).expect("the item is for this page");
//! assert_eq!(applied.next_url.as_str(), "https://a.test/2");
//! assert_eq!(page.text_of(&applied.content), "x");
//! # Ok::<(), tsugi_siteinfo::SiteinfoError>(())
//! ```

pub mod export;
mod index;
mod item;
pub mod learn;
mod pattern;
mod siteinfo;

pub use item::{Field, InsertionPoint, Item, ItemError};
pub use pattern::{Pattern, PatternError};
pub use siteinfo::{Applied, MICROFORMATS, Problem, RuleMatch, Siteinfo, SiteinfoError};
