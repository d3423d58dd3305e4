//! Lines of bounded length.

use std::io;

use tokio::io::{AsyncBufRead, AsyncBufReadExt};

/// What comes next.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line<'a> {
    /// A line without its end.
    Whole(&'a [u8]),
    /// A line that was longer than the limit, and was thrown away.
    TooLong,
    /// There is no further line. What stood after the last line break is none.
    End,
}

/// Reads lines, and never holds more of one than the limit.
pub(crate) struct Lines<R> {
    input: R,
    limit: usize,
    line: Vec<u8>,
}

impl<R: AsyncBufRead + Unpin> Lines<R> {
    pub(crate) fn new(input: R, limit: usize) -> Self {
        Self { input, limit, line: Vec::new() }
    }

    pub(crate) async fn next(&mut self) -> io::Result<Line<'_>> {
        self.line.clear();
        let mut fits = true;
        loop {
            let part = self.input.fill_buf().await?;
            if part.is_empty() {
                return Ok(Line::End);
            }
            let end = part.iter().position(|byte| *byte == b'\n');
            let text = &part[..end.unwrap_or(part.len())];
            fits &= self.line.len() + text.len() <= self.limit;
            if fits {
                self.line.extend_from_slice(text);
            }
            let taken = text.len() + usize::from(end.is_some());
            self.input.consume(taken);
            if end.is_some() {
                break;
            }
        }
        if !fits {
            return Ok(Line::TooLong);
        }
        Ok(Line::Whole(self.line.strip_suffix(b"\r").unwrap_or(&self.line)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::wait;

    #[test]
    fn lines_are_told_apart_whatever_the_buffer_holds() {
        let text: &[u8] = b"one\r\n\nlonger than that\ntwo\nrest";
        for size in [1, 2, 7, 100] {
            let input = tokio::io::BufReader::with_capacity(size, text);
            let mut lines = Lines::new(input, 5);
            wait(async {
                assert_eq!(lines.next().await.ok(), Some(Line::Whole(b"one")));
                assert_eq!(lines.next().await.ok(), Some(Line::Whole(b"")));
                assert_eq!(lines.next().await.ok(), Some(Line::TooLong));
                assert_eq!(lines.next().await.ok(), Some(Line::Whole(b"two")));
                assert_eq!(lines.next().await.ok(), Some(Line::End));
            });
        }
    }
}
