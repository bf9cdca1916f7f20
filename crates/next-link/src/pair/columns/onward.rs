//! Where the page after would lead in turn.

use super::super::facts::{Onward, PairView};
use super::feature::{PairFeature, UNKNOWN_STEP, flag, grown, growth, on};
use crate::survey::Rel;
use crate::words::Words;

fn onward(view: &PairView<'_>, is: impl Fn(&Onward) -> bool) -> f32 {
    on(view.onward.as_ref().is_some_and(is))
}

pub(super) static FEATURES: &[PairFeature] = &[
    flag("onward", "it has a link that may lead on", |v| on(v.onward.is_some())),
    flag("onward_back", "its best next link leads back to the page before", |v| {
        onward(v, |onward| onward.key == v.before.key)
    }),
    flag("onward_before", "its best next link stands in the pager of the page before too", |v| {
        onward(v, |onward| v.before.links.by_key.get(&onward.key).is_some_and(|link| link.in_pager))
    }),
    flag("onward_says_next", "its best next link says “next” or “older”", |v| {
        onward(v, |onward| onward.link.words.intersects(Words::NEXT.union(Words::OLDER)))
    }),
    flag("onward_rel_next", "its best next link is marked as the next page", |v| {
        onward(v, |onward| onward.link.rel.intersects(Rel::NEXT))
    }),
    flag("onward_same_kind", "its best next link differs from it as it differs from the page before", |v| {
        onward(v, |onward| {
            onward.difference.family == v.difference.family && onward.difference.place == v.difference.place
        })
    }),
    flag("onward_same_words", "its best next link says what the link to it says", |v| {
        onward(v, |onward| {
            let (one, other) = (onward.link.words, v.forward.words);
            one == other && one != Words::default()
        })
    }),
    growth("onward_step", "the page that its best next link names less its own, by their addresses", |v| {
        let Some(onward) = v.onward.as_ref().filter(|onward| onward.paged.rest == v.after.paged.rest) else {
            return UNKNOWN_STEP;
        };
        onward.paged.number.map_or(UNKNOWN_STEP, |number| {
            grown(i64::from(number) - v.after.paged.number.map_or(1, i64::from))
        })
    }),
];
