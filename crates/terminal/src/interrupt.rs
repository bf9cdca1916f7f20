//! What ends work early: Ctrl-C, in order the first time and at once the second, and time limits.

use crate::exit::Exit;
use crate::output::discard_unfinished;
use std::panic::resume_unwind;
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};
use tsugi::pipeline::STACK;

/// How often to check for Ctrl-C and the time while waiting.
const LOOK: Duration = Duration::from_millis(50);

/// Whether Ctrl-C came, or the time is up.
#[derive(Debug, Clone, Default)]
pub struct Interrupt {
    came: Arc<AtomicBool>,
    until: Option<Instant>,
}

/// What the command looks at, if it ends in order.
static CAUGHT: OnceLock<Interrupt> = OnceLock::new();

/// Handles Ctrl-C from now on: it ends the program at once, without unfinished files, unless [`Interrupt::catch`] is called.
#[expect(clippy::exit, reason = "a signal ends the program where it is")]
pub fn handle() {
    let end = || {
        if CAUGHT.get().is_none_or(|interrupt| interrupt.came.swap(true, Ordering::SeqCst)) {
            discard_unfinished();
            process::exit(i32::from(Exit::Interrupted.code()));
        }
    };
    // Where no handler can be set, the next run removes unfinished files.
    let _ = ctrlc::set_handler(end);
}

impl Interrupt {
    /// Lets the first Ctrl-C end the work in order.
    pub fn catch() -> Interrupt {
        CAUGHT.get_or_init(Interrupt::default).clone()
    }

    /// Limits the time from now on, unless there is a shorter limit already.
    #[must_use]
    pub fn within(&self, time: Option<Duration>) -> Interrupt {
        let until = time.map(|time| Instant::now() + time);
        let until = [self.until, until].into_iter().flatten().min();
        Interrupt { came: Arc::clone(&self.came), until }
    }

    /// Returns `true` after Ctrl-C.
    pub fn came(&self) -> bool {
        self.came.load(Ordering::SeqCst)
    }

    /// Returns `true` once the time is up.
    pub fn is_late(&self) -> bool {
        self.until.is_some_and(|until| Instant::now() >= until)
    }

    /// Returns `true` after Ctrl-C, and once the time is up.
    pub fn ends(&self) -> bool {
        self.came() || self.is_late()
    }

    /// Runs a slow job; returns `None` if Ctrl-C comes first, or the end of the time. The job then goes on until the program
    /// ends, and nobody waits for it.
    ///
    /// # Panics
    ///
    /// If the job panics, or the system has no thread left.
    pub fn unless<T: Send + 'static>(&self, job: impl FnOnce() -> T + Send + 'static) -> Option<T> {
        if self.ends() {
            return None;
        }
        // No client that can be cancelled is needed: the request runs on, and nobody waits for it.
        let (send, receive) = mpsc::channel();
        let work = move || {
            // Nobody receives what comes later.
            let _ = send.send(job());
        };
        let worker = thread::Builder::new().stack_size(STACK).spawn(work).expect("a thread can be started");
        loop {
            match receive.recv_timeout(LOOK) {
                Ok(done) => return Some(done),
                Err(RecvTimeoutError::Timeout) if self.ends() => return None,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => match worker.join() {
                    Err(panic) => resume_unwind(panic),
                    Ok(()) => return None,
                },
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    #[test]
    fn nobody_waits_for_a_job_once_ctrl_c_came() {
        let interrupt = Interrupt::default();
        assert_eq!(interrupt.unless(|| 7), Some(7));
        let later = interrupt.clone();
        let pressed = thread::spawn(move || {
            thread::sleep(Duration::from_millis(100));
            later.came.store(true, Ordering::SeqCst);
        });
        let begin = Instant::now();
        assert_eq!(interrupt.unless(|| thread::sleep(Duration::from_secs(20))), None);
        assert!(begin.elapsed() < Duration::from_secs(10));
        pressed.join().unwrap();
        assert_eq!(interrupt.unless(|| 7), None, "no job is begun after it");
    }

    #[test]
    fn nobody_waits_for_a_job_once_the_time_is_up() {
        let long = Interrupt::default().within(Some(Duration::from_hours(1)));
        assert_eq!(long.within(None).unless(|| 7), Some(7));
        let short = long.within(Some(Duration::from_millis(1)));
        assert_eq!(short.unless(|| thread::sleep(Duration::from_mins(1))), None);
        assert!(short.is_late() && !short.came() && !long.is_late());
        assert!(short.within(Some(Duration::from_hours(1))).is_late(), "the shorter limit counts");
    }

    #[test]
    fn a_panic_of_a_job_is_one_of_who_waits() {
        let interrupt = Interrupt::default();
        let ended = catch_unwind(AssertUnwindSafe(|| interrupt.unless(|| panic!("on purpose"))));
        assert!(ended.is_err());
    }
}
