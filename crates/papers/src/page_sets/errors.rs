//! Kinds of blocks that unique blocks miss, or keep by mistake.
//!
//! # Source
//!
//! Yoshida & Yamamoto (2009), sections 4.3 and 4.4: dates, names of authors, and copyright notices of news agencies vary
//! little, so other pages have them, too.

use super::measure::Gold;
use tsugi_page::Page;
use tsugi_site_blocks::{Block, Kept, blocks};

named_enum! {
    pub(crate) enum ErrorKind, name -> &'static str {
        /// A date and little else.
        Date: "dates",
        Byline: "bylines",
        Copyright: "copyright notices",
        List: "lists and tables",
        Short: "other texts of 30 characters or fewer, and images",
        Text: "other texts",
    }
}

/// Most characters of a short text.
const SHORT: usize = 30;

impl ErrorKind {
    fn of(tag: &str, text: &str) -> ErrorKind {
        let lower = text.to_lowercase();
        let characters = text.chars().count();
        let is_byline = [
            "by ", "author", "posted by", "written by", "von ", "par ", "por ", "文=", "文・", "記者",
            "執筆", "著者",
        ]
        .iter()
        .any(|word| lower.starts_with(word) || (characters <= SHORT && lower.ends_with(word.trim())));
        if crate::states_date(text) {
            ErrorKind::Date
        } else if is_byline && characters <= 2 * SHORT {
            ErrorKind::Byline
        } else if ["©", "(c)", "copyright", "all rights reserved", "無断転載"]
            .iter()
            .any(|word| lower.contains(word))
        {
            ErrorKind::Copyright
        } else if matches!(tag, "ul" | "ol" | "dl" | "table" | "menu" | "dir") {
            ErrorKind::List
        } else if characters <= SHORT {
            ErrorKind::Short
        } else {
            ErrorKind::Text
        }
    }
}

/// Numbers of wrong blocks by [`ErrorKind::ALL`].
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct BlockErrors {
    pub(crate) missed: [u64; ErrorKind::ALL.len()],
    pub(crate) too_much: [u64; ErrorKind::ALL.len()],
}

impl BlockErrors {
    pub(crate) fn of(page: &Page, gold: &Gold, kept: &Kept) -> BlockErrors {
        let mut errors = BlockErrors::default();
        let all = blocks(page);
        for (share, is_content) in kept.shares(page).into_iter().zip(gold.blocks()) {
            if share.is_kept() == *is_content {
                continue;
            }
            let place = all.binary_search_by_key(&share.block, Block::node);
            let text = place.map(|at| all[at].text(page)).unwrap_or_default();
            let kind = ErrorKind::of(page.tag(share.block), &text) as usize;
            let counts = if *is_content { &mut errors.missed } else { &mut errors.too_much };
            counts[kind] += 1;
        }
        errors
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_of_blocks_are_told_apart() {
        for (tag, text, kind) in [
            ("p", "2008年12月10日", ErrorKind::Date),
            ("p", "By A. Writer", ErrorKind::Byline),
            ("div", "高橋一郎記者", ErrorKind::Byline),
            ("p", "Copyright 2009 The News Agency. All rights reserved.", ErrorKind::Copyright),
            ("ul", "a\nb", ErrorKind::List),
            ("p", "", ErrorKind::Short),
            (
                "p",
                "By and by the snow that had fallen in the night was gone from the roofs.",
                ErrorKind::Text,
            ),
        ] {
            assert_eq!(ErrorKind::of(tag, text), kind, "{text}");
        }
    }
}
