//! Columns of the elements around a block at levels with more and more text.

use super::view::BlockView;
use tsugi_scoring::Column;

macro_rules! levels {
    ($($module:ident $level:literal),*) => {
        $(mod $module {
            use crate::columns::view::{features, ratio};
            use crate::context::share;

            features! {
                share concat!("level", $level, "_share"),
                    concat!("share of the page's words in the element around the block at level ", $level),
                    |b| share(b.level($level).tokens, b.whole().tokens);
                count concat!("level", $level, "_tokens"),
                    concat!("words in the element around the block at level ", $level),
                    |b| b.level($level).tokens;
                share concat!("level", $level, "_link_density"),
                    concat!("share of words in links, in the element around the block at level ", $level),
                    |b| b.level($level).link_density();
                count concat!("level", $level, "_tokens_per_block"),
                    concat!("words per block in the element around the block at level ", $level),
                    |b| ratio(b.level($level).tokens, b.level($level).blocks);
                share concat!("level", $level, "_prose"),
                    concat!("share of words in prose, in the element around the block at level ", $level),
                    |b| share(b.level($level).prose, b.level($level).tokens);
                share concat!("level", $level, "_of_prose"),
                    concat!("share of the page's prose in the element around the block at level ", $level),
                    |b| share(b.level($level).prose, b.whole().prose);
                count concat!("level", $level, "_headings"),
                    concat!("headings in the element around the block at level ", $level),
                    |b| b.level($level).headings;
                count concat!("level", $level, "_siblings"),
                    concat!("similar siblings, with itself, of the element around the block at level ", $level),
                    |b| b.groups[$level].0.size;
                share concat!("level", $level, "_siblings_share"),
                    concat!("share of the page's words in similar siblings of the element at level ", $level),
                    |b| share(b.groups[$level].0.tokens, b.whole().tokens);
            }
        })*

        pub(super) static COLUMNS: &[&[Column]] = &[$($module::COLUMNS),*];

        pub(super) fn fill(block: &BlockView<'_>, row: &mut Vec<f32>) {
            $($module::fill(block, row);)*
        }
    };
}

levels!(level_0 0, level_1 1, level_2 2, level_3 3, level_4 4);
