//! Columns of what encloses a block: levels of more and more text, groups of similar siblings, likely containers.

use super::super::context::{Chain, LEVELS, share};
use super::super::groups::Group;
use super::view::BlockView;
use tsugi_learning::Column;

/// Similar siblings at the level where they hold most text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entries {
    /// That level; one more than the last where there are none.
    level: usize,
    group: Group,
    /// The place among them.
    place: u32,
}

impl Entries {
    /// Finds the level whose group of at least three similar siblings holds most text.
    pub(super) fn of(groups: &[(Group, u32); LEVELS]) -> Entries {
        let mut entries = Entries { level: LEVELS, group: Group::default(), place: 0 };
        for (level, (group, place)) in groups.iter().copied().enumerate() {
            if group.size >= 3 && group.tokens > entries.group.tokens {
                entries = Entries { level, group, place };
            }
        }
        entries
    }
}

/// How far the block's element is from a container: 0 inside it, else edges up to what encloses both.
fn outside(b: &BlockView<'_>, container: &Chain) -> f32 {
    container.holding(b.context.page(), b.first_text()).map_or(0.0, |(up, _)| up as f32)
}

/// The share of a level's tokens that are prose.
fn prose_share(b: &BlockView<'_>, level: usize) -> f32 {
    share(b.level(level).prose, b.level(level).tokens)
}

/// Declares the columns of one level.
macro_rules! level {
    ($module:ident, $level:literal) => {
        mod $module {
            use crate::columns::container::prose_share;
            use crate::columns::view::{features, ratio};
            use crate::context::share;
            use tsugi_learning::Range;

        features! {
            concat!("level", $level, "_share"), Ratio, Range::unit(), "share of the page's tokens in this level",
                |b| share(b.level($level).tokens, b.whole().tokens);
            concat!("level", $level, "_tokens"), Count, Range::at_least(0.0), "tokens in this level",
                |b| b.level($level).tokens as f32;
            concat!("level", $level, "_link_density"), Ratio, Range::unit(), "link density of this level",
                |b| b.level($level).link_density();
            concat!("level", $level, "_tokens_per_block"), Count, Range::at_least(0.0), "tokens for each block of this level",
                |b| ratio(b.level($level).tokens, b.level($level).blocks);
            concat!("level", $level, "_prose"), Ratio, Range::unit(), "share of this level's tokens that are prose",
                |b| prose_share(b, $level);
            concat!("level", $level, "_of_prose"), Ratio, Range::unit(), "share of the page's prose in this level",
                |b| share(b.level($level).prose, b.whole().prose);
            concat!("level", $level, "_headings"), Count, Range::at_least(0.0), "headings in this level",
                |b| b.level($level).headings as f32;
            concat!("level", $level, "_siblings"), Count, Range::at_least(0.0), "similar siblings of this level, itself among them",
                |b| b.groups[$level].0.size as f32;
            concat!("level", $level, "_siblings_share"), Ratio, Range::unit(), "share of the page's tokens in those siblings",
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
    use tsugi_learning::Range;
    use tsugi_page::NodeId;

    features! {
    "entries", Count, Range::at_least(0.0), "similar siblings at the level where they hold most text",
        |b| b.entries.group.size as f32;
    "entries_level", Index, Range::at_least(0.0), "that level; one more than the last where there is none",
        |b| b.entries.level as f32;
    "entries_share", Ratio, Range::unit(), "share of the page's tokens in those siblings",
        |b| share(b.entries.group.tokens, b.whole().tokens);
    "entries_tokens", Count, Range::at_least(0.0), "tokens for each of those siblings",
        |b| ratio(b.entries.group.tokens, b.entries.group.size);
    "entries_link_density", Ratio, Range::unit(), "link density of those siblings",
        |b| share(b.entries.group.link_tokens, b.entries.group.tokens);
    "entries_place", Ratio, Range::unit(), "its place among those siblings, as a share",
        |b| share(b.entries.place, b.entries.group.size);
    "look_alikes", Count, Range::at_least(1.0), "blocks whose elements look the same, anywhere on the page",
        |b| b.facts().look_alikes as f32;
    "look_alike_share", Ratio, Range::unit(), "share of the page's tokens in them",
        |b| b.facts().look_alike_share;
    "outside_half", Edges, Range::at_least(0.0),
        "edges from the smallest element with half of the text to what also holds it",
        |b| outside(b, &b.context.around_half);
    "outside_prose", Edges, Range::at_least(0.0),
        "edges from the smallest element with .8 of the prose to what also holds it",
        |b| outside(b, &b.context.around_prose);
    "outside_parent", Edges, Range::at_least(0.0),
        "edges from the element with most prose right below to what also holds it",
        |b| outside(b, &b.context.around_parent);
    "with_heading_level", Index, Range::at_least(0.0),
        "first level that also holds the main heading; one more than the last where none does",
        |b| {
            let page = b.context.page();
            let holds = |level: &NodeId| b.context.containers.heading.is_some_and(|heading| page.contains(*level, heading));
            b.levels.iter().position(holds).unwrap_or(LEVELS) as f32
        };
    "in_heading_parent", Flag, Range::flag(), "inside the parent of the main heading",
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

/// Adds the values of a block to its row.
pub(super) fn fill(block: &BlockView<'_>, row: &mut Vec<f32>) {
    level_0::fill(block, row);
    level_1::fill(block, row);
    level_2::fill(block, row);
    level_3::fill(block, row);
    level_4::fill(block, row);
    containers::fill(block, row);
}
