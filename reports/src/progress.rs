//! How far a run is, on the standard error of a terminal.

use std::collections::BTreeMap;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use tacit_contract::{Event, PropertyId};

use crate::reporter::{ReportError, Reporter};

/// A bar that shows how far the run is; nothing where standard error is no terminal.
///
/// It is gone when the run is over, before the end of the run is printed: add it to the
/// reporters before the terminal's report.
pub struct Progress {
    bar: ProgressBar,
    properties: Vec<PropertyId>,
    scenarios: (u64, u64),
    cases: BTreeMap<PropertyId, (u64, u64)>,
}

impl Progress {
    /// A bar on standard error, if that is a terminal.
    #[must_use]
    pub fn new() -> Self {
        Self::on(ProgressDrawTarget::stderr())
    }

    /// No bar at all.
    #[must_use]
    pub fn never() -> Self {
        Self::on(ProgressDrawTarget::hidden())
    }

    fn on(target: ProgressDrawTarget) -> Self {
        let bar = ProgressBar::with_draw_target(Some(0), target);
        if let Ok(style) = ProgressStyle::with_template("{msg}  {wide_bar}  {prefix}") {
            bar.set_style(style);
        }
        Self { bar, properties: Vec::new(), scenarios: (0, 0), cases: BTreeMap::new() }
    }

    /// Hides the bar while something else is printed. What is printed is printed in any case.
    pub fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }

    /// A handle that can do the same from elsewhere.
    #[must_use]
    pub fn handle(&self) -> Handle {
        Handle(self.bar.clone())
    }

    fn scenario(&mut self) {
        self.scenarios.0 += 1;
        let (done, all) = self.scenarios;
        self.show(format!("scenario {done}/{all}"), String::new(), (done, all));
    }

    fn property(&mut self, id: &PropertyId) {
        let place = self.properties.iter().position(|known| known == id);
        let place = place.map_or(self.cases.len(), |place| place + 1);
        let all = self.properties.len().max(place);
        let (done, cases) = self.cases.get(id).copied().unwrap_or_default();
        let sum = self.cases.values().fold((0, 0), |sum, (done, all)| (sum.0 + done, sum.1 + all));
        self.show(format!("property {place}/{all} {id}"), format!("{done}/{cases} cases"), sum);
    }

    /// Shows how far something else than a run is.
    pub fn tell(&self, message: &str, (done, all): (u64, u64)) {
        self.show(message.to_owned(), String::new(), (done, all));
    }

    /// Takes the bar away.
    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }

    fn show(&self, message: String, prefix: String, (done, all): (u64, u64)) {
        self.bar.set_message(message);
        self.bar.set_prefix(prefix);
        self.bar.set_length(all.max(done));
        self.bar.set_position(done);
    }
}

impl Default for Progress {
    fn default() -> Self {
        Self::new()
    }
}

impl Reporter for Progress {
    fn event(&mut self, event: &Event) -> Result<(), ReportError> {
        match event {
            Event::RunStarted(started) => {
                self.properties.clone_from(&started.properties);
                self.scenarios = (0, u64::from(started.scenarios));
            }
            Event::ScenarioFinished(_) => self.scenario(),
            Event::PropertyStarted { id, cases } => {
                self.cases.insert(id.clone(), (0, u64::from(*cases)));
                self.property(id);
            }
            Event::Progress { id, done } => {
                self.cases.entry(id.clone()).or_default().0 = u64::from(*done);
                self.property(id);
            }
            Event::RunFinished(_) => self.bar.finish_and_clear(),
            Event::Forecast { .. }
            | Event::PropertyFinished(_)
            | Event::CounterexampleFound(_)
            | Event::RuntimeFailed { .. }
            | Event::ShardPlayed(_)
            | Event::ClauseJudged(_) => {}
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<(), ReportError> {
        self.bar.finish_and_clear();
        Ok(())
    }
}

/// Hides a [`Progress`] from elsewhere.
#[derive(Clone)]
pub struct Handle(ProgressBar);

impl Handle {
    /// Hides the bar while something else is printed.
    pub fn suspend<T>(&self, print: impl FnOnce() -> T) -> T {
        self.0.suspend(print)
    }
}

#[cfg(test)]
mod tests {
    use std::io;
    use std::sync::{Arc, Mutex};

    use indicatif::TermLike;

    use super::*;
    use crate::samples;

    /// A terminal that keeps what is written on it.
    #[derive(Debug, Default, Clone)]
    struct Screen(Arc<Mutex<String>>);

    impl TermLike for Screen {
        fn width(&self) -> u16 {
            80
        }

        fn move_cursor_up(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_down(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_right(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn move_cursor_left(&self, _: usize) -> io::Result<()> {
            Ok(())
        }

        fn write_line(&self, text: &str) -> io::Result<()> {
            self.write_str(text)
        }

        fn write_str(&self, text: &str) -> io::Result<()> {
            self.0.lock().unwrap().push_str(text);
            Ok(())
        }

        fn clear_line(&self) -> io::Result<()> {
            Ok(())
        }

        fn flush(&self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_terminal_is_told_which_property_is_played_and_how_far_it_is() {
        let screen = Screen::default();
        let target = ProgressDrawTarget::term_like_with_hz(Box::new(screen.clone()), 255);
        let mut progress = Progress::on(target);
        for event in &samples::failing() {
            progress.event(event).unwrap();
            progress.bar.force_draw();
        }
        let shown = screen.0.lock().unwrap().clone();
        assert!(shown.contains("scenario 1/2"), "{shown}");
        assert!(shown.contains("property 1/2 sessions"), "{shown}");
        assert!(shown.contains("128/256 cases"), "{shown}");
    }

    #[test]
    fn off_a_terminal_nothing_is_shown_and_what_is_printed_is_printed_all_the_same() {
        for events in samples::all() {
            let mut progress = Progress::never();
            for event in &events {
                progress.event(event).unwrap();
            }
            assert!(progress.bar.is_hidden());
            assert_eq!(progress.suspend(|| "printed"), "printed");
            Box::new(progress).finish().unwrap();
        }
    }
}
