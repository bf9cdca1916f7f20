//! Finds dates in the text of pages, and the days they mean.
//!
//! # Examples
//!
//! ```
//! use tsugi_dates::{When, mentions};
//! let line = "Updated 2 de noviembre de 2026, 3 hours ago";
//! let found = mentions(line);
//! assert_eq!(&line[found[0].range.clone()], "2 de noviembre de 2026");
//! assert_eq!(found[0].when, When::read("2026-11-02"));
//! assert_eq!(&line[found[1].range.clone()], "3 hours ago");
//! assert_eq!(found[1].when, None);
//! ```
//!
//! # Forms
//!
//! Dates are read in the forms of some twenty languages: ISO 8601, `2 November 2026`, `Nov 2, 2026`, `02.11.2026`,
//! `2026/11/02`, `2026年11月2日`, `2026년 11월 2일`, `令和8年11月2日`, with or without a time. Ambiguous dates (`01/02/2026`) are
//! found without a day. So are relative times (`3 hours ago`, `3時間前`), because it is unknown when the text was written.
//!
//! # Design
//!
//! Other crates parse a whole text that is known to be a date (`dateparser`), or only English (`interim`,
//! `date_time_parser_multi_language`, which compiles regular expressions). None finds dates inside a line, or reports that a
//! date is ambiguous.

mod words;

use jiff::Timestamp;
use jiff::civil::{Date, Time};
use jiff::tz::Offset;
use std::ops::Range;
use tsugi_page::text::is_cjk;

/// Length to which texts are read, in bytes.
const LONGEST: usize = 1 << 20;

/// A day, with a time and its offset from UTC if they are known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct When {
    /// The day.
    pub day: Date,
    /// The time of day, if known.
    pub time: Option<Time>,
    /// The offset of that time from UTC, if known.
    pub offset: Option<Offset>,
}

impl When {
    /// Returns the first and the last instant that may be meant.
    ///
    /// Without an offset, any from UTC−12 to UTC+14 may be meant. A day lasts from its first second to its last.
    pub fn span(self) -> (Timestamp, Timestamp) {
        let first = self.day.to_datetime(self.time.unwrap_or(Time::midnight()));
        let last = self.day.to_datetime(self.time.unwrap_or(jiff::civil::time(23, 59, 59, 0)));
        let (east, west) = (Offset::constant(14), Offset::constant(-12));
        let first = self.offset.unwrap_or(east).to_timestamp(first).unwrap_or(Timestamp::MIN);
        let last = self.offset.unwrap_or(west).to_timestamp(last).unwrap_or(Timestamp::MAX);
        (first, last)
    }

    /// Reads a text that is a single date; returns `None` if it is not, or the day is unknown.
    pub fn read(text: &str) -> Option<When> {
        match mentions(text).as_slice() {
            [only]
                if text[..only.range.start].trim().is_empty() && text[only.range.end..].trim().is_empty() =>
            {
                only.when
            }
            _ => None,
        }
    }

    /// Returns an instant, in UTC.
    pub fn of_instant(instant: Timestamp) -> When {
        let time = Offset::UTC.to_datetime(instant);
        When { day: time.date(), time: Some(time.time()), offset: Some(Offset::UTC) }
    }
}

impl std::fmt::Display for When {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.day)?;
        let Some(time) = self.time else { return Ok(()) };
        write!(f, "T{:02}:{:02}:{:02}", time.hour(), time.minute(), time.second())?;
        match self.offset {
            None => Ok(()),
            Some(Offset::UTC) => f.write_str("Z"),
            Some(offset) => {
                let minutes = offset.seconds() / 60;
                let sign = if minutes < 0 { '-' } else { '+' };
                write!(f, "{sign}{:02}:{:02}", minutes.abs() / 60, minutes.abs() % 60)
            }
        }
    }
}

/// A date stated by a page, and where.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stated {
    /// Where the page states it.
    pub by: StatedBy,
    /// The date.
    pub when: When,
}

/// Where a page states a date.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum StatedBy {
    /// `dateModified` of JSON-LD.
    JsonLdModified,
    /// A `meta` element or microdata with the modification date.
    MetaModified,
    /// A `time` element near the headline.
    Time,
    /// Text near the headline.
    Text,
    /// `datePublished` of JSON-LD.
    JsonLdPublished,
    /// A `meta` element or microdata with the publication date.
    MetaPublished,
}

impl StatedBy {
    /// Returns the name used in output.
    pub fn as_str(self) -> &'static str {
        match self {
            StatedBy::JsonLdModified => "json-ld-modified",
            StatedBy::MetaModified => "meta-modified",
            StatedBy::Time => "time",
            StatedBy::Text => "text",
            StatedBy::JsonLdPublished => "json-ld-published",
            StatedBy::MetaPublished => "meta-published",
        }
    }
}

