//! The rules of sites for robots.

use super::answer::HttpAnswer;
use super::driver::SLICE;
use super::retry;
use crate::error::{FetchError, chain};
use crate::locked::locked;
use robotxt::Robots;
use std::collections::BTreeMap;
use std::mem;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Duration, Instant};
use tsugi_page::{UnavailableKind, Url, address};
use url::Position;

const PRODUCT: &str = "tsugi";

/// How long rules are kept before they are read again.
// RFC 9309, section 2.4.
const KEPT: Duration = Duration::from_hours(24);

/// How long a failure to read the rules is kept. Every further failure doubles the time.
const FAILURE_KEPT: Duration = Duration::from_mins(1);

const LONGEST_FAILURE_KEPT: Duration = Duration::from_hours(1);

/// The rules of the sites visited, one set for each scheme, host and port.
///
/// The parser is `robotxt`: it matches bytes, without a regular expression for each rule, names the rule that
/// decided, and is kept up, which `texting_robots` is not.
// RFC 9309.
#[derive(Debug, Default)]
pub(super) struct Sites {
    sites: Mutex<BTreeMap<String, SiteRules>>,
    ended: Condvar,
}

#[derive(Debug, Default)]
struct SiteRules {
    is_being_read: bool,
    known: Option<Arc<KnownRules>>,
}

/// The reading of a site's rules. Others may read them after this is dropped.
struct RulesReading<'a> {
    sites: &'a Sites,
    robots: &'a Url,
}

impl Drop for RulesReading<'_> {
    fn drop(&mut self) {
        self.sites.at(self.robots, |site| site.is_being_read = false);
        self.sites.ended.notify_all();
    }
}

#[derive(Debug)]
struct KnownRules {
    rules: RobotsRules,
    until: Instant,
    failures: u32,
}

#[derive(Debug)]
enum RobotsRules {
    Read(Robots),
    None,
    Unknown(u16),
    /// There was no answer that can be used: kind and message of the error.
    Unreachable {
        kind: UnavailableKind,
        message: String,
    },
}

impl Sites {
    /// Returns the time between requests that the site asks for, if the address may be fetched.
    ///
    /// `read` fetches a `robots.txt`, following redirects. It is called once for each site; other threads that need the
    /// same site wait, until `is_gone` is true. Rules are kept for a day. A failure to read them is kept for a minute at first, and then for twice
    /// as long each time, up to an hour.
    ///
    /// # Errors
    ///
    /// [`FetchError::Disallowed`], [`FetchError::Unwanted`], and any error of `read`: a site that cannot be reached forbids everything (RFC 9309,
    /// section 2.3.1.4). While that is kept, it is [`FetchError::Recorded`].
    pub(super) fn check(
        &self,
        url: &Url,
        is_gone: &dyn Fn() -> bool,
        read: impl FnOnce(&Url) -> Result<HttpAnswer, FetchError>,
    ) -> Result<Option<Duration>, FetchError> {
        let robots = robots_url(url);
        let mut sites = locked(&self.sites);
        let failures = loop {
            let site = sites.entry(robots.as_str().to_owned()).or_default();
            let is_valid = |known: &&Arc<KnownRules>| known.until > Instant::now();
            if let Some(known) = site.known.as_ref().filter(is_valid).map(Arc::clone) {
                drop(sites);
                return known.rules.check(url, &robots);
            }
            if !mem::replace(&mut site.is_being_read, true) {
                break site.known.as_ref().map_or(0, |known| known.failures);
            }
            if is_gone() {
                return Err(FetchError::Unwanted { url: url.clone() });
            }
            sites = self.ended.wait_timeout(sites, SLICE).unwrap_or_else(PoisonError::into_inner).0;
        };
        drop(sites);
        let _reading = RulesReading { sites: self, robots: &robots };
        let (rules, error) = match read(&robots) {
            Ok(answer) => (RobotsRules::of(&answer), None),
            Err(error) if is_of_site(&error) => (RobotsRules::unreachable(&error), Some(error)),
            Err(error) => return Err(error),
        };
        let failures = if rules.are_known() { 0 } else { failures + 1 };
        let known = Arc::new(KnownRules { rules, until: Instant::now() + kept(failures), failures });
        self.at(&robots, |site| site.known = Some(Arc::clone(&known)));
        error.map_or_else(|| known.rules.check(url, &robots), Err)
    }

