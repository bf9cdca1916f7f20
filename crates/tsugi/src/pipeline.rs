//! Reads, works and writes in parallel. Results are written in the order of the jobs, whatever the number of workers.

use std::collections::VecDeque;
use std::io;
use std::num::NonZeroUsize;
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;

pub use tsugi_fetch::locked;

/// The stack of a thread that processes pages, in bytes: the default of a main thread on most systems.
pub const STACK: usize = 8 << 20;

/// A value that takes up memory while it waits.
pub trait Weigh {
    /// Returns its size in bytes, roughly.
    fn weight(&self) -> usize;
}

/// Limits. Nothing more is read while one of them is reached.
#[derive(Debug, Clone, Copy)]
pub struct Bounds {
    /// Jobs per worker that are read and not begun: enough that no worker waits for the reader.
    pub waiting: usize,
    /// Jobs that are read and not written: so many results can wait for one slow job.
    pub unwritten: usize,
    /// The size of those jobs and their results, in bytes; the last one may exceed it.
    pub bytes: usize,
    /// The size of the jobs being worked on, in bytes, since a large job needs a multiple of its size; one job may
    /// always run.
    pub working: usize,
}

/// Runs all jobs with at most this many workers, and hands the results to `write` in the order of the jobs, on the
/// thread of the caller. With one worker everything runs there, one job after the other.
///
/// Threads start when there are jobs for them. After an error of `write` nothing more begins, and running jobs are
/// waited for.
///
/// # Errors
///
/// The first error of `write`, or that of the system if no thread can be started.
///
/// # Panics
///
/// If `jobs`, `work` or `write` panics, after all threads have ended.
pub fn run<J: Weigh + Send, R: Weigh + Send, E: From<io::Error>>(
    workers: NonZeroUsize,
    bounds: Bounds,
    mut jobs: impl Iterator<Item = J> + Send,
    work: impl Fn(J) -> R + Sync,
    mut write: impl FnMut(R) -> Result<(), E>,
) -> Result<(), E> {
    if workers.get() == 1 {
        return jobs.try_for_each(|job| write(work(job)));
    }
    let line = Queues::new(workers.get(), bounds);
    let (line, work) = (&line, &work);
    thread::scope(|scope| {
        // However this thread ends, the others end as well.
        let _stop = Stop { line, always: true };
        let start_worker = move || {
            let worker = thread::Builder::new().stack_size(STACK);
            worker.spawn_scoped(scope, move || line.work(work)).map(drop)
        };
        let reader = thread::Builder::new().stack_size(STACK);
        let reader = reader
            .spawn_scoped(scope, move || line.read(jobs, start_worker))
            .map_err(|error| no_thread(&error))?;
        while let Some(result) = line.next_result() {
            write(result)?;
        }
        match reader.join() {
            Ok(read) => read.map_err(|error| no_thread(&error).into()),
            Err(panic) => std::panic::resume_unwind(panic),
        }
    })
}

fn no_thread(error: &io::Error) -> io::Error {
    io::Error::new(error.kind(), format!("no thread can be started: {error}"))
}

/// The queues between the reader, the workers and the writer.
#[derive(Debug)]
struct Queues<J, R> {
    workers: usize,
    bounds: Bounds,
    state: Mutex<PipelineState<J, R>>,
    /// Wakes the reader: there may be room.
    room: Condvar,
    /// Wakes a worker: there is a job, or there are no more.
    jobs: Condvar,
    /// Wakes the writer: the next result is there, or there are no more.
    results: Condvar,
}

#[derive(Debug)]
struct PipelineState<J, R> {
    waiting: VecDeque<(usize, J)>,
    /// The position of the first job that is not written.
    written: usize,
    /// The results from that position on; `None` for a job that is not done.
    unwritten: VecDeque<Option<R>>,
    bytes: usize,
    /// The size of the jobs being worked on.
    working: usize,
    /// The number of waiting workers.
    idle: usize,
    /// The reader is done.
    read_to_end: bool,
    /// Everything is to stop.
    stopped: bool,
}

impl<J: Weigh, R: Weigh> Queues<J, R> {
    fn new(workers: usize, bounds: Bounds) -> Queues<J, R> {
        let state = PipelineState {
            waiting: VecDeque::new(),
            written: 0,
            unwritten: VecDeque::new(),
            bytes: 0,
            working: 0,
            idle: 0,
            read_to_end: false,
            stopped: false,
        };
        let (room, jobs, results) = (Condvar::new(), Condvar::new(), Condvar::new());
        Queues { workers, bounds, state: Mutex::new(state), room, jobs, results }
    }

