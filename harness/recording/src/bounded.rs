//! A reader that lets through no more than one value may have.

use std::cell::Cell;
use std::io::{self, BufRead, BufReader, Read};
use std::rc::Rc;

/// How much of the present value may still be read.
#[derive(Debug, Clone)]
pub(crate) struct Allowance {
    left: Rc<Cell<usize>>,
    lines: Rc<Cell<usize>>,
    limit: usize,
}

impl Allowance {
    pub(crate) fn new(limit: usize) -> Self {
        Self { left: Rc::new(Cell::new(limit)), lines: Rc::new(Cell::new(1)), limit }
    }

    /// A new value begins.
    pub(crate) fn renew(&self) {
        self.left.set(self.limit);
    }

    /// The line that is being read, from 1.
    pub(crate) fn line(&self) -> usize {
        self.lines.get()
    }

    /// Whether nothing more may be read of this value.
    pub(crate) fn is_spent(&self) -> bool {
        self.left.get() == 0
    }
}

/// A reader with an allowance.
pub(crate) struct Bounded<R> {
    inner: BufReader<R>,
    allowance: Allowance,
}

impl<R: Read> Bounded<R> {
    pub(crate) fn new(inner: BufReader<R>, allowance: Allowance) -> Self {
        Self { inner, allowance }
    }
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.allowance.is_spent() && !self.inner.fill_buf()?.is_empty() {
            return Err(io::Error::other("the value is too long"));
        }
        let most = buffer.len().min(self.allowance.left.get());
        let read = self.inner.read(&mut buffer[..most])?;
        let ends: usize = buffer[..read].iter().map(|byte| usize::from(*byte == b'\n')).sum();
        self.allowance.lines.set(self.allowance.lines.get() + ends);
        self.allowance.left.set(self.allowance.left.get() - read);
        Ok(read)
    }
}