    fn at(&self, robots: &Url, change: impl FnOnce(&mut SiteRules)) {
        change(locked(&self.sites).entry(robots.as_str().to_owned()).or_default());
    }
}

/// Returns `true` if an error says how a site answers, and not that it was not asked.
fn is_of_site(error: &FetchError) -> bool {
    matches!(error, FetchError::Timeout { .. } | FetchError::Network { .. } | FetchError::Coding { .. })
}

fn kept(failures: u32) -> Duration {
    match failures.checked_sub(1) {
        None => KEPT,
        Some(further) => retry::back_off(FAILURE_KEPT, further).min(LONGEST_FAILURE_KEPT),
    }
}

impl RobotsRules {
    /// CHOICE: after 429 the rules are unknown. RFC 9309 counts every 4xx as a site without rules. They are unknown after
    /// 206, too: what is missing may forbid the address.
    fn of(answer: &HttpAnswer) -> RobotsRules {
        match answer.status {
            206 => RobotsRules::Unknown(206),
            200..300 => RobotsRules::Read(Robots::parse(&answer.body, PRODUCT)),
            status if retry::is_passing(status) || status >= 500 => RobotsRules::Unknown(status),
            // One redirect too many counts as a missing file, as client errors do.
            _ => RobotsRules::None,
        }
    }

    fn unreachable(error: &FetchError) -> RobotsRules {
        RobotsRules::Unreachable { kind: error.kind().clone(), message: chain(error) }
    }

    fn are_known(&self) -> bool {
        matches!(self, RobotsRules::Read(_) | RobotsRules::None)
    }

    fn check(&self, url: &Url, robots: &Url) -> Result<Option<Duration>, FetchError> {
        let disallowed = |rule: String| Err(FetchError::Disallowed { url: url.clone(), rule });
        match self {
            RobotsRules::None => Ok(None),
            RobotsRules::Unreachable { kind, message } => {
                Err(FetchError::Recorded { kind: kind.clone(), message: message.clone() })
            }
            RobotsRules::Unknown(status) => disallowed(format!(
                "`{robots}` answered with status {status}, so the site's rules are unknown"
            )),
            RobotsRules::Read(rules) if rules.is_url_allowed(url) => Ok(rules.crawl_delay()),
            RobotsRules::Read(rules) => {
                let path = &url[Position::BeforePath..Position::AfterQuery];
                let pattern = rules.matching_rule(path).map_or("/", |rule| rule.pattern());
                let group = rules.user_agent();
                disallowed(format!("`{robots}` says `Disallow: {pattern}` to `{group}`"))
            }
        }
    }
}

