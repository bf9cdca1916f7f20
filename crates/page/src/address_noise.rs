//! The parts of addresses that say who asks, and not what for: tracking keys and session ids.

use std::borrow::Cow;

/// Starts and whole names of query keys that only count visitors, in lower case.
const TRACKING_STARTS: [&str; 9] =
    ["utm_", "mtm_", "pk_", "piwik_", "matomo_", "hsa_", "_gac_", "at_", "wt.mc_"];
const TRACKING_KEYS: [&str; 46] = [
    "__hsfp", "__hssc", "__hstc", "__s", "_ga", "_gl", "_hsenc", "_hsmi", "_openstat", "cmpid", "dclid",
    "epik", "fb_action_ids", "fb_action_types", "fb_ref", "fb_source", "fbclid", "gbraid", "gclid", "gclsrc",
    "icid", "igsh", "igshid", "li_fat_id", "mc_cid", "mc_eid", "mkt_tok", "ml_subscriber",
    "ml_subscriber_hash", "msclkid", "ncid", "oly_anon_id", "oly_enc_id", "ref_src", "ref_url", "s_cid",
    "spm", "srsltid", "sscid", "ttclid", "twclid", "vero_id", "wbraid", "wt_mc", "yclid", "ysclid",
];

/// Values of `ref` that name where a visitor comes from. Others may name a version, a section or a book.
const REFERRERS: [&str; 16] = [
    "email", "facebook", "fb", "feed", "hackernews", "hn", "homepage", "instagram", "linkedin", "newsletter",
    "producthunt", "reddit", "rss", "share", "social", "twitter",
];

/// Names of session keys that mean nothing else, in lower case.
const SESSION_KEYS: [&str; 9] = [
    "phpsessid", "jsessionid", "oscsid", "zenid", "cftoken", "aspsessionid", "asp.net_sessionid", "xtcsid",
    "phpsession",
];
/// Names that may mean other things: their values must look like ids.
const PERHAPS_SESSION_KEYS: [&str; 8] =
    ["sid", "sess", "session", "sessid", "sessionid", "session_id", "s_id", "session-id"];

const LEAST_ID: usize = 16; // Minimum length of a session id.

/// Returns path and query of an address without session ids and known tracking keys. An empty query becomes `None`.
///
/// Only well-known names count. A hash that names the page itself stays, whatever its key: `?id=5f3e…`.
pub fn without_noise<'a>(path: &'a str, query: Option<&'a str>) -> (Cow<'a, str>, Option<Cow<'a, str>>) {
    let query = query.map(query_without_noise).filter(|query| !query.is_empty());
    (path_without_noise(path), query)
}

fn query_without_noise(query: &str) -> Cow<'_, str> {
    if !query.split('&').any(is_noise) {
        return Cow::Borrowed(query);
    }
    let kept: Vec<&str> = query.split('&').filter(|pair| !is_noise(pair)).collect();
    Cow::Owned(kept.join("&"))
}

/// Returns `true` if a `key=value` of a query says nothing about the page.
fn is_noise(pair: &str) -> bool {
    let (key, value) = pair.split_once('=').unwrap_or((pair, ""));
    let is = |name: &&str| key.eq_ignore_ascii_case(name);
    let starts = |start: &&str| {
        key.len() > start.len() && key.as_bytes()[..start.len()].eq_ignore_ascii_case(start.as_bytes())
    };
    // Of `at_` and `pk_`, other keys are common.
    let is_campaign = |rest: &str| {
        ["medium", "campaign", "kwd", "source", "content", "name"].iter().any(|word| {
            rest.len() >= word.len() && rest.as_bytes()[..word.len()].eq_ignore_ascii_case(word.as_bytes())
        })
    };
    if let Some(start) = TRACKING_STARTS.iter().find(|start| starts(start)) {
        let is_short = start.len() == 3;
        if !is_short || is_campaign(key.get(start.len()..).unwrap_or_default()) {
            return true;
        }
    }
    TRACKING_KEYS.iter().any(is)
        || (key.eq_ignore_ascii_case("ref") && REFERRERS.iter().any(|name| value.eq_ignore_ascii_case(name)))
        || is_session(key, value)
}

fn is_session(key: &str, value: &str) -> bool {
    let is = |name: &&str| key.eq_ignore_ascii_case(name);
    SESSION_KEYS.iter().any(is)
        || key.get(..12).is_some_and(|start| start.eq_ignore_ascii_case("aspsessionid"))
        || (PERHAPS_SESSION_KEYS.iter().any(is) && is_id(value))
        // A search is `?s=words`; the session of a forum is a hash.
        || (key == "s" && is_id(value) && value.bytes().all(|byte| byte.is_ascii_hexdigit()))
}

