//! How a candidate's address differs from the page's own.

use std::sync::LazyLock;
use tsugi_page::address::{upper_escapes, without_noise};
use tsugi_page::lexicon::Lexicon;
use tsugi_page::text::has_digit;
use tsugi_page::{Url, word_list};

/// Lower-case names of query keys and path segments that count pages.
const PAGE_NAMES: &str = include_str!("lists/page_names.txt");

static IS_PAGE_NAME: LazyLock<Lexicon<()>> = LazyLock::new(|| {
    let words: Vec<_> = word_list::words(PAGE_NAMES).map(|(_, word)| ((), word)).collect();
    Lexicon::of(&words, (), |(), ()| ())
});

/// An address as path and query, without default document, trailing slash, session ids and tracking keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Bare {
    text: String,
    path: usize,
    /// Length of the path up to its last slash, if it has one.
    folder: Option<usize>,
}

impl Bare {
    pub(crate) fn of(url: &Url) -> Bare {
        Bare::of_parts(url.path(), url.query())
    }

    pub(crate) fn of_parts(path: &str, query: Option<&str>) -> Bare {
        let (path, query) = without_noise(path, query);
        let (folder, file) = path.rsplit_once('/').unwrap_or(("", &path));
        let is_default = matches!(
            file,
            "index.html" | "index.htm" | "index.php" | "index.shtml" | "index.asp" | "index.aspx"
        );
        let bare = if is_default { folder } else { &path }.trim_end_matches('/');
        let folder =
            if bare.len() < path.len() { bare.rfind('/') } else { path.len().checked_sub(file.len() + 1) };
        let path = bare;
        let mut text = String::with_capacity(path.len() + query.as_ref().map_or(0, |query| query.len() + 1));
        text.push_str(path);
        if let Some(query) = query {
            text.push('?');
            text.push_str(&query);
        }
        upper_escapes(&mut text);
        Bare { path: path.len(), folder, text }
    }

    /// Returns the address without one key of its query.
    pub(crate) fn without_key(&self, key: &str) -> Bare {
        let is_other = |pair: &&str| pair.split_once('=').map_or(*pair, |(key, _)| key) != key;
        let query: Vec<&str> = pairs(self.query()).filter(is_other).collect();
        let mut text = self.path().to_owned();
        if !query.is_empty() {
            text.push('?');
            text.push_str(&query.join("&"));
        }
        Bare { text, ..*self }
    }

    pub(crate) fn path(&self) -> &str {
        &self.text[..self.path]
    }

    pub(crate) fn without_extension(&self) -> &str {
        let path = self.path();
        path.strip_suffix(".html").or_else(|| path.strip_suffix(".htm")).unwrap_or(path)
    }

