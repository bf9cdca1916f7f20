//! When a page was published, and when it was changed.

use crate::dates;
use crate::json_ld::Article;
use crate::listing;
use crate::said::{Said, Source};
use crate::survey::{LONGEST, Near, Survey, class_words};
use crate::words::{self, Group};
use jiff::civil::Date;
use tsugi_dates::{When, mentions};
use tsugi_page::{NodeId, NodeKind, Tag, Url, text};

/// Names of `meta` elements and microdata for the publication date, the clearest first.
pub(crate) const PUBLISHED: &[&str] = &[
    "article:published_time",
    "og:article:published_time",
    "article:published",
    "og:published_time",
    "parsely-pub-date",
    "sailthru.date",
    "iso-8601-publish-date",
    "citation_online_date",
    "citation_publication_date",
    "citation_date",
    "dcterms.issued",
    "dc.date.issued",
    "dcterms.created",
    "dc.date.created",
    "dc.created",
    "datepublished",
    "cxenseparse:recs:publishtime",
    "cxenseparse:publishtime",
    "originalpublicationdate",
    "publication_date",
    "publication-date",
    "published_at",
    "published_time",
    "published-date",
    "published_date",
    "date_published",
    "publish-date",
    "publish_date",
    "publishdate",
    "publish_time",
    "pubdate",
    "pdate",
    "ptime",
    "article_date_original",
    "article:post_date",
    "article.published",
    "article.created",
    "bt:pubdate",
    "rnews:datepublished",
    "displaydate",
    "mediator_published_time",
    "video:release_date",
    "og:regdate",
    "dcterms.date",
    "dc.date",
    "date_created",
    "datecreated",
    "uploaddate",
    "date",
];

/// Names of `meta` elements and microdata for the modification date.
pub(crate) const MODIFIED: &[&str] = &[
    "article:modified_time",
    "og:article:modified_time",
    "article:modified",
    "og:updated_time",
    "og:modified_time",
    "dcterms.modified",
    "dc.date.modified",
    "dc.modified",
    "datemodified",
    "lastmod",
    "last-modified",
    "lastmodified",
    "modified_time",
    "revision_date",
    "bt:moddate",
];

/// Maximum distance in days between two dates of one event: another time zone, or the day of printing.
const SAME: i64 = 1;

/// Finds the publication date.
///
/// The first source counts, unless the address states another day and a later source agrees with it: articles that
/// moved to another system keep their address and the date on the page.
pub(crate) fn published(
    survey: &Survey<'_>,
    article: &Article,
    near: &Near,
    is_front: bool,
) -> Option<Said<String>> {
    let mut said: Vec<Said<String>> = Vec::new();
    let mut add = |date: Option<String>, by: Source| said.extend(date.map(|date| Said::new(date, by)));
    add(article.published.as_deref().and_then(dates::normal), Source::JsonLd);
    for name in PUBLISHED {
        let values = survey.all(std::slice::from_ref(name)).filter(|value| value.len() <= LONGEST);
        let found = values.take(5).find_map(dates::normal);
        add(found, Source::Meta);
    }
    add(article.parsely.published.as_deref().and_then(dates::normal), Source::Meta);
    let address = of_address(survey.page.url());
    let stated = if is_front { None } else { of_time(survey, near) };
    add(stated, Source::Time);
    let agrees = |date: &Said<String>| {
        address.zip(day(&date.value)).is_some_and(|(one, other)| distance(one, other) <= SAME)
    };
    if let Some(agreed) = said.iter().position(agrees) {
        return Some(said.swap_remove(agreed));
    }
    if let Some(first) = said.into_iter().next() {
        return Some(first);
    }
    // On a front page, dates belong to other articles.
    let of_text = if is_front { None } else { in_text(survey, near) };
    match (of_text, address) {
        (Some(date), Some(day)) if distance(day, date.day) > SAME => {
            Some(Said::new(day.to_string(), Source::Address))
        }
        (Some(date), _) => Some(Said::new(date.to_string(), Source::Text)),
        (None, Some(day)) => Some(Said::new(day.to_string(), Source::Address)),
        (None, None) => None,
    }
}

/// Finds the date of the last change.
pub(crate) fn modified(survey: &Survey<'_>, article: &Article) -> Option<Said<String>> {
    let of_article =
        article.modified.as_deref().and_then(dates::normal).map(|date| Said::new(date, Source::JsonLd));
    let of_meta =
        || survey.all(MODIFIED).take(20).find_map(dates::normal).map(|date| Said::new(date, Source::Meta));
    of_article.or_else(of_meta)
}

