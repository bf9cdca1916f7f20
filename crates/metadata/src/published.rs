use crate::dates;
use crate::far::{self, DatedLine};
use crate::in_scripts;
use crate::json_ld::StatedArticle;
use crate::listing;
use crate::said::{Said, Source};
use crate::survey::{BylineArea, LONGEST, MetadataSurvey, has_class_word, has_mark};
use crate::words::{self, WordGroup};
use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::tz::Offset;
use std::collections::BTreeSet;
use tsugi_dates::{When, dated, mentions};
use tsugi_page::{Content, NodeId, NodeKind, Page, Tag, Url, text};

/// Maximum distance in days between two dates of one event: another time zone, or the day of printing.
const SAME: i64 = 1;

pub(crate) fn published(
    survey: &MetadataSurvey<'_>,
    article: &StatedArticle,
    near: &BylineArea,
    content: &Content,
    is_front: bool,
) -> Option<Said<String>> {
    let of_article = article.published.as_deref().and_then(dates::normal);
    let of_meta = words::entries(WordGroup::PublishedName).iter().filter_map(|name| {
        let values = survey.all(&[*name]).filter(|value| value.len() <= LONGEST);
        values.take(5).find_map(dates::normal)
    });
    let of_parsely = article.parsely.published.as_deref().and_then(dates::normal);
    let mut said: Vec<Said<String>> =
        of_article.map(|date| Said::new(date, Source::JsonLd)).into_iter().collect();
    said.extend(of_meta.chain(of_parsely).map(|date| Said::new(date, Source::Meta)));
    // On a front page, dates belong to other articles.
    let of_time = if is_front { None } else { of_time(survey, near) };
    said.extend(of_time.map(|date| Said::new(date, Source::Time)));
    // Articles that moved to another system keep their address and the date on the page.
    let address = of_address(survey.page.url());
    let agreed = said.iter().position(|date| {
        address.zip(day(&date.value)).is_some_and(|(one, other)| distance(one, other) <= SAME)
    });
    // The first source counts, unless a later one agrees with the address.
    if !said.is_empty() {
        let chosen = said.swap_remove(agreed.unwrap_or(0));
        return Some(in_local_time(survey, near, chosen, &said, is_front));
    }
    let of_text = if is_front { None } else { in_text(survey, near) };
    match (of_text, address) {
        (Some(date), Some(day)) if distance(day, date.day) > SAME => {
            Some(Said::new(day.to_string(), Source::Address))
        }
        (Some(date), _) => Some(Said::new(date.to_string(), Source::Text)),
        (None, Some(day)) => Some(Said::new(day.to_string(), Source::Address)),
        (None, None) if is_front => None,
        (None, None) => {
            let lines = far::dated_lines(survey);
            far::shown(survey, content, &lines)
                .map(|date| Said::new(date.to_string(), Source::Text))
                .or_else(|| in_scripts::day(survey).map(|day| Said::new(day.to_string(), Source::Script)))
                .or_else(|| {
                    far::changed(survey, &lines).map(|date| Said::new(date.to_string(), Source::Text))
                })
        }
    }
}

/// Replaces an instant in UTC by the day that readers saw, where the page says which: many systems write all times in UTC,
/// and in the evening of America, or the morning of Asia, that is another day.
fn in_local_time(
    survey: &MetadataSurvey<'_>,
    near: &BylineArea,
    chosen: Said<String>,
    others: &[Said<String>],
    is_front: bool,
) -> Said<String> {
    let Some(instant) = chosen.value.parse::<Timestamp>().ok().filter(|_| chosen.value.ends_with('Z')) else {
        return chosen;
    };
    if let Some(local) = others.iter().find(|other| is_local(&other.value, instant)) {
        return local.clone();
    }
    let utc = When::of_instant(instant).day;
    let is_beside = |day: &Date| *day != utc && distance(*day, utc) <= SAME;
    if let Some(day) = of_address(survey.page.url()) {
        return if is_beside(&day) { Said::new(day.to_string(), Source::Address) } else { chosen };
    }
    let shown = if is_front { None } else { in_text(survey, near) };
    match shown {
        Some(date) if is_beside(&date.day) => Said::new(date.to_string(), Source::Text),
        Some(date) if date.day == utc => chosen,
        _ => match in_scripts::local(survey, instant) {
            Some(local) => Said::new(local, Source::Script),
            None => chosen,
        },
    }
}

