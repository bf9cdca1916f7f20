//! Hosts that do not answer.

use super::retry;
use crate::error::FetchError;
use crate::locked::locked;
use std::collections::BTreeMap;
use std::sync::Mutex;
use std::time::{Duration, Instant};
use tsugi_page::Url;

/// How many requests in a row go without an answer until a host counts as down.
const FAILURES: u32 = 5;

/// How long a host that is down is left alone at first. Every further failure doubles the time.
const FIRST_REST: Duration = Duration::from_secs(30);

const LONGEST_REST: Duration = Duration::from_mins(10);

/// Spares requests to hosts that do not answer, each of which would cost a whole time-out.
///
/// A host that is down is left alone for a while. The request after that is a trial: an answer of any kind ends the
/// matter, another failure doubles the time. Hosts are told apart with their ports.
#[derive(Debug, Default)]
pub(super) struct Breaker(Mutex<BTreeMap<String, Silence>>);

#[derive(Debug, Clone, Copy, Default)]
struct Silence {
    failures: u32,
    until: Option<Instant>,
}

impl Breaker {
    pub(super) fn check(&self, url: &Url, now: Instant) -> Result<(), FetchError> {
        let Some(Silence { failures, until: Some(until) }) = locked(&self.0).get(&door(url)).copied() else {
            return Ok(());
        };
        match until.saturating_duration_since(now) {
            Duration::ZERO => Ok(()),
            left => Err(FetchError::HostDown { url: url.clone(), failures, after: left.as_secs() + 1 }),
        }
    }

    pub(super) fn note(&self, url: &Url, answered: bool, now: Instant) {
        let mut hosts = locked(&self.0);
        if answered {
            hosts.remove(&door(url));
            return;
        }
        let silence = hosts.entry(door(url)).or_default();
        silence.failures += 1;
        if let Some(further) = silence.failures.checked_sub(FAILURES) {
            silence.until = Some(now + retry::back_off(FIRST_REST, further).min(LONGEST_REST));
        }
    }
}

fn door(url: &Url) -> String {
    format!("{}:{}", url.host_str().unwrap_or_default(), url.port_or_known_default().unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_host_that_is_silent_is_left_alone_and_then_tried_once() {
        let (breaker, begin) = (Breaker::default(), Instant::now());
        let url = |text: &str| text.parse::<Url>().unwrap();
        let at = |seconds: u64| begin + Duration::from_secs(seconds);
        let is_down = |seconds| breaker.check(&url("http://a.test/x"), at(seconds)).is_err();
        for failure in 1..=FAILURES {
            assert!(!is_down(0), "after {} failures", failure - 1);
            breaker.note(&url("http://a.test/1"), false, at(0));
        }
        let refused = breaker.check(&url("http://a.test:80/x"), at(10)).unwrap_err();
        assert_eq!(
            (refused.word(), refused.to_string().as_str()),
            (
                "host-down",
                "the host of `http://a.test/x` left 5 requests in a row unanswered; it is asked again in 21 s"
            )
        );
        for other in ["https://a.test/", "http://a.test:8080/", "http://b.test/"] {
            assert!(breaker.check(&url(other), at(0)).is_ok(), "{other}");
        }
        // A trial fails, and then another.
        assert!(is_down(29) && !is_down(30));
        breaker.note(&url("http://a.test/"), false, at(30));
        assert!(is_down(89) && !is_down(90));
        (0..99).for_each(|_| breaker.note(&url("http://a.test/"), false, at(100)));
        assert!(is_down(699) && !is_down(700), "the time is bounded");
        breaker.note(&url("http://a.test/"), true, at(700));
        breaker.note(&url("http://a.test/"), false, at(700));
        assert!(!is_down(700), "an answer ends the count");
    }
}