fn day(date: &str) -> Option<Date> {
    date.get(..10)?.parse().ok()
}

fn distance(one: Date, other: Date) -> i64 {
    one.until(other).map_or(i64::MAX, |span| i64::from(span.get_days()).abs())
}

/// Returns the day in an address: `/2016/12/07/`, `/2016-12-07-`, `/20161207/`.
pub(crate) fn of_address(url: &Url) -> Option<Date> {
    let plausible = |year: i16, month: i8, day: i8| {
        (1995..=2100).contains(&year).then(|| Date::new(year, month, day).ok()).flatten()
    };
    let number = |text: &str| {
        text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse::<i16>().ok()).flatten()
    };
    let small = |text: &str| {
        let fits = (1..=2).contains(&text.len());
        if fits { number(text).and_then(|value| i8::try_from(value).ok()) } else { None }
    };
    let segments: Vec<&str> = url.path().split('/').take(30).collect();
    let in_folders = segments.windows(3).find_map(|parts| {
        let [year, month, day] = parts else { return None };
        let year = if year.len() == 4 { number(year)? } else { return None };
        let month = small(month).or_else(|| month_name(month))?;
        // A number at the start of an article's name is not a day: `/2012/11/5-videos`.
        let written = day.split('.').next().filter(|day| !day.contains(['-', '_']));
        let opening = || day.split(['-', '_']).next().filter(|day| day.len() == 2);
        let day = written.or_else(opening).and_then(small)?;
        plausible(year, month, day)
    });
    in_folders.or_else(|| {
        segments.iter().find_map(|segment| {
            let digits = segment.bytes().take_while(u8::is_ascii_digit).count();
            let written = segment
                .get(..10)
                .filter(|_| digits == 4)
                .filter(|_| segment.as_bytes().get(10).is_none_or(|byte| !byte.is_ascii_digit()));
            if let Some(written) = written {
                let mut parts = written.split(['-', '_']);
                let (year, month, day) = (parts.next()?, parts.next()?, parts.next()?);
                return (month.len() == 2 && day.len() == 2)
                    .then(|| plausible(number(year)?, small(month)?, small(day)?))
                    .flatten();
            }
            if digits != 8 {
                return None;
            }
            plausible(number(segment.get(..4)?)?, small(segment.get(4..6)?)?, small(segment.get(6..8)?)?)
        })
    })
}

fn month_name(text: &str) -> Option<i8> {
    const MONTHS: [&str; 12] =
        ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
    let at = MONTHS.iter().position(|month| text.eq_ignore_ascii_case(month))?;
    i8::try_from(at + 1).ok()
}

/// Returns the date of a `time` element, or of the element that microdata or microformats mark as publication date:
/// the one so marked, or else the first near the headline that is not a change.
fn of_time(survey: &Survey<'_>, near: &Near) -> Option<String> {
    let page = survey.page;
    let value = |id: NodeId| {
        let attribute = page.attribute(id, "datetime").or_else(|| page.attribute(id, "content"));
        let of_attribute = attribute.filter(|date| date.len() <= LONGEST).and_then(dates::normal);
        let shown = || Some(text::fold(&page.text(id))).filter(|shown| shown.len() <= 100);
        of_attribute.or_else(|| {
            let shown = shown()?;
            mentions(&shown).into_iter().find_map(|found| found.when).map(|when| when.to_string())
        })
    };
    let has_word = |id: NodeId, name: &str, words: &[&str]| {
        page.attribute(id, name)
            .is_some_and(|value| class_words(value).iter().any(|word| words.contains(&word.as_str())))
    };
    let is_published = |id: &NodeId| {
        has_word(*id, "itemprop", &["published"])
            || page.attribute(*id, "itemprop").is_some_and(|name| name.eq_ignore_ascii_case("datepublished"))
            || page.attribute(*id, "pubdate").is_some()
            || has_word(*id, "class", &["published", "entry", "publish", "pubdate", "posted"])
    };
    let is_changed = |id: &NodeId| {
        has_word(*id, "class", &["updated", "modified", "update"])
            || page.attribute(*id, "itemprop").is_some_and(|name| name.eq_ignore_ascii_case("datemodified"))
            || says_changed(survey, *id)
    };
    let in_list = |id: NodeId| listing::is_repeated(page, id, &|part| listing::holds_day(page, part));
    let own: Vec<NodeId> =
        survey.times.iter().copied().filter(|id| !survey.is_aside(*id) && !in_list(*id)).collect();
    let close: Vec<NodeId> = own.iter().copied().filter(|id| near.around.contains(&id.index())).collect();
    let published = |ids: &[NodeId]| {
        ids.iter().filter(|id| is_published(id) && !says_changed(survey, **id)).find_map(|id| value(*id))
    };
    published(&close)
        .or_else(|| close.iter().filter(|id| !is_changed(id)).find_map(|id| value(*id)))
        .or_else(|| published(&own))
        .or_else(|| {
            let days: Vec<String> =
                own.iter().filter(|id| !is_changed(id)).filter_map(|id| value(*id)).collect();
            if days.len() == 1 { days.into_iter().next() } else { None }
        })
}