    /// Reads jobs while there is room, and starts a worker for a job if none is waiting. Returns the error of the
    /// system if not even one worker can be started.
    fn read(
        &self,
        mut jobs: impl Iterator<Item = J>,
        start_worker: impl Fn() -> io::Result<()>,
    ) -> io::Result<()> {
        let _stop = Stop { line: self, always: false };
        let mut started = 0;
        let mut most = self.workers;
        while self.wait_for_room() {
            let Some(job) = jobs.next() else { break };
            if self.put(job) && started < most {
                match start_worker() {
                    Ok(()) => started += 1,
                    Err(error) if started == 0 => {
                        self.stop();
                        return Err(error);
                    }
                    // With fewer workers it takes longer, no more.
                    Err(_) => most = started,
                }
            }
        }
        locked(&self.state).read_to_end = true;
        self.jobs.notify_all();
        self.results.notify_one();
        Ok(())
    }

    /// Waits for room; returns `false` if everything is to stop.
    fn wait_for_room(&self) -> bool {
        let full = |state: &mut PipelineState<J, R>| {
            !state.stopped
                && (state.waiting.len() >= self.bounds.waiting * self.workers
                    || state.unwritten.len() >= self.bounds.unwritten
                    || state.bytes >= self.bounds.bytes)
        };
        let state = self.room.wait_while(locked(&self.state), full);
        !state.unwrap_or_else(PoisonError::into_inner).stopped
    }

    /// Queues a job; returns `true` if more jobs than workers are waiting.
    fn put(&self, job: J) -> bool {
        let mut state = locked(&self.state);
        state.bytes += job.weight();
        let place = state.written + state.unwritten.len();
        state.unwritten.push_back(None);
        state.waiting.push_back((place, job));
        let are_more = state.waiting.len() > state.idle;
        drop(state);
        self.jobs.notify_one();
        are_more
    }

    /// Works on jobs until there are none.
    fn work(&self, work: &impl Fn(J) -> R) {
        let _stop = Stop { line: self, always: false };
        while let Some((place, job)) = self.take() {
            let weight = job.weight();
            self.finish(place, weight, work(job));
        }
    }

    fn take(&self) -> Option<(usize, J)> {
        let mut state = locked(&self.state);
        state.idle += 1;
        let none_yet = |state: &mut PipelineState<J, R>| {
            !state.stopped
                && match state.waiting.front() {
                    Some((_, job)) => state.working > 0 && state.working + job.weight() > self.bounds.working,
                    None => !state.read_to_end,
                }
        };
        let mut state = self.jobs.wait_while(state, none_yet).unwrap_or_else(PoisonError::into_inner);
        state.idle -= 1;
        let taken = if state.stopped { None } else { state.waiting.pop_front() };
        state.working += taken.as_ref().map_or(0, |(_, job)| job.weight());
        drop(state);
        self.room.notify_one();
        taken
    }

    fn finish(&self, place: usize, weight: usize, result: R) {
        let mut state = locked(&self.state);
        state.bytes = state.bytes - weight + result.weight();
        state.working -= weight;
        let place = place - state.written;
        state.unwritten[place] = Some(result);
        drop(state);
        if place == 0 {
            self.results.notify_one();
        }
        self.room.notify_one();
        // There may be room for a large job now.
        self.jobs.notify_all();
    }

    /// Waits for the next result; `None` if there is none.
    fn next_result(&self) -> Option<R> {
        let none_yet = |state: &mut PipelineState<J, R>| {
            !state.stopped
                && match state.unwritten.front() {
                    Some(first) => first.is_none(),
                    None => !state.read_to_end,
                }
        };
        let state = self.results.wait_while(locked(&self.state), none_yet);
        let mut state = state.unwrap_or_else(PoisonError::into_inner);
        if state.stopped {
            return None;
        }
        let result = state.unwritten.pop_front().flatten()?;
        state.bytes -= result.weight();
        state.written += 1;
        drop(state);
        self.room.notify_one();
        Some(result)
    }
}

impl<J, R> Queues<J, R> {
    fn stop(&self) {
        locked(&self.state).stopped = true;
        self.room.notify_all();
        self.jobs.notify_all();
        self.results.notify_all();
    }
}

/// Stops all threads when one of them panics, or ends if `always`: otherwise others would wait for ever.
struct Stop<'a, J, R> {
    line: &'a Queues<J, R>,
    always: bool,
}

