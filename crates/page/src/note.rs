//! What a user may want to know about the parsing of a page.

use crate::limits::{MAX_BYTES, MAX_DEPTH, MAX_NAMES, MAX_NODES};

/// A peculiarity of a page that a user may want to know about.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Note {
    /// The declared charset could not decode the page; another one, guessed from the bytes, could.
    CharsetOverruled {
        /// The declared encoding.
        declared: &'static str,
        /// The encoding used.
        used: &'static str,
    },
    /// Some bytes are not valid in the page's charset.
    Malformed {
        /// The encoding used.
        used: &'static str,
    },
    /// The page has more than [`MAX_NODES`] nodes, or more nodes than bytes; the rest was dropped.
    TooManyNodes,
    /// Elements nest deeper than [`MAX_DEPTH`]; deeper ones became siblings.
    TooDeep,
    /// A tag, or the page, has too many attributes; the rest was dropped.
    TooManyAttributes,
    /// The page has more than 10,000 different names that HTML does not know; tags and attributes of further names were
    /// dropped.
    TooManyNames,
    /// The page is longer than 512 MiB; the rest was dropped.
    TooLong,
    /// Most of the text is in `noscript`: the tree is the one that a browser builds with scripts off.
    WithoutScripts,
}

impl std::fmt::Display for Note {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Note::CharsetOverruled { declared, used } => {
                write!(f, "declared as {declared}, which cannot decode it; decoded as {used}")
            }
            Note::Malformed { used } => write!(f, "some bytes are not valid {used}; replaced by U+FFFD"),
            Note::TooManyNodes => {
                write!(f, "more than {MAX_NODES} nodes, or more nodes than bytes; the rest was dropped")
            }
            Note::TooDeep => {
                write!(f, "elements nest deeper than {MAX_DEPTH}; deeper ones became siblings")
            }
            Note::TooManyAttributes => write!(f, "too many attributes; the rest was dropped"),
            Note::TooManyNames => {
                write!(
                    f,
                    "more than {MAX_NAMES} names unknown to HTML; tags and attributes of others were dropped"
                )
            }
            Note::TooLong => write!(f, "longer than {} MiB; the rest was dropped", MAX_BYTES >> 20),
            Note::WithoutScripts => {
                write!(f, "most of the text is in `noscript`; parsed as by a browser with scripts off")
            }
        }
    }
}
