//! How the addresses of the two pages differ.

use super::super::facts::PairView;
use super::feature::{
    PairFeature, UNKNOWN_STEP, count, flag, grown, growth, number, numeral, on, share, step,
};
use crate::address::{DifferencePlace, Family};

fn family(view: &PairView<'_>, family: Family) -> f32 {
    on(view.difference.family == family)
}

fn place(view: &PairView<'_>, place: DifferencePlace) -> f32 {
    on(view.difference.place == place)
}

/// Whether one path lies below the other.
fn is_below(path: &str, folder: &str) -> bool {
    path.len() > folder.len() && path.starts_with(folder) && path.as_bytes()[folder.len()] == b'/'
}

pub(super) static FEATURES: &[PairFeature] = &[
    flag("url_number", "the addresses differ by a number alone", |v| family(v, Family::Number)),
    flag("url_number_added", "its address is the one before with a number added", |v| {
        family(v, Family::NumberAdded)
    }),
    flag("url_text_added", "its address is the one before with something added", |v| {
        family(v, Family::TextAdded)
    }),
    flag("url_removed", "its address is the one before with something left out", |v| {
        family(v, Family::Removed)
    }),
    flag("url_in_query", "the addresses differ in the query", |v| place(v, DifferencePlace::Query)),
    flag("url_in_last", "the addresses differ in the last part of the path", |v| {
        place(v, DifferencePlace::LastSegment)
    }),
    growth("url_step", "the number in what differs less that in the address before", |v| {
        v.difference.step().map_or(UNKNOWN_STEP, grown)
    }),
    growth(
        "url_page_step",
        "the page that its address names less that of the one before, equal otherwise",
        |v| {
            let is_same = v.before.paged.rest == v.after.paged.rest;
            match v.after.paged.number.or(v.before.paged.number) {
                Some(_) if is_same => {
                    step(v.before.paged.number.or(Some(1)), v.after.paged.number.or(Some(1)))
                }
                _ => UNKNOWN_STEP,
            }
        },
    ),
    numeral("url_page_number", "the page that its address names", |v| number(v.after.paged.number)),
    numeral("url_page_before", "the page that the address before names", |v| number(v.before.paged.number)),
    growth(
        "asked_pager_step",
        "the page that its pager says it is less the one that the link to it names",
        |v| step(v.asked.number, v.after.links.page_number()),
    ),
    flag("url_page_named", "its address holds a word for “page” beside a number", |v| {
        on(v.after.paged.named)
    }),
    flag("url_date", "its address holds a date", |v| on(v.after.bare.has_date())),
    flag("url_date_before", "the address before holds a date", |v| on(v.before.bare.has_date())),
    flag("url_root", "it is the home page", |v| on(v.after.bare.as_str().is_empty())),
    flag("url_root_before", "the page before is the home page", |v| on(v.before.bare.as_str().is_empty())),
    flag("url_above", "its address is a folder above the page before", |v| {
        on(is_below(v.before.bare.path(), v.after.bare.path()))
    }),
    flag("url_below", "its address is below that of the page before", |v| {
        on(is_below(v.after.bare.path(), v.before.bare.path()))
    }),
    flag("url_same_folder", "both stand in one folder", |v| {
        on(v.before.bare.folder() == v.after.bare.folder())
    }),
    flag("url_same_path", "their paths are the same", |v| on(v.before.bare.path() == v.after.bare.path())),
    count("url_depth_step", "folders of its address less those of the one before", |v| {
        v.after.bare.segments().count() as f32 - v.before.bare.segments().count() as f32
    }),
    share("url_common", "share of its address that is that of the one before", |v| {
        let (prefix, suffix) = (v.difference.prefix, v.difference.suffix);
        ((prefix + suffix) as f32 / v.after.bare.as_str().len().max(1) as f32).min(1.0)
    }),
    count("query_added", "keys of its query that the one before has not", |v| v.keys.added as f32),
    count("query_removed", "keys of the query before that its own has not", |v| v.keys.removed as f32),
    count("query_changed", "keys of both queries with different values", |v| v.keys.changed as f32),
];
