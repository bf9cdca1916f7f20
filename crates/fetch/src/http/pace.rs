//! The pace of requests to one host.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The longest pause, so that no sum of times overflows.
const LONGEST: Duration = Duration::from_hours(24);

/// When the next request may be sent to each host.
///
/// A thread takes the next free time and sleeps until then, so threads that share a pace take turns at a host. The
/// library `governor` has one rate for all keys, but each site may set its own by `Crawl-delay`.
#[derive(Debug, Default)]
pub(super) struct Pace(Mutex<BTreeMap<String, Host>>);

#[derive(Debug, Clone, Copy, Default)]
struct Host {
    /// The last turn that was taken; it may be in the future.
    last: Option<Instant>,
    /// Until when all requests wait.
    held: Option<Instant>,
    /// Until when all requests fail, since the host asked for too long a pause, and with which status.
    closed: Option<(Instant, u16)>,
}

fn wait(time: Duration, held: bool, tell: impl FnOnce(Duration, bool)) {
    if !time.is_zero() {
        tell(time, held);
        thread::sleep(time);
    }
}

impl Pace {
    fn at<T>(&self, host: &str, change: impl FnOnce(&mut Host) -> T) -> T {
        // A map is whole whatever happened to a thread that held it.
        let mut hosts = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        change(hosts.entry(host.to_owned()).or_default())
    }

    /// Waits for a turn at a host, `gap` after the one before. `tell` is called if there is a wait: with its length,
    /// and `true` if it is due to [`Pace::hold`].
    pub(super) fn take_turn(&self, host: &str, gap: Duration, tell: impl FnOnce(Duration, bool)) {
        let now = Instant::now();
        let (turn, held) = self.at(host, |host| {
            let due = host.last.map_or(now, |last| last + gap.min(LONGEST));
            let turn = now.max(due).max(host.held.unwrap_or(now));
            host.last = Some(turn);
            (turn, turn > due)
        });
        wait(turn.saturating_duration_since(now), held, tell);
    }

    /// Waits until a [`Pace::hold`] is over, without taking a turn. `tell` is as in [`Pace::take_turn`].
    pub(super) fn wait_out(&self, host: &str, tell: impl FnOnce(Duration, bool)) {
        let held = self.at(host, |host| host.held);
        let left = held.map_or(Duration::ZERO, |held| held.saturating_duration_since(Instant::now()));
        wait(left, true, tell);
    }

    /// Returns the time since the last turn at a host; zero if that is in the future, `None` if there was none.
    pub(super) fn since_last(&self, host: &str) -> Option<Duration> {
        self.at(host, |host| host.last).map(|last| last.elapsed())
    }

    /// Makes all requests to a host wait for a while.
    pub(super) fn hold(&self, host: &str, pause: Duration) {
        let until = Instant::now() + pause.min(LONGEST);
        self.at(host, |host| host.held = host.held.max(Some(until)));
    }

    /// Makes all requests to a host fail for a while, because it answered with this status.
    pub(super) fn close(&self, host: &str, pause: Duration, status: u16) {
        let until = Instant::now() + pause.min(LONGEST);
        self.at(host, |host| host.closed = Some((until, status)));
    }

    /// Returns how long requests to a host still fail, and the status that caused it.
    pub(super) fn closed(&self, host: &str) -> Option<(Duration, u16)> {
        let (until, status) = self.at(host, |host| host.closed)?;
        let left = until.saturating_duration_since(Instant::now());
        (!left.is_zero()).then_some((left, status))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEP: Duration = Duration::from_millis(40);

    #[test]
    fn threads_take_turns_at_one_host_and_not_at_others() {
        let pace = Pace::default();
        assert_eq!(pace.since_last("a.test"), None);
        let begin = Instant::now();
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| pace.take_turn("a.test", STEP, |_, _| ()));
            }
        });
        // The first at once, the others a step after one another.
        assert!(begin.elapsed() >= STEP * 3, "{:?}", begin.elapsed());
        assert!(pace.since_last("a.test").is_some_and(|since| since <= begin.elapsed()));
        assert_eq!(pace.since_last("b.test"), None);
    }

    #[test]
    fn a_host_is_left_alone_for_as_long_as_it_was_asked_for() {
        let pace = Pace::default();
        for is_turn in [false, true] {
            pace.hold("a.test", STEP);
            pace.hold("a.test", Duration::ZERO);
            let begin = Instant::now();
            if is_turn {
                pace.take_turn("a.test", Duration::ZERO, |_, _| ());
            } else {
                pace.wait_out("a.test", |_, _| ());
            }
            assert!(begin.elapsed() >= STEP / 2, "{:?}", begin.elapsed());
        }
        pace.close("a.test", STEP, 429);
        assert!(pace.closed("a.test").is_some_and(|(left, status)| left <= STEP && status == 429));
        assert_eq!(pace.closed("b.test"), None);
        thread::sleep(STEP);
        assert_eq!(pace.closed("a.test"), None);
    }

    #[test]
    fn times_do_not_overflow() {
        let pace = Pace::default();
        pace.take_turn("a.test", Duration::MAX, |_, _| ());
        pace.hold("b.test", Duration::MAX);
        pace.close("b.test", Duration::MAX, 503);
        assert!(pace.closed("b.test").is_some_and(|(left, _)| left > Duration::from_hours(23)));
    }
}
