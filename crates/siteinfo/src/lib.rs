//! Wedata (`AutoPagerize`) siteinfo: reads a dump, finds the item for a page, applies it, and learns items from pages.
//!
//! # Examples
//!
//! ```
//! use tsugi_siteinfo::Siteinfo;
//! let dump = br#"[{"name": "a.test", "data": {"url": "^https?://a\\.test/",
//!     "nextLink": "//a[@rel='next']", "pageElement": "//article"}}]"#;
//! let siteinfo = Siteinfo::read_dump(dump)?;
//! let html = "<article>x</article><a rel=next href=2>older</a>";
//! let page = tsugi_page::Page::from_text(html, &"https://a.test/1".parse().unwrap());
//! let applied = siteinfo.apply(&page).expect("the item is for this page");
//! assert_eq!(applied.next_url.as_str(), "https://a.test/2");
//! assert_eq!(page.text_of(&applied.content), "x");
//! # Ok::<(), tsugi_siteinfo::SiteinfoError>(())
//! ```
//!
//! # Design
//!
//! Besides Wedata's JSON, [`Siteinfo::read_rules`] reads site configs of `FiveFilters`, and items in CSS. An [`Item`] has a regular expression for addresses, and XPath 1.0 for the next-page link and the content. [`Siteinfo`]
//! holds the items of a dump in the order in which clients try them, and returns what they find on a page
//! ([`RuleMatch`]). Labels for training come from the same answers. [`learn`] writes items from what models find.
//!
//! Items are untrusted. Expressions are bounded in length and nesting, and all items share a budget of work on a page.
//! Unusable items are listed and skipped.
//!
//! This crate reads no files and fetches nothing.

pub mod export;
mod index;
mod item;
pub mod learn;
mod node_rule;
mod pattern;
mod site_config;
mod siteinfo;

pub use item::{Field, InsertionPoint, Item, ItemError, RuleFacts};
pub use node_rule::NodeRule;
pub use pattern::{Pattern, PatternError};
pub use siteinfo::{Applied, MICROFORMATS, Problem, RuleMatch, Search, Siteinfo, SiteinfoError};