/// Returns `true` if a date is an instant in local time: with its offset, or with the same minutes and seconds and without
/// an offset.
fn is_local(date: &str, instant: Timestamp) -> bool {
    if date.ends_with('Z') || date.len() <= "2024-05-01".len() {
        return false;
    }
    if let Ok(other) = date.parse::<Timestamp>() {
        return other == instant;
    }
    let Ok(local) = date.parse::<DateTime>() else { return false };
    let seconds = Offset::UTC.to_timestamp(local).map_or(i64::MAX, jiff::Timestamp::as_second);
    let apart = seconds.saturating_sub(instant.as_second());
    apart != 0 && apart.abs() <= 14 * 3600 && apart % 900 == 0
}

pub(crate) fn modified(
    survey: &MetadataSurvey<'_>,
    article: &StatedArticle,
    near: &BylineArea,
) -> Option<Said<String>> {
    let of_article = article.modified.as_deref().and_then(dates::normal);
    let stated = of_article.map(|date| Said::new(date, Source::JsonLd)).or_else(|| {
        let mut values = survey.all(words::entries(WordGroup::ModifiedName)).take(20);
        values.find_map(dates::normal).map(|date| Said::new(date, Source::Meta))
    });
    stated.or_else(|| {
        let lines = [near.around.clone(), near.close.clone()];
        let mut lines = lines.into_iter().flat_map(|range| survey.lines_with_digits(range));
        let shown = lines.find_map(|line| change_of(survey, &DatedLine::of(line)))?;
        Some(Said::new(shown.to_string(), Source::Text))
    })
}

/// Returns the date in a line behind a word for a change: `Last updated on 2 May 2024`.
pub(crate) fn change_of(survey: &MetadataSurvey<'_>, line: &DatedLine<'_>) -> Option<When> {
    let &DatedLine { id, line, ref dates } = line;
    let (_, when) = dates.iter().find(|(range, _)| {
        let before = &line[..range.start];
        words::closes(WordGroup::Changed, before) || before.trim().is_empty() && says_changed(survey.page, id)
    })?;
    let is_own = !survey.is_aside(id) && !survey.is_hidden(id) && !in_facts(survey.page, id);
    (is_own && dates::is_plausible(when.day)).then_some(*when)
}

/// Returns `true` if a text is in a row of a table that a header cell names: facts about the subject, such as a birthday.
pub(crate) fn in_facts(page: &Page, id: NodeId) -> bool {
    let row = page.ancestors(id).take(12).find(|above| page.known_tag(*above) == Tag::Tr);
    row.is_some_and(|row| page.child_elements(row).any(|cell| page.known_tag(cell) == Tag::Th))
}

fn day(date: &str) -> Option<Date> {
    date.get(..10)?.parse().ok()
}

fn distance(one: Date, other: Date) -> i64 {
    one.until(other).map_or(i64::MAX, |span| i64::from(span.get_days()).abs())
}

/// Returns the day in an address: `/2016/12/07/`, `/2016-12-07-`, `/20161207/`.
pub(crate) fn of_address(url: &Url) -> Option<Date> {
    let segments: Vec<&str> = url.path().split('/').take(30).collect();
    let in_folders = segments.windows(3).find_map(day_of_folders);
    in_folders.or_else(|| segments.iter().find_map(|segment| day_of_segment(segment)))
}

fn day_of_folders(folders: &[&str]) -> Option<Date> {
    let [year, month, day] = folders else { return None };
    let month = small_number(month).or_else(|| month_name(month))?;
    // A number at the start of an article's name is not a day: `/2012/11/5-videos`.
    let whole = day.split('.').next().filter(|day| !day.contains(['-', '_']));
    let opening = || day.split(['-', '_']).next().filter(|day| day.len() == 2);
    let day = whole.or_else(opening).and_then(small_number)?;
    if year.len() == 4 { day_on_the_web(number(year)?, month, day) } else { None }
}

