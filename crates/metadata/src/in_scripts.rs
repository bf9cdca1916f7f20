//! Days of publication in data for scripts: states of applications, and what is handed to counters of visits.

use crate::dates;
use crate::survey::MetadataSurvey;
use crate::words::{self, WordGroup};
use jiff::Timestamp;
use jiff::civil::Date;
use jiff::tz::Offset;
use memchr::memmem;
use std::collections::BTreeSet;
use std::sync::LazyLock;

/// Number of bytes of scripts that are read, over all.
const MOST_BYTES: usize = 256 * 1024;
/// Maximum number of places examined for one key.
const MOST_PLACES: usize = 40;
/// Maximum number of bytes between a key and its value, and of a value.
const VALUE: usize = 48;

static FINDERS: LazyLock<Vec<(&str, memmem::Finder<'_>)>> = LazyLock::new(|| {
    let keys = words::entries(WordGroup::ScriptKey).iter();
    keys.map(|key| (*key, memmem::Finder::new(key.as_bytes()))).collect()
});

fn scripts<'a>(survey: &MetadataSurvey<'a>) -> impl Iterator<Item = &'a str> {
    let page = survey.page;
    let mut left = MOST_BYTES;
    survey.scripts.clone().into_iter().map_while(move |id| {
        let script = page.string_value(id);
        let script = &script[..script.floor_char_boundary(left)];
        left -= script.len();
        (left > 0 || !script.is_empty()).then_some(script)
    })
}

/// Returns the day that scripts name as that of publication, if they name one alone: lists of articles name several.
pub(crate) fn day(survey: &MetadataSurvey<'_>) -> Option<Date> {
    let mut days: BTreeSet<Date> = BTreeSet::new();
    for script in scripts(survey) {
        for (key, finder) in &*FINDERS {
            let places = finder.find_iter(script.as_bytes()).take(MOST_PLACES);
            days.extend(
                places.filter_map(|at| value_of(script, at, key.len())).filter(|day| day.year() >= 1995),
            );
        }
    }
    if days.len() == 1 { days.pop_first() } else { None }
}

/// Reads the date behind a key: `"publicationDate":"2023-11-08T22:35:29-08:00"`, `'Publish Day' : '2023-11-08'`.
fn value_of(script: &str, at: usize, length: usize) -> Option<Date> {
    let is_quote = |c: char| matches!(c, '"' | '\'');
    let before = script.get(..at)?.trim_end_matches('\\');
    if !before.ends_with(|c: char| is_quote(c) || matches!(c, '{' | ',' | ' ' | '_')) {
        return None;
    }
    let behind = script.get(at + length..)?;
    let behind = &behind[..behind.floor_char_boundary(VALUE)];
    let value = behind.trim_start_matches(['\\', '"', '\'']).trim_start().strip_prefix(':')?.trim_start();
    let value = value.trim_start_matches('\\').strip_prefix(is_quote)?;
    let value = value.split(['"', '\'', '\\']).next()?;
    let normal = dates::normal(value).filter(|_| value.starts_with(|c: char| c.is_ascii_digit()))?;
    normal.get(..10)?.parse().ok()
}

/// Returns an instant as scripts write it with the offset of the site.
pub(crate) fn local(survey: &MetadataSurvey<'_>, instant: Timestamp) -> Option<String> {
    let clock = Offset::UTC.to_datetime(instant).time();
    // Offsets are whole quarters of an hour; all but a few are whole hours, which leave minutes and seconds as they are.
    let wanted = format!(":{:02}:{:02}", clock.minute(), clock.second());
    let finder = memmem::Finder::new(wanted.as_bytes());
    scripts(survey).find_map(|script| {
        let mut places = finder.find_iter(script.as_bytes()).take(MOST_PLACES);
        places.find_map(|at| {
            let written = script.get(at.checked_sub("2024-05-01T09".len())?..)?;
            let date = written.split(['"', '\'', '\\', '<', '&']).next().filter(|date| date.len() <= 40)?;
            let normal = dates::normal(date).filter(|date| !date.ends_with('Z'))?;
            (normal.parse::<Timestamp>().ok()? == instant).then_some(normal)
        })
    })
}
