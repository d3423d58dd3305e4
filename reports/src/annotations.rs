//! Annotations: what GitHub Actions shows beside a line of a file.

use std::fmt::Write as _;
use std::io::Write;

use tacit_contract::Verdict;

use crate::at_end::AtEnd;
use crate::baseline::outdated;
use crate::findings::{Finding, Place, Weight, findings, unexplained};
use crate::reporter::{ReportError, Reporter};
use crate::run::Run;
use crate::time;

/// How many annotations of a kind GitHub takes from one step; it drops the others silently.
const MOST: usize = 10;

/// Prints the workflow commands that annotate a run, when it is over.
pub fn reporter(out: impl Write + 'static) -> impl Reporter {
    AtEnd::new(out, |run| Ok(render(run)), ReportError::Output)
}

/// The workflow commands of a run, errors before warnings and causes before what follows from
/// them; of each kind no more than GitHub shows, the last of which says how many are left out.
#[must_use]
pub fn render(run: &Run) -> String {
    let mut findings = findings(run);
    findings.retain(|one| one.clause.verdict != Verdict::ExpectedFailure);
    findings.sort_by_key(|one| one.clause.because.is_some());
    let (warned, broken): (Vec<_>, Vec<_>) =
        findings.iter().partition(|one| one.weight == Weight::Warning);
    let mut errors = of_the_run(run);
    errors.extend(broken.into_iter().map(|one| of_clause("error", one)));
    errors.extend(
        outdated(run).map(|(place, told)| command("error", Some(place), "baseline", &told)),
    );
    errors.extend(unexplained(run).map(|one| {
        let place = Place { file: &one.feature, line: one.line };
        command("error", Some(place), &one.name, one.message.as_deref().unwrap_or_default())
    }));
    let warnings = warned.into_iter().map(|one| of_clause("warning", one)).collect();
    bounded("error", errors) + &bounded("warning", warnings)
}

/// What is about no clause: how the runtime failed, and that the run was stopped.
fn of_the_run(run: &Run) -> Vec<String> {
    let failed = run
        .failures
        .iter()
        .map(|failure| command("error", None, "the runtime failed", &failure.told()));
    let stopped = run
        .finished
        .interrupted
        .then(|| command("error", None, "interrupted", "what is reported was done until then"));
    failed.chain(stopped).collect()
}

fn of_clause(kind: &str, finding: &Finding<'_>) -> String {
    command(kind, finding.place, finding.clause.id.as_str(), &finding.told())
}

fn bounded(kind: &str, mut commands: Vec<String>) -> String {
    if commands.len() > MOST {
        let left_out = commands.split_off(MOST - 1).len();
        let text =
            format!("{} more: the job summary has them", time::counted(left_out as u64, kind));
        commands.push(command(kind, None, "tacit", &text));
    }
    commands.concat()
}

/// One command, as a line.
fn command(kind: &str, place: Option<Place<'_>>, title: &str, message: &str) -> String {
    let mut line = format!("::{kind} ");
    if let Some(place) = place {
        let _ = write!(line, "file={},line={},", property(place.file), place.line);
    }
    let _ = writeln!(line, "title={}::{}", property(title), data(message));
    line
}

/// A message, as a command carries it.
fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// A property of a command, which a colon or a comma would end.
fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use tacit_contract::Event;

    use super::*;
    use crate::samples;

    fn rendered(events: &[Event]) -> String {
        render(&Run::of(events).unwrap())
    }

    #[test]
    fn a_broken_clause_is_an_error_on_the_line_of_its_scenario_and_a_warning_is_one() {
        insta::assert_snapshot!(rendered(&samples::failing()));
    }

    #[test]
    fn a_run_that_conforms_annotates_nothing() {
        assert_eq!(rendered(&samples::passing()), "");
    }

    #[test]
    fn an_entry_of_the_baseline_that_is_over_is_an_error_on_its_line() {
        let text = rendered(&samples::outdated());
        let stale = "::error file=known.toml,line=9,title=baseline::restore.use-evidence: stale";
        assert!(text.starts_with(stale), "{text}");
        assert_eq!(text.lines().count(), 2, "what is expected is no annotation: {text}");
    }

    #[test]
    fn causes_come_before_what_follows_from_them() {
        let text = rendered(&samples::flooded());
        let titles: Vec<_> = text.lines().map(|line| line.split("::").nth(1).unwrap()).collect();
        assert!(titles[0].ends_with("title=initial.minimal"), "{text}");
    }

    #[test]
    fn no_more_are_printed_than_are_shown_and_the_last_says_how_many_there_are() {
        let text = rendered(&samples::crashing());
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines.len(), MOST);
        assert!(lines[0].starts_with("::error title=the runtime failed::in 37 cases: "), "{text}");
        assert!(lines[MOST - 1].ends_with("more: the job summary has them"), "{text}");
    }

    #[test]
    fn a_clause_without_a_case_is_an_error_where_it_fails_the_run() {
        assert!(rendered(&samples::unexercised()).contains("::error"));
    }

    #[test]
    fn nothing_that_a_runtime_says_ends_a_command_or_begins_another() {
        let place = Place { file: "a,b:c.feature", line: 3 };
        let line = command("error", Some(place), "50 %", "one\r\n::warning::two");
        assert_eq!(
            line,
            "::error file=a%2Cb%3Ac.feature,line=3,title=50 %25::one%0D%0A::warning::two\n"
        );
    }
}
