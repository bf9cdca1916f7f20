//! What each text block of a page is: its title, a byline, text, a caption, a comment, a teaser of another article.
//!
//! # Examples
//!
//! ```
//! # let (tsugi, page) = include!("../doc/page.rs");
//! let look = tsugi.look(&page);
//! let roles = look.roles().unwrap();
//! let mut texts = roles.blocks().filter(|(role, ..)| *role == tsugi::roles::BlockRole::Body);
//! assert!(texts.any(|(_, score, nodes)| score > 0.5 && page.data(nodes[0]).len() > 20));
//! ```

pub use tsugi_main_content::{BlockRole, PageRoles, RoleSet, UnknownRole};