fn day_of_segment(segment: &str) -> Option<Date> {
    let digits = segment.bytes().take_while(u8::is_ascii_digit).count();
    let goes_on = segment.as_bytes().get(10).is_some_and(u8::is_ascii_digit);
    let (year, month, day) = match segment.get(..10) {
        Some(written) if digits == 4 && !goes_on => {
            let mut parts = written.split(['-', '_']);
            (parts.next()?, parts.next()?, parts.next()?)
        }
        _ if digits == 8 => (segment.get(..4)?, segment.get(4..6)?, segment.get(6..8)?),
        _ => return None,
    };
    let has_zeros = month.len() == 2 && day.len() == 2;
    if has_zeros { day_on_the_web(number(year)?, small_number(month)?, small_number(day)?) } else { None }
}

fn day_on_the_web(year: i16, month: i8, day: i8) -> Option<Date> {
    // Older years in addresses are numbers of something else.
    if (1995..=2100).contains(&year) { Date::new(year, month, day).ok() } else { None }
}

fn number(text: &str) -> Option<i16> {
    // `parse` alone would accept a sign.
    if text.bytes().all(|byte| byte.is_ascii_digit()) { text.parse().ok() } else { None }
}

fn small_number(text: &str) -> Option<i8> {
    if (1..=2).contains(&text.len()) { i8::try_from(number(text)?).ok() } else { None }
}

fn month_name(text: &str) -> Option<i8> {
    const MONTHS: [&str; 12] =
        ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];
    let at = MONTHS.iter().position(|month| text.eq_ignore_ascii_case(month))?;
    i8::try_from(at + 1).ok()
}

fn of_time(survey: &MetadataSurvey<'_>, near: &BylineArea) -> Option<String> {
    let page = survey.page;
    let own = survey.times.iter().copied().filter(|id| !survey.is_aside(*id) && !in_dated_list(page, *id));
    let own: Vec<NodeId> = own.collect();
    let close: Vec<NodeId> = own.iter().copied().filter(|id| near.around.contains(&id.index())).collect();
    dates_of_publication(survey, &close)
        .next()
        .or_else(|| dates_but_changes(survey, &close).next())
        .or_else(|| dates_of_publication(survey, &own).next())
        .or_else(|| {
            // Of several unmarked dates far from the headline, none is known to be the page's.
            let mut dates = dates_but_changes(survey, &own);
            dates.next().filter(|_| dates.next().is_none())
        })
}

fn dates_of_publication(survey: &MetadataSurvey<'_>, ids: &[NodeId]) -> impl Iterator<Item = String> {
    let marked =
        ids.iter().filter(|id| is_publication(survey.page, **id) && !says_changed(survey.page, **id));
    marked.filter_map(|id| date_of(survey.page, *id))
}

fn dates_but_changes(survey: &MetadataSurvey<'_>, ids: &[NodeId]) -> impl Iterator<Item = String> {
    ids.iter().filter(|id| !is_change(survey.page, **id)).filter_map(|id| date_of(survey.page, *id))
}

fn date_of(page: &Page, id: NodeId) -> Option<String> {
    let is_abbreviation = page.known_tag(id) == Tag::Abbr;
    let names: &[&str] = if is_abbreviation { &["title"] } else { &["datetime", "content"] };
    let attribute = names.iter().find_map(|name| page.attribute(id, name));
    let stated = attribute.filter(|date| date.len() <= LONGEST).and_then(|date| {
        // Titles are for readers: `Friday, 6 October 2017 at 04:00`.
        dates::normal(date).or_else(|| is_abbreviation.then(|| first_date(date)).flatten())
    });
    let shown = text::fold(&page.text(id));
    // Some systems put the time of the last change there, and write for readers when the text was published.
    let says_published = words::behind(WordGroup::Published, &shown).and_then(first_date);
    match stated {
        Some(stated) => Some(says_published.filter(|shown| !is_near(shown, &stated)).unwrap_or(stated)),
        None => first_date(&shown),
    }
}

fn is_near(one: &str, other: &str) -> bool {
    day(one).zip(day(other)).is_some_and(|(one, other)| distance(one, other) <= SAME)
}

fn first_date(text: &str) -> Option<String> {
    if text.len() > 100 {
        return None;
    }
    dated(text).next().map(|(_, when)| when.to_string())
}

