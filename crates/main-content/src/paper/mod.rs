//! Main content by the features of Hanamura (2020): every element is a row.
//!
//! ```text
//! Page (+ next-link tag) ─features→ Matrix<PaperContent> ─model→ scores ─decode→ Content
//! ```

pub mod baseline;
mod context;
mod decode;
mod detector;
mod features;

pub use context::ElementContext;
pub use decode::decode;
pub use detector::{ContentModelError, DISTANCE_NOTE, PaperContentDetector};
pub use features::{DISTANCE, PaperContent, features};
