//! Next-page links: labelled pages, and the training of the link models.
//!
//! A page is described once ([`LinkPage`]); training and scoring work on descriptions alone, so that many models
//! can be trained on parts of the same pages. Three layers learn from each other's held-out scores: linear models
//! of tokens, boosted trees over all columns, and the map from the best score of a page to a probability. Each
//! layer is trained on scores that the layer below gave to software it had not seen (`train_next_link`).
//!
//! ```text
//! LinkPage… ─by group→ token scores, held out ─boost→ candidate scores, held out ─calibrate→ threshold → Bundle
//! ```

mod page;
mod train;

pub use page::LinkPage;
pub use train::LinkParams;
pub(crate) use train::train_next_link;