/// A date or time in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mention {
    /// Position in the text, in bytes.
    pub range: Range<usize>,
    /// The date; `None` if the day is unknown or ambiguous.
    pub when: Option<When>,
}

/// Returns the dates and times in a text, in order and without overlaps.
///
/// # Cost
///
/// Linear in the text: at each word, a fixed number of forms is tried, each on a few words.
pub fn mentions(text: &str) -> Vec<Mention> {
    let text = bounded(text);
    let tokens = tokens(text);
    let mut found = Vec::new();
    let spoken = tokens.iter().filter(|token| !matches!(token.kind, Lexeme::Sign(_))).count();
    let has_numbers = tokens.iter().any(|token| matches!(token.kind, Lexeme::Number(..)));
    let (mut at, mut behind_last) = (0, None);
    while at < tokens.len() {
        let reader = DateReader { text, tokens: &tokens, at };
        let mention = match &tokens[at].kind {
            Lexeme::Sign(_) => None,
            Lexeme::Word(word) if !words::may_open(word) => None,
            _ if has_numbers => reader.mention(behind_last, spoken),
            // Without a number, nothing but `yesterday` and its like is one.
            _ => reader.relative(),
        };
        match mention {
            Some((next, when)) if next > at => {
                found.push(Mention { range: tokens[at].start..tokens[next - 1].end, when });
                at = next;
                behind_last = Some(next);
            }
            _ => at += 1,
        }
    }
    found
}

/// Returns the dates in a text whose day is known, each with its position in bytes: those of [`mentions`], faster.
pub fn dated(text: &str) -> impl Iterator<Item = (Range<usize>, When)> {
    let found = if may_state_day(bounded(text)) { mentions(text) } else { Vec::new() };
    found.into_iter().filter_map(|found| Some((found.range, found.when?)))
}

/// Returns `false` if no form can state a day: each takes a year of four digits, three numbers of two digits, or an era. Most
/// texts with numbers have none of these.
fn may_state_day(text: &str) -> bool {
    let (mut digits, mut pairs) = (0_usize, 0);
    for byte in text.bytes() {
        if byte.is_ascii_digit() {
            digits += 1;
            continue;
        }
        pairs += usize::from(digits == 2);
        if digits == 4 || pairs == 3 {
            return true;
        }
        digits = 0;
    }
    // Digits of other scripts may be next to those of ASCII.
    digits == 4
        || pairs + usize::from(digits == 2) == 3
        || !text.is_ascii()
            && (has_other_digit(text) || words::ERAS.iter().any(|(era, _)| text.contains(era)))
}

/// Returns `true` if a text has a digit of those that dates are written with: ASCII, full-width, Arabic or Persian.
pub fn has_digit(text: &str) -> bool {
    tsugi_page::text::has_digit(text.as_bytes()) || !text.is_ascii() && has_other_digit(text)
}

fn has_other_digit(text: &str) -> bool {
    text.contains(|c: char| !c.is_ascii() && digit(c).is_some())
}

/// A number that counts readers or their actions: views, comments, shares.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counter {
    /// Position of the number and the word for what it counts, in bytes.
    pub range: Range<usize>,
    /// Position of the number, in bytes.
    pub number: Range<usize>,
}

/// Returns the counters in a text, in order: numbers next to a word for what they count. The numbers do not overlap.
///
/// A number after such a word counts only if no other word follows it: `Read 3 books` does not count readers. The time is
/// linear in the text.
pub fn counters(text: &str) -> Vec<Counter> {
    let text = bounded(text);
    let tokens = &tokens(text)[..];
    let mut found = Vec::new();
    let mut at = 0;
    while at < tokens.len() {
        if !is_number(tokens, at) {
            at += 1;
            continue;
        }
        // Take separators of thousands and of tenths: `1,204`, `1.2K`.
        let mut last = at;
        while is_number(tokens, last + 2)
            && is_sign(tokens, last + 1, &[',', '.', '\''])
            && tokens[last..=last + 2].windows(2).all(|pair| pair[0].end == pair[1].start)
        {
            last += 2;
        }
        if word(tokens, last + 1).is_some_and(|word| words::THOUSANDS.contains(&word)) {
            last += 1;
        }
        let number = tokens[at].start..tokens[last].end;
        let mut ahead = last + 1;
        ahead += usize::from(word(tokens, ahead).is_some_and(|word| words::TIMES.contains(&word)));
        let (before, behind) = (&text[..number.start], &text[number.end..]);
        let range = if is_counted(tokens, Some(ahead)) {
            Some(number.start..tokens[ahead].end)
        } else if let Some(length) = words::counted_cjk_ahead(behind) {
            Some(number.start..number.end + length)
        } else if word(tokens, last + 1).is_some() && !words::is_measure(behind) {
            None
        } else {
            let first = at - usize::from(at > 0 && is_sign(tokens, at - 1, &['(', '（', ':', '：', '[']));
            if is_counted(tokens, first.checked_sub(1)) {
                Some(tokens[first - 1].start..number.end)
            } else {
                words::counted_cjk_before(before).map(|start| start..number.end)
            }
        };
        found.extend(range.map(|range| Counter { range, number }));
        at = last + 1;
    }
    found
}

