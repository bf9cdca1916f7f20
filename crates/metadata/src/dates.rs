use jiff::Timestamp;
use jiff::civil::{Date, DateTime};
use jiff::fmt::{rfc2822, temporal::Pieces};
use jiff::tz::{Offset, TimeZone};
use tsugi_dates::When;

/// Normalises a date to ISO 8601: a day, or a time with its UTC offset if known. Returns `None` for anything else,
/// and for implausible dates: 1 January 1970 in UTC (an unset clock), and years before 1400 or after 2100.
pub(crate) fn normal(text: &str) -> Option<String> {
    let text = text.trim();
    if !(6..=60).contains(&text.len()) {
        return None;
    }
    if let Some(time) =
        text.parse::<Timestamp>().ok().or_else(|| rfc2822::DateTimeParser::new().parse_timestamp(text).ok())
    {
        let is_meant = time.as_second() != 0 && is_plausible(time.to_zoned_datetime(TimeZone::UTC).date());
        return is_meant.then(|| whole_seconds(time, offset(text)));
    }
    // Also accept `2024-05-01T10:00:00+0200`, and a space instead of the `T`.
    if text.len() > 10
        && let Ok(time) = text.parse::<DateTime>()
    {
        return is_plausible(time.date()).then(|| time.strftime("%Y-%m-%dT%H:%M:%S").to_string());
    }
    if let Some(said) = of_java(text).and_then(|text| When::read(&text)).or_else(|| When::read(text))
        && said.time.is_some()
    {
        return is_plausible(said.day).then(|| said.to_string());
    }
    let day = text.parse::<Date>().or_else(|_| Date::strptime("%Y%m%d", text)).ok();
    let day = day.or_else(|| When::read(text).map(|when| when.day));
    day.filter(|day| is_plausible(*day)).map(|day| day.to_string())
}

/// Reorders `Mon Aug 03 12:45:00 EDT 2015`, the format of Java and Unix, so that it can be parsed.
fn of_java(text: &str) -> Option<String> {
    match text.split_whitespace().collect::<Vec<_>>().as_slice() {
        [_, month, day, time, zone, year] if time.contains(':') && year.len() == 4 => {
            Some(format!("{day} {month} {year} {time} {zone}"))
        }
        _ => None,
    }
}

/// Returns the UTC offset that a text states; it decides which day the reader sees.
fn offset(text: &str) -> Offset {
    let of_iso = Pieces::parse(text).ok().and_then(|pieces| pieces.to_numeric_offset());
    let of_mail = || Some(rfc2822::DateTimeParser::new().parse_zoned_datetime(text).ok()?.offset());
    of_iso.or_else(of_mail).unwrap_or(Offset::UTC)
}

fn whole_seconds(time: Timestamp, offset: Offset) -> String {
    if offset == Offset::UTC {
        return time.strftime("%Y-%m-%dT%H:%M:%SZ").to_string();
    }
    time.to_zoned_datetime(offset.to_time_zone()).strftime("%Y-%m-%dT%H:%M:%S%:z").to_string()
}

pub(crate) fn is_plausible(day: Date) -> bool {
    (1400..=2100).contains(&day.year()) && day != jiff::civil::date(1970, 1, 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_become_iso_8601() {
        for (text, normal) in [
            ("2024-05-01T10:00:00+02:00", "2024-05-01T10:00:00+02:00"),
            ("2024-05-01T10:00:00.123Z", "2024-05-01T10:00:00Z"),
            ("2024-05-01T08:00:00+0900", "2024-05-01T08:00:00+09:00"),
            ("Wed, 01 May 2024 08:00:00 +0900", "2024-05-01T08:00:00+09:00"),
            ("2024-05-01 10:00:00", "2024-05-01T10:00:00"),
            ("2024-05-01T10:00", "2024-05-01T10:00:00"),
            (" 2024-05-01 ", "2024-05-01"),
            ("2024/05/01", "2024-05-01"),
            ("2024/5/1", "2024-05-01"),
            ("2024年5月1日", "2024-05-01"),
            ("May 1, 2024", "2024-05-01"),
            ("1 May 2024", "2024-05-01"),
            ("Wed, 01 May 2024 10:00:00 GMT", "2024-05-01T10:00:00Z"),
            ("20240501", "2024-05-01"),
            ("Wed May 01 12:45:00 EDT 2024", "2024-05-01T12:45:00-04:00"),
            ("1 mai 2024", "2024-05-01"),
            ("1850-01-01", "1850-01-01"),
        ] {
            assert_eq!(super::normal(text).as_deref(), Some(normal), "{text}");
        }
    }

    #[test]
    fn what_is_no_date_is_dropped() {
        for text in [
            "", "today", "2024-13-01", "2024-02-30", "0000-00-00", "1970-01-01", "1970-01-01T00:00:00Z",
            "9999-12-31", "0024-05-01", "01/02/2024", "2024", "P1D", "2024-05-01T99:00",
        ] {
            assert_eq!(normal(text), None, "{text}");
        }
    }
}
