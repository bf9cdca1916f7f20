//! Ctrl-C: the first one ends the work in order, the second one at once.

use crate::exit::Exit;
use crate::jobs::STACK;
use std::panic::resume_unwind;
use std::process;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::Duration;

/// How often to check for Ctrl-C while waiting.
const LOOK: Duration = Duration::from_millis(50);

/// Whether Ctrl-C came.
#[derive(Debug, Clone)]
pub(crate) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Handles Ctrl-C from now on.
    pub(crate) fn catch() -> Interrupt {
        let came = Arc::new(AtomicBool::new(false));
        let seen = Arc::clone(&came);
        let end = move || {
            if seen.swap(true, Ordering::SeqCst) {
                process::exit(i32::from(Exit::Interrupted.code()));
            }
        };
        // Where no handler can be set, Ctrl-C ends the program at once.
        let _ = ctrlc::set_handler(end);
        Interrupt(came)
    }

    /// Returns `true` after Ctrl-C.
    pub(crate) fn came(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }

    /// Runs a slow job; returns `None` if Ctrl-C comes first. The job then goes on until the program ends, and nobody
    /// waits for it.
    pub(crate) fn unless<T: Send + 'static>(&self, job: impl FnOnce() -> T + Send + 'static) -> Option<T> {
        if self.came() {
            return None;
        }
        let (send, receive) = mpsc::channel();
        let work = move || {
            // Nobody receives what comes after Ctrl-C.
            let _ = send.send(job());
        };
        let worker = thread::Builder::new().stack_size(STACK).spawn(work).expect("a thread can be started");
        loop {
            match receive.recv_timeout(LOOK) {
                Ok(done) => return Some(done),
                Err(RecvTimeoutError::Timeout) if self.came() => return None,
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
    use std::time::Instant;

    #[test]
    fn nobody_waits_for_a_job_once_ctrl_c_came() {
        let interrupt = Interrupt(Arc::default());
        assert_eq!(interrupt.unless(|| 7), Some(7));
        let later = interrupt.clone();
        let pressed = thread::spawn(move || {
            thread::sleep(Duration::from_millis(100));
            later.0.store(true, Ordering::SeqCst);
        });
        let begin = Instant::now();
        assert_eq!(interrupt.unless(|| thread::sleep(Duration::from_secs(20))), None);
        assert!(begin.elapsed() < Duration::from_secs(10));
        pressed.join().unwrap();
        assert_eq!(interrupt.unless(|| 7), None, "no job is begun after it");
    }

    #[test]
    fn a_panic_of_a_job_is_one_of_who_waits() {
        let interrupt = Interrupt(Arc::default());
        let ended = catch_unwind(AssertUnwindSafe(|| interrupt.unless(|| panic!("on purpose"))));
        assert!(ended.is_err());
    }
}
