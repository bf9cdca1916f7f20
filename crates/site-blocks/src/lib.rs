//! Finds the main content of pages by comparing the pages of a site, and rules learned from that.
//!
//! # Examples
//!
//! ```
//! use tsugi_page::Page;
//! use tsugi_site_blocks::unique_blocks;
//! let page = |article: &str| {
//!     let html = format!("<ul><li>Home<li>Sport</ul><div><p>{article}</p></div><p>© A Paper</p>");
//!     Page::from_text(&html, &"https://a.test/".parse().unwrap())
//! };
//! let (one, two) = (page("Snow fell in June."), page("The bridge is open again."));
//! let content = unique_blocks(&[&one, &two]);
//! assert_eq!(content[0].len(), 1);
//! assert_eq!(content[0][0].text(&one), "Snow fell in June.");
//! assert_eq!(two.tag(content[1][0].node()), "p");
//! ```
//!
//! # How it works
//!
//! A menu is on every page of a site, an article on only one. [`blocks`] cuts a page into the smallest parts that are
//! either all content or not content at all, [`same_block`] decides whether two of them are the same, and
//! [`unique_blocks`] keeps those that no other page has. No model and no training are needed.
//!
//! Blocks are only compared, not judged on their own: a single page has nothing but unique blocks. [`SelectorRules`]
//! describe the positions of the unique blocks of some pages, and so work on single pages. This crate
//! reads no files and fetches nothing; the caller provides the pages.
//!
//! ```text
//! Page ─add→ PageSet (numbers) ─index→ SiteIndex ─unique→ blocks ┬→ Kept (leaves) → nodes, text, measures
//! unique blocks of some pages ─learn→ SelectorRules ─blocks──────┘
//! ```
//!
//! # Source
//!
//! Yoshida & Yamamoto (2009), 教師情報を必要としないニュースページ群からのコンテンツ自動抽出 (content of
//! news pages without training data), 日本データベース学会論文誌 8 (1), 29–34. Yoshida, Inui & Yamamoto,
//! CSS セレクタで表現されたコンテンツ抽出ルールの自動獲得 (rules for extraction as CSS selectors).

mod block;
mod budget;
mod fingerprint;
mod kept;
mod near;
mod rules;
#[cfg(test)]
mod samples;
mod set;
mod share;
mod twins;
mod unique;
mod vector;

pub use block::{Block, blocks, is_left_out, same_block};
pub use fingerprint::{Fingerprint, fingerprint};
pub use kept::{Kept, Leaf, content_mask, each_leaf};
pub use rules::{Identifier, NearIdentifier, Rule, SelectorRules};
pub use set::PageSet;
pub use share::BlockShare;
pub use unique::{Extensions, SiteIndex, unique_blocks, unique_blocks_extended};
