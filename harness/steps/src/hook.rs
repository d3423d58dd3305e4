//! A guard round the runs of this process.

use std::panic::PanicHookInfo;

type Hook = Box<dyn Fn(&PanicHookInfo<'_>) + Sync + Send + 'static>;

/// Puts the process's panic hook back when it is dropped.
///
/// The runner of the scenarios silences panics while it runs, and puts the hook back only if it
/// reaches its end. Hold one guard round all runs of a process: without it, a run that is
/// cancelled, or two at the same time, leave every later panic without a word.
#[must_use = "the hook is put back when the guard is dropped"]
pub struct PanicHook(Option<Hook>);

impl PanicHook {
    /// Keeps the hook that is set now.
    pub fn keep() -> Self {
        let hook = std::panic::take_hook();
        let shared: std::sync::Arc<Hook> = std::sync::Arc::new(hook);
        let until_then = std::sync::Arc::clone(&shared);
        std::panic::set_hook(Box::new(move |info| until_then(info)));
        Self(Some(Box::new(move |info| shared(info))))
    }
}

impl Drop for PanicHook {
    fn drop(&mut self) {
        // Setting a hook while panicking would end the process.
        if !std::thread::panicking()
            && let Some(hook) = self.0.take()
        {
            std::panic::set_hook(hook);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn the_hook_is_back_after_somebody_took_it() {
        static HEARD: AtomicUsize = AtomicUsize::new(0);
        let first = std::panic::take_hook();
        std::panic::set_hook(Box::new(|_| {
            HEARD.fetch_add(1, Ordering::SeqCst);
        }));
        {
            let _kept = PanicHook::keep();
            std::panic::set_hook(Box::new(|_| {}));
        }
        let caught = std::panic::catch_unwind(|| panic!("to be heard"));
        std::panic::set_hook(first);
        assert!(caught.is_err());
        assert!(HEARD.load(Ordering::SeqCst) >= 1);
    }
}
