//! Training and evaluation of the content model that works on text blocks.

mod align;
mod pages;
mod train;

pub use pages::{ContentPage, ContentPages};
pub use train::{TrainPlan, Trained, first_only, train};
