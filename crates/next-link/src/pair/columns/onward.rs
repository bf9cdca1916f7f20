//! Columns of the new page's own next link.

use super::super::facts::{Onward, PairView};
use super::feature::{PairFeature, UNKNOWN_STEP, flag, grown, growth, on};
use crate::survey::Rel;
use crate::words::LabelWords;

fn onward(view: &PairView<'_>, is: impl Fn(&Onward) -> bool) -> f32 {
    on(view.onward.as_ref().is_some_and(is))
}

pub(super) static FEATURES: &[PairFeature] = &[
    flag("onward", "{a|no} possible next link on the new page", |v| on(v.onward.is_some())),
    flag("onward_back", "new page's next link {leads|does not lead} back to the previous page", |v| {
        onward(v, |onward| onward.key == v.before.key)
    }),
    flag("onward_before", "new page's next link {is|is not} in the pager of the previous page", |v| {
        onward(v, |onward| v.before.links.has_in_pager(&onward.key))
    }),
    flag("onward_says_next", "new page's next link: {a|no} word for “next” or “older”", |v| {
        onward(v, |onward| onward.link.words.intersects(LabelWords::NEXT.union(LabelWords::OLDER)))
    }),
    flag("onward_rel_next", "new page's next link: {|no }rel=next", |v| {
        onward(v, |onward| onward.link.rel.intersects(Rel::NEXT))
    }),
    flag(
        "onward_same_kind",
        "new page's next link {changes|does not change} the address as the link followed did",
        |v| {
            onward(v, |onward| {
                onward.difference.family == v.difference.family
                    && onward.difference.place == v.difference.place
            })
        },
    ),
    flag(
        "onward_same_words",
        "new page's next link: {the same words as|other words than} the link followed",
        |v| {
            onward(v, |onward| {
                let (one, other) = (onward.link.words, v.forward.words);
                one == other && one != LabelWords::default()
            })
        },
    ),
    growth(
        "onward_step",
        "page number in the address of the new page's next link: {step} the new page",
        |v| {
            let Some(onward) = v.onward.as_ref().filter(|onward| onward.paged.rest == v.after.paged.rest)
            else {
                return UNKNOWN_STEP;
            };
            onward.paged.number.map_or(UNKNOWN_STEP, |number| {
                grown(i64::from(number) - v.after.paged.number.map_or(1, i64::from))
            })
        },
    ),
];
