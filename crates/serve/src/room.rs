//! How much memory the pages of all jobs may take together.
//!
//! A document has bounds of its own, but many are read at once. So each page is paid for before it is parsed. A job that
//! finds no room waits. One job may go on all the same, the privileged one, so that jobs which hold some pages and wait for
//! more never wait for each other. So memory is bounded by the room and one document.

use crate::work::Cancel;
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;
use tsugi::pipeline::locked;

/// Bytes of memory that a byte of a page takes in all its forms: its tree, its text, and what is written of it.
const BYTES_A_BYTE: usize = 20;

/// The memory that pages of all jobs take together, in bytes.
const ROOM: usize = 512 << 20;

/// How often a job that waits looks whether it is still wanted.
const LOOK: Duration = Duration::from_millis(100);

#[derive(Debug, Default)]
struct RoomState {
    used: usize,
    has_privileged: bool,
}

/// The room that jobs share.
#[derive(Debug)]
pub(crate) struct MemoryRoom {
    size: usize,
    state: Mutex<RoomState>,
    freed: Condvar,
}

impl MemoryRoom {
    pub(crate) fn new() -> Arc<MemoryRoom> {
        MemoryRoom::of(ROOM)
    }

    fn of(size: usize) -> Arc<MemoryRoom> {
        Arc::new(MemoryRoom { size, state: Mutex::default(), freed: Condvar::new() })
    }

    /// Returns the share of a job, which is empty at first.
    pub(crate) fn share(self: &Arc<MemoryRoom>) -> RoomShare {
        RoomShare { room: Arc::clone(self), held: Mutex::new((0, false)) }
    }
}

/// What one job takes of the room. It is given back when the share is dropped.
#[derive(Debug)]
pub(crate) struct RoomShare {
    room: Arc<MemoryRoom>,
    /// Bytes, and whether the job is the privileged one.
    held: Mutex<(usize, bool)>,
}

impl RoomShare {
    /// Takes room for a page of so many bytes. Waits until there is some. Returns `false` if the job was cancelled first.
    pub(crate) fn take(&self, page: usize, cancel: &Cancel) -> bool {
        let wanted = page.saturating_mul(BYTES_A_BYTE);
        let (mut held, mut state) = (locked(&self.held), locked(&self.room.state));
        loop {
            if cancel.is_set() {
                return false;
            }
            let fits = state.used.saturating_add(wanted) <= self.room.size;
            if fits || held.1 || !state.has_privileged {
                if !fits {
                    (state.has_privileged, held.1) = (true, true);
                }
                state.used = state.used.saturating_add(wanted);
                held.0 = held.0.saturating_add(wanted);
                return true;
            }
            // A lock that a panic left behind is as good as any: the numbers are always right.
            state = match self.room.freed.wait_timeout(state, LOOK) {
                Ok((state, _)) => state,
                Err(poisoned) => poisoned.into_inner().0,
            };
        }
    }
}

impl Drop for RoomShare {
    fn drop(&mut self) {
        let (held, mut state) = (locked(&self.held), locked(&self.room.state));
        state.used = state.used.saturating_sub(held.0);
        state.has_privileged &= !held.1;
        drop(state);
        self.room.freed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::work::JobQueue;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    #[test]
    fn jobs_together_take_no_more_than_the_room_and_one_of_them() {
        // Room for four pages of 100 bytes; eight jobs of three pages each.
        let room = MemoryRoom::of(400 * BYTES_A_BYTE);
        let cancel = JobQueue::new().cancel();
        let (now, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let share = room.share();
                    for _ in 0..3 {
                        assert!(share.take(100, &cancel));
                        most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                        thread::sleep(Duration::from_millis(2));
                    }
                    now.fetch_sub(3, Ordering::SeqCst);
                });
            }
        });
        let most = most.into_inner();
        assert!((3..=4 + 3).contains(&most), "{most} pages at once");
        assert_eq!(locked(&room.state).used, 0);
        assert!(!locked(&room.state).has_privileged);
    }

    #[test]
    fn a_job_that_waits_can_be_cancelled() {
        let room = MemoryRoom::of(0);
        let jobs = JobQueue::new();
        let (first, second) = (room.share(), room.share());
        assert!(first.take(1, &jobs.cancel()), "one page is always taken");
        jobs.stop();
        assert!(!second.take(1, &jobs.cancel()));
    }
}
