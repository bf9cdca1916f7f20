//! What went wrong, and how a document ended, in sentences for readers. The words of libraries and of the protocol stay out
//! of them; who wants those finds them in `detail`.

use tsugi::document::StopReason;
use tsugi::page::UnavailableKind;
use tsugi::{Document, Url};

/// Returns why a page could not be fetched. `detail` is the message of the error.
pub(crate) fn of_failure(kind: &UnavailableKind, detail: &str) -> String {
    let sentence = match kind {
        UnavailableKind::Network => {
            "the site did not answer; check the address, and the connection of this machine"
        }
        UnavailableKind::Timeout | UnavailableKind::MaxTime => {
            "the site took too long to answer; try again later"
        }
        UnavailableKind::HostDown | UnavailableKind::Later => {
            "the site wants to be left alone for a while; try again later"
        }
        UnavailableKind::Status => return of_status(status_in(detail)),
        UnavailableKind::NotHtml => {
            return format!("this is {}, not a web page", what_in(detail).unwrap_or("a file"));
        }
        UnavailableKind::NotImage => "this is no image that can be shown",
        UnavailableKind::Robots => "the site does not allow programs to read this page",
        UnavailableKind::Private if detail.contains("never fetched") => {
            "the address leads to a place of this machine's network that is never fetched"
        }
        UnavailableKind::Private => {
            "the address leads into a private network, which tsugi reads only if it is started with --allow-private"
        }
        UnavailableKind::TooLarge => "the page is larger than tsugi reads",
        UnavailableKind::TooManyRedirects | UnavailableKind::BadRedirect => {
            "the site sends every reader in a circle, or nowhere"
        }
        UnavailableKind::NotStored => "the archive does not hold this page",
        UnavailableKind::Partial | UnavailableKind::Coding => {
            "the site sent the page cut short or damaged; try again later"
        }
        UnavailableKind::Scheme => "only http and https addresses can be read",
        UnavailableKind::NotFetched => "it was stopped before the page came",
        _ => "this machine could not fetch the page",
    };
    sentence.to_owned()
}

fn of_status(status: Option<u16>) -> String {
    let sentence = match status {
        Some(404 | 410) => "there is no such page on the site any more",
        Some(401 | 402) => "the site shows this page to subscribers only",
        Some(403 | 451) => "the site refuses to show this page",
        Some(429) => "the site wants to be left alone for a while; try again later",
        Some(500..) => "the site has a fault of its own; try again later",
        _ => "the site did not give the page",
    };
    status.map_or_else(|| sentence.to_owned(), |status| format!("{sentence} (status {status})"))
}

fn status_in(detail: &str) -> Option<u16> {
    let (_, rest) = detail.rsplit_once("status ")?;
    rest.get(..3)?.parse().ok()
}

/// Returns what an answer is, from a message like "`https://a.test/` is a PDF, not a web page".
fn what_in(detail: &str) -> Option<&str> {
    let (_, rest) = detail.split_once("` is ")?;
    Some(rest.split_once(", not a web page")?.0)
}

/// Returns how a document ended: "4 pages, whole", or what is missing and why.
pub(crate) fn of_end(document: &Document) -> String {
    let (count, stopped) = (document.pages.len(), &document.stopped);
    let pages = counted(count);
    if document.is_complete() {
        return match stopped.reason {
            StopReason::OnePage => format!("{pages}, as asked"),
            _ => format!("{pages}, whole"),
        };
    }
    let missing = missing_pages(count + 1, &stopped.detail);
    match stopped.reason {
        StopReason::FetchFailed => {
            let why = match (status_in(&stopped.detail), stopped.detail.contains("too long")) {
                (Some(status), _) => of_status(Some(status)),
                (None, true) => "the site took too long to answer".to_owned(),
                (None, false) if stopped.detail.contains("not stored") => {
                    "the archive does not hold it".to_owned()
                }
                (None, false) => "the site did not answer".to_owned(),
            };
            format!("{pages}; {missing}: {why}")
        }
        StopReason::Robots => {
            format!("{pages}; {missing}: the site does not allow programs to read it")
        }
        StopReason::MaxPages => format!("the first {pages}; there are more, and the limit was reached"),
        StopReason::MaxTime => format!("the first {pages}; there are more, and the time was up"),
        StopReason::Interrupted => format!("the first {pages}; it was stopped before the end"),
        StopReason::OffSite => {
            format!("{pages}; it may go on at {}", stopped.at.host_str().unwrap_or("another site"))
        }
        StopReason::LowScore => format!("{pages}; it may go on, but no link leads there for sure"),
        StopReason::NoNext | StopReason::Loop | StopReason::NotAContinuation | StopReason::OnePage => {
            format!("{pages}; there are more, behind a button that only the site itself can press")
        }
        _ => format!("{pages}; the rest is missing"),
    }
}

/// Returns which pages are missing. `detail` may quote what the pages say of their number: `"Page 2 of 5"`.
fn missing_pages(next: usize, detail: &str) -> String {
    let said = detail.split_once("the page says \"").and_then(|(_, rest)| rest.split_once('"'));
    let last = said.and_then(|(words, _)| {
        words.split(|c: char| !c.is_ascii_digit()).filter_map(|n| n.parse::<usize>().ok()).max()
    });
    match last {
        Some(last) if last > next => format!("pages {next} to {last} are missing"),
        Some(last) if last == next => format!("page {next} is missing"),
        _ => format!("page {next} and what follows it are missing"),
    }
}