/// Returns `true` if the text before an element marks its date as that of a change.
fn says_changed(survey: &Survey<'_>, id: NodeId) -> bool {
    let page = survey.page;
    let is_change = |text: &str| {
        let end = text.floor_char_boundary(60);
        let start = text.get(..end).unwrap_or_default();
        let before =
            mentions(start).first().map_or(start, |found| start.get(..found.range.start).unwrap_or_default());
        words::closes(Group::Changed, before)
    };
    if is_change(page.string_value(id)) {
        return true;
    }
    let before = |id: NodeId| {
        let sibling = page.previous_sibling(id)?;
        let text = match page.kind(sibling) {
            NodeKind::Text => page.data(sibling),
            NodeKind::Element => page.string_value(sibling),
            _ => "",
        };
        let text = text.trim_end();
        let start = text.char_indices().rev().nth(39).map_or(0, |(at, _)| at);
        Some(text.get(start..).unwrap_or_default()).filter(|text| !text.is_empty())
    };
    let parent = || page.parent(id).filter(|parent| page.string_value(*parent).len() < 200);
    let written = before(id).or_else(|| before(parent()?));
    written.is_some_and(|text| words::closes(Group::Changed, text))
}

/// Returns the date in the text around the headline or at the end of the content: first in elements marked as date or
/// byline, then in short lines.
pub(crate) fn in_text(survey: &Survey<'_>, near: &Near) -> Option<When> {
    let page = survey.page;
    let read = |id: NodeId, data: &str| {
        let found = mentions(data);
        let first = found.into_iter().find(|found| found.when.is_some())?;
        let before = data.get(..first.range.start)?;
        let is_change = words::closes(Group::Changed, before)
            || (before.trim().is_empty() && says_changed(survey, id))
            || survey.is_aside(id);
        // A date in a sentence means something else.
        let around = text::fold(data).chars().count();
        let length = data.get(first.range.clone()).map_or(0, |date| date.chars().count());
        let is_line = around <= length + 60;
        let in_list = || listing::is_repeated(page, id, &|part| listing::holds_day(page, part));
        let is_meant = |when: &When| dates::is_plausible(when.day);
        (!is_change && is_line && !in_list()).then_some(first.when).flatten().filter(is_meant)
    };
    let is_marked = |id: NodeId| {
        page.ancestors(id).take(3).any(|above| {
            let names =
                ["class", "id", "itemprop"].into_iter().filter_map(|name| page.attribute(above, name));
            names.flat_map(class_words).any(|word| {
                matches!(
                    word.as_str(),
                    "date"
                        | "time"
                        | "timestamp"
                        | "published"
                        | "posted"
                        | "byline"
                        | "pubdate"
                        | "meta"
                        | "datetime"
                        | "datum"
                        | "fecha"
                        | "day"
                        | "publish"
                        | "dateline"
                )
            })
        })
    };
    // A link's text may be a title with a date. A link around a date leads to the page itself.
    let behind = near.headline.max(near.around.start)..near.around.end;
    let before = near.around.start..near.headline.max(near.around.start);
    let texts = || {
        survey
            .texts(behind.clone())
            .chain(survey.texts(before.clone()))
            .chain(survey.texts(near.close.clone()))
    };
    let in_heading = |id: NodeId| page.ancestors(id).take(4).any(|above| page.known_tag(above) == Tag::H1);
    texts()
        .filter(|(id, _)| is_marked(*id) && !in_heading(*id))
        .find_map(|(id, data)| read(id, data))
        .or_else(|| {
            // Many days belong to a list.
            let mut days: Vec<Date> = survey
                .texts(behind.clone())
                .flat_map(|(_, data)| mentions(data))
                .filter_map(|found| Some(found.when?.day))
                .collect();
            days.sort_unstable();
            days.dedup();
            if days.len() > 3 {
                return None;
            }
            let behind = survey.texts(behind.clone()).chain(survey.texts(near.close.clone()));
            behind.filter(|(id, _)| !in_heading(*id)).find_map(|(id, data)| {
                let length = data.trim().chars().count();
                (length <= 80).then(|| read(id, data)).flatten()
            })
        })
}
