//! Columns of the two pages' titles, headings, dates and the like.

use super::super::facts::PairView;
use super::super::head::{HeadFacts, Title};
use super::super::template::in_common;
use super::feature::{PairFeature, UNKNOWN_STEP, count, equal, equality, flag, growth, share, step};
use crate::features::features;
use std::collections::BTreeSet;

/// Missing titles are unknown, not equal.
fn same<'a>(one: &'a Title, other: &'a Title, part: fn(&'a Title) -> &'a str) -> f32 {
    let [one, other] = [one, other].map(|title| (!title.is_empty()).then(|| part(title)));
    equal(one, other)
}

fn some(set: &BTreeSet<u32>) -> Option<&BTreeSet<u32>> {
    (!set.is_empty()).then_some(set)
}

/// Returns the share of the smaller set that the other one has too; −1 if either is empty.
fn within(one: &BTreeSet<u32>, other: &BTreeSet<u32>) -> f32 {
    let least = one.len().min(other.len());
    if least == 0 { -1.0 } else { one.intersection(other).count() as f32 / least as f32 }
}

fn title_step(view: &PairView<'_>) -> f32 {
    let (before, after) = (&view.before.head.title, &view.after.head.title);
    if after.is_empty() || before.bare != after.bare {
        return UNKNOWN_STEP;
    }
    match after.number {
        // The first page of a sequence often has no number.
        Some(_) => step(before.number.or(Some(1)), after.number),
        None => UNKNOWN_STEP,
    }
}

/// Returns how much of what names an article is known on both pages and the same, or different: its titles, date and authors.
fn named(view: &PairView<'_>, as_known: f32) -> f32 {
    let (before, after) = (&view.before.head, &view.after.head);
    let titles: [fn(&HeadFacts) -> &Title; 3] =
        [|head| &head.heading, |head| &head.headline, |head| &head.og_title];
    let titles = titles.map(|title| same(title(before), title(after), |title| &title.bare));
    let date = equal(before.date.as_ref(), after.date.as_ref());
    let authors = equal(some(&before.authors), some(&after.authors));
    let all = titles.into_iter().chain([date, authors]);
    all.filter(|known| *known == as_known).count() as f32
}

pub(super) static FEATURES: &[PairFeature] = features! {
    equality "title_same", "title: {the same|different} on both pages",
        |v| same(&v.before.head.title, &v.after.head.title, |title| &title.text);
    equality "title_same_bare", "title without numbers: {the same|different} on both pages",
        |v| same(&v.before.head.title, &v.after.head.title, |title| &title.bare);
    share "title_common", "share of title words that both pages have",
        |v| in_common(&v.before.head.title.words, &v.after.head.title.words);
    growth "title_step", "number in an otherwise equal title: {step} the previous page", |v| title_step(v);
    equality "heading_same", "first heading without numbers: {the same|different} on both pages",
        |v| same(&v.before.head.heading, &v.after.head.heading, |title| &title.bare);
    share "heading_common", "share of words of the first headings that both pages have",
        |v| in_common(&v.before.head.heading.words, &v.after.head.heading.words);
    equality "headline_same", "headline without the site's name and numbers: {the same|different} on both pages",
        |v| same(&v.before.head.headline, &v.after.head.headline, |title| &title.bare);
    share "headline_common", "share of headline words that both pages have",
        |v| in_common(&v.before.head.headline.words, &v.after.head.headline.words);
    share "headline_within", "share of the shorter headline's words that the other headline has too",
        |v| within(&v.before.head.headline.words, &v.after.head.headline.words);
    flag "headline_held", "previous page's headline {is|is not} a heading of the new page",
        |v| !v.before.head.headlines.is_disjoint(&v.after.head.headings);
    flag "headline_teased", "new page's headline {is|is not} a heading of the previous page",
        |v| !v.after.head.headlines.is_disjoint(&v.before.head.headings);
    count "named_same", "of its titles, its date and its authors, the same on both pages",
        |v| named(v, 1.0);
    count "named_otherwise", "of its titles, its date and its authors, different on the two pages",
        |v| named(v, 0.0);
    equality "og_title_same", "og:title without numbers: {the same|different} on both pages",
        |v| same(&v.before.head.og_title, &v.after.head.og_title, |title| &title.bare);
    flag "canonical_own", "new page's canonical address {is|is not} its own",
        |v| v.after.head.canonical.as_ref() == Some(&v.after.key);
    flag "canonical_before", "new page's canonical address {is|is not} that of the previous page", |v| {
        let stated = [&v.after.head.canonical, &v.after.head.og_url].into_iter().flatten();
        let mut of_before =
            stated.filter(|key| **key == v.before.key || v.before.head.canonical.as_ref() == Some(*key));
        of_before.next().is_some()
    };
    flag "canonical_other", "new page's canonical address {is|is not} that of a third page", |v| {
        let canonical = v.after.head.canonical.as_ref();
        canonical.is_some_and(|key| *key != v.after.key && *key != v.before.key)
    };
    equality "date_same", "publication date: {the same|different} on both pages",
        |v| equal(v.before.head.date.as_ref(), v.after.head.date.as_ref());
    flag "date", "{a|no} publication date of its own on the new page",
        |v| v.after.head.date.is_some() && v.after.head.date != v.before.head.date;
    equality "author_same", "authors: {the same|different} on both pages",
        |v| equal(some(&v.before.head.authors), some(&v.after.head.authors));
    flag "author", "{an|no} author of its own on the new page",
        |v| !v.after.head.authors.is_subset(&v.before.head.authors);
    flag "date_before", "{a|no} publication date on the previous page", |v| v.before.head.date.is_some();
    equality "section_same", "section: {the same|different} on both pages",
        |v| equal(v.before.head.section.as_ref(), v.after.head.section.as_ref());
    share "tags_common", "share of tags that both pages have",
        |v| in_common(&v.before.head.tags, &v.after.head.tags);
    equality "ids_same", "numbers of the article in the markup: {the same|different} on both pages",
        |v| equal(some(&v.before.head.ids), some(&v.after.head.ids));
    equality "lang_same", "declared language: {the same|different} on both pages",
        |v| equal(v.before.head.lang.as_ref(), v.after.head.lang.as_ref());
    equality "type_same", "og:type: {the same|different} on both pages", |v| {
        let [before, after] =
            [v.before, v.after].map(|page| Some(&page.head.og_type).filter(|kind| !kind.is_empty()));
        equal(before, after)
    };
    flag "article", "new page {calls|does not call} itself an article", |v| v.after.is_article;
    flag "article_before", "previous page {calls|does not call} itself an article", |v| v.before.is_article;
    flag "archive", "new page {calls|does not call} itself a list or an archive", |v| v.after.is_archive;
    flag "archive_before", "previous page {calls|does not call} itself a list or an archive",
        |v| v.before.is_archive;
};
