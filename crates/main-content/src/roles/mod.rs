//! What each text block of a page is: its title, a byline, text, a caption, a comment, a teaser of another article.
//!
//! Content is yes or no; a page has parts. Models score every block for every role, by the columns of the block, by its words and
//! the names around it, by the probability that it and its neighbours are content, and by its place between the first and the
//! last text. Parts of an article are then chosen by roles: an answer is decoded from the probability that a block has one of
//! them.

mod columns;
mod detector;
mod role;

pub use columns::{BlocksAround, RoleColumns, RoleLogOdds};
pub use detector::{PageRoles, ROLES_KIND, RoleDetector, RoleScores, role_tokens};
pub use role::{BlockRole, RoleSet, UnknownRole, scored_roles};
