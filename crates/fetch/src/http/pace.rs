//! The pace of requests to one host.

use super::driver::SLICE;
use super::watch::Pause;
use crate::locked::locked;
use std::collections::BTreeMap;
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The longest pause, so that no sum of times overflows.
const LONGEST: Duration = Duration::from_hours(24);

/// When each host was asked, and when it may be asked again.
///
/// A host gets one request at a time: threads that share a pace take turns. A turn begins when the request before is over,
/// and left long enough ago. The library `governor` has one rate for all keys, but each site may set its own by
/// `Crawl-delay`.
#[derive(Debug)]
pub(super) struct Pace {
    delay: Duration,
    patience: Duration,
    hosts: Mutex<BTreeMap<String, Host>>,
    ended: Condvar,
}

#[derive(Debug, Clone, Copy, Default)]
struct Host {
    taken: bool,
    last: Option<Instant>,
    /// When the last one left that was not for a `robots.txt`.
    last_page: Option<Instant>,
    held: Option<Instant>,
    /// Until when all requests fail, since the host asked for too long a pause, and with which status.
    closed: Option<(Instant, u16)>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Shut {
    /// Whoever waited for the turn waits no longer.
    Unwanted,
    Closed {
        after: Duration,
        status: u16,
    },
    TooSlow,
}

/// The turn at a host. The next one begins after this is dropped.
#[derive(Debug)]
pub(super) struct HostTurn<'a> {
    pace: &'a Pace,
    host: &'a str,
    is_page: bool,
}

impl HostTurn<'_> {
    pub(super) fn left(&self, at: Instant) {
        self.pace.at(self.host, |host| host.leaves(at, self.is_page));
    }
}

impl Drop for HostTurn<'_> {
    fn drop(&mut self) {
        self.pace.at(self.host, |host| host.taken = false);
        self.pace.ended.notify_all();
    }
}

impl Host {
    fn leaves(&mut self, at: Instant, is_page: bool) {
        self.last = Some(at);
        if is_page {
            self.last_page = Some(at);
        }
    }

    /// Returns when a request may leave, and what it waits for. `crawl_delay` is the time since the last page, and `None`
    /// for a `robots.txt`.
    fn due(&self, delay: Duration, crawl_delay: Option<Duration>) -> Option<(Instant, Pause)> {
        let after = |last: Option<Instant>, gap: Duration| last.map(|last| last + gap.min(LONGEST));
        let of_site = crawl_delay.and_then(|gap| after(self.last_page, gap));
        let all =
            [(of_site, Pause::CrawlDelay), (after(self.last, delay), Pause::Delay), (self.held, Pause::Held)];
        all.into_iter().filter_map(|(until, why)| Some((until?, why))).max_by_key(|(until, _)| *until)
    }
}

impl Pace {
    pub(super) fn new(delay: Duration, patience: Duration) -> Pace {
        Pace { delay, patience, hosts: Mutex::default(), ended: Condvar::new() }
    }

    fn at<T>(&self, host: &str, change: impl FnOnce(&mut Host) -> T) -> T {
        change(locked(&self.hosts).entry(host.to_owned()).or_default())
    }

