//! Faults of this program itself.

use std::panic::{self, PanicHookInfo};
use std::sync::atomic::{AtomicBool, Ordering};

use tacit_suite::Exit;

use crate::output;

/// Whether something panicked, on whatever thread.
static FOUND: AtomicBool = AtomicBool::new(false);

/// From now on a panic says, once, what the user can do about it.
pub fn report_panics() {
    panic::set_hook(Box::new(|info| {
        if !FOUND.swap(true, Ordering::SeqCst) {
            output::say(&words(info));
        }
    }));
}

/// Whether a fault was reported.
pub fn was_found() -> bool {
    FOUND.load(Ordering::SeqCst)
}

/// How the process ends: a fault on any thread leaves nothing to rely on.
pub fn weighed(exit: Exit) -> Exit {
    if was_found() && exit != Exit::Interrupted { Exit::OwnFault } else { exit }
}

fn words(info: &PanicHookInfo<'_>) -> String {
    let place = info.location().map(|place| format!(" ({}:{})", place.file(), place.line()));
    report(info.payload_as_str().unwrap_or("no reason is given"), &place.unwrap_or_default())
}

fn report(reason: &str, place: &str) -> String {
    format!(
        "error: this is a fault of tacit {} itself, and says nothing about the runtime\n  \
         {reason}{place}\n\
         help: please report it, with the command that you gave and these lines\n",
        env!("CARGO_PKG_VERSION")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_says_whose_it_is_where_it_is_and_what_to_do() {
        let text = report("index out of bounds", " (src/x.rs:3)");
        assert!(text.contains("a fault of tacit"), "{text}");
        assert!(text.contains("index out of bounds (src/x.rs:3)"), "{text}");
        assert!(text.contains("please report it"), "{text}");
    }
}
