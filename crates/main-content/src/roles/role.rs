//! The roles, and sets of them.

use std::str::FromStr;

/// What a text block is to a reader of the page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum BlockRole {
    /// The headline.
    Title,
    /// Authors, dates and sections of the article, around its headline.
    Meta,
    /// The standfirst: what an article says in a sentence or two, before its text.
    Lead,
    /// The text, with its headings, lists and tables.
    Body,
    /// Words below a picture, and who took it.
    Caption,
    /// Teasers of and links to other articles.
    Related,
    /// Links to share, to subscribe, to follow, to print.
    Share,
    /// Words about the author, at the end.
    Author,
    /// Tags and categories.
    Tags,
    /// Comments of readers.
    Comments,
    /// All else: menus, notices, headers and footers of the site.
    Site,
}

impl BlockRole {
    /// All roles.
    pub const ALL: [BlockRole; 11] = [
        BlockRole::Title,
        BlockRole::Meta,
        BlockRole::Lead,
        BlockRole::Body,
        BlockRole::Caption,
        BlockRole::Related,
        BlockRole::Share,
        BlockRole::Author,
        BlockRole::Tags,
        BlockRole::Comments,
        BlockRole::Site,
    ];

    /// Returns the name: `title`, `meta`, and so on.
    pub fn as_str(self) -> &'static str {
        match self {
            BlockRole::Title => "title",
            BlockRole::Meta => "meta",
            BlockRole::Lead => "lead",
            BlockRole::Body => "body",
            BlockRole::Caption => "caption",
            BlockRole::Related => "related",
            BlockRole::Share => "share",
            BlockRole::Author => "author",
            BlockRole::Tags => "tags",
            BlockRole::Comments => "comments",
            BlockRole::Site => "site",
        }
    }
}

impl FromStr for BlockRole {
    type Err = UnknownRole;

    fn from_str(name: &str) -> Result<Self, UnknownRole> {
        BlockRole::ALL
            .into_iter()
            .find(|role| role.as_str() == name)
            .ok_or_else(|| UnknownRole(name.to_owned()))
    }
}

/// Some roles.
///
/// # Examples
///
/// ```
/// use tsugi_main_content::{BlockRole, RoleSet};
/// let roles: RoleSet = "title,body,caption".parse()?;
/// // `body` is what benchmarks of articles count: the standfirst and the text.
/// assert!(roles.contains(BlockRole::Lead) && !roles.contains(BlockRole::Related));
/// assert!("title,menu".parse::<RoleSet>().is_err());
/// # Ok::<(), tsugi_main_content::UnknownRole>(())
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct RoleSet(u16);

impl RoleSet {
    /// The text of an article as its benchmarks count it: lead and body.
    pub const BODY: RoleSet = RoleSet(1 << BlockRole::Lead as u16 | 1 << BlockRole::Body as u16);
    /// What a document holds below its headline and byline, which it has from its metadata.
    pub const DOCUMENT: RoleSet = RoleSet::BODY.with(BlockRole::Caption).with(BlockRole::Author);
    /// All that belongs to an article or stands around it: all roles but the site's own.
    pub const ALL: RoleSet = RoleSet((1 << BlockRole::Site as u16) - 1);

    /// Reads what is to be kept of a page: roles, or `document` for what readers want, which is `None`.
    ///
    /// # Errors
    ///
    /// [`UnknownRole`] for any other name.
    pub fn kept(names: &str) -> Result<Option<RoleSet>, UnknownRole> {
        if names == "document" { Ok(None) } else { names.parse().map(Some) }
    }

    /// Returns the set with one role more.
    #[must_use]
    pub const fn with(self, role: BlockRole) -> RoleSet {
        RoleSet(self.0 | 1 << role as u16)
    }

    /// Returns `true` if the role is in the set.
    pub fn contains(self, role: BlockRole) -> bool {
        self.0 & (1 << role as u16) != 0
    }
}

impl FromStr for RoleSet {
    type Err = UnknownRole;

    /// Reads names of roles with commas between them; `body` stands for lead and body, `all` for all but `site`.
    fn from_str(names: &str) -> Result<Self, UnknownRole> {
        names.split(',').map(str::trim).try_fold(RoleSet::default(), |set, name| {
            Ok(match name {
                "body" => RoleSet(set.0 | RoleSet::BODY.0),
                "all" => RoleSet(set.0 | RoleSet::ALL.0),
                name => set.with(name.parse()?),
            })
        })
    }
}

/// A name that no role has.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "no role is called `{0}`; there are title, meta, lead, body, caption, related, share, author, tags, comments and site"
)]
pub struct UnknownRole(String);

/// The number of roles that have a model.
pub(super) const SCORED: usize = BlockRole::ALL.len() - 1;

/// Returns the roles that have a model. A block that has none of them is the site's.
pub fn scored_roles() -> impl Iterator<Item = BlockRole> {
    BlockRole::ALL.into_iter().filter(|role| *role != BlockRole::Site)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roles_have_names() {
        for role in BlockRole::ALL {
            assert_eq!(role.as_str().parse(), Ok(role));
        }
        assert!("menu".parse::<BlockRole>().is_err());
        let only = |names: &str| {
            BlockRole::ALL
                .into_iter()
                .filter(|role| names.parse::<RoleSet>().unwrap().contains(*role))
                .collect::<Vec<_>>()
        };
        assert_eq!(only("body"), [BlockRole::Lead, BlockRole::Body]);
        assert_eq!(only("tags, title"), [BlockRole::Title, BlockRole::Tags]);
        assert_eq!(only("all").len(), BlockRole::ALL.len() - 1);
        for none in ["", "title,", "title;body", "Title", "document"] {
            assert!(none.parse::<RoleSet>().is_err(), "{none}");
        }
        assert_eq!(RoleSet::kept("document"), Ok(None));
        assert_eq!(RoleSet::kept("body"), Ok(Some(RoleSet::BODY)));
        assert_eq!(RoleSet::kept("menu"), Err(UnknownRole("menu".to_owned())));
    }
}
