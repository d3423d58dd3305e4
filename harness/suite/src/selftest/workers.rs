//! Workers that each take the next of a list, whatever it is.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;

use crate::error::RunError;

/// Does the work on each of a list by so many workers, and gives back what came of it, in the
/// order of the list; `heard` hears of each as it is done. What came to nothing is left out.
///
/// # Errors
/// Those of the work. One that panics is a fault of this program itself.
pub(super) fn each<T: Sync, R: Send>(
    list: &[T],
    jobs: usize,
    work: impl Fn(&T) -> Result<Option<R>, RunError> + Sync,
    mut heard: impl FnMut(&R),
) -> Result<Vec<R>, RunError> {
    let next = AtomicUsize::new(0);
    let (sender, results) = channel();
    let mut all = Vec::new();
    let mut failed = None;
    std::thread::scope(|scope| {
        for _ in 0..jobs.min(list.len()) {
            let (sender, next, work) = (sender.clone(), &next, &work);
            scope.spawn(move || {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(one) = list.get(number) else { return };
                    let done = catch_unwind(AssertUnwindSafe(|| work(one)));
                    let done = done.unwrap_or(Err(RunError::OwnFault));
                    if sender.send((number, done)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(sender);
        while let Ok((number, done)) = results.recv() {
            match done {
                Ok(Some(result)) => {
                    heard(&result);
                    all.push((number, result));
                }
                Ok(None) => {}
                Err(error) => failed = Some(error),
            }
        }
    });
    all.sort_by_key(|(number, _)| *number);
    failed.map_or_else(|| Ok(all.into_iter().map(|(_, result)| result).collect()), Err)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_list_whatever_the_number_of_workers() {
        let list: Vec<u32> = (0..50).collect();
        for jobs in [1, 3, 100] {
            let mut heard = 0;
            let even = |one: &u32| Ok(one.is_multiple_of(2).then_some(one * 10));
            let done = each(&list, jobs, even, |_| heard += 1).unwrap_or_default();
            assert_eq!(done, (0..25).map(|half| half * 20).collect::<Vec<_>>());
            assert_eq!(heard, 25);
        }
    }

    #[test]
    fn an_error_is_an_error_of_the_whole_and_nothing_to_do_is_none() {
        let fails = |one: &u32| if *one == 3 { Err(RunError::OwnFault) } else { Ok(Some(*one)) };
        assert!(each(&[1, 2, 3, 4], 2, fails, |_| {}).is_err());
        assert!(each(&[], 2, fails, |_| {}).is_ok_and(|done| done.is_empty()));
    }
}