impl<J, R> Drop for Stop<'_, J, R> {
    fn drop(&mut self) {
        if self.always || thread::panicking() {
            self.line.stop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::{Duration, Instant};

    /// A job or a result of some weight.
    #[derive(Debug, PartialEq, Eq)]
    struct TestJob(usize, usize);

    impl Weigh for TestJob {
        fn weight(&self) -> usize {
            self.1
        }
    }

    const BOUNDS: Bounds = Bounds { waiting: 2, unwritten: 50, bytes: 1000, working: 10_000 };

    fn workers(count: usize) -> NonZeroUsize {
        NonZeroUsize::new(count).unwrap()
    }

    fn numbers(count: usize) -> impl Iterator<Item = TestJob> + Send {
        (0..count).map(|number| TestJob(number, 1))
    }

    /// Runs all jobs; returns the numbers of the results as they are written.
    fn written(
        count: usize,
        bounds: Bounds,
        jobs: impl Iterator<Item = TestJob> + Send,
        work: impl Fn(TestJob) -> TestJob + Sync,
    ) -> Vec<usize> {
        let mut written = Vec::new();
        let write = |TestJob(number, _)| {
            written.push(number);
            Ok::<(), io::Error>(())
        };
        run(workers(count), bounds, jobs, work, write).unwrap();
        written
    }

    #[test]
    fn results_are_written_in_the_order_of_the_jobs() {
        for (count, jobs) in [(1, 40), (2, 40), (7, 40), (60, 40), (3, 0), (3, 1), (2, 1000)] {
            let work = |TestJob(number, _)| {
                // The first ones take longest.
                let pause = if jobs > 40 { 0 } else { 200 * (9 - number as u64 % 10) };
                thread::sleep(Duration::from_micros(pause));
                TestJob(number * 2, 7)
            };
            let written = written(count, BOUNDS, numbers(jobs), work);
            assert_eq!(written, (0..jobs).map(|job| job * 2).collect::<Vec<_>>(), "{count} workers");
        }
    }

    /// Runs jobs of a size; the first one runs until `expected` jobs are read. Checks that no more are.
    #[track_caller]
    fn goes_on_until_so_many_are_read(weight: usize, expected: usize) {
        let read = AtomicUsize::new(0);
        let jobs = (0..400).map(|number| {
            read.fetch_add(1, Ordering::SeqCst);
            TestJob(number, weight)
        });
        let work = |TestJob(number, weight)| {
            if number == 0 {
                let begin = Instant::now();
                while read.load(Ordering::SeqCst) < expected && begin.elapsed() < Duration::from_secs(20) {
                    thread::sleep(Duration::from_millis(1));
                }
                thread::sleep(Duration::from_millis(50));
                assert_eq!(read.load(Ordering::SeqCst), expected);
            }
            TestJob(number, weight / 10)
        };
        assert_eq!(written(2, BOUNDS, jobs, work), (0..400).collect::<Vec<_>>());
    }

    #[test]
    fn a_long_job_lets_others_go_ahead_as_far_as_the_bounds_allow() {
        goes_on_until_so_many_are_read(1, BOUNDS.unwritten);
        // One of 900 bytes, results of 90 behind it: the second of these goes beyond 1000.
        goes_on_until_so_many_are_read(900, 3);
    }

    #[test]
    fn an_item_beyond_all_bounds_passes() {
        let bounds = Bounds { waiting: 1, unwritten: 1, bytes: 1, working: 1 };
        let jobs = (0..20).map(|number| TestJob(number, 1 << 30));
        assert_eq!(written(3, bounds, jobs, |job| job), (0..20).collect::<Vec<_>>());
    }

    #[test]
    fn large_jobs_are_worked_on_one_at_a_time() {
        let bounds = Bounds { working: 10, ..BOUNDS };
        let (working, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        // One in three is too large to have another beside it.
        let jobs = (0..60).map(|number| TestJob(number, if number % 3 == 0 { 50 } else { 1 }));
        let work = |TestJob(number, weight)| {
            let before = working.fetch_add(weight, Ordering::SeqCst);
            most.fetch_max(before + weight, Ordering::SeqCst);
            assert!(weight == 1 || before == 0, "a large job beside others of {before}");
            thread::sleep(Duration::from_micros(300));
            working.fetch_sub(weight, Ordering::SeqCst);
            TestJob(number, weight)
        };
        assert_eq!((written(4, bounds, jobs, work).len(), most.into_inner()), (60, 50));
    }

    #[test]
    fn where_writing_fails_all_ends() {
        for count in [1, 2, 5] {
            let read = AtomicUsize::new(0);
            let endless = (0..).map(|number| {
                read.fetch_add(1, Ordering::SeqCst);
                TestJob(number, 1)
            });
            let mut written = 0;
            let error = run(
                workers(count),
                BOUNDS,
                endless,
                |job| job,
                |TestJob(number, _)| {
                    if number == 5 {
                        return Err(io::Error::other("the disk is full"));
                    }
                    written += 1;
                    Ok::<(), io::Error>(())
                },
            );
            assert_eq!((error.unwrap_err().to_string().as_str(), written), ("the disk is full", 5));
            assert!(read.into_inner() <= 5 + BOUNDS.unwritten + 1, "{count} workers");
        }
    }

    #[test]
    fn a_panic_anywhere_ends_all() {
        for place in ["read", "work", "write"] {
            for count in [1, 2, 4] {
                let panics = |at: &str, number: usize| assert!(at != place || number != 30, "on purpose");
                let ended = catch_unwind(AssertUnwindSafe(|| {
                    let jobs = (0..).map(|number| {
                        panics("read", number);
                        TestJob(number, 1)
                    });
                    let work = |TestJob(number, weight)| {
                        panics("work", number);
                        TestJob(number, weight)
                    };
                    run(workers(count), BOUNDS, jobs, work, |TestJob(number, _)| {
                        panics("write", number);
                        Ok::<(), io::Error>(())
                    })
                }));
                assert!(ended.is_err(), "{place}, {count} workers");
            }
        }
    }
}
