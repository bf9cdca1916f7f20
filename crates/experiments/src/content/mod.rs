//! Training of the content model that works on text blocks.

mod align;
mod pages;
mod rank;
mod train;

pub use pages::ContentPage;
pub(crate) use pages::GoldTexts;
pub use train::{TrainPlan, train_main_content};
