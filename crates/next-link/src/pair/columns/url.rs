//! Columns of the difference between the two pages' addresses.

use super::super::facts::PairView;
use super::feature::{PairFeature, UNKNOWN_STEP, count, flag, grown, growth, numeral, share, step};
use crate::address::{DifferencePlace, Family, is_below};
use crate::features::features;

fn family(view: &PairView<'_>, family: Family) -> bool {
    view.difference.family == family
}

fn place(view: &PairView<'_>, place: DifferencePlace) -> bool {
    view.difference.place == place
}

pub(super) static FEATURES: &[PairFeature] = features! {
    flag "url_number", "addresses {differ|do not differ} only in a number", |v| family(v, Family::Number);
    flag "url_number_added", "new page's address {is|is not} the previous one with a number added",
        |v| family(v, Family::NumberAdded);
    flag "url_text_added", "new page's address {is|is not} the previous one with something added",
        |v| family(v, Family::TextAdded);
    flag "url_removed", "new page's address {is|is not} the previous one with something removed",
        |v| family(v, Family::Removed);
    flag "url_in_query", "addresses {differ|do not differ} in the query",
        |v| place(v, DifferencePlace::Query);
    flag "url_in_last", "addresses {differ|do not differ} in the last part of the path",
        |v| place(v, DifferencePlace::LastSegment);
    growth "url_step", "number in the address: {step} the previous page",
        |v| v.difference.step().map_or(UNKNOWN_STEP, grown);
    growth "url_page_step", "page number in an otherwise equal address: {step} the previous page", |v| {
        let is_same = v.before.paged.rest == v.after.paged.rest;
        match (v.before.paged.of_page(), v.after.paged.of_page()) {
            (None, None) => UNKNOWN_STEP,
            (before, after) if is_same => step(before.or(Some(1)), after.or(Some(1))),
            _ => UNKNOWN_STEP,
        }
    };
    numeral "url_page_number", "page number in the new page's address", |v| v.after.paged.of_page();
    numeral "url_page_before", "page number in the address of the previous page", |v| v.before.paged.of_page();
    growth "asked_pager_step", "new page's number by its pager: {step} the number in the address requested",
        |v| step(v.asked.number, v.after.links.page_number());
    flag "url_page_named", "new page's address: {a|no} word for “page” next to a number",
        |v| v.after.paged.named;
    flag "url_date", "{a|no} date in the new page's address", |v| v.after.bare.has_date();
    flag "url_date_before", "{a|no} date in the address of the previous page", |v| v.before.bare.has_date();
    flag "url_root", "new page {is|is not} the home page", |v| v.after.bare.as_str().is_empty();
    flag "url_root_before", "previous page {is|is not} the home page", |v| v.before.bare.as_str().is_empty();
    flag "url_above", "new page's address {is|is not} a folder above the previous page",
        |v| is_below(v.before.bare.path(), v.after.bare.path());
    flag "url_below", "new page's address {is|is not} below that of the previous page",
        |v| is_below(v.after.bare.path(), v.before.bare.path());
    flag "url_same_folder", "both addresses {are|are not} in the same folder",
        |v| v.before.bare.folder() == v.after.bare.folder();
    flag "url_same_path", "both addresses {have|do not have} the same path",
        |v| v.before.bare.path() == v.after.bare.path();
    count "url_depth_step", "folders in the new page's address, minus those of the previous page",
        |v| v.after.bare.segments().count() as f32 - v.before.bare.segments().count() as f32;
    share "url_common", "share of the new page's address in common with the previous one", |v| {
        let (prefix, suffix) = (v.difference.prefix, v.difference.suffix);
        ((prefix + suffix) as f32 / v.after.bare.as_str().len().max(1) as f32).min(1.0)
    };
    count "query_added", "query keys in the new page's address only", |v| v.keys.added;
    count "query_removed", "query keys in the address of the previous page only", |v| v.keys.removed;
    count "query_changed", "query keys with different values in the two addresses", |v| v.keys.changed;
};