fn bounded(text: &str) -> &str {
    &text[..text.floor_char_boundary(LONGEST)]
}

fn is_number(tokens: &[DateToken], at: usize) -> bool {
    tokens.get(at).is_some_and(|token| matches!(token.kind, Lexeme::Number(..)))
}

fn is_sign(tokens: &[DateToken], at: usize, signs: &[char]) -> bool {
    tokens.get(at).is_some_and(|token| matches!(token.kind, Lexeme::Sign(sign) if signs.contains(&sign)))
}

fn is_counted(tokens: &[DateToken], at: Option<usize>) -> bool {
    at.and_then(|at| word(tokens, at)).is_some_and(|word| words::meaning(word).is_counted)
}

fn word(tokens: &[DateToken], at: usize) -> Option<&str> {
    match &tokens.get(at)?.kind {
        Lexeme::Word(word) => Some(word),
        _ => None,
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Lexeme {
    /// Digits: their number, and their value if there are at most four.
    Number(usize, i16),
    /// Letters, in lower case; each CJK character is a word.
    Word(String),
    Sign(char),
}

#[derive(Debug)]
struct DateToken {
    start: usize,
    end: usize,
    /// Whether white space precedes it.
    apart: bool,
    kind: Lexeme,
}

/// Returns the value of a digit: ASCII, full-width, Arabic or Persian.
fn digit(c: char) -> Option<i16> {
    let values =
        ['0', '\u{ff10}', '\u{660}', '\u{6f0}'].map(|zero| u32::from(c).wrapping_sub(u32::from(zero)));
    values.into_iter().find(|value| *value < 10).and_then(|value| i16::try_from(value).ok())
}

fn tokens(text: &str) -> Vec<DateToken> {
    let mut tokens: Vec<DateToken> = Vec::new();
    let mut apart = false;
    for (start, c) in text.char_indices() {
        let end = start + c.len_utf8();
        if c.is_whitespace() {
            apart = true;
            continue;
        }
        let mut last = tokens.last_mut().filter(|last| !apart && last.end == start);
        // Most characters: letters of ASCII in a word.
        if c.is_ascii_alphabetic()
            && let Some(DateToken { kind: Lexeme::Word(word), end: held, .. }) = last.as_deref_mut()
            && !word.ends_with(is_cjk)
        {
            word.push(c.to_ascii_lowercase());
            *held = end;
            continue;
        }
        let is_letter = c.is_alphabetic() && !is_cjk(c) && !matches!(c, 'º' | 'ª');
        let kind = match (digit(c), last) {
            (Some(digit), Some(DateToken { kind: Lexeme::Number(digits, value), end: held, .. })) => {
                *digits += 1;
                *value = if *digits <= 4 { *value * 10 + digit } else { 0 };
                *held = end;
                continue;
            }
            (None, Some(DateToken { kind: Lexeme::Word(word), end: held, .. }))
                if (is_letter || matches!(c, '\u{300}'..='\u{36f}')) && !word.ends_with(is_cjk) =>
            {
                word.extend(c.to_lowercase());
                *held = end;
                continue;
            }
            (Some(digit), _) => Lexeme::Number(1, digit),
            (None, _) if is_letter || is_cjk(c) || matches!(c, 'º' | 'ª') => {
                Lexeme::Word(c.to_lowercase().collect())
            }
            (None, _) => Lexeme::Sign(c),
        };
        tokens.push(DateToken { start, end, apart, kind });
        apart = false;
    }
    tokens
}

/// Reads forms from a token on. Each form returns the index of the token after it, and the date.
#[derive(Debug, Clone, Copy)]
struct DateReader<'a> {
    text: &'a str,
    tokens: &'a [DateToken],
    at: usize,
}

type Read = Option<(usize, Option<When>)>;

const YEARS: std::ops::RangeInclusive<i16> = 1400..=2100;

impl<'a> DateReader<'a> {
    fn kind(&self) -> Option<&'a Lexeme> {
        self.tokens.get(self.at).map(|token| &token.kind)
    }

    fn number(&mut self, digits: std::ops::RangeInclusive<usize>) -> Option<i16> {
        match self.kind() {
            Some(Lexeme::Number(held, value)) if digits.contains(held) => {
                self.at += 1;
                Some(*value)
            }
            _ => None,
        }
    }

    fn year(&mut self) -> Option<i16> {
        self.number(4..=4).filter(|year| YEARS.contains(year))
    }

    fn word(&self) -> Option<&'a str> {
        word(self.tokens, self.at)
    }

    fn month_name(&mut self) -> Option<i8> {
        let month = words::meaning(self.word()?).month?;
        self.at += 1;
        self.sign('.');
        Some(month)
    }

    fn one_of(&mut self, list: &[&str]) -> bool {
        let found = self.word().is_some_and(|word| list.contains(&word));
        self.at += usize::from(found);
        found
    }

    fn sign(&mut self, sign: char) -> bool {
        let found = self.kind() == Some(&Lexeme::Sign(sign));
        self.at += usize::from(found);
        found
    }

    fn is_apart(&self) -> bool {
        self.tokens.get(self.at).is_none_or(|token| token.apart)
    }

    /// Returns `true` if a number continues before or after this position: `1.2.3.4`, `10-20`.
    fn touches(&self, before: bool) -> bool {
        const JOINTS: [char; 4] = ['.', '/', '-', ','];
        let (tokens, at) = (self.tokens, self.at);
        if before {
            return at >= 2
                && !self.is_apart()
                && is_sign(tokens, at - 1, &JOINTS)
                && is_number(tokens, at - 2);
        }
        // After a number, white space separates: `2 May 2026. 3 came`.
        let is_close = tokens.iter().skip(at).take(2).all(|token| !token.apart);
        is_close && is_sign(tokens, at, &JOINTS) && is_number(tokens, at + 1)
    }

    /// Reads any form; `behind_last` is the token after the last mention, `spoken` the number of words and numbers in the
    /// text.
    fn mention(self, behind_last: Option<usize>, spoken: usize) -> Read {
        self.dated().or_else(|| self.relative()).or_else(|| {
            let mut reader = self;
            reader.clock()?;
            self.is_time(reader.at, behind_last, spoken).then_some((reader.at, None))
        })
    }

    fn dated(self) -> Read {
        let forms = [
            DateReader::year_first,
            DateReader::era,
            DateReader::day_first,
            DateReader::month_first,
            DateReader::cjk_day,
        ];
        let (mut next, day) = forms.into_iter().find_map(|form| form(self))?;
        let mut when = day.map(|day| When { day, time: None, offset: None });
        let mut behind = DateReader { at: next, ..self };
        if let Some((time, offset)) = behind.time_behind() {
            next = behind.at;
            when = when.map(|when| When { time: Some(time), offset, ..when });
        }
        Some((next, when))
    }

    /// Returns `true` if the tokens up to `next` are a time, and not the verse in `John 3:16`. Without a word such as `pm`,
    /// a time is next to a date, after a word such as `at`, or alone.
    fn is_time(self, next: usize, behind_last: Option<usize>, spoken: usize) -> bool {
        let is_bare = |token: &DateToken| matches!(token.kind, Lexeme::Number(..) | Lexeme::Sign(':' | '.'));
        if !self.tokens[self.at..next].iter().all(is_bare) {
            return true;
        }
        let is_sign =
            |at: usize| matches!(self.tokens.get(at), Some(DateToken { kind: Lexeme::Sign(_), .. }));
        let is_alone = (self.at..next).filter(|at| !is_sign(*at)).count() == spoken;
        let is_behind_date =
            behind_last.is_some_and(|last| last == self.at || last + 1 == self.at && is_sign(last));
        let before = self.at.checked_sub(1).and_then(|at| word(self.tokens, at));
        let is_behind_word = before.is_some_and(|word| words::AT_TIME.contains(&word));
        let mut ahead = DateReader { at: next + usize::from(is_sign(next)), ..self };
        while ahead.one_of(&words::ON) {}
        is_alone || is_behind_date || is_behind_word || ahead.dated().is_some()
    }

    /// `2026-11-02`, `2026/11/2`, `2026. 11. 2.`, `2026年11月2日`, `2026년 11월 2일`, `2026 Nov 2`, `2026. november 2.`
    fn year_first(mut self) -> Option<(usize, Option<Date>)> {
        must(!self.touches(true))?;
        let year = self.year()?;
        self.month_and_day(year)
    }

    fn month_and_day(mut self, year: i16) -> Option<(usize, Option<Date>)> {
        if self.one_of(&["年", "년"]) {
            let month = self.number(1..=2)?;
            must(self.one_of(&["月", "월"]))?;
            let day = self.number(1..=2)?;
            must(self.one_of(&["日", "號", "号", "일"]))?;
            return Some((self.at, Some(date(year, month, day)?)));
        }
        let separator = ['-', '/', '.'].into_iter().find(|sign| self.sign(*sign));
        if let Some(month) = self.month_name() {
            let _ = separator.is_some_and(|sign| self.sign(sign));
            let day = self.number(1..=2)?;
            self.sign('.');
            return Some((self.at, Some(date(year, month.into(), day)?)));
        }
        let separator = separator?;
        let month = self.number(1..=2)?;
        must(self.sign(separator))?;
        let day = self.number(1..=2)?;
        must(!self.touches(false))?;
        let end = self.at;
        // Korean dates end with a full stop. So do sentences, where it does not matter.
        let closed = separator == '.' && self.sign('.');
        Some((if closed { self.at } else { end }, Some(date(year, month, day)?)))
    }

    /// `令和8年11月2日`.
    fn era(mut self) -> Option<(usize, Option<Date>)> {
        let rest = &self.text[self.tokens.get(self.at)?.start..];
        let (_, before_first) = words::ERAS.into_iter().find(|(name, _)| rest.starts_with(name))?;
        self.at += 2;
        let year = if self.one_of(&["元"]) { 1 } else { self.number(1..=2)? };
        self.month_and_day(before_first + year)
    }

    /// `2 November 2026`, `2. November`, `2nd of November, 2026`, `2 de noviembre de 2026`, `02.11.2026`, `13/11/2026`.
    fn day_first(mut self) -> Option<(usize, Option<Date>)> {
        must(!self.touches(true))?;
        let day = self.number(1..=2)?;
        let before = self.at.checked_sub(2).and_then(|at| word(self.tokens, at));
        let is_version = before.is_some_and(|word| words::VERSION.contains(&word));
        let two_digits = !is_version && self.tokens[self.at - 1].end - self.tokens[self.at - 1].start == 2;
        let mut named = self;
        let _ = named.one_of(&words::ORDINAL) | named.sign('.') | named.sign('-');
        named.one_of(&words::OF);
        let name = named.word().unwrap_or_default();
        if let Some(month) = named.month_name() {
            let end = named.at;
            named.sign(',');
            named.sign('-');
            named.one_of(&words::OF);
            if let Some(year) = named.year() {
                return Some((named.at, Some(date(year, month.into(), day)?)));
            }
            let is_day = (1..=31).contains(&day) && !words::ALSO_WORDS.contains(&name);
            return is_day.then_some((end, None));
        }
        let separator = ['.', '/', '-'].into_iter().find(|sign| self.sign(*sign))?;
        let month = self.number(1..=2)?;
        let two_digits = two_digits && self.tokens[self.at - 1].end - self.tokens[self.at - 1].start == 2;
        must(self.sign(separator))?;
        let year = match self.year() {
            Some(year) => year,
            // Years of two digits need a month and a day of two digits, or every version would be a date.
            None if two_digits => 2000 + self.number(2..=2)?,
            None => return None,
        };
        must(!self.touches(false))?;
        // With full stops, the day always comes first. With other signs, it is the number above 12.
        let day_first = date(year, month, day);
        let month_first = date(year, day, month).filter(|_| separator != '.');
        let meant = match (day_first, month_first) {
            (Some(one), Some(other)) => (one == other).then_some(one),
            (Some(one), None) | (None, Some(one)) => Some(one),
            (None, None) => return None,
        };
        Some((self.at, meant))
    }

    /// `November 2, 2026`, `Nov. 2nd 2026`, `Nov 2`, `November 2026`.
    fn month_first(mut self) -> Option<(usize, Option<Date>)> {
        let name = self.word()?;
        let month = self.month_name()?;
        let mut only_year = self;
        if only_year.year().is_some() {
            return Some((only_year.at, None));
        }
        let day = self.number(1..=2).filter(|day| (1..=31).contains(day))?;
        self.one_of(&words::ORDINAL);
        let end = self.at;
        self.sign(',');
        match self.year() {
            Some(year) => Some((self.at, Some(date(year, month.into(), day)?))),
            None => (!words::ALSO_WORDS.contains(&name)).then_some((end, None)),
        }
    }

    /// `11月2日`, `11월 2일`: a day without a year.
    fn cjk_day(mut self) -> Option<(usize, Option<Date>)> {
        must((1..=12).contains(&self.number(1..=2)?) && self.one_of(&["月", "월"]))?;
        must((1..=31).contains(&self.number(1..=2)?) && self.one_of(&["日", "號", "号", "일"]))?;
        Some((self.at, None))
    }

    fn time_behind(&mut self) -> Option<(Time, Option<Offset>)> {
        let mut reader = *self;
        if reader.sign('(') || reader.sign('（') {
            // The day of the week.
            let close = (0..3).find(|ahead| is_sign(self.tokens, reader.at + ahead, &[')', '）']))?;
            reader.at += close + 1;
        }
        let _ = reader.one_of(&["t"])
            || reader.sign(',')
            || reader.sign('-')
            || reader.sign('|')
            || reader.sign('–');
        while reader.one_of(&words::AT) {}
        let read = reader.clock()?;
        self.at = reader.at;
        Some(read)
    }

    /// `14:30`, `14:30:05Z`, `2:30 pm`, `14h30`, `14時30分`, `14시 30분`, `10 Uhr`.
    fn clock(&mut self) -> Option<(Time, Option<Offset>)> {
        let mut reader = *self;
        must(!reader.touches(true))?;
        let hour = reader.number(1..=2)?;
        let mut second = 0;
        let minute = if reader.sign(':') {
            let minute = reader.number(2..=2)?;
            let mut seconds = reader;
            if seconds.sign(':')
                && let Some(value) = seconds.number(2..=2)
            {
                second = value;
                reader = seconds;
                if seconds.sign('.') && !seconds.is_apart() && seconds.number(1..=9).is_some() {
                    reader = seconds;
                }
            }
            minute
        } else if reader.one_of(&["時", "时", "點", "点", "시"]) {
            let mut minutes = reader;
            match minutes.number(1..=2).filter(|_| minutes.one_of(&["分", "분"])) {
                Some(minute) => {
                    reader = minutes;
                    minute
                }
                None => 0,
            }
        } else if reader.one_of(&["h"]) && !reader.is_apart() {
            reader.number(2..=2)?
        } else if reader.word().is_some_and(|word| matches!(word, "uhr" | "am" | "pm")) {
            0
        } else {
            return None;
        };
        let hour = match reader.word() {
            Some("pm") if hour < 12 => hour + 12,
            Some("am") if hour == 12 => 0,
            _ => hour,
        };
        reader.one_of(&words::CLOCK);
        let time = Time::new(small(hour)?, small(minute)?, small(second.min(59))?, 0).ok()?;
        let offset = reader.offset();
        *self = reader;
        Some((time, offset))
    }

    /// `Z`, `UTC`, `GMT`, `+09:00`, `-0500`, `JST`.
    fn offset(&mut self) -> Option<Offset> {
        // Names of time zones that are unambiguous.
        let hours = match self.word() {
            Some("z" | "utc" | "gmt") => Some(0),
            Some("cet") => Some(1),
            Some("cest") => Some(2),
            Some("msk") => Some(3),
            Some("jst" | "kst") => Some(9),
            Some("edt") => Some(-4),
            Some("est") => Some(-5),
            Some("pdt") => Some(-7),
            Some("pst") => Some(-8),
            _ => None,
        };
        if let Some(hours) = hours {
            self.at += 1;
            return Offset::from_hours(hours).ok();
        }
        let mut reader = *self;
        let sign = match reader.kind()? {
            Lexeme::Sign('+') => 1,
            Lexeme::Sign('-' | '−') => -1,
            _ => return None,
        };
        reader.at += 1;
        must(!reader.is_apart())?;
        let (hours, minutes) = match reader.kind()? {
            Lexeme::Number(4, value) => (value / 100, value % 100),
            Lexeme::Number(2, value) => {
                let mut colon = DateReader { at: reader.at + 1, ..reader };
                let minutes = if colon.sign(':') { colon.number(2..=2) } else { None };
                reader.at += if minutes.is_some() { 2 } else { 0 };
                (*value, minutes.unwrap_or(0))
            }
            _ => return None,
        };
        reader.at += 1;
        let offset = Offset::from_seconds(sign * (i32::from(hours) * 3600 + i32::from(minutes) * 60)).ok()?;
        *self = reader;
        Some(offset)
    }

    /// `3 hours ago`, `vor 3 Stunden`, `il y a 3 heures`, `3時間前`, `yesterday`.
    fn relative(mut self) -> Read {
        if let Some(token) = self.tokens.get(self.at).filter(|token| matches!(token.kind, Lexeme::Number(..)))
        {
            let behind = self.text[token.end..].trim_start();
            if let Some(ago) = words::AGO_CJK.iter().find(|ago| behind.starts_with(**ago)) {
                let end = self.text.len() - behind.len() + ago.len();
                let tokens = self.tokens[self.at..].iter().take_while(|token| token.end <= end).count();
                return Some((self.at + tokens, None));
            }
        }
        if self.one_of(&words::NEAR) {
            return Some((self.at, None));
        }
        let start = self;
        let before = if self.word() == Some(words::IL_Y_A[0]) {
            self.at += 1;
            words::IL_Y_A[1..].iter().all(|word| self.one_of(&[word]))
        } else {
            self.one_of(&words::BEFORE)
        };
        for (mut reader, before) in [(self, before), (start, false)] {
            if reader.number(1..=4).is_none() && !reader.one_of(&words::ONE) {
                continue;
            }
            if !reader.word().is_some_and(|word| words::meaning(word).is_unit) {
                continue;
            }
            reader.at += 1;
            if reader.one_of(&words::AGO) || before {
                return Some((reader.at, None));
            }
        }
        None
    }
}

