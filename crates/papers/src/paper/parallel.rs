//! Works on two threads.

/// Applies a function to all items on two threads; returns the results in the order of the items.
pub(crate) fn in_parallel<T: Sync, R: Send>(items: &[T], apply: impl Fn(&T) -> R + Sync) -> Vec<R> {
    const THREADS: usize = 2;
    let mut results: Vec<(usize, R)> = std::thread::scope(|scope| {
        let apply = &apply;
        let workers: Vec<_> = (0..THREADS)
            .map(|worker| {
                scope.spawn(move || {
                    let own = items.iter().enumerate().skip(worker).step_by(THREADS);
                    own.map(|(place, item)| (place, apply(item))).collect::<Vec<_>>()
                })
            })
            .collect();
        let joined = workers
            .into_iter()
            .map(|worker| worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        joined.flatten().collect()
    });
    results.sort_by_key(|(place, _)| *place);
    results.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parallel_results_keep_their_order() {
        let items: Vec<u32> = (0..7).collect();
        assert_eq!(in_parallel(&items, |item| item * item), [0, 1, 4, 9, 16, 25, 36]);
        assert!(in_parallel(&[] as &[u32], |item| *item).is_empty());
    }
}
