//! Guards round the runs of this process.

use std::cell::Cell;
use std::panic::{PanicHookInfo, set_hook, take_hook};
use std::sync::{Arc, Mutex, PoisonError};

type Hook = Arc<dyn Fn(&PanicHookInfo<'_>) + Sync + Send>;

/// What the process's hook was before the first of the runs that are on their way.
static BEFORE: Mutex<Before> = Mutex::new(Before { runs: 0, hook: None });

struct Before {
    runs: usize,
    hook: Option<Hook>,
}

thread_local! {
    static RUNS_HERE: Cell<usize> = const { Cell::new(0) };
}

/// Keeps the process's panic hook through a run.
///
/// The runner of the scenarios silences all panics of the process while it runs, and puts the
/// hook back only if it reaches its end: a run that is cancelled, or two at the same time, would
/// leave every later panic without a word. Under this guard only panics of a thread that runs
/// scenarios are silent, for they are part of an outcome; the last guard puts the hook back.
#[must_use = "the hook is put back when the last guard is dropped"]
pub struct PanicHook(());

impl PanicHook {
    /// Keeps the hook that is set now, if no other run has done so.
    pub fn keep() -> Self {
        let mut before = BEFORE.lock().unwrap_or_else(PoisonError::into_inner);
        if before.runs == 0 {
            before.hook = Some(Arc::from(take_hook()));
        }
        before.runs += 1;
        install(&before);
        RUNS_HERE.set(RUNS_HERE.get() + 1);
        Self(())
    }

    /// Sets the hook once more: the runner has replaced it when its first event comes.
    pub fn set_again(&self) {
        install(&BEFORE.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

fn install(before: &Before) {
    if std::thread::panicking() {
        return;
    }
    if let Some(hook) = before.hook.clone() {
        set_hook(Box::new(move |info| {
            if RUNS_HERE.get() == 0 {
                hook(info);
            }
        }));
    }
}

impl Drop for PanicHook {
    fn drop(&mut self) {
        RUNS_HERE.set(RUNS_HERE.get().saturating_sub(1));
        let mut before = BEFORE.lock().unwrap_or_else(PoisonError::into_inner);
        before.runs = before.runs.saturating_sub(1);
        // Setting a hook while panicking would end the process.
        if before.runs == 0
            && !std::thread::panicking()
            && let Some(hook) = before.hook.take()
        {
            set_hook(Box::new(move |info| hook(info)));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn the_hook_is_back_after_the_last_of_several_runs() {
        static HEARD: AtomicUsize = AtomicUsize::new(0);
        let first = take_hook();
        set_hook(Box::new(|_| {
            HEARD.fetch_add(1, Ordering::SeqCst);
        }));
        let one = PanicHook::keep();
        set_hook(Box::new(|_| {}));
        let two = PanicHook::keep();
        set_hook(Box::new(|_| {}));
        two.set_again();
        let elsewhere = std::thread::spawn(|| panic!("in a thread that runs nothing")).join();
        let heard_elsewhere = HEARD.load(Ordering::SeqCst);
        let here = std::panic::catch_unwind(|| panic!("in a run"));
        let heard_here = HEARD.load(Ordering::SeqCst) - heard_elsewhere;
        set_hook(Box::new(|_| {}));
        drop((one, two));
        let after = std::panic::catch_unwind(|| panic!("after the runs"));
        set_hook(first);
        assert!(elsewhere.is_err() && here.is_err() && after.is_err());
        assert_eq!((heard_elsewhere, heard_here), (1, 0));
        assert!(HEARD.load(Ordering::SeqCst) > 1);
    }
}