/// Returns `true` if a value looks like an id that a program made up: at least 16 letters and digits, of both kinds.
pub fn is_id(value: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b',');
    value.len() >= LEAST_ID
        && value.bytes().all(is_plain)
        && value.bytes().filter(u8::is_ascii_digit).count() >= 2
        && value.bytes().any(|byte| byte.is_ascii_alphabetic())
}

fn path_without_noise(path: &str) -> Cow<'_, str> {
    // Most paths have none of these.
    if !path.contains(';') && !path.contains("(S(") && !path.contains("sid/") {
        return Cow::Borrowed(path);
    }
    let mut kept: Vec<&str> = Vec::new();
    let mut segments = path.split('/').peekable();
    while let Some(segment) = segments.next() {
        let segment = without_parameter(segment);
        let is_key = segment.eq_ignore_ascii_case("oscsid") || segment.eq_ignore_ascii_case("xtcsid");
        if is_key && segments.next_if(|value| is_id(without_parameter(value))).is_some() {
            continue;
        }
        // The session of ASP.NET without cookies.
        if segment.starts_with("(S(") && segment.ends_with("))") {
            continue;
        }
        kept.push(segment);
    }
    Cow::Owned(kept.join("/"))
}

/// Drops `;jsessionid=…` from the end of a segment.
fn without_parameter(segment: &str) -> &str {
    let Some((name, parameter)) = segment.split_once(';') else { return segment };
    let (key, value) = parameter.split_once('=').unwrap_or((parameter, ""));
    if is_session(key, value) { name } else { segment }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kept(address: &str) -> String {
        let (path, query) =
            address.split_once('?').map_or((address, None), |(path, query)| (path, Some(query)));
        let (path, query) = without_noise(path, query);
        query.map_or(path.to_string(), |query| format!("{path}?{query}"))
    }

    const ID: &str = "9f86d081884c7d659a2feaa0c55ad015";

    #[test]
    fn what_says_who_asks_is_left_out() {
        for (address, expected) in [
            ("/x?utm_source=a&page=2&utm_medium=b", "/x?page=2"),
            ("/x?fbclid=IwAR0", "/x"),
            ("/x?a=1&_ga=2.1&_gl=1*x&gclid=y", "/x?a=1"),
            ("/x?UTM_Source=a", "/x"),
            ("/x?pk_campaign=a&at_medium=b&mtm_kwd=c", "/x"),
            ("/x?ref=twitter&b", "/x?b"),
            ("/x?PHPSESSID=abc&p=2", "/x?p=2"),
            ("/x;jsessionid=0A1B?p=2", "/x?p=2"),
            ("/a;jsessionid=0A1B.node1/b", "/a/b"),
            ("/(S(x));jsessionid=y/b", "/b"),
        ] {
            assert_eq!(kept(address), expected, "{address}");
        }
        for address in [
            "/x?sid=ID", "/x?s=ID", "/x?session_id=ID", "/osCsid/ID/x", "/x/osCsid/ID", "/(S(ID))/x",
            "/x;sid=ID",
        ] {
            assert_eq!(kept(&address.replace("ID", ID)), "/x", "{address}");
        }
    }

    #[test]
    fn what_says_which_page_stays() {
        for address in [
            "/x?page=2",
            "/x?s=weirs",
            "/x?s=weirs2and3moreweirs",
            "/x?sid=42",
            "/x?sid=1234567890123456789",
            "/x?session=morning",
            "/x?ref=main",
            "/x?ref=v1.2",
            "/x?at_least=3",
            "/x?pk_id=3",
            "/x?atlas=1",
            "/x?utm_",
            "/x?source=rss",
            "/a;b=c/d",
            "/a;v=2",
            "/osCsid/2/x",
            "/sid/9f86d081884c7d65",
            "/(S)/x",
            "/x?a&b",
        ] {
            assert_eq!(kept(address), address, "{address}");
        }
        for address in ["/s/ID", "/x?id=ID", "/x?token=ID", "/x?article=ID", "/x?hash=ID&page=2"] {
            let address = address.replace("ID", ID);
            assert_eq!(kept(&address), address);
        }
    }

    #[test]
    fn lists_are_in_lower_case() {
        let lists = [&TRACKING_STARTS[..], &TRACKING_KEYS, &REFERRERS, &SESSION_KEYS, &PERHAPS_SESSION_KEYS];
        assert!(lists.concat().iter().all(|name| *name == name.to_ascii_lowercase()));
    }

    proptest::proptest! {
        #[test]
        fn leaving_out_twice_is_leaving_out_once(address in "(/|;jsessionid=|[ab0-9]{1,20}|oscsid|\\(S\\(|\\)\\)|次){0,8}(\\?([a-c]|utm_a|sid|s|=|&|[a-f0-9]{16}|次){0,8})?") {
            let once = kept(&address);
            proptest::prop_assert_eq!(kept(&once), once);
        }
    }
}
