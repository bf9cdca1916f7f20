//! What the gold text of each data set holds. Training and evaluation read it from here.
//!
//! Benchmarks disagree about what belongs to an article: its headline, its byline, its captions. Each set is scored with the parts
//! that its own gold holds, so that no set is measured by the habit of another. Labels are not mapped to one convention for
//! training: the models learn from columns of page and block what each kind of page calls content. The text counts by far most
//! words of a page, and is content in all sets.

use crate::label::PageLabel;
use crate::measure::TokenRule;

/// What the gold of some pages holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Convention {
    /// The data set.
    pub set: &'static str,
    /// How `source` begins in the labels of the pages, by which they are known.
    pub source: &'static str,
    /// The kind of the pages, where not all are meant.
    pub kind: Option<&'static str>,
    /// What to keep of a page, in the names of `--keep`.
    pub keep: &'static str,
    /// The rule that cuts texts into words.
    pub tokens: TokenRule,
    /// Whether a page without labelled comments is known to have none.
    pub knows_comments: bool,
    /// What the gold holds, in words.
    pub holds: &'static str,
}

const OTHERS: Convention = Convention {
    set: "all others",
    source: "",
    kind: None,
    keep: "document",
    tokens: TokenRule::CjkByCharacter,
    knows_comments: false,
    holds: "what a joined document should hold: the text with its title, every entry of a list, every post of a thread; no comments, no pager",
};

/// The conventions of all data sets. The first that fits a page is its own.
pub const CONVENTIONS: [Convention; 11] = [
    Convention {
        set: "wcxb",
        source: "wcxb",
        tokens: TokenRule::Words,
        holds: "its authors' view by type of page: an article, thread or manual mostly without its title, a product with it; of a collection or listing the entries",
        ..OTHERS
    },
    Convention {
        set: "articles",
        source: "Dragnet",
        keep: "title,meta,body",
        knows_comments: true,
        holds: "the article, often with its title and the line with author and date; no comments",
        ..OTHERS
    },
    Convention {
        set: "articles",
        source: "L3S-GN1",
        keep: "title,meta,body",
        holds: "the article, often with its title and the line with author and date",
        ..OTHERS
    },
    Convention { set: "articles", source: "CleanEval", holds: "the article with its title", ..OTHERS },
    Convention {
        set: "fundus",
        source: "flairNLP/fundus",
        keep: "body",
        holds: "summary, headings and paragraphs; no title, captions, lists, fact boxes, embedded posts",
        ..OTHERS
    },
    Convention { set: "roles", source: "trafilatura evaluation pages", ..OF_ROLES },
    Convention { set: "roles", source: "set ", ..OF_ROLES },
    Convention {
        set: "cms",
        source: "rendered: ",
        kind: Some("article"),
        keep: "body",
        holds: "the body alone: no title line, date, tags or comments",
        ..OTHERS
    },
    Convention {
        set: "cms",
        source: "rendered: ",
        holds: "every entry of a listing or search, every post of a thread, the items of a shop",
        ..OTHERS
    },
    Convention {
        set: "recipes",
        source: "hhursev/recipe-scrapers",
        holds: "steps of the recipe, as texts that must be there",
        ..OTHERS
    },
    OTHERS,
];

const OF_ROLES: Convention = Convention {
    set: "roles",
    keep: "body",
    holds: "blocks that readers labelled as lead or body",
    ..OTHERS
};

impl Convention {
    /// Returns the convention of a page.
    pub fn of(label: &PageLabel) -> &'static Convention {
        let source = label.source.as_deref().unwrap_or_default();
        let fits = |row: &&Convention| {
            source.starts_with(row.source) && row.kind.is_none_or(|kind| label.kind.as_deref() == Some(kind))
        };
        CONVENTIONS.iter().find(fits).unwrap_or(&OTHERS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tsugi_main_content::RoleSet;

    #[test]
    fn every_row_is_the_convention_of_some_pages() {
        for row in &CONVENTIONS {
            let source = Some(format!("{} and more", row.source)).filter(|_| !row.source.is_empty());
            let label = PageLabel { source, kind: row.kind.map(str::to_owned), ..PageLabel::default() };
            assert_eq!(Convention::of(&label), row, "an earlier row hides it");
            assert!(RoleSet::kept(row.keep).is_ok(), "{}", row.keep);
        }
    }
}
