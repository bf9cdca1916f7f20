//! Slow work, a thread a job, and only so much at a time.
//!
//! Jobs are no futures, because `Http` and the models block: they would hold up the runtime's few threads.

use crate::error::ApiError;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use tokio::sync::{Semaphore, oneshot};
use tsugi::pipeline::STACK;

/// The most jobs that run at the same time: more than there are cores, because most of them wait for a site.
const RUNNING: usize = 16;

/// The most jobs that wait for a turn. Further requests are refused.
const WAITING: usize = 512;

/// Tells a job that its answer is no longer wanted.
#[derive(Debug, Clone)]
pub(crate) struct Cancel {
    own: Arc<AtomicBool>,
    all: Arc<AtomicBool>,
}

impl Cancel {
    pub(crate) fn is_set(&self) -> bool {
        self.own.load(Ordering::Relaxed) || self.all.load(Ordering::Relaxed)
    }

    /// Cancels the job when the guard is dropped, that is when nobody waits for the answer.
    pub(crate) fn on_drop(&self) -> CancelOnDrop {
        CancelOnDrop(Arc::clone(&self.own))
    }
}

#[derive(Debug)]
pub(crate) struct CancelOnDrop(Arc<AtomicBool>);

impl Drop for CancelOnDrop {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

#[derive(Debug)]
pub(crate) struct JobQueue {
    running: Arc<Semaphore>,
    /// Waiting and running jobs.
    waiting: Arc<Semaphore>,
    stopped: Arc<AtomicBool>,
}

impl JobQueue {
    pub(crate) fn new() -> JobQueue {
        JobQueue {
            running: Arc::new(Semaphore::new(RUNNING)),
            waiting: Arc::new(Semaphore::new(RUNNING + WAITING)),
            stopped: Arc::new(AtomicBool::new(false)),
        }
    }

    pub(crate) fn stop(&self) {
        self.stopped.store(true, Ordering::Relaxed);
    }

    pub(crate) fn cancel(&self) -> Cancel {
        Cancel { own: Arc::default(), all: Arc::clone(&self.stopped) }
    }

    /// Runs a job and waits for it. If the caller is dropped, the job is cancelled.
    pub(crate) async fn run<T: Send + 'static>(
        &self,
        job: impl FnOnce(&Cancel) -> T + Send + 'static,
    ) -> Result<T, ApiError> {
        let cancel = self.cancel();
        let _guard = cancel.on_drop();
        let (send, receive) = oneshot::channel();
        self.start(move || {
            // Nobody receives what comes later.
            let _ = send.send(job(&cancel));
        })
        .await?;
        receive.await.map_err(|_| ApiError::internal("the page could not be processed"))
    }

    pub(crate) async fn start(&self, job: impl FnOnce() + Send + 'static) -> Result<(), ApiError> {
        let place = Arc::clone(&self.waiting).try_acquire_owned().map_err(|_| ApiError::busy())?;
        let turn = Arc::clone(&self.running).acquire_owned().await.map_err(|_| ApiError::busy())?;
        let work = move || {
            job();
            drop((place, turn));
        };
        thread::Builder::new().stack_size(STACK).spawn(work).map_err(|_| ApiError::busy())?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::StatusCode;
    use std::time::Duration;

    fn block_on<T>(future: impl Future<Output = T>) -> T {
        tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(future)
    }

    #[test]
    fn a_panic_of_a_job_is_an_answer() {
        let jobs = JobQueue::new();
        assert_eq!(block_on(jobs.run(|_| 7)), Ok(7));
        let panicked = block_on(jobs.run(|_| -> u8 { panic!("on purpose") }));
        assert_eq!(panicked.unwrap_err().status, StatusCode::INTERNAL_SERVER_ERROR);
    }

    #[test]
    fn a_job_that_nobody_waits_for_is_cancelled() {
        let (send, receive) = std::sync::mpsc::channel();
        let jobs = JobQueue::new();
        block_on(async {
            let job = jobs.run(move |cancel: &Cancel| {
                while !cancel.is_set() {
                    thread::sleep(Duration::from_millis(1));
                }
                send.send(()).unwrap();
            });
            assert!(tokio::time::timeout(Duration::from_millis(20), job).await.is_err());
        });
        receive.recv_timeout(Duration::from_mins(1)).unwrap();
    }

    #[test]
    fn no_more_jobs_wait_than_there_is_room_for() {
        let jobs = JobQueue { waiting: Arc::new(Semaphore::new(0)), ..JobQueue::new() };
        assert_eq!(block_on(jobs.run(|_| 7)), Err(ApiError::busy()));
    }
}