fn robots_url(url: &Url) -> Url {
    let mut robots = address::without_userinfo(url);
    robots.set_path("/robots.txt");
    robots.set_query(None);
    robots.set_fragment(None);
    robots
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::driver::never;

    fn url(text: &str) -> Url {
        text.parse().unwrap()
    }

    fn answer(status: u16, body: &str) -> HttpAnswer {
        let url = url("https://a.test/robots.txt");
        HttpAnswer { url, status, headers: Vec::new(), body: body.as_bytes().to_vec(), whole: true }
    }

    fn check(body: &str, path: &str) -> Result<Option<Duration>, String> {
        let at = url("https://a.test").join(path).unwrap();
        Sites::default().check(&at, &never, |_| Ok(answer(200, body))).map_err(|error| error.to_string())
    }

    #[test]
    fn the_examples_of_the_standard() {
        // RFC 9309, section 5.1, with our name in place of `foobot`.
        let simple = "User-Agent: *\nDisallow: *.gif$\nDisallow: /example/\nAllow: /publications/\n\n\
            User-Agent: tsugi\nDisallow:/\nAllow:/example/page.html\nAllow:/example/allowed.gif\n\n\
            User-Agent: barbot\nUser-Agent: bazbot\nDisallow: /example/page.html\n\nUser-Agent: quxbot\n";
        assert!(check(simple, "/example/page.html").is_ok());
        assert!(check(simple, "/example/allowed.gif").is_ok());
        assert!(check(simple, "/publications/").is_err(), "the group of all robots does not count");
        let others = simple.replace("tsugi", "foobot");
        assert!(check(&others, "/publications/x").is_ok());
        assert!(check(&others, "/pictures/x.gif").is_err());
        assert!(check(&others, "/pictures/x.gif?y").is_ok(), "`$` is the end");
        assert!(check(&others, "/example/x").is_err());
        for group in ["barbot", "bazbot"] {
            let ours = simple.replace("tsugi", "foobot").replace(group, "Tsugi");
            assert!(check(&ours, "/example/page.html").is_err(), "{group}");
            assert!(check(&ours, "/example/x").is_ok(), "{group}");
        }
        let free = simple.replace("tsugi", "foobot").replace("quxbot", "tsugi");
        assert!(check(&free, "/example/page.html").is_ok(), "a group without rules allows everything");
        // Section 5.2: the longest match decides.
        let longest = "User-Agent: tsugi\nAllow: /example/page/\nDisallow: /example/page/disallowed.gif\n";
        assert!(check(longest, "/example/page/disallowed.gif").is_err());
        assert!(check(longest, "/example/page/x").is_ok());
        // Section 2.2.2: as long as one another, the rule that allows wins.
        assert!(check("User-agent: *\nDisallow: /p\nAllow: /p", "/p").is_ok());
        // Section 2.2.2, percent-encoding.
        for (rule, path) in [
            ("/foo/bar?baz=quz", "/foo/bar?baz=quz"),
            ("/foo/bar?baz=http://foo.bar", "/foo/bar?baz=http://foo.bar"),
            ("/foo/bar/ツ", "/foo/bar/%E3%83%84"),
            ("/foo/bar/%E3%83%84", "/foo/bar/%E3%83%84"),
            ("/foo/bar/%62%61%7A", "/foo/bar/baz"),
        ] {
            assert!(check(&format!("User-agent: *\nDisallow: {rule}"), path).is_err(), "{rule}");
        }
        // Section 2.2.3, special characters.
        let special =
            "User-agent: *\nDisallow: /path/file-with-a-%2A.html\nDisallow: /exact$\nDisallow: /a*z\n";
        assert!(check(special, "/path/file-with-a-%2A.html").is_err());
        assert!(check(special, "/path/file-with-a-x.html").is_ok());
        assert!(check(special, "/exact").is_err());
        assert!(check(special, "/exactly").is_ok());
        assert!(check(special, "/a/b/z/c").is_err());
    }

    #[test]
    fn files_as_they_are_found() {
        assert!(check("\u{feff}user-agent : * # all\r\nDISALLOW : /x # no\r\n", "/x/y").is_err());
        assert!(check("User-agent: *\nDisallow:\n", "/x").is_ok(), "nothing is disallowed");
        assert!(check("<!DOCTYPE html><p>Not found", "/x").is_ok());
        assert!(check("User-agent: *\nSitemap: /s\nHost: a\nDisallow: /x", "/x").is_err());
        let twice = "User-agent: tsugi\nDisallow: /x\n\nUser-agent: other\nDisallow: /\n\nUser-agent: tsugi\nDisallow: /y";
        assert!(check(twice, "/x").is_err() && check(twice, "/y").is_err(), "groups of one name are one");
        assert!(check("Disallow: /x", "/x").is_ok(), "a rule of no group");
        assert!(check("User-agent: *\nDisallow: /", "/robots.txt").is_ok());
        let refused = check("User-agent: *\nDisallow: /archive/\n", "/archive/3").unwrap_err();
        let words = "`https://a.test/archive/3` may not be fetched: \
            `https://a.test/robots.txt` says `Disallow: /archive/` to `*`";
        assert_eq!(refused, words);
    }

    #[test]
    fn sites_say_how_fast_they_may_be_asked() {
        let half = check("User-agent: *\nCrawl-delay: 0.5\n", "/");
        assert_eq!(half, Ok(Some(Duration::from_millis(500))));
        for nonsense in ["-1", "nan", "inf", "1e300", "soon", ""] {
            assert_eq!(
                check(&format!("User-agent: *\nCrawl-delay: {nonsense}"), "/"),
                Ok(None),
                "{nonsense}"
            );
        }
    }

    #[test]
    fn a_site_is_asked_once_and_each_for_itself() {
        let sites = Sites::default();
        let asked = Mutex::new(Vec::new());
        let ask = |at: &str, status| {
            let read = |robots: &Url| {
                asked.lock().unwrap().push(robots.to_string());
                Ok(answer(status, "User-agent: *\nDisallow: /x"))
            };
            sites.check(&url(at), &never, read).is_ok()
        };
        assert!(ask("https://name:word@a.test/?q#f", 200));
        assert!(!ask("https://a.test/x", 200));
        assert!(ask("http://a.test/x", 404));
        assert!(ask("https://a.test:8443/x", 403));
        assert!(!ask("https://b.test/", 503));
        assert!(!ask("https://b.test/", 200), "for a while it counts as it was");
        assert!(!ask("https://c.test/", 429));
        assert!(ask("https://d.test/x", 301), "redirects without an end");
        let expected = [
            "https://a.test/robots.txt",
            "http://a.test/robots.txt",
            "https://a.test:8443/robots.txt",
            "https://b.test/robots.txt",
            "https://c.test/robots.txt",
            "https://d.test/robots.txt",
        ];
        assert_eq!(*asked.lock().unwrap(), expected);
    }

    #[test]
    fn a_site_without_an_answer_is_not_asked_again_for_a_while() {
        let sites = Sites::default();
        let at = url("https://a.test/");
        let down = sites.check(&at, &never, |robots| Err(FetchError::Timeout { url: robots.clone() }));
        assert!(matches!(down, Err(FetchError::Timeout { .. })), "{down:?}");
        let later = sites.check(&at, &never, |_| panic!("it is asked again")).unwrap_err();
        assert_eq!(
            (later.word(), later.to_string().as_str()),
            ("timeout", "`https://a.test/robots.txt` took too long to answer")
        );
        // A site that was not asked is asked the next time.
        let at = url("https://b.test/");
        let limit = |robots: &Url| FetchError::Later { url: robots.clone(), status: 429, after: 9, limit: 1 };
        assert!(matches!(
            sites.check(&at, &never, |robots| Err(limit(robots))),
            Err(FetchError::Later { .. })
        ));
        assert!(sites.check(&at, &never, |_| Ok(answer(200, ""))).is_ok());
        let minutes: Vec<u64> = [0, 1, 2, 3, 7, 99].map(|failures| kept(failures).as_secs() / 60).to_vec();
        assert_eq!(minutes, [24 * 60, 1, 2, 4, 60, 60]);
    }

    proptest::proptest! {
        #[test]
        fn any_file_is_read(body: Vec<u8>, path in "/[a-z%*$?]{0,20}") {
            let at = url("https://a.test").join(&path).unwrap();
            let given = HttpAnswer { body, ..answer(200, "") };
            let _ = Sites::default().check(&at, &never, |_| Ok(given));
        }
    }
}
