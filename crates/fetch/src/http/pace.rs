//! How soon one host is asked again.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The longest pause that is planned, so that no sum of times overflows.
const LONGEST: Duration = Duration::from_hours(24);

/// When each host may be asked again.
///
/// Whoever wants to ask takes the next free time and sleeps until then, so that threads that share a pace ask one
/// host one after the other. Rate limiters of the libraries (`governor`) have one rate for all keys, while each site
/// may set its own by `Crawl-delay`.
#[derive(Debug, Default)]
pub(super) struct Pace(Mutex<BTreeMap<String, Host>>);

#[derive(Debug, Clone, Copy, Default)]
struct Host {
    /// The turn that was taken last; it may lie ahead.
    last: Option<Instant>,
    /// Until when it is left alone, and whoever wants to ask it waits.
    held: Option<Instant>,
    /// Until when it is left alone, longer than anyone waits, and the status that said so.
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

    /// Waits for a turn at a host: `gap` after the one before it. Where there is something to wait for, `tell` gets how
    /// long, and whether it is because the host is to be left alone.
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

    /// Waits until a host need not be left alone any more; this is no turn. `tell` is as in [`Pace::take_turn`].
    pub(super) fn wait_out(&self, host: &str, tell: impl FnOnce(Duration, bool)) {
        let held = self.at(host, |host| host.held);
        let left = held.map_or(Duration::ZERO, |held| held.saturating_duration_since(Instant::now()));
        wait(left, true, tell);
    }

    /// How long ago the last turn at a host was; zero if it lies ahead, `None` if there was none.
    pub(super) fn since_last(&self, host: &str) -> Option<Duration> {
        self.at(host, |host| host.last).map(|last| last.elapsed())
    }

    /// Leaves a host alone for a while from now on: whoever wants to ask it waits.
    pub(super) fn hold(&self, host: &str, pause: Duration) {
        let until = Instant::now() + pause.min(LONGEST);
        self.at(host, |host| host.held = host.held.max(Some(until)));
    }

    /// Leaves a host alone for a while from now on: nobody is to ask it, since this status said so.
    pub(super) fn close(&self, host: &str, pause: Duration, status: u16) {
        let until = Instant::now() + pause.min(LONGEST);
        self.at(host, |host| host.closed = Some((until, status)));
    }

    /// How long a host is still to be left alone by everyone, and the status that said so.
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