/// Ends a form with `?` unless a condition holds.
fn must(condition: bool) -> Option<()> {
    condition.then_some(())
}

fn date(year: i16, month: i16, day: i16) -> Option<Date> {
    Date::new(year, small(month)?, small(day)?).ok()
}

fn small(value: i16) -> Option<i8> {
    i8::try_from(value).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(&str, String)> {
        let say = |when: Option<When>| when.map_or_else(String::new, |when| when.to_string());
        mentions(text).into_iter().map(|found| (&text[found.range], say(found.when))).collect()
    }

    #[test]
    fn days_are_read_in_many_languages() {
        let texts = "2026-11-02 | 2026/11/02 | 2026/11/2 | 2026.11.02 | 2026. 11. 2. | 2026年11月2日 | \
            ２０２６年１１月２日 | 2026 年 11 月 2 日 | 2026년 11월 2일 | 令和8年11月2日 | 2 November 2026 | \
            02 Nov 2026 | 2nd of November, 2026 | November 2, 2026 | Nov 2, 2026 | Nov. 2nd 2026 | \
            NOVEMBER 2 2026 | 2-Nov-2026 | 2026-Nov-02 | 02.11.2026 | 2.11.2026 | 02.11.26 | \
            2. November 2026 | 2 novembre 2026 | 2 de noviembre de 2026 | 2 de novembro de 2026 | \
            2 ноября 2026 | 2. listopadu 2026 | 2 listopada 2026 | 2026. november 2. | \
            2 Kasım 2026 | 2 نوفمبر 2026";
        for text in texts.split(" | ") {
            let found = found(text);
            let says =
                if text.contains("listopad") { &found[0].1[8..] == "02" } else { found[0].1 == "2026-11-02" };
            assert!(says && found.len() == 1 && found[0].0 == text, "{text}: {found:?}");
        }
        assert_eq!(found("1er août 2026"), [("1er août 2026", "2026-08-01".into())]);
        assert_eq!(found("13/11/2026")[0].1, "2026-11-13");
        assert_eq!(found("11/13/2026")[0].1, "2026-11-13");
        assert_eq!(found("令和元年5月1日")[0].1, "2019-05-01");
    }

    #[test]
    fn times_belong_to_their_days() {
        for (text, says) in [
            ("2026-11-02T14:30:05Z", "2026-11-02T14:30:05Z"),
            ("2026-11-02T14:30:05.123+09:00", "2026-11-02T14:30:05+09:00"),
            ("2026-11-02 14:30 -0500", "2026-11-02T14:30:00-05:00"),
            ("Nov 2, 2026 at 2:30 pm", "2026-11-02T14:30:00"),
            ("02.11.2026, 14:30 Uhr", "2026-11-02T14:30:00"),
            ("2. November 2026 um 14:30", "2026-11-02T14:30:00"),
            ("2 novembre 2026 à 14h30", "2026-11-02T14:30:00"),
            ("2026年11月2日 14時30分", "2026-11-02T14:30:00"),
            ("2026年11月2日(月) 14:30", "2026-11-02T14:30:00"),
            ("2 ноября 2026 г. в 14:30", "2026-11-02"),
            ("November 2, 2026 12:05 AM UTC", "2026-11-02T00:05:00Z"),
            ("2026-11-02 14:30 JST", "2026-11-02T14:30:00+09:00"),
        ] {
            assert_eq!(found(text)[0].1, says, "{text}");
        }
    }

    #[test]
    fn what_may_be_two_days_has_none() {
        for text in [
            "01/02/2026", "1-2-2026", "01/02/26", "Nov 2", "2. Mai 2026 ", "11月2日", "November 2026",
            "14:30",
        ] {
            let found = found(text);
            assert_eq!(found.len(), 1, "{text}: {found:?}");
            assert_eq!(found[0].1.is_empty(), !text.contains("Mai"), "{text}: {found:?}");
        }
        assert_eq!(found("02/02/2026")[0].1, "2026-02-02", "both readings are one day");
    }

    #[test]
    fn times_that_count_from_now_are_found() {
        for text in [
            "3 hours ago", "an hour ago", "5 mins ago", "vor 3 Stunden", "vor einer Stunde",
            "il y a 3 heures", "hace 3 horas", "há 3 horas", "3 ore fa", "3 часа назад", "3時間前",
            "3 小时前", "3시간 전", "3 uur geleden", "3 godziny temu", "yesterday",
        ] {
            assert_eq!(found(text), [(text, String::new())]);
        }
    }

    #[test]
    fn numbers_and_words_are_no_dates() {
        for text in [
            "", "2026", "version 1.2.3", "1.2.3.4", "192.168.10.20", "10.11.2026.12", "5 dead",
            "may 5 come in", "2026-13-02", "32.11.2026", "30.02.2026", "3 hours of rain", "an hour",
            "ISBN 978-3-16-148410-0", "set 3", "1,204", "25:61", "John 3:16", "Mill 3:12 Inn",
            "Version 10.11.12", "v10.11.12", "3 月饼",
        ] {
            assert_eq!(found(text), [], "{text}");
        }
    }

    #[test]
    fn times_stand_beside_dates_or_words_of_clocks() {
        for (text, times) in [
            ("14:30", &["14:30"][..]),
            ("(14:30)", &["14:30"]),
            ("Today at 14:30", &["Today", "14:30"]),
            ("yesterday, 14:30", &["yesterday", "14:30"]),
            ("Starts at 14:30 with Ann", &["14:30"]),
            ("Ann, 14:30 on 2 May 2026", &["14:30", "2 May 2026"]),
            ("Ann 14:30 Uhr", &["14:30 Uhr"]),
            ("Ann 2:30 pm", &["2:30 pm"]),
            ("公開 14時30分", &["14時30分"]),
        ] {
            let found: Vec<&str> = mentions(text).into_iter().map(|found| &text[found.range]).collect();
            assert_eq!(found, times, "{text}");
        }
    }

    #[test]
    fn counters_are_numbers_beside_what_they_count() {
        for (text, numbers) in [
            ("1,204 views", &["1,204"][..]),
            ("1.2K views", &["1.2K"]),
            ("コメント (12)", &["12"]),
            ("コメント12件", &["12"]),
            ("12件のコメント", &["12"]),
            ("3人がいいね", &["3"]),
            ("댓글 7개", &["7"]),
            ("Comments: 3", &["3"]),
            ("Comments 3", &["3"]),
            ("3 mal gelesen", &["3"]),
            ("3 likes, 4 shares", &["3", "4"]),
            ("5 people were hit by the ferry", &[]),
            ("市内で5件の火災があった", &[]),
            ("The answer is 42", &[]),
            ("Read chapter 3 first", &[]),
            ("Read 3 books", &[]),
            ("Es hat hier 3 mal gebrannt", &[]),
            ("Shares of the mill fell 3 percent", &[]),
            ("7 dead", &[]),
        ] {
            let found: Vec<&str> = counters(text).into_iter().map(|found| &text[found.number]).collect();
            assert_eq!(found, numbers, "{text}");
        }
    }

    #[test]
    fn one_date_is_read_whole_or_not_at_all() {
        assert_eq!(When::read(" 2026-11-02 ").unwrap().day, jiff::civil::date(2026, 11, 2));
        assert_eq!(When::read("on 2026-11-02"), None);
        assert_eq!(When::read("2026-11-02 2026-11-03"), None);
        let span = |text| {
            let (first, last) = When::read(text).unwrap().span();
            [first.to_string(), last.to_string()]
        };
        assert_eq!(span("2026-11-02"), ["2026-11-01T10:00:00Z", "2026-11-03T11:59:59Z"]);
        assert_eq!(span("2026-11-02T10:00:00+09:00"), ["2026-11-02T01:00:00Z"; 2]);
        let instant: Timestamp = "2026-11-02T10:00:00Z".parse().unwrap();
        assert_eq!(When::of_instant(instant).span(), (instant, instant));
        assert_eq!(When::of_instant(instant).to_string(), "2026-11-02T10:00:00Z");
    }

    #[test]
    fn digits_of_four_scripts_have_values() {
        let values = ['0', '9', '７', '٣', '۹', '/', ':', '\u{ff0f}', '\u{ff1a}', '\u{66a}', '五'].map(digit);
        let none = [None; 6];
        assert_eq!(values[..5], [0, 9, 7, 3, 9].map(Some));
        assert_eq!(values[5..], none);
    }

    #[test]
    fn long_lines_take_linear_time() {
        for (piece, most) in [
            ("1 ", 0),
            ("1.", 0),
            ("a hour ", 0),
            ("Nov ", 0),
            ("令和", 0),
            ("2026-", 0),
            ("12:", 0),
            ("12:30 x ", 0),
            ("at 12:30 ", 100_000),
            ("vor 1 ", 0),
            ("9", 0),
        ] {
            let text = piece.repeat(100_000);
            assert_eq!(mentions(&text).len(), most, "{piece}");
            assert_eq!(counters(&text), [], "{piece}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_read(text in "([0-9]{1,4}|[-/.:,+ ]|２|令和|Nov|de|T|Z|年|月|日|時|vor|ago|hours|.){0,30}") {
            let mut end = 0;
            for found in mentions(&text) {
                proptest::prop_assert!(found.range.start >= end && !text[found.range.clone()].is_empty());
                end = found.range.end;
            }
            let known = mentions(&text).into_iter().filter_map(|found| Some((found.range, found.when?)));
            proptest::prop_assert!(dated(&text).eq(known));
            let mut end = 0;
            for found in counters(&text) {
                proptest::prop_assert!(found.number.start >= end && !text[found.range.clone()].is_empty());
                end = found.number.end;
            }
        }
    }
}
