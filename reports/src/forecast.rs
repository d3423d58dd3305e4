//! What will take long, said before it begins.

use std::io::Write;

use tacit_contract::Event;

use crate::progress::Handle;
use crate::reporter::{ReportError, Reporter};
use crate::time;

/// From here on a user should know what is coming.
const LONG_MS: u64 = 60_000;

/// Says what will take over a minute, and how to have less of it.
///
/// It is meant for standard error: whether it is said hangs on the machine, and the report on
/// standard output does not.
pub struct Forecast<W> {
    out: W,
    bar: Handle,
}

impl<W: Write> Forecast<W> {
    /// Writes to `out`, with the bar out of the way.
    pub fn new(out: W, bar: Handle) -> Self {
        Self { out, bar }
    }
}

impl<W: Write> Reporter for Forecast<W> {
    fn event(&mut self, event: &Event) -> Result<(), ReportError> {
        if let Event::Forecast { id, extent, duration_ms } = event
            && *duration_ms > LONG_MS
        {
            let more = if extent.cases == u64::MAX { "more than " } else { "" };
            let text = format!(
                "{id}: {more}{} of up to {}, about {} at the speed of the first; \
                 `--time-budget` stops earlier\n",
                time::counted(extent.cases, "session"),
                time::counted(u64::from(extent.depth), "step"),
                time::about(*duration_ms),
            );
            let out = &mut self.out;
            // Nobody may be there to hear it, and no verdict hangs on it.
            let _ = self.bar.suspend(|| out.write_all(text.as_bytes()).and_then(|()| out.flush()));
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<(), ReportError> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use tacit_contract::event::Extent;

    use super::*;
    use crate::Progress;

    fn said(cases: u64, duration_ms: u64) -> String {
        let mut out = Vec::new();
        let mut forecast = Forecast::new(&mut out, Progress::never().handle());
        let extent = Extent { depth: 5, cases };
        let event = Event::Forecast { id: "exhaustive".into(), extent, duration_ms };
        forecast.event(&event).unwrap();
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn what_takes_over_a_minute_is_said_and_what_takes_less_is_not() {
        assert_eq!(said(100, 60_000), "");
        assert_eq!(
            said(1_234_567, 7_500_000),
            "exhaustive: 1,234,567 sessions of up to 5 steps, about 2 hours at the speed of \
             the first; `--time-budget` stops earlier\n"
        );
        let endless = said(u64::MAX, u64::MAX);
        assert!(endless.contains("more than 18,446,744,073,709,551,615 sessions"), "{endless}");
        assert!(endless.contains("years"), "{endless}");
    }
}
