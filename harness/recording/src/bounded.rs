//! A reader that lets through no more than one value may have.

use std::cell::Cell;
use std::io::{self, BufRead, BufReader, Read};
use std::rc::Rc;

/// How much of the present value may still be read.
#[derive(Debug, Clone)]
pub(crate) struct Allowance {
    left: Rc<Cell<usize>>,
    lines: Rc<Cell<usize>>,
    /// The line in which the present value begins, once something of it was read.
    begins: Rc<Cell<Option<usize>>>,
    limit: usize,
}

impl Allowance {
    pub(crate) fn new(limit: usize) -> Self {
        let (left, lines) = (Rc::new(Cell::new(limit)), Rc::new(Cell::new(1)));
        Self { left, lines, begins: Rc::default(), limit }
    }

    /// A new value begins.
    pub(crate) fn renew(&self) {
        self.left.set(self.limit);
        self.begins.set(None);
    }

    /// The line in which the present value begins, from 1.
    pub(crate) fn first_line(&self) -> usize {
        self.begins.get().unwrap_or(self.line())
    }

    /// The line that is being read, from 1.
    pub(crate) fn line(&self) -> usize {
        self.lines.get()
    }

    /// Something of the value was read: most often a single byte.
    fn count(&self, read: &[u8]) {
        if self.begins.get().is_none() {
            self.begin(read);
        }
        self.lines.set(self.lines.get() + lines_in(read));
        self.left.set(self.left.get() - read.len());
    }

    /// Looks for the first byte of the value, once for each.
    #[cold]
    fn begin(&self, read: &[u8]) {
        let first = read.iter().position(|byte| !byte.is_ascii_whitespace());
        self.begins.set(first.map(|first| self.lines.get() + lines_in(&read[..first])));
    }

    /// Whether nothing more may be read of this value.
    pub(crate) fn is_spent(&self) -> bool {
        self.left.get() == 0
    }
}

fn lines_in(bytes: &[u8]) -> usize {
    bytes.iter().map(|byte| usize::from(*byte == b'\n')).sum()
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
        self.allowance.count(&buffer[..read]);
        Ok(read)
    }
}
