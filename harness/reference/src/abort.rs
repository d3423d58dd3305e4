//! Stopping a prompt while it waits for someone.

use std::cell::Cell;
use std::future::Future;

use tokio::sync::Notify;

/// The user stopped the prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Aborted;

/// Whether a prompt is pending, and whether the user wants it to stop.
#[derive(Debug, Default)]
pub(crate) struct Abort {
    pending: Cell<bool>,
    wanted: Cell<bool>,
    bell: Notify,
}

impl Abort {
    /// Marks a prompt as pending until the guard goes; `None` while another one is.
    pub(crate) fn begin(&self) -> Option<Pending<'_>> {
        if self.pending.replace(true) {
            return None;
        }
        self.wanted.set(false);
        Some(Pending(self))
    }

    /// Whether a prompt is pending.
    pub(crate) fn is_pending(&self) -> bool {
        self.pending.get()
    }

    /// Stops the pending prompt; without one there is nothing to stop.
    pub(crate) fn stop(&self) {
        if self.pending.get() {
            self.wanted.set(true);
            self.bell.notify_one();
        }
    }

    /// Whether the pending prompt shall go on.
    pub(crate) fn check(&self) -> Result<(), Aborted> {
        if self.wanted.get() { Err(Aborted) } else { Ok(()) }
    }

    /// Waits for something, but no longer than the user wants to.
    pub(crate) async fn or<T>(&self, waiting: impl Future<Output = T>) -> Result<T, Aborted> {
        let mut waiting = std::pin::pin!(waiting);
        loop {
            self.check()?;
            tokio::select! {
                biased;
                // The bell may still ring for a prompt that is over: hence the loop.
                () = self.bell.notified() => {}
                result = &mut waiting => return Ok(result),
            }
        }
    }
}

/// A prompt is pending as long as this lives, however it ends.
pub(crate) struct Pending<'a>(&'a Abort);

impl Drop for Pending<'_> {
    fn drop(&mut self) {
        self.0.pending.set(false);
    }
}
