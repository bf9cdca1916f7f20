//! The methods of the papers that tsugi builds on, and the experiments that measure them.
//!
//! - [`paper`]: the thesis' experiment, with the features that `tsugi-next-link` and `tsugi-main-content` have behind their
//!   feature `paper` (Hanamura 2020).
//! - [`page_sets`]: methods that compare the pages of a site: unique blocks and their rules, repeated strings (Yoshida and
//!   Yamamoto 2009).
//! - [`block_crf`] and [`crf`]: chains over the blocks of a page.
//! - [`updated`]: when the main text of a page was last changed (Kurishima et al.).
//! - [`ngrams`]: BLEU and ROUGE.
//!
//! No crate that ships depends on this one.

/// Declares an enum whose variants are listed in `ALL`, each with what a function returns for it.
macro_rules! named_enum {
    (
        $(#[$meta:meta])*
        $vis:vis enum $name:ident, $get:ident -> $type:ty {
            $($(#[$doc:meta])* $variant:ident: $text:expr,)*
        }
    ) => {
        $(#[$meta])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        $vis enum $name {
            $($(#[$doc])* $variant,)*
        }

        impl $name {
            $vis const ALL: [$name; [$($name::$variant),*].len()] = [$($name::$variant),*];

            $vis fn $get(self) -> $type {
                match self {
                    $($name::$variant => $text,)*
                }
            }
        }
    };
}

pub mod block_crf;
mod chain;
pub mod crf;
mod dated;
pub mod ngrams;
pub mod page_sets;
pub mod paper;
pub mod repeated;
mod snapshots;
pub mod updated;

pub(crate) use dated::states_date;