    /// Waits for the turn at a host and for the time when its request may leave, which is when this returns.
    ///
    /// `crawl_delay` is the time that the site wants between pages; it is `None` for a `robots.txt`, which waits for the
    /// plain delay only. `tell` is called before the first pause, with its length and reason;
    /// the wait ends early once `is_gone` is true.
    pub(super) fn take_turn<'a>(
        &'a self,
        host: &'a str,
        crawl_delay: Option<Duration>,
        is_gone: &dyn Fn() -> bool,
        tell: impl FnOnce(Duration, Pause),
    ) -> Result<HostTurn<'a>, Shut> {
        let mut hosts = locked(&self.hosts);
        while hosts.get(host).is_some_and(|host| host.taken) {
            if is_gone() {
                return Err(Shut::Unwanted);
            }
            hosts = self.ended.wait_timeout(hosts, SLICE).unwrap_or_else(PoisonError::into_inner).0;
        }
        hosts.entry(host.to_owned()).or_default().taken = true;
        drop(hosts);
        let turn = HostTurn { pace: self, host, is_page: crawl_delay.is_some() };
        let mut tell = Some(tell);
        // Other threads may hold or close the host meanwhile.
        while let Some((pause, why)) = self.at(host, |host| self.step(host, crawl_delay))? {
            if let Some(tell) = tell.take() {
                tell(pause, why);
            }
            if is_gone() {
                return Err(Shut::Unwanted);
            }
            thread::sleep(pause.min(SLICE));
        }
        Ok(turn)
    }

    /// Lets a request for a part of a page leave, once the host no longer asks for a pause. It takes no turn: a page waits for
    /// several of its parts at once, and one of them may take long.
    pub(super) fn pass(&self, host: &str, tell: impl FnOnce(Duration, Pause)) -> Result<(), Shut> {
        let mut tell = Some(tell);
        loop {
            let now = Instant::now();
            let Host { closed, held, .. } = self.at(host, |host| *host);
            if let Some((until, status)) = closed.filter(|(until, _)| *until > now) {
                return Err(Shut::Closed { after: until - now, status });
            }
            let Some(until) = held.filter(|until| *until > now) else { break };
            if let Some(tell) = tell.take() {
                tell(until - now, Pause::Held);
            }
            thread::sleep(until - now);
        }
        self.at(host, |host| host.leaves(Instant::now(), false));
        Ok(())
    }

    /// Returns how long the turn has to wait, and for what. If it need not, the request leaves.
    fn step(
        &self,
        host: &mut Host,
        crawl_delay: Option<Duration>,
    ) -> Result<Option<(Duration, Pause)>, Shut> {
        let now = Instant::now();
        if let Some((until, status)) = host.closed.filter(|(until, _)| *until > now) {
            return Err(Shut::Closed { after: until - now, status });
        }
        if let Some((until, why)) = host.due(self.delay, crawl_delay).filter(|(until, _)| *until > now) {
            let is_slow = why == Pause::CrawlDelay && crawl_delay > Some(self.patience);
            return if is_slow { Err(Shut::TooSlow) } else { Ok(Some((until - now, why))) };
        }
        host.leaves(now, crawl_delay.is_some());
        Ok(None)
    }

    pub(super) fn hold(&self, host: &str, pause: Duration) {
        let until = Instant::now() + pause.min(LONGEST);
        self.at(host, |host| host.held = host.held.max(Some(until)));
    }

    pub(super) fn close(&self, host: &str, pause: Duration, status: u16) {
        let until = Instant::now() + pause.min(LONGEST);
        self.at(host, |host| host.closed = Some((until, status)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::driver::never;
    use std::sync::atomic::{AtomicUsize, Ordering};

    const STEP: Duration = Duration::from_millis(40);
    const PAGE: Option<Duration> = Some(Duration::ZERO);

    fn pace() -> Pace {
        Pace::new(STEP, Duration::from_mins(1))
    }

    fn turn(pace: &Pace, crawl_delay: Option<Duration>) -> Result<(), Shut> {
        pace.take_turn("a.test", crawl_delay, &never, |_, _| ()).map(drop)
    }

    #[test]
    fn threads_take_turns_at_one_host_and_not_at_others() {
        let (pace, under_way, begin) = (pace(), AtomicUsize::new(0), Instant::now());
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    let _turn = pace.take_turn("a.test", PAGE, &never, |_, _| ()).unwrap();
                    assert_eq!(under_way.fetch_add(1, Ordering::SeqCst), 0, "one request at a time");
                    thread::sleep(STEP / 8);
                    under_way.fetch_sub(1, Ordering::SeqCst);
                });
            }
        });
        // The first at once, the others a step after one another.
        assert!(begin.elapsed() >= STEP * 3, "{:?}", begin.elapsed());
        let _here = pace.take_turn("a.test", PAGE, &never, |_, _| ()).unwrap();
        let mut waited = false;
        let _there = pace.take_turn("b.test", PAGE, &never, |_, _| waited = true).unwrap();
        assert!(!waited, "another host is free");
    }

    #[test]
    fn a_gap_is_counted_from_when_the_request_left() {
        let (pace, begin) = (pace(), Instant::now());
        turn(&pace, PAGE).unwrap();
        thread::scope(|scope| {
            let late = scope.spawn(|| {
                turn(&pace, PAGE).unwrap();
                begin.elapsed()
            });
            // While that one waits, the host is held. It leaves later than planned, and the next one a step after it.
            pace.hold("a.test", STEP * 4);
            assert!(late.join().unwrap() >= STEP * 4);
        });
        turn(&pace, PAGE).unwrap();
        assert!(begin.elapsed() >= STEP * 5, "{:?}", begin.elapsed());
    }

    #[test]
    fn connecting_is_no_part_of_a_gap() {
        let pace = pace();
        for crawl_delay in [None, Some(STEP)] {
            let slow = pace.take_turn("a.test", crawl_delay, &never, |_, _| ()).unwrap();
            thread::sleep(STEP * 2);
            let left = Instant::now();
            slow.left(left);
            drop(slow);
            turn(&pace, crawl_delay).unwrap();
            assert!(left.elapsed() >= STEP, "{:?}", left.elapsed());
        }
    }

    #[test]
    fn a_site_sets_the_time_between_pages_and_not_that_before_its_rules() {
        let pace = Pace::new(STEP * 5, Duration::from_mins(1));
        let why = |crawl_delay| {
            let mut why = None;
            let _turn = pace.take_turn("a.test", crawl_delay, &never, |_, reason| why = Some(reason));
            why
        };
        assert_eq!(why(Some(STEP * 15)), None);
        assert_eq!(why(None), Some(Pause::Delay));
        assert_eq!(why(Some(STEP * 15)), Some(Pause::CrawlDelay));
        let long = Some(Duration::from_hours(2));
        assert_eq!(turn(&pace, long), Err(Shut::TooSlow));
        assert_eq!(
            pace.take_turn("b.test", long, &never, |_, _| ()).map(drop),
            Ok(()),
            "nothing went before"
        );
    }

    #[test]
    fn a_host_is_left_alone_for_as_long_as_it_was_asked_for() {
        let pace = pace();
        for crawl_delay in [None, PAGE] {
            let begin = Instant::now();
            pace.hold("a.test", STEP * 2);
            pace.hold("a.test", Duration::ZERO);
            turn(&pace, crawl_delay).unwrap();
            assert!(begin.elapsed() >= STEP * 2, "{:?}", begin.elapsed());
        }
        let hour = Duration::from_hours(1);
        pace.close("a.test", hour, 429);
        assert!(matches!(turn(&pace, PAGE), Err(Shut::Closed { after, status: 429 }) if after <= hour));
        assert!(pace.take_turn("b.test", PAGE, &never, |_, _| ()).is_ok());
        pace.close("a.test", STEP, 429);
        thread::sleep(STEP);
        assert_eq!(turn(&pace, PAGE), Ok(()));
    }

    #[test]
    fn parts_of_a_page_wait_for_no_turn_but_for_what_the_host_asks() {
        let pace = Pace::new(Duration::from_hours(1), Duration::from_mins(1));
        let _page = pace.take_turn("a.test", PAGE, &never, |_, _| ()).unwrap();
        let begin = Instant::now();
        for _ in 0..3 {
            pace.pass("a.test", |_, _| unreachable!("nothing is to be waited for")).unwrap();
        }
        assert!(begin.elapsed() < Duration::from_secs(10));
        pace.hold("a.test", STEP);
        let mut told = None;
        pace.pass("a.test", |_, why| told = Some(why)).unwrap();
        assert!(begin.elapsed() >= STEP && told == Some(Pause::Held));
        pace.close("a.test", STEP * 100, 429);
        assert!(matches!(pace.pass("a.test", |_, _| ()), Err(Shut::Closed { status: 429, .. })));
    }

    #[test]
    fn times_do_not_overflow() {
        let pace = Pace::new(Duration::MAX, Duration::MAX);
        turn(&pace, Some(Duration::MAX)).unwrap();
        pace.hold("b.test", Duration::MAX);
        pace.close("b.test", Duration::MAX, 503);
        let shut = pace.take_turn("b.test", PAGE, &never, |_, _| ()).map(drop);
        assert!(matches!(shut, Err(Shut::Closed { after, .. }) if after > Duration::from_hours(23)));
    }
}
