//! Trains the content model of text blocks.
//!
//! # What the data sets call content
//!
//! | set | what it counts as content |
//! | --- | --- |
//! | `sites`, `crawls`, `wedata` | what a joined document should hold: the text with its title, every entry of a list, every post of a thread; no comments, no pager |
//! | `bulk` | the same, guessed from the markup and not reviewed |
//! | `docs` | the article of a manual with its headings; not the side bar, the contents of the page, or the pager |
//! | `cms` | by kind: every entry of a listing or search, every post of a thread, the items of a shop; of an article the body alone: no title line, date, tags or comments |
//! | `wcxb` | its authors' view by page type: an article, thread, collection or manual is without its title (nine in ten pages), a product often has it; of a collection or listing the entries |
//! | `roles` | roles of blocks: of an article lead, body, captions and the note about its author |
//! | `articles` | the article alone: with its title and most often the line with author and date; no comments, related stories or teasers |
//!
//! Labels are not mapped to one convention. Nothing tells the model which set a page is from: it learns what each kind of
//! page calls content from columns of the page and the block. The body counts by far most words of a page, and is
//! content in all sets; title lines and dates are few words. Comments are content of a thread and not of an article,
//! everywhere.
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
mod role_report;
mod roles;
mod train;

pub use pages::{ContentPage, GoldTexts};
pub use role_report::role_report;
pub use roles::{RolePlan, RoleTrials, train_roles};
pub use train::TrainPlan;
pub(crate) use train::train_main_content;