    pub(crate) fn query(&self) -> &str {
        self.text.get(self.path + 1..).unwrap_or("")
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    pub(crate) fn segments(&self) -> impl DoubleEndedIterator<Item = &str> {
        self.path().split('/').filter(|segment| !segment.is_empty())
    }

    pub(crate) fn depth(&self) -> usize {
        let (mut count, mut before) = (0, b'/');
        for byte in self.path().bytes() {
            count += usize::from(before == b'/' && byte != b'/');
            before = byte;
        }
        count
    }

    pub(crate) fn last_segment(&self) -> &str {
        &self.path()[self.folder.map_or(0, |folder| folder + 1)..]
    }

    pub(crate) fn folder(&self) -> &str {
        &self.text[..self.folder.unwrap_or(0)]
    }

    pub(crate) fn has_date(&self) -> bool {
        let mut before = "";
        for segment in self.segments() {
            if is_year(before) && is_month(segment) {
                return true;
            }
            before = segment;
        }
        // `2008-10-02-title`, `20081002.html`.
        let last = self.last_segment().as_bytes();
        last.len() >= 10 && last[..4].iter().all(u8::is_ascii_digit) && last[4] == b'-' && last[7] == b'-'
    }
}

pub(crate) fn is_below(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

fn is_month(s: &str) -> bool {
    s.len() <= 2 && s.parse().is_ok_and(|month: u32| (1..=12).contains(&month))
}

fn is_year(s: &str) -> bool {
    s.len() == 4 && s.parse().is_ok_and(|year: u32| (1980..2050).contains(&year))
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Keys {
    /// Number of keys only in the candidate's query, and only in the page's own.
    pub(crate) added: u32,
    pub(crate) removed: u32,
    /// Number of common keys with different values, and with equal values.
    pub(crate) changed: u32,
    pub(crate) kept: u32,
    /// The difference of the numbers, if one common key has different numbers.
    pub(crate) step: Option<i64>,
}

const MAX_KEYS: usize = 24; // Maximum number of query keys compared; the rest is ignored.

pub(crate) struct OwnKeys(Vec<(String, String)>);

impl OwnKeys {
    pub(crate) fn of(own: &Bare) -> OwnKeys {
        OwnKeys(keyed(own.query()).map(|(key, value)| (key.to_owned(), value.to_owned())).collect())
    }

    pub(crate) fn beside(&self, other: &Bare) -> Keys {
        let OwnKeys(own) = self;
        let mut keys = Keys::default();
        let mut steps = 0;
        let mut is_left = [false; MAX_KEYS];
        for (key, value) in keyed(other.query()) {
            let mut first = None;
            for ((own, value), is_left) in own.iter().zip(&mut is_left) {
                if own == key {
                    *is_left = true;
                    first = first.or(Some(value));
                }
            }
            match first {
                None => keys.added += 1,
                Some(same) if same == value => keys.kept += 1,
                Some(own) => {
                    keys.changed += 1;
                    if is_number(own.as_bytes()) && is_number(value.as_bytes()) {
                        steps += 1;
                        keys.step =
                            Some(i64::from(number(value.as_bytes())) - i64::from(number(own.as_bytes())));
                    }
                }
            }
        }
        keys.removed = own.iter().zip(is_left).filter(|(_, is_left)| !is_left).map(|_| 1).sum();
        keys.step = keys.step.filter(|_| steps == 1);
        keys
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DifferencePlace {
    Query,
    LastSegment,
    /// Earlier in the path, or in several segments.
    Path,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Family {
    Number,
    /// The candidate has an additional part with one number.
    NumberAdded,
    /// The candidate has an additional part without a number, or with several.
    TextAdded,
    Removed,
    Replaced,
    Equal,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Difference {
    pub(crate) family: Family,
    pub(crate) place: DifferencePlace,
    pub(crate) prefix: usize,
    /// Number of bytes in the common suffix, after the prefix.
    pub(crate) suffix: usize,
    pub(crate) own_number: Option<u32>,
    pub(crate) number: Option<u32>,
    /// Length in bytes of the differing parts of the page's own address and of the candidate's.
    pub(crate) own_length: usize,
    pub(crate) length: usize,
}

impl Difference {
    pub(crate) fn of(own: &Bare, other: &Bare) -> Difference {
        let (a, b) = (own.text.as_bytes(), other.text.as_bytes());
        let mut prefix = common_prefix(a, b);
        // A number that both share in part belongs to the difference as a whole: 12 and 13, not 2 and 3.
        if prefix > 0 && is_digit(a, prefix - 1) && (is_digit(a, prefix) || is_digit(b, prefix)) {
            prefix -= a[..prefix].iter().rev().take_while(|b| b.is_ascii_digit()).count();
        }
        let mut suffix = common_suffix(&a[prefix..], &b[prefix..]);
        if [a, b].iter().any(|text| text[prefix..text.len() - suffix].last().is_some_and(u8::is_ascii_digit))
        {
            suffix -= a[a.len() - suffix..].iter().take_while(|b| b.is_ascii_digit()).count();
        }
        let own_middle = &own.text.as_bytes()[prefix..a.len() - suffix];
        let middle = &other.text.as_bytes()[prefix..b.len() - suffix];
        let (own_number, own_count) = last_number(own_middle);
        let (number, count) = last_number(middle);
        let family = if own_middle.is_empty() && middle.is_empty() {
            Family::Equal
        } else if is_number(own_middle) && is_number(middle) {
            Family::Number
        } else if own_middle.iter().all(|b| !b.is_ascii_alphanumeric()) {
            if count == 1 { Family::NumberAdded } else { Family::TextAdded }
        } else if middle.is_empty() {
            Family::Removed
        } else {
            Family::Replaced
        };
        let is_in_query = [(own, own_middle), (other, middle)]
            .iter()
            .all(|(bare, middle)| prefix >= bare.path || middle.starts_with(b"?"));
        let place = if is_in_query {
            DifferencePlace::Query
        } else if own_middle.contains(&b'/')
            || middle.contains(&b'/')
            || b[prefix..other.path.max(prefix)].contains(&b'/')
        {
            DifferencePlace::Path
        } else {
            DifferencePlace::LastSegment
        };
        Difference {
            family,
            place,
            prefix,
            suffix,
            own_number: own_number.filter(|_| own_count == 1),
            number: number.filter(|_| count == 1),
            own_length: own_middle.len(),
            length: middle.len(),
        }
    }

    pub(crate) fn middle<'a>(&self, other: &'a Bare) -> &'a str {
        other.text.get(self.prefix..other.text.len() - self.suffix).unwrap_or("")
    }

    pub(crate) fn step(&self) -> Option<i64> {
        Some(i64::from(self.number?) - i64::from(self.own_number?))
    }
}

// Both compare eight bytes at a time.
fn common_prefix(a: &[u8], b: &[u8]) -> usize {
    let whole = a.as_chunks::<8>().0.iter().zip(b.as_chunks::<8>().0).take_while(|(x, y)| x == y).count() * 8;
    whole + a[whole..].iter().zip(&b[whole..]).take_while(|(x, y)| x == y).count()
}

fn common_suffix(a: &[u8], b: &[u8]) -> usize {
    let (x, y) = (a.as_rchunks::<8>().1.iter().rev(), b.as_rchunks::<8>().1.iter().rev());
    let whole = x.zip(y).take_while(|(x, y)| x == y).count() * 8;
    let (a, b) = (&a[..a.len() - whole], &b[..b.len() - whole]);
    whole + a.iter().rev().zip(b.iter().rev()).take_while(|(x, y)| x == y).count()
}

fn is_digit(text: &[u8], at: usize) -> bool {
    text.get(at).is_some_and(u8::is_ascii_digit)
}

pub(crate) fn is_number(text: &[u8]) -> bool {
    !text.is_empty() && text.iter().all(u8::is_ascii_digit)
}

/// Returns the last number in a text, and how many there are. Digits of escapes (`%3F`) do not count.
fn last_number(text: &[u8]) -> (Option<u32>, usize) {
    let (mut last, mut count, mut at) = (None, 0, 0);
    // Most texts have none.
    if !has_digit(text) {
        return (last, count);
    }
    while let Some(byte) = text.get(at) {
        if byte.is_ascii_digit() {
            let run = text[at..].iter().take_while(|b| b.is_ascii_digit()).count();
            last = Some(number(&text[at..at + run]));
            count += 1;
            at += run;
        } else {
            at += if *byte == b'%' { 3 } else { 1 };
        }
    }
    (last, count)
}

/// Returns the value of some digits; a huge number for more than nine.
fn number(digits: &[u8]) -> u32 {
    if digits.len() > 9 {
        return u32::MAX;
    }
    digits.iter().fold(0, |number, digit| number * 10 + u32::from(digit - b'0'))
}

const GREATEST_PAGE: u32 = 999;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Paged {
    pub(crate) rest: String,
    pub(crate) number: Option<u32>,
    /// `true` if a word for page or offset is next to the number.
    pub(crate) named: bool,
}

impl Paged {
    /// Splits an address: `?page=2`, `/page/2`, `/page-2`, `/p2`, `title_2.html`, `/title/2`.
    pub(crate) fn of(bare: &Bare) -> Paged {
        let counter = counter(bare.query());
        let (path, number, named) = Paged::path_and_number(bare, counter);
        let mut rest = String::with_capacity(bare.as_str().len());
        rest.push_str(path);
        let mut sign = '?';
        for (at, pair) in pairs(bare.query()).enumerate() {
            if counter.is_none_or(|(counter, _)| counter != at) {
                rest.push(sign);
                rest.push_str(pair);
                sign = '&';
            }
        }
        Paged { rest, number, named }
    }

    /// Returns the number unless it is rather the name of an article: a great one, with no word for a page beside it.
    pub(crate) fn of_page(&self) -> Option<u32> {
        self.number.filter(|number| self.named || *number <= GREATEST_PAGE)
    }

    fn path_and_number(bare: &Bare, counter: Option<(usize, u32)>) -> (&str, Option<u32>, bool) {
        match counter {
            Some((_, number)) => (bare.path(), Some(number), true),
            None => Paged::of_path(bare),
        }
    }

    fn of_path(bare: &Bare) -> (&str, Option<u32>, bool) {
        let (path, folder, last) = (bare.path(), bare.folder(), bare.last_segment());
        let whole = path;
        // Ignore the extension, so that `a.html` and `a_2.html` have the same rest.
        let stem_end = last.find('.').map_or(path.len(), |dot| path.len() - last.len() + dot);
        let path = &path[..stem_end];
        let stem = &path[folder.len()..];
        let digits = stem.bytes().rev().take_while(u8::is_ascii_digit).count();
        if digits == 0 || digits > 5 {
            return (path, None, false);
        }
        let found = number(&path.as_bytes()[path.len() - digits..]);
        let before = &path[..path.len() - digits];
        let joined = before.trim_end_matches(['-', '_', '/', '=', ',']);
        let word_start = joined.rfind(|c: char| !c.is_ascii_alphabetic()).map_or(0, |at| at + 1);
        if is_page_name(&joined[word_start..]) {
            let rest = joined[..word_start].trim_end_matches(['-', '_', '/', ',']);
            return (rest, Some(found), true);
        }
        // A number directly after letters is part of a name; so is a lone number at the root.
        if joined.len() == before.len() || joined.is_empty() {
            return (whole, None, false);
        }
        (joined, Some(found), false)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PagedBeside {
    pub(crate) number: Option<u32>,
    pub(crate) named: bool,
    /// Apart from the page number.
    pub(crate) is_same: bool,
}

impl PagedBeside {
    pub(crate) fn of(bare: &Bare, own: &Paged) -> PagedBeside {
        let (path, number, named) = Paged::path_and_number(bare, counter(bare.query()));
        // Most addresses already differ in their paths.
        let is_same = own.rest.starts_with(path) && own.rest == Paged::of(bare).rest;
        PagedBeside { number, named, is_same }
    }

    /// Returns `true` if the address is the page's own but for a number that is greater by one.
    pub(crate) fn is_after(self, own: &Paged) -> bool {
        self.is_same
            && self.number.is_some_and(|number| number.checked_sub(1) == Some(own.number.unwrap_or(1)))
    }
}

fn keyed(query: &str) -> impl Iterator<Item = (&str, &str)> {
    pairs(query).take(MAX_KEYS).map(|pair| pair.split_once('=').unwrap_or((pair, "")))
}

fn pairs(query: &str) -> impl Iterator<Item = &str> {
    query.split('&').filter(|pair| !pair.is_empty())
}

fn counter(query: &str) -> Option<(usize, u32)> {
    pairs(query).enumerate().find_map(|(at, pair)| {
        let (key, value) = pair.split_once('=')?;
        let value = value.as_bytes();
        (is_number(value) && is_page_name(key)).then(|| (at, number(value)))
    })
}

/// Returns `true` if a name counts pages: `page`, `paged`, `_page`, but not `comment-page`.
pub(crate) fn is_page_name(name: &str) -> bool {
    let name = name.trim_matches(['_', '-']);
    let ends = |end: &str| {
        let from = name.len().checked_sub(end.len());
        from.is_some_and(|from| name.as_bytes()[from..].eq_ignore_ascii_case(end.as_bytes()))
    };
    IS_PAGE_NAME.get(name).is_some() || ends("%5bpage%5d") || ends("[page]") || ends("_page")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bare(path: &str) -> Bare {
        Bare::of(&"https://a.test/".parse::<Url>().unwrap().join(path).unwrap())
    }

    fn difference(own: &str, other: &str) -> Difference {
        Difference::of(&bare(own), &bare(other))
    }

    #[test]
    fn the_list_is_well_formed() {
        let fault = word_list::fault(PAGE_NAMES, word_list::words(PAGE_NAMES), |group| group == "page");
        assert_eq!(fault, None);
    }

    #[test]
    fn numbers_are_never_cut() {
        for (own, other, step) in [
            ("?page=9", "?page=10", 1),
            ("?page=12", "?page=13", 1),
            ("/page/19/", "/page/20/", 1),
            ("/a12x", "/a22x", 10),
            ("/1", "/11", 10),
        ] {
            let found = difference(own, other);
            assert_eq!((found.family, found.step()), (Family::Number, Some(step)), "{own} → {other}");
        }
    }

    #[test]
    fn families_and_places() {
        for (own, other, family, place, number) in [
            ("/blog/", "/blog/page/2/", Family::NumberAdded, DifferencePlace::Path, Some(2)),
            ("/list?x=1", "/list?x=1&page=2", Family::NumberAdded, DifferencePlace::Query, Some(2)),
            ("/list?x=1", "/list?page=2&x=1", Family::NumberAdded, DifferencePlace::Query, Some(2)),
            ("/list", "/list?start=20", Family::NumberAdded, DifferencePlace::Query, Some(20)),
            ("/a.html", "/a_2.html", Family::NumberAdded, DifferencePlace::LastSegment, Some(2)),
            ("/book/a.html", "/book/b.html", Family::Replaced, DifferencePlace::LastSegment, None),
            ("/book/", "/book/b.html", Family::TextAdded, DifferencePlace::Path, None),
            ("/page/2/", "/", Family::Removed, DifferencePlace::Path, None),
            ("/x/index.html", "/x/", Family::Equal, DifferencePlace::Query, None),
            ("/x?page=1&fbclid=a", "/x?page=2&fbclid=b", Family::Number, DifferencePlace::Query, Some(2)),
            ("/x", "/x?utm_source=y&page=2", Family::NumberAdded, DifferencePlace::Query, Some(2)),
            ("/x;jsessionid=1A", "/x;jsessionid=2B", Family::Equal, DifferencePlace::Query, None),
        ] {
            let found = difference(own, other);
            assert_eq!((found.family, found.place, found.number), (family, place, number), "{own} → {other}");
        }
    }

    #[test]
    fn what_counts_pages_is_taken_out() {
        for (path, rest, number, named) in [
            ("/blog/page/2/", "/blog", Some(2), true),
            ("/blog/", "/blog", None, false),
            ("/list?a=b&paged=3", "/list?a=b", Some(3), true),
            ("/article_2.html", "/article", Some(2), false),
            ("/article.html", "/article", None, false),
            ("/t/page-12", "/t", Some(12), true),
            ("/story/2/", "/story", Some(2), false),
            ("/comment-page-2", "/comment", Some(2), true),
            ("/windows10", "/windows10", None, false),
        ] {
            assert_eq!(Paged::of(&bare(path)), Paged { rest: rest.to_owned(), number, named }, "{path}");
        }
    }

    #[test]
    fn queries_are_compared_key_by_key() {
        let keys = |own: &str, other: &str| OwnKeys::of(&bare(own)).beside(&bare(other));
        let expected = Keys { added: 1, removed: 1, changed: 1, kept: 1, step: Some(10) };
        assert_eq!(keys("/s?q=x&first=41&a=1", "/s?first=51&q=x&form=z"), expected);
        assert_eq!(keys("/s?a=1&b=1", "/s?a=2&b=2").step, None, "which of them counts is not known");
        // Of equal keys, the first counts; all must be present.
        assert_eq!(
            keys("/s?a=1&a=2&b", "/s?a=1&&a=3"),
            Keys { removed: 1, changed: 1, kept: 1, step: Some(2), ..Keys::default() }
        );
    }

    #[test]
    fn dates_are_seen() {
        assert!(bare("/posts/2008/10/2/").has_date() && bare("/2008-10-02-x.html").has_date());
        assert!(!bare("/page/2008").has_date() && !bare("/2/10").has_date());
    }

    proptest::proptest! {
        #[test]
        fn any_two_addresses_differ_somehow(a in "([/a-c0-3?&=%.]|/index\\.html){0,12}(\\?[a-c&=]{0,3})?", b in "[/a-c0-3?&=%.]{0,12}") {
            let (a, b) = (bare(&format!("/x{a}")), bare(&format!("/x{b}")));
            let found = Difference::of(&a, &b);
            proptest::prop_assert_eq!(found.family == Family::Equal, a.as_str() == b.as_str());
            let (folder, last) = a.path().rsplit_once('/').unwrap_or(("", a.path()));
            proptest::prop_assert_eq!((a.folder(), a.last_segment()), (folder, last));
            proptest::prop_assert!(b.as_str().ends_with(&a.as_str()[a.as_str().len() - found.suffix..]));
            let _ = (found.middle(&b), Paged::of(&a));
        }
    }
}
