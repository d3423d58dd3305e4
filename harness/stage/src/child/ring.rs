//! The last part of a child's log.

use std::collections::VecDeque;
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::io::{AsyncRead, AsyncReadExt};

use super::secrets::Secrets;

/// The most lines of a log that an error quotes, and the most bytes.
const QUOTED_LINES: usize = 20;
const QUOTED_BYTES: usize = 2000;

/// The last bytes of a log; older ones are let go.
#[derive(Debug)]
pub(super) struct Ring {
    bytes: Mutex<VecDeque<u8>>,
    limit: usize,
}

impl Ring {
    pub(super) fn new(limit: usize) -> Self {
        Self { bytes: Mutex::default(), limit }
    }

    pub(super) fn push(&self, more: &[u8]) {
        let more = &more[more.len().saturating_sub(self.limit)..];
        let mut bytes = self.lock();
        let over = (bytes.len() + more.len()).saturating_sub(self.limit);
        bytes.drain(..over);
        bytes.extend(more);
    }

    /// Its last lines, cut to what an error can hold, without secrets.
    pub(super) fn tail(&self, secrets: &Secrets) -> String {
        let text = secrets.last(self.lock().make_contiguous(), QUOTED_BYTES);
        let lines: Vec<&str> = text.trim().lines().collect();
        lines[lines.len().saturating_sub(QUOTED_LINES)..].join("\n")
    }

    fn lock(&self) -> MutexGuard<'_, VecDeque<u8>> {
        self.bytes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Reads a log to its end, so that the child never waits for a reader.
pub(super) async fn read_log(mut log: impl AsyncRead + Unpin, ring: &Ring) {
    let mut buffer = vec![0; 8 * 1024];
    while let Ok(length @ 1..) = log.read(&mut buffer).await {
        ring.push(&buffer[..length]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_last_bytes_are_kept() {
        let ring = Ring::new(8);
        ring.push(b"one\n");
        ring.push(b"two\nthree\n");
        assert_eq!(ring.tail(&Secrets::default()), "o\nthree");
        ring.push(&[b'x'; 100]);
        assert_eq!(ring.tail(&Secrets::default()), "xxxxxxxx");
        assert_eq!(ring.lock().len(), 8);
    }

    #[test]
    fn the_tail_is_no_longer_than_an_error_can_hold() {
        let ring = Ring::new(1024 * 1024);
        for n in 0..10_000 {
            ring.push(format!("line {n}\n").as_bytes());
        }
        let tail = ring.tail(&Secrets::default());
        assert_eq!(tail.lines().count(), 20);
        assert!(tail.ends_with("line 9999"));
    }
}
