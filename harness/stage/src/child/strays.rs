//! Processes that left the group of the child that started them, and so its end.
//!
//! What a child starts inherits its environment, wherever it goes, and with it a mark by which it
//! is known. One that gave itself another environment is not found.

use std::ffi::OsString;
use std::hash::{BuildHasher, RandomState};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

/// The variable that holds the mark.
const NAME: &str = "TACIT_CHILD";

/// What the marks of all children of this process begin with; no other process has the like.
static RUN: LazyLock<String> = LazyLock::new(|| {
    let chance = RandomState::new().hash_one(std::process::id());
    format!("{}-{chance:016x}-", std::process::id())
});

/// What marks a child and what it starts.
#[derive(Debug)]
pub(super) struct Mark(String);

impl Mark {
    /// A mark that no other child has.
    pub(super) fn new() -> Self {
        static CHILDREN: AtomicU64 = AtomicU64::new(0);
        let number = CHILDREN.fetch_add(1, Ordering::Relaxed);
        // The last sign keeps one from being the beginning of another.
        Self(format!("{}{number}.", *RUN))
    }

    /// The variable that the child gets.
    pub(super) fn variable(&self) -> (OsString, OsString) {
        (NAME.into(), self.0.clone().into())
    }

    /// Ends what bears the mark.
    pub(super) fn end_all(&self) {
        system::end_all(&format!("{NAME}={}", self.0));
    }
}

/// Ends what bears the mark of any child.
pub(super) fn end_all() {
    system::end_all(&format!("{NAME}={}", *RUN));
}

#[cfg(target_os = "linux")]
mod system {
    use std::fs;

    use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};

    /// How often the processes are gone through: one may start another just before its end.
    const ROUNDS: usize = 4;

    pub(super) fn end_all(begin: &str) {
        for _ in 0..ROUNDS {
            let Ok(processes) = fs::read_dir("/proc") else { return };
            let names =
                processes.flatten().filter_map(|entry| entry.file_name().into_string().ok());
            let ended = names.filter_map(|name| name.parse().ok()).filter(|id| end(*id, begin));
            if ended.count() == 0 {
                return;
            }
        }
    }

    /// Ends a process if it bears a mark. The number alone could be another's by the time of the
    /// signal: what is looked at the second time is held.
    fn end(id: i32, begin: &str) -> bool {
        if !bears(id, begin) {
            return false;
        }
        let held = Pid::from_raw(id).and_then(|id| pidfd_open(id, PidfdFlags::empty()).ok());
        held.is_some_and(|held| bears(id, begin) && pidfd_send_signal(held, Signal::KILL).is_ok())
    }

    /// Of another user's process, and of one that has ended, nothing can be read.
    fn bears(id: i32, begin: &str) -> bool {
        let environment = fs::read(format!("/proc/{id}/environ")).unwrap_or_default();
        environment.split(|byte| *byte == 0).any(|one| one.starts_with(begin.as_bytes()))
    }
}

#[cfg(not(target_os = "linux"))]
mod system {
    /// Elsewhere a process does not show its environment to another.
    pub(super) fn end_all(_begin: &str) {}
}
