//! Trains the content model of text blocks.

mod align;
mod pages;
mod rank;
mod train;

pub(crate) use pages::{ContentPage, GoldTexts};
pub use train::TrainPlan;
pub(crate) use train::train_main_content;
