//! Lines of a stream, none of them longer than a limit.

use std::io;

use tokio::io::{AsyncBufRead, AsyncBufReadExt};

/// What was read.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// A line, without its end.
    Full,
    /// More than the limit and still no end; what there was is let go.
    TooLong,
    /// The end of the stream, in the middle of a line or not.
    End { partial: bool },
}

/// Reads the next line into a buffer, which never holds more than the limit.
///
/// Must not be dropped before it is done: what it has read so far would be lost.
pub(super) async fn next_line(
    stream: &mut (impl AsyncBufRead + Unpin),
    line: &mut Vec<u8>,
    limit: usize,
) -> io::Result<Line> {
    line.clear();
    loop {
        let read = stream.fill_buf().await?;
        if read.is_empty() {
            return Ok(Line::End { partial: !line.is_empty() });
        }
        let end = read.iter().position(|byte| *byte == b'\n');
        let part = &read[..end.unwrap_or(read.len())];
        if line.len() + part.len() > limit {
            *line = Vec::new();
            return Ok(Line::TooLong);
        }
        line.extend_from_slice(part);
        let used = part.len() + usize::from(end.is_some());
        stream.consume(used);
        if end.is_some() {
            if line.last() == Some(&b'\r') {
                line.pop();
            }
            return Ok(Line::Full);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &[u8], limit: usize) -> Vec<(Line, String)> {
        let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
        runtime.block_on(async {
            let mut stream = tokio::io::BufReader::with_capacity(4, text);
            let (mut line, mut read) = (Vec::new(), Vec::new());
            loop {
                let next = next_line(&mut stream, &mut line, limit).await.unwrap();
                let last = !matches!(next, Line::Full);
                read.push((next, String::from_utf8_lossy(&line).into_owned()));
                if last {
                    return read;
                }
            }
        })
    }

    #[test]
    fn lines_come_without_their_ends() {
        assert_eq!(
            lines(b"one\r\n\ntwo two\n", 10),
            [
                (Line::Full, "one".to_owned()),
                (Line::Full, String::new()),
                (Line::Full, "two two".to_owned()),
                (Line::End { partial: false }, String::new()),
            ]
        );
    }

    #[test]
    fn what_stands_after_the_last_line_break_is_no_line() {
        assert_eq!(lines(b"half", 10), [(Line::End { partial: true }, "half".to_owned())]);
    }

    #[test]
    fn a_line_over_the_limit_is_let_go() {
        assert_eq!(lines(b"ten chars!\n", 9), [(Line::TooLong, String::new())]);
        assert_eq!(lines(b"ten chars!\n", 10)[0].0, Line::Full);
    }
}
