//! What an input may cost, by its length: time of the processor, and memory.
//!
//! The constants are some ten times what the slowest inputs of the corpora take, with the instrumentation of libFuzzer. So they find
//! what grows faster than the input, not what is slow.

use cpu_time::ThreadTime;
use peak_alloc::PeakAlloc;
use std::time::Duration;

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// What any input may take, and what it may take for each of its bytes.
const TIME: (Duration, Duration) = (Duration::from_secs(1), Duration::from_micros(300));
const BYTES: (usize, usize) = (32 << 20, 8 << 10);

/// Works on an input of so many bytes.
///
/// # Panics
///
/// If that takes more time or memory than the length allows.
pub fn within_limits<T>(length: usize, work: impl FnOnce() -> T) -> T {
    // Models are read once, and not because of an input.
    crate::detectors();
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let begin = ThreadTime::now();
    let done = work();
    let time = begin.elapsed();
    let bytes = MEMORY.peak_usage().saturating_sub(before);
    let most = TIME.0 + TIME.1 * u32::try_from(length).unwrap_or(u32::MAX);
    assert!(time <= most, "{time:?} for {length} bytes, more than {most:?}");
    let most = BYTES.0 + BYTES.1 * length;
    assert!(bytes <= most, "{bytes} bytes of memory for {length} bytes, more than {most}");
    done
}
