//! What the two pages call themselves.

use super::super::facts::PairView;
use super::super::head::Title;
use super::super::template::in_common;
use super::feature::{PairFeature, UNKNOWN_STEP, equal, equality, flag, growth, on, share, step};

/// 1 where two titles are equal, 0 where they differ, −1 where one is missing.
fn same<'a>(one: &'a Title, other: &'a Title, part: fn(&'a Title) -> &'a str) -> f32 {
    let said = |title: &'a Title| (!title.is_empty()).then(|| part(title));
    equal(said(one), said(other))
}

/// The number in its title less that in the title before, where the titles are equal otherwise.
fn title_step(view: &PairView<'_>) -> f32 {
    let (before, after) = (&view.before.head.title, &view.after.head.title);
    if after.is_empty() || before.bare != after.bare {
        return UNKNOWN_STEP;
    }
    match after.number {
        // The first page of a sequence has no number.
        Some(_) => step(before.number.or(Some(1)), after.number),
        None => UNKNOWN_STEP,
    }
}

pub(super) static FEATURES: &[PairFeature] = &[
    equality("title_same", "its title is that of the page before", |v| {
        same(&v.before.head.title, &v.after.head.title, |title| &title.text)
    }),
    equality(
        "title_same_bare",
        "its title is that of the page before, but for numbers and “page”",
        |v| same(&v.before.head.title, &v.after.head.title, |title| &title.bare),
    ),
    share("title_common", "share of words that the titles have in common", |v| {
        in_common(&v.before.head.title.words, &v.after.head.title.words)
    }),
    growth("title_step", "the number in its title less that in an otherwise equal title before", title_step),
    equality("heading_same", "its first heading is that of the page before, but for numbers", |v| {
        same(&v.before.head.heading, &v.after.head.heading, |title| &title.bare)
    }),
    share("heading_common", "share of words that the first headings have in common", |v| {
        in_common(&v.before.head.heading.words, &v.after.head.heading.words)
    }),
    equality("og_title_same", "its title for other sites is that of the page before, but for numbers", |v| {
        same(&v.before.head.og_title, &v.after.head.og_title, |title| &title.bare)
    }),
    flag("canonical_own", "it names its own address as the right one", |v| {
        on(v.after.head.canonical.as_ref() == Some(&v.after.key))
    }),
    flag("canonical_before", "it names the page before, or what that names, as the right address", |v| {
        let head = &v.after.head;
        let is_before = |key: &String| *key == v.before.key || v.before.head.canonical.as_ref() == Some(key);
        on([&head.canonical, &head.og_url].into_iter().flatten().any(is_before))
    }),
    flag("canonical_other", "it names another address as the right one", |v| {
        let is_other = |key: &String| *key != v.after.key && *key != v.before.key;
        on(v.after.head.canonical.as_ref().is_some_and(is_other))
    }),
    equality("date_same", "both were published at the same time", |v| {
        equal(v.before.head.date.as_ref(), v.after.head.date.as_ref())
    }),
    flag("date", "it says when it was published", |v| on(v.after.head.date.is_some())),
    equality("author_same", "both name the same author", |v| {
        equal(v.before.head.author.as_ref(), v.after.head.author.as_ref())
    }),
    equality("lang_same", "both declare the same language", |v| {
        equal(v.before.head.lang.as_ref(), v.after.head.lang.as_ref())
    }),
    equality("type_same", "both declare to be the same kind of page", |v| {
        let said = |kind: &'_ str| (!kind.is_empty()).then(|| kind.to_owned());
        equal(said(&v.before.head.og_type), said(&v.after.head.og_type))
    }),
    flag("article", "it calls itself an article", |v| on(v.after.is_article)),
    flag("article_before", "the page before calls itself an article", |v| on(v.before.is_article)),
    flag("archive", "it calls itself a list or an archive", |v| on(v.after.is_archive)),
    flag("archive_before", "the page before calls itself a list or an archive", |v| on(v.before.is_archive)),
];
