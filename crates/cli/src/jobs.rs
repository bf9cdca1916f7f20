//! Runs jobs in parallel, one at a time per group, the groups in turn.

use std::collections::VecDeque;
use std::io;
use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread;
use tsugi::pipeline::{STACK, locked};

/// Runs all jobs of all groups with at most this many workers, until one of them breaks.
///
/// A group is a queue: its jobs run one after the other. Groups take turns, so that a long one does not delay the
/// others. `work` must not panic.
///
/// # Errors
///
/// The error of the system if no thread can be started.
pub(crate) fn run<T: Send>(
    groups: Vec<VecDeque<T>>,
    workers: NonZeroUsize,
    work: impl Fn(T) -> ControlFlow<()> + Sync,
) -> io::Result<()> {
    let workers = workers.get().min(groups.len());
    let turns = GroupTurns {
        state: Mutex::new(JobState { waiting: groups.into(), busy: 0, stopped: false }),
        changed: Condvar::new(),
    };
    thread::scope(|scope| {
        for started in 0..workers {
            let worker = thread::Builder::new().stack_size(STACK);
            let spawned = worker.spawn_scoped(scope, || {
                while let Some((job, group)) = turns.take() {
                    let flow = work(job);
                    turns.put_back(group, flow);
                }
            });
            // With fewer workers it takes longer, no more.
            if let Err(error) = spawned
                && started == 0
            {
                return Err(error);
            }
        }
        Ok(())
    })
}

#[derive(Debug)]
struct GroupTurns<T> {
    state: Mutex<JobState<T>>,
    changed: Condvar,
}

#[derive(Debug)]
struct JobState<T> {
    /// Groups without a running job.
    waiting: VecDeque<VecDeque<T>>,
    busy: usize,
    stopped: bool,
}

impl<T> GroupTurns<T> {
    /// Takes a job and the rest of its group; waits while all groups are busy; `None` if nothing is left.
    fn take(&self) -> Option<(T, VecDeque<T>)> {
        let mut state = locked(&self.state);
        loop {
            if state.stopped {
                return None;
            }
            while let Some(mut group) = state.waiting.pop_front() {
                if let Some(job) = group.pop_front() {
                    state.busy += 1;
                    return Some((job, group));
                }
            }
            if state.busy == 0 {
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Ends a job, so that its group can have its next turn.
    fn put_back(&self, group: VecDeque<T>, flow: ControlFlow<()>) {
        let mut state = locked(&self.state);
        state.busy -= 1;
        state.stopped |= flow.is_break();
        state.waiting.push_back(group);
        drop(state);
        self.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::time::Duration;

    fn groups(lengths: &[usize]) -> Vec<VecDeque<(usize, usize)>> {
        let group = |(group, length): (usize, &usize)| (0..*length).map(|job| (group, job)).collect();
        lengths.iter().enumerate().map(group).collect()
    }

    fn all(workers: usize, lengths: &[usize], work: impl Fn((usize, usize)) -> ControlFlow<()> + Sync) {
        run(groups(lengths), NonZeroUsize::new(workers).unwrap(), work).unwrap();
    }

    #[test]
    fn groups_take_turns() {
        let done = Mutex::new(Vec::new());
        all(1, &[3, 0, 1, 2], |job| {
            done.lock().unwrap().push(job);
            ControlFlow::Continue(())
        });
        assert_eq!(done.into_inner().unwrap(), [(0, 0), (2, 0), (3, 0), (0, 1), (3, 1), (0, 2)]);
        all(4, &[], |_| unreachable!("there is no job"));
    }

    #[test]
    fn of_a_group_one_job_is_done_at_a_time_and_in_order() {
        let lengths = [9, 1, 7, 3, 8, 5];
        let state = Mutex::new((BTreeSet::new(), 0, [0; 6]));
        all(3, &lengths, |(group, job)| {
            {
                let (busy, most, next) = &mut *state.lock().unwrap();
                assert!(busy.insert(group), "two jobs of group {group} are done at a time");
                assert_eq!(next[group], job, "group {group} is not done in order");
                next[group] += 1;
                *most = busy.len().max(*most);
            }
            thread::sleep(Duration::from_millis(2));
            state.lock().unwrap().0.remove(&group);
            ControlFlow::Continue(())
        });
        let (busy, most, next) = state.into_inner().unwrap();
        assert_eq!((busy.len(), next), (0, lengths));
        assert!((2..=3).contains(&most), "{most} jobs were done at a time, expected up to 3");
    }

    #[test]
    fn one_that_breaks_off_ends_all() {
        let done = Mutex::new(0);
        all(3, &[50, 50, 50], |_| {
            *done.lock().unwrap() += 1;
            thread::sleep(Duration::from_millis(1));
            ControlFlow::Break(())
        });
        assert!(done.into_inner().unwrap() <= 3);
    }
}
