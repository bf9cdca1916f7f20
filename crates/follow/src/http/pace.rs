//! How soon one host is asked again.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
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

#[derive(Debug, Clone, Copy)]
struct Host {
    /// The next free time.
    next: Instant,
    /// Until when it wants to be left alone, longer than anyone waits, and the status that said so.
    closed: Option<(Instant, u16)>,
}

impl Pace {
    fn hosts(&self) -> MutexGuard<'_, BTreeMap<String, Host>> {
        // A map is whole whatever happened to a thread that held it.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until a host may be asked; the next one waits for `delay` longer.
    pub(super) fn wait(&self, host: &str, delay: Duration) {
        let now = Instant::now();
        let turn = {
            let mut hosts = self.hosts();
            let host = hosts.entry(host.to_owned()).or_insert(Host { next: now, closed: None });
            let turn = now.max(host.next);
            host.next = turn + delay.min(LONGEST);
            turn
        };
        thread::sleep(turn.saturating_duration_since(now));
    }

    /// Leaves a host alone for a while from now on: whoever wants to ask it waits.
    pub(super) fn hold(&self, host: &str, pause: Duration) {
        let until = Instant::now() + pause.min(LONGEST);
        let mut hosts = self.hosts();
        let host = hosts.entry(host.to_owned()).or_insert(Host { next: until, closed: None });
        host.next = until.max(host.next);
    }

    /// Leaves a host alone for a while from now on: nobody is to ask it, since this status said so.
    pub(super) fn close(&self, host: &str, pause: Duration, status: u16) {
        let now = Instant::now();
        let closed = Some((now + pause.min(LONGEST), status));
        self.hosts().entry(host.to_owned()).or_insert(Host { next: now, closed }).closed = closed;
    }

    /// How long a host is still to be left alone, and the status that said so.
    pub(super) fn closed(&self, host: &str) -> Option<(Duration, u16)> {
        let (until, status) = self.hosts().get(host)?.closed?;
        let left = until.saturating_duration_since(Instant::now());
        (!left.is_zero()).then_some((left, status))
    }

    /// How long one would wait for a host.
    pub(super) fn ahead(&self, host: &str) -> Duration {
        let next = self.hosts().get(host).map(|host| host.next);
        next.map_or(Duration::ZERO, |next| next.saturating_duration_since(Instant::now()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STEP: Duration = Duration::from_millis(40);

    #[test]
    fn threads_take_turns_at_one_host_and_not_at_others() {
        let pace = Pace::default();
        let begin = Instant::now();
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| pace.wait("a.test", STEP));
            }
        });
        // The first at once, the others a step after one another.
        assert!(begin.elapsed() >= STEP * 3, "{:?}", begin.elapsed());
        assert!(pace.ahead("a.test") <= STEP);
        assert_eq!(pace.ahead("b.test"), Duration::ZERO);
    }

    #[test]
    fn a_host_is_left_alone_for_as_long_as_it_was_asked_for() {
        let pace = Pace::default();
        pace.hold("a.test", STEP);
        pace.hold("a.test", Duration::ZERO);
        let begin = Instant::now();
        pace.wait("a.test", Duration::ZERO);
        assert!(begin.elapsed() >= STEP / 2, "{:?}", begin.elapsed());
        pace.close("a.test", STEP, 429);
        assert!(pace.closed("a.test").is_some_and(|(left, status)| left <= STEP && status == 429));
        assert_eq!(pace.closed("b.test"), None);
        thread::sleep(STEP);
        assert_eq!(pace.closed("a.test"), None);
        pace.hold("b.test", Duration::MAX);
        pace.close("d.test", Duration::MAX, 503);
        pace.wait("c.test", Duration::MAX);
        assert!(pace.ahead("b.test") > Duration::from_hours(23));
    }
}
