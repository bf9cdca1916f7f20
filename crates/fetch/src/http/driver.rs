//! The thread that sends and receives.

use std::io;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;
use tokio::runtime::{Builder, Handle, Runtime};
use tokio::task::coop;

/// How often a thread that waits asks whether it still has to.
pub(super) const SLICE: Duration = Duration::from_millis(50);

/// Whoever waits to the end.
pub(super) fn never() -> bool {
    false
}

/// Runs futures on a thread of its own, and lets other threads wait for them.
#[derive(Debug)]
pub(super) struct Driver(Option<Runtime>);

impl Driver {
    pub(super) fn new() -> io::Result<Driver> {
        let mut builder = Builder::new_multi_thread();
        let runtime =
            builder.worker_threads(1).thread_name("tsugi-http").enable_io().enable_time().build()?;
        Ok(Driver(Some(runtime)))
    }

    /// Waits for a future. `None` if it panicked, or was dropped because whoever waited is gone.
    ///
    /// Unlike [`Runtime::block_on`] this never panics, whatever the thread that waits is doing.
    pub(super) fn wait<T: Send + 'static>(
        &self,
        future: impl Future<Output = T> + Send + 'static,
        is_gone: &dyn Fn() -> bool,
    ) -> Option<T> {
        let (sender, receiver) = mpsc::sync_channel(1);
        let task = self.0.as_ref()?.spawn(async move { sender.send(future.await) });
        loop {
            match receiver.recv_timeout(SLICE) {
                Ok(came) => return Some(came),
                Err(RecvTimeoutError::Timeout) if !is_gone() => {}
                Err(_) => {
                    task.abort();
                    return None;
                }
            }
        }
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        // Dropping a runtime waits for its threads, which panics where a thread must not wait.
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}

/// Returns `true` on a thread that runs tasks of tokio, where waiting would stop the other tasks. Threads of `spawn_blocking`
/// may wait.
pub(super) fn runs_tasks() -> bool {
    if Handle::try_current().is_err() {
        return false;
    }
    // A task may take some 128 steps before it must yield, a thread of `spawn_blocking` any number. The steps are given
    // back in reverse, since each restores what was left before it.
    let mut context = Context::from_waker(Waker::noop());
    let mut steps = Vec::new();
    for _ in 0..1024 {
        match coop::poll_proceed(&mut context) {
            Poll::Ready(step) => steps.push(step),
            Poll::Pending => break,
        }
    }
    let bounded = steps.len() < 1024;
    while steps.pop().is_some() {}
    bounded
}

#[cfg(test)]
mod tests {
    use super::*;

    fn current_thread() -> Runtime {
        Builder::new_current_thread().build().unwrap()
    }

    fn multi_thread() -> Runtime {
        Builder::new_multi_thread().worker_threads(2).build().unwrap()
    }

    #[test]
    fn a_thread_of_tasks_is_told_from_one_that_may_wait() {
        assert!(!runs_tasks());
        for runtime in [current_thread(), multi_thread()] {
            runtime.block_on(async {
                for _ in 0..3 {
                    assert!(runs_tasks());
                }
                assert!(tokio::spawn(async { runs_tasks() }).await.unwrap());
                assert!(!tokio::task::spawn_blocking(runs_tasks).await.unwrap());
                assert!(coop::has_budget_remaining(), "the steps are given back");
            });
            let _entered = runtime.enter();
            assert!(!runs_tasks(), "a thread that knows a runtime runs none of its tasks");
        }
    }

    #[test]
    fn any_thread_waits_and_drops_without_a_panic() {
        assert_eq!(Driver::new().unwrap().wait(async { 7 }, &never), Some(7));
        current_thread().block_on(async {
            let driver = Driver::new().unwrap();
            assert_eq!(driver.wait(async { 7 }, &never), Some(7));
        });
    }

    #[test]
    fn what_nobody_waits_for_is_dropped() {
        struct Dropped(mpsc::Sender<()>);
        impl Drop for Dropped {
            fn drop(&mut self) {
                let _ = self.0.send(());
            }
        }
        let (sender, receiver) = mpsc::channel();
        let dropped = Dropped(sender);
        let hanging = async move {
            std::future::pending::<()>().await;
            drop(dropped);
        };
        let driver = Driver::new().unwrap();
        assert_eq!(driver.wait(hanging, &|| true), None);
        receiver.recv_timeout(Duration::from_mins(1)).unwrap();
    }
}