pub(crate) fn counted(pages: usize) -> String {
    if pages == 1 { "1 page".to_owned() } else { format!("{pages} pages") }
}

/// Returns a refusal of parameters in words of the interface: libraries speak of fields and of their own types.
pub(crate) fn of_parameters(refusal: &str) -> String {
    let refusal = refusal.strip_prefix("Failed to deserialize query string: ").unwrap_or(refusal);
    if let Some(name) = between(refusal, "missing field `") {
        return format!("`{name}` is missing");
    }
    if let Some(name) = between(refusal, "unknown field `") {
        let known = refusal.split_once("expected ").map(|(_, known)| known.trim_start_matches("one of "));
        let known = known.map(|known| known.split(" at line ").next().unwrap_or(known));
        return match known {
            Some(known) => format!("there is no parameter `{name}`; there are {known}"),
            None => format!("there is no parameter `{name}`"),
        };
    }
    if refusal.contains("invalid digit found in string") || refusal.contains("cannot parse integer") {
        let name = refusal.split_once(": ").map_or("a number", |(name, _)| name);
        return format!("`{name}` must be a whole number");
    }
    format!("the request cannot be understood: {refusal}")
}

fn between<'t>(text: &'t str, before: &str) -> Option<&'t str> {
    Some(text.split_once(before)?.1.split_once('`')?.0)
}

/// Estimates how many tokens a language model makes of a text: one for four characters of an alphabet, one for each sign of
/// Chinese, Japanese or Korean. Tokenizers of models differ by a third in both directions.
pub(crate) fn tokens(text: &str) -> usize {
    let signs = text.chars().filter(|c| is_sign(*c)).count();
    signs + (text.chars().count() - signs).div_ceil(4)
}

/// Estimates the minutes that reading a text takes: 230 words or 500 signs a minute, at least one.
pub(crate) fn minutes(text: &str) -> usize {
    let signs = text.chars().filter(|c| is_sign(*c)).count();
    let words = text.split_whitespace().filter(|word| !word.chars().any(is_sign)).count();
    (words.div_ceil(230) + signs.div_ceil(500)).max(1)
}

fn is_sign(c: char) -> bool {
    matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
}

/// Returns a name for a file of a document: its title, or its address, without what file systems refuse.
pub(crate) fn file_stem(title: Option<&str>, url: &Url) -> String {
    const LONGEST: usize = 80;
    let title = title.map(str::trim).filter(|title| !title.is_empty());
    let text =
        title.map_or_else(|| format!("{}{}", url.host_str().unwrap_or_default(), url.path()), str::to_owned);
    let allowed = text.chars().map(|c| {
        if c.is_control() || matches!(c, '/' | '\\' | ':' | '*' | '?' | '"' | '<' | '>' | '|') {
            ' '
        } else {
            c
        }
    });
    let allowed: String = allowed.take(LONGEST).collect();
    let words: Vec<&str> = allowed.split_whitespace().collect();
    let stem = words.join(" ");
    let stem = stem.trim_matches(['.', ' ']);
    if stem.is_empty() { "article".to_owned() } else { stem.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_named_after_the_title() {
        let url: Url = "https://a.test/x/1?y".parse().unwrap();
        assert_eq!(file_stem(Some(" Mills: a/b \"history\"…\n "), &url), "Mills a b history …");
        assert_eq!(file_stem(None, &url), "a.test x 1");
        assert_eq!(file_stem(Some("..."), &url), "article");
        assert_eq!(file_stem(Some("雪の夜"), &url), "雪の夜");
    }

    #[test]
    fn refusals_name_the_parameter() {
        assert_eq!(of_parameters("missing field `url`"), "`url` is missing");
        assert_eq!(
            of_parameters("unknown field `maxpages`, expected one of `url`, `max_pages` at line 1 column 3"),
            "there is no parameter `maxpages`; there are `url`, `max_pages`"
        );
        assert_eq!(
            of_parameters("max_pages: invalid digit found in string"),
            "`max_pages` must be a whole number"
        );
    }

    #[test]
    fn failures_are_told_without_words_of_the_protocol() {
        let words =
            of_failure(&UnavailableKind::Network, "no answer from `x`: error sending request: dns error");
        assert!(!words.contains("request") && !words.contains("dns"), "{words}");
        let words = of_failure(&UnavailableKind::Status, "`https://a.test/` answered with status 404");
        assert_eq!(words, "there is no such page on the site any more (status 404)");
        let words = of_failure(&UnavailableKind::NotHtml, "`https://a.test/` is a PDF, not a web page");
        assert_eq!(words, "this is a PDF, not a web page");
    }

    #[test]
    fn missing_pages_are_counted_if_the_pages_say_how_many_there_are() {
        assert_eq!(
            missing_pages(3, "the page says \"Page 2 of 5\", and there is no way on"),
            "pages 3 to 5 are missing"
        );
        assert_eq!(missing_pages(3, "the page says \"Page 2 of 3\""), "page 3 is missing");
        assert_eq!(missing_pages(3, "`https://a.test/9` answered"), "page 3 and what follows it are missing");
    }

    #[test]
    fn sizes_are_estimated_for_alphabets_and_signs() {
        assert_eq!((tokens("four more"), tokens("雪が降る")), (3, 4));
        assert_eq!((minutes("one"), minutes(&"word ".repeat(460)), minutes(&"雪".repeat(1_000))), (1, 2, 2));
    }
}