fn is_publication(page: &Page, id: NodeId) -> bool {
    page.attribute(id, "itemprop").is_some_and(|name| has_class_word(name, |word| word == "published"))
        || is_property(page, id, "datepublished")
        || page.attribute(id, "pubdate").is_some()
        || has_mark(page, id, &["class"], WordGroup::PublicationMark)
}

fn is_change(page: &Page, id: NodeId) -> bool {
    has_mark(page, id, &["class"], WordGroup::ChangeMark)
        || is_property(page, id, "datemodified")
        || says_changed(page, id)
}

fn is_property(page: &Page, id: NodeId, name: &str) -> bool {
    page.attribute(id, "itemprop").is_some_and(|value| value.eq_ignore_ascii_case(name))
}

pub(crate) fn in_dated_list(page: &Page, id: NodeId) -> bool {
    listing::is_repeated(page, id, &|part| listing::holds_day(page, part))
}

fn says_changed(page: &Page, id: NodeId) -> bool {
    let text = page.string_value(id);
    let start = &text[..text.floor_char_boundary(60)];
    let before = mentions(start).first().map_or(start, |found| &start[..found.range.start]);
    if words::closes(WordGroup::Changed, before) {
        return true;
    }
    let parent = || page.parent(id).filter(|parent| page.string_value(*parent).len() < 200);
    let written = text_before(page, id).or_else(|| text_before(page, parent()?));
    written.is_some_and(|text| words::closes(WordGroup::Changed, text))
}

fn text_before(page: &Page, id: NodeId) -> Option<&str> {
    let sibling = page.previous_sibling(id)?;
    let text = match page.kind(sibling) {
        NodeKind::Text => page.data(sibling),
        NodeKind::Element => page.string_value(sibling),
        _ => "",
    };
    let text = text.trim_end();
    let start = text.char_indices().rev().nth(39).map_or(0, |(at, _)| at);
    Some(&text[start..]).filter(|text| !text.is_empty())
}

pub(crate) fn in_text(survey: &MetadataSurvey<'_>, near: &BylineArea) -> Option<When> {
    let page = survey.page;
    let behind = near.headline.max(near.around.start)..near.around.end;
    let before = near.around.start..behind.start;
    let marked = [behind.clone(), before, near.close.clone()]
        .into_iter()
        .flat_map(|range| survey.lines_with_digits(range))
        .filter(|(id, _)| {
            is_marked_as_date(page, *id) && !in_h1(page, *id) && !far::in_site_header(page, *id)
        })
        .find_map(|(id, line)| date_of_line(survey, id, line));
    if marked.is_some() {
        return marked;
    }
    // Many days belong to a list.
    let days = survey.lines_with_digits(behind.clone()).flat_map(|(_, line)| dated(line));
    let days: BTreeSet<Date> = days.map(|(_, when)| when.day).collect();
    if days.len() > 3 {
        return None;
    }
    [behind, near.close.clone()]
        .into_iter()
        .flat_map(|range| survey.lines_with_digits(range))
        .filter(|(id, line)| line.trim().chars().count() <= 80 && !in_h1(page, *id))
        .find_map(|(id, line)| date_of_line(survey, id, line))
}

/// Returns the first date of a line that consists of little else, unless it is that of a change or of a list's item.
fn date_of_line(survey: &MetadataSurvey<'_>, id: NodeId, line: &str) -> Option<When> {
    let (range, when) = dated(line).next()?;
    let before = &line[..range.start];
    let is_change = words::closes(WordGroup::Changed, before)
        || (before.trim().is_empty() && says_changed(survey.page, id))
        || survey.is_aside(id)
        || in_facts(survey.page, id)
        || survey.is_hidden(id);
    // A date in a sentence means something else.
    let length = line[range].chars().count();
    let is_line = text::fold(line).chars().count() <= length + 60;
    let is_own = !is_change && is_line && !in_dated_list(survey.page, id);
    (is_own && dates::is_plausible(when.day)).then_some(when)
}

fn is_marked_as_date(page: &Page, id: NodeId) -> bool {
    let names = ["class", "id", "itemprop"];
    page.ancestors(id).take(3).any(|above| has_mark(page, above, &names, WordGroup::DateMark))
}

fn in_h1(page: &Page, id: NodeId) -> bool {
    page.ancestors(id).take(4).any(|above| page.known_tag(above) == Tag::H1)
}
