//! Columns of the new page's own next link.

use super::feature::{PairFeature, UNKNOWN_STEP, flag, grown, growth, onward};
use crate::features::features;
use crate::survey::Rel;
use crate::words::LabelWords;

pub(super) static FEATURES: &[PairFeature] = features! {
    flag "onward", "{a|no} possible next link on the new page", |v| v.onward.is_some();
    onward "onward_back", "new page's next link {leads|does not lead} back to the previous page",
        |onward, v| onward.key == v.before.key;
    onward "onward_before", "new page's next link {is|is not} in the pager of the previous page",
        |onward, v| v.before.links.has_in_pager(&onward.key);
    onward "onward_says_next", "new page's next link: {a|no} word for “next” or “older”",
        |onward, _| onward.link.says(LabelWords::NEXT | LabelWords::OLDER);
    onward "onward_rel_next", "new page's next link: {|no }rel=next",
        |onward, _| onward.link.rel.intersects(Rel::NEXT);
    onward "onward_same_kind",
        "new page's next link {changes|does not change} the address as the link followed did",
        |onward, v| {
            let (one, other) = (onward.difference, v.difference);
            (one.family, one.place) == (other.family, other.place)
        };
    onward "onward_same_words",
        "new page's next link: {the same words as|other words than} the link followed",
        |onward, v| onward.link.words == v.forward.words && !v.forward.words.is_empty();
    growth "onward_step", "page number in the address of the new page's next link: {step} the new page", |v| {
        let of_same = v.onward.as_ref().filter(|onward| onward.paged.rest == v.after.paged.rest);
        of_same.and_then(|onward| onward.paged.of_page()).map_or(UNKNOWN_STEP, |number| {
            grown(i64::from(number) - v.after.paged.of_page().map_or(1, i64::from))
        })
    };
};
