//! Columns of the elements around a block: levels with more and more text, groups of similar siblings, likely
//! containers.

use super::super::context::{Chain, LEVELS, share};
use super::super::groups::SiblingGroup;
use super::view::BlockView;
use tsugi_scoring::Column;

/// Similar siblings at the level where they contain most text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entries {
    /// That level; one more than the last if there is no group.
    level: usize,
    group: SiblingGroup,
    place: u32,
}

impl Entries {
    /// Finds the level whose group of at least three similar siblings contains most text.
    pub(super) fn of(groups: &[(SiblingGroup, u32); LEVELS]) -> Entries {
        let mut entries = Entries { level: LEVELS, group: SiblingGroup::default(), place: 0 };
        for (level, (group, place)) in groups.iter().copied().enumerate() {
            if group.size >= 3 && group.tokens > entries.group.tokens {
                entries = Entries { level, group, place };
            }
        }
        entries
    }
}

/// Returns the distance of the block's element from a container: 0 inside it, or else the edges up to an element
/// around both.
fn outside(b: &BlockView<'_>, container: &Chain) -> f32 {
    container.holding(b.context.page(), b.first_text()).map_or(0.0, |(up, _)| up as f32)
}

/// Returns the share of a level's tokens in prose.
fn prose_share(b: &BlockView<'_>, level: usize) -> f32 {
    share(b.level(level).prose, b.level(level).tokens)
}

macro_rules! level {
    ($module:ident, $level:literal) => {
        mod $module {
            use crate::columns::container::prose_share;
            use crate::columns::view::{features, ratio};
            use crate::context::share;
            use tsugi_scoring::Range;

        features! {
            concat!("level", $level, "_share"), Ratio, Range::unit(),
                concat!("share of the page's words in the element around the block at level ", $level),
                |b| share(b.level($level).tokens, b.whole().tokens);
            concat!("level", $level, "_tokens"), Count, Range::at_least(0.0),
                concat!("words in the element around the block at level ", $level),
                |b| b.level($level).tokens as f32;
            concat!("level", $level, "_link_density"), Ratio, Range::unit(),
                concat!("share of words in links, in the element around the block at level ", $level),
                |b| b.level($level).link_density();
            concat!("level", $level, "_tokens_per_block"), Count, Range::at_least(0.0),
                concat!("words per block in the element around the block at level ", $level),
                |b| ratio(b.level($level).tokens, b.level($level).blocks);
            concat!("level", $level, "_prose"), Ratio, Range::unit(),
                concat!("share of words in prose, in the element around the block at level ", $level),
                |b| prose_share(b, $level);
            concat!("level", $level, "_of_prose"), Ratio, Range::unit(),
                concat!("share of the page's prose in the element around the block at level ", $level),
                |b| share(b.level($level).prose, b.whole().prose);
            concat!("level", $level, "_headings"), Count, Range::at_least(0.0),
                concat!("headings in the element around the block at level ", $level),
                |b| b.level($level).headings as f32;
            concat!("level", $level, "_siblings"), Count, Range::at_least(0.0),
                concat!("similar siblings, with itself, of the element around the block at level ", $level),
                |b| b.groups[$level].0.size as f32;
            concat!("level", $level, "_siblings_share"), Ratio, Range::unit(),
                concat!("share of the page's words in similar siblings of the element at level ", $level),
                |b| share(b.groups[$level].0.tokens, b.whole().tokens);
        }
        }
    };
}

level!(level_0, 0);
level!(level_1, 1);
level!(level_2, 2);
level!(level_3, 3);
level!(level_4, 4);

mod containers {
    use crate::columns::container::outside;
    use crate::columns::view::{features, flag, ratio};
    use crate::context::{LEVELS, share};
    use tsugi_page::NodeId;
    use tsugi_scoring::Range;

    features! {
    "entries", Count, Range::at_least(0.0),
        "elements in the largest group of similar elements around the block",
        |b| b.entries.group.size as f32;
    "entries_level", Index, Range::at_least(0.0),
        "level of the largest group of similar elements around the block (5: no group)",
        |b| b.entries.level as f32;
    "entries_share", Ratio, Range::unit(),
        "share of the page's words in the largest group of similar elements around the block",
        |b| share(b.entries.group.tokens, b.whole().tokens);
    "entries_tokens", Count, Range::at_least(0.0),
        "words per element in the largest group of similar elements around the block",
        |b| ratio(b.entries.group.tokens, b.entries.group.size);
    "entries_link_density", Ratio, Range::unit(),
        "share of words in links, in the largest group of similar elements around the block",
        |b| share(b.entries.group.link_tokens, b.entries.group.tokens);
    "entries_place", Ratio, Range::unit(),
        "position in the largest group of similar elements around the block",
        |b| share(b.entries.place, b.entries.group.size);
    "look_alikes", Count, Range::at_least(1.0), "blocks on the page that look the same as this one",
        |b| b.facts().look_alikes as f32;
    "look_alike_share", Ratio, Range::unit(),
        "share of the page's words in blocks that look the same as this one",
        |b| b.facts().look_alike_share;
    "outside_half", Edges, Range::at_least(0.0),
        "steps up from the smallest element with half of the page's text to one that holds the block",
        |b| outside(b, &b.context.around_half);
    "outside_prose", Edges, Range::at_least(0.0),
        "steps up from the smallest element with .8 of the page's prose to one that holds the block",
        |b| outside(b, &b.context.around_prose);
    "outside_parent", Edges, Range::at_least(0.0),
        "steps up from the element with most prose right below it to one that holds the block",
        |b| outside(b, &b.context.around_parent);
    "with_heading_level", Index, Range::at_least(0.0),
        "level around the block that holds the main heading (5: none)",
        |b| {
            let page = b.context.page();
            let holds = |level: &NodeId| b.context.containers.heading.is_some_and(|heading| page.contains(*level, heading));
            b.levels.iter().position(holds).unwrap_or(LEVELS) as f32
        };
    "in_heading_parent", Flag, Range::flag(), "block {is|is not} in the parent of the main heading",
        |b| {
            let page = b.context.page();
            let parent = b.context.containers.heading.and_then(|heading| page.parent(heading));
            flag(parent.is_some_and(|parent| page.contains(parent, b.first_text())))
        };
    }
}

pub(super) static COLUMNS: &[&[Column]] = &[
    level_0::COLUMNS,
    level_1::COLUMNS,
    level_2::COLUMNS,
    level_3::COLUMNS,
    level_4::COLUMNS,
    containers::COLUMNS,
];

pub(super) fn fill(block: &BlockView<'_>, row: &mut Vec<f32>) {
    level_0::fill(block, row);
    level_1::fill(block, row);
    level_2::fill(block, row);
    level_3::fill(block, row);
    level_4::fill(block, row);
    containers::fill(block, row);
}
