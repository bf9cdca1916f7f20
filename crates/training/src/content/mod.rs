//! Trains the content model of text blocks.
//!
//! What the data sets call content is in [`conventions`](crate::conventions).
//!
//! # What counts how much
//!
//! Pages weigh the same, except that guessed labels and rendered pages count less and rare kinds of pages more (see
//! [`TrainPlan`]). Rendered pages share their texts, so they teach no words: their gold text would otherwise be known by
//! heart.

mod align;
mod pages;
mod rank;
mod role_labels;
mod roles;
mod train;

pub use pages::{ContentPage, GoldTexts};
pub(crate) use role_labels::{document_of_blocks, roles_of};
pub(crate) use roles::train_content_and_roles;
pub use roles::{RolePlan, train_roles};
pub use train::TrainPlan;
pub(crate) use train::train_main_content;
