//! Columns of groups of similar siblings around a block, and of likely containers.

use super::super::context::{Chain, LEVELS, share};
use super::super::groups::SiblingGroup;
use super::view::{BlockView, features, ratio};

/// Similar siblings at the level where they contain most text.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entries {
    /// That level; one more than the last if there is no group.
    level: usize,
    group: SiblingGroup,
    place: u32,
}

impl Entries {
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

/// 0 inside the container, or else the edges up to an element around both.
fn outside(b: &BlockView<'_>, container: &Chain) -> usize {
    container.holding(b.context.page(), b.first_text()).map_or(0, |(up, _)| up)
}

features! {
    count "entries", "elements in the largest group of similar elements around the block",
        |b| b.entries.group.size;
    index "entries_level", "level of the largest group of similar elements around the block (5: no group)",
        |b| b.entries.level;
    share "entries_share",
        "share of the page's words in the largest group of similar elements around the block",
        |b| share(b.entries.group.tokens, b.whole().tokens);
    count "entries_tokens", "words per element in the largest group of similar elements around the block",
        |b| ratio(b.entries.group.tokens, b.entries.group.size);
    share "entries_link_density",
        "share of words in links, in the largest group of similar elements around the block",
        |b| share(b.entries.group.link_tokens, b.entries.group.tokens);
    share "entries_place", "position in the largest group of similar elements around the block",
        |b| share(b.entries.place, b.entries.group.size);
    count_from_1 "look_alikes", "blocks on the page that look the same as this one",
        |b| b.facts.look_alikes;
    share "look_alike_share", "share of the page's words in blocks that look the same as this one",
        |b| b.facts.look_alike_share;
    edges "outside_half",
        "steps up from the smallest element with half of the page's text to one that holds the block",
        |b| outside(b, &b.context.around_half);
    edges "outside_prose",
        "steps up from the smallest element with .8 of the page's prose to one that holds the block",
        |b| outside(b, &b.context.around_prose);
    edges "outside_parent",
        "steps up from the element with most prose right below it to one that holds the block",
        |b| outside(b, &b.context.around_parent);
    index "with_heading_level", "level around the block that holds the main heading (5: none)", |b| {
        let page = b.context.page();
        let heading = b.context.containers.heading;
        b.levels.iter().position(|level| heading.is_some_and(|id| page.contains(*level, id))).unwrap_or(LEVELS)
    };
    flag "in_heading_parent", "block {is|is not} in the parent of the main heading", |b| {
        let page = b.context.page();
        let parent = b.context.containers.heading.and_then(|heading| page.parent(heading));
        parent.is_some_and(|parent| page.contains(parent, b.first_text()))
    };
}
