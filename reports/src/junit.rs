//! The `JUnit` report, for build servers.

use std::time::Duration;

use quick_junit::{
    NonSuccessKind, Property, Report as Document, TestCase, TestCaseStatus, TestSuite,
};
use tacit_contract::Verdict;
use tacit_contract::clause::clause;
use tacit_contract::event::{ClauseResult, PropertyResult, ScenarioResult};

use crate::baseline::outdated;
use crate::findings::{NO_CASE, is_held_against, story};
use crate::reporter::ReportError;
use crate::run::{Failure, Run};
use crate::time;

/// The suite of what is about the run itself.
const RUN: &str = "run";

/// The type of a failure that is a clause without a single case.
pub const NOT_EXERCISED: &str = "notExercised";

/// The report of a run as text: a suite for the run itself, one for each feature, one for the
/// properties, one for the clauses.
///
/// # Errors
/// The document cannot be put into XML.
pub fn render(run: &Run) -> Result<String, ReportError> {
    let mut document = Document::new("tacit");
    document.set_time(Duration::from_millis(run.finished.duration_ms));
    document.add_test_suite(whole(run));
    for scenarios in run.scenarios.chunk_by(|a, b| a.feature == b.feature) {
        let mut suite = TestSuite::new(scenarios[0].feature.as_str());
        suite.set_time(scenarios.iter().map(|one| Duration::from_millis(one.duration_ms)).sum());
        suite.add_test_cases(scenarios.iter().map(scenario));
        document.add_test_suite(suite);
    }
    let mut properties = TestSuite::new("properties");
    properties.add_test_cases(run.properties.iter().map(property));
    document.add_test_suite(properties);

    let mut clauses = TestSuite::new("clauses");
    known(run, &mut clauses);
    clauses.add_test_cases(run.clauses.iter().map(|clause| judged(run, clause)));
    document.add_test_suite(clauses);

    document.to_string().map_err(|error| ReportError::Format(error.to_string()))
}

/// What is known of a run, whatever came of it.
fn known(run: &Run, suite: &mut TestSuite) {
    let runtime = format!("{} {}", run.started.name, run.started.version);
    suite.add_property(Property::new("runtime", runtime.trim_end()));
    suite.add_property(Property::new("spec", run.started.spec.as_str()));
    suite.add_property(Property::new("profile", run.started.profile.as_str()));
    suite.add_property(Property::new("seed", time::seed(run.started.seed)));
    suite.add_property(Property::new("exitCode", run.finished.exit_code.to_string()));
}

/// What no clause tells: whether the runtime could be used all the time, and whether the run came
/// to its end.
fn whole(run: &Run) -> TestSuite {
    let mut suite = TestSuite::new(RUN);
    known(run, &mut suite);
    let error = |kind: &str, message: &str| {
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
        status.set_type(kind);
        status.set_message(message);
        status
    };
    let works = run.failures.first().map_or_else(TestCaseStatus::success, |first| {
        let cause = first.cause.to_string();
        let mut status = error("runtimeFailed", cause.lines().next().unwrap_or_default());
        let told: Vec<String> = run.failures.iter().map(Failure::told).collect();
        describe(&mut status, &told.join("\n\n"));
        status
    });
    let ends = if run.finished.interrupted {
        error("interrupted", "the run was interrupted: what is here is what was done until then")
    } else {
        TestCaseStatus::success()
    };
    let mut cases = vec![("the runtime can be used", works), ("the run comes to its end", ends)];
    if run.finished.baseline.is_some() {
        cases.push(("the baseline is up to date", up_to_date(run)));
    }
    for (name, status) in cases {
        let mut case = TestCase::new(name, status);
        case.set_classname(RUN);
        suite.add_test_case(case);
    }
    suite
}

fn up_to_date(run: &Run) -> TestCaseStatus {
    let told: Vec<String> = outdated(run).map(|(_, told)| told).collect();
    let Some(first) = told.first() else { return TestCaseStatus::success() };
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
    status.set_type("outdated");
    status.set_message(first.as_str());
    describe(&mut status, &told.join("\n"));
    status
}

fn scenario(scenario: &ScenarioResult) -> TestCase {
    let mut status = status(scenario.verdict);
    if let Some(message) = &scenario.message {
        status.set_message(message.as_str());
    } else if scenario.verdict == Verdict::NotExercised {
        status.set_message("the premise of its clause did not occur");
    }
    let mut text = String::new();
    if let Some(step) = &scenario.step {
        text.push_str(step);
    }
    for breach in &scenario.breaches {
        text = format!("{text}\n{}: {}", breach.clause, breach.found);
    }
    describe(&mut status, text.trim());
    let mut case = TestCase::new(scenario.name.as_str(), status);
    case.set_classname(scenario.feature.as_str());
    case.set_time(Duration::from_millis(scenario.duration_ms));
    case.add_property(Property::new("line", scenario.line.to_string()));
    case
}

fn property(property: &PropertyResult) -> TestCase {
    let mut status = status(property.verdict);
    if property.verdict != Verdict::Pass {
        status.set_message(property.sentence.as_str());
    }
    let files: Vec<_> =
        property.counterexamples.iter().map(|(clause, path)| format!("{clause}: {path}")).collect();
    describe(&mut status, &files.join("\n"));
    let mut case = TestCase::new(property.id.as_str(), status);
    case.set_classname("properties");
    case.set_time(Duration::from_millis(property.duration_ms));
    case.add_property(Property::new("cases", property.cases.to_string()));
    case
}

fn judged(run: &Run, result: &ClauseResult) -> TestCase {
    let mut status = if is_held_against(run, result) {
        let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
        status.set_type(NOT_EXERCISED);
        status
    } else {
        status(result.verdict)
    };
    let known = clause(result.id.as_str());
    if result.verdict != Verdict::Pass {
        let sentence = known.map_or("", |known| known.sentence.as_str());
        status.set_message(result.reason.as_deref().unwrap_or(match result.verdict {
            Verdict::NotExercised => NO_CASE,
            _ => sentence,
        }));
    }
    let told = told(run, result);
    if !told.is_empty() {
        let source = known.map_or_else(String::new, tacit_contract::Clause::citation);
        describe(&mut status, format!("{told}{source}").trim());
    }
    let mut case = TestCase::new(result.id.as_str(), status);
    case.set_classname(format!("clauses.{}", result.id.family()));
    case.add_property(Property::new("exercised", result.exercised.to_string()));
    if result.verdict == Verdict::Warn {
        case.set_system_out(format!("warning: {}", result.reason.as_deref().unwrap_or(&told)));
    }
    case
}

fn told(run: &Run, result: &ClauseResult) -> String {
    run.counterexample(&result.id)
        .map_or_else(String::new, |found| format!("{}\n{}\n", found.breach.found, story(found)))
}

/// A `JUnit` file knows no warnings: one passes, and says so in its output.
fn status(verdict: Verdict) -> TestCaseStatus {
    match verdict {
        Verdict::Pass | Verdict::Warn => TestCaseStatus::success(),
        Verdict::Fail => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Failure);
            status.set_type("fail");
            status
        }
        Verdict::Error => {
            let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
            status.set_type("error");
            status
        }
        Verdict::NotExercised => skipped(NOT_EXERCISED),
        Verdict::NotApplicable => skipped("notApplicable"),
        Verdict::ExpectedFailure => skipped("expectedFailure"),
    }
}

fn skipped(kind: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::skipped();
    status.set_type(kind);
    status
}

fn describe(status: &mut TestCaseStatus, text: &str) {
    if !text.is_empty() {
        status.set_description(text);
    }
}

#[cfg(test)]
mod tests {
    use tacit_contract::Event;

    use super::*;
    use crate::samples;

    fn parsed(events: &[Event]) -> Document {
        let text = render(&Run::of(events).unwrap()).unwrap();
        Document::deserialize_from_str(&text).unwrap()
    }

    fn find<'a>(document: &'a Document, suite: &str, name: &str) -> &'a TestCase {
        let suite = document.test_suites.iter().find(|one| one.name.as_str() == suite).unwrap();
        suite.test_cases.iter().find(|case| case.name.as_str() == name).unwrap()
    }

    fn kind(case: &TestCase) -> Option<(NonSuccessKind, String)> {
        match &case.status {
            TestCaseStatus::NonSuccess { kind, ty, .. } => {
                Some((*kind, ty.as_ref().map(|ty| ty.as_str().to_owned()).unwrap_or_default()))
            }
            _ => None,
        }
    }

    #[test]
    fn there_is_a_suite_for_the_run_for_each_feature_for_properties_and_for_clauses() {
        let document = parsed(&samples::failing());
        let names: Vec<_> = document.test_suites.iter().map(|suite| suite.name.as_str()).collect();
        assert_eq!(names, ["run", "features/restore.feature", "properties", "clauses"]);
    }

    #[test]
    fn a_reader_of_another_make_counts_what_the_run_counted() {
        for events in samples::all() {
            let run = Run::of(&events).unwrap();
            let read = junit_parser::from_reader(render(&run).unwrap().as_bytes()).unwrap();
            let baseline = usize::from(run.finished.baseline.is_some());
            let cases =
                2 + baseline + run.scenarios.len() + run.properties.len() + run.clauses.len();
            assert_eq!(read.tests, cases as u64);
            let cases = || read.suites.iter().flat_map(|suite| &suite.cases);
            let count = |fits: fn(&junit_parser::TestStatus) -> bool| {
                cases().filter(|case| fits(&case.status)).count() as u64
            };
            assert_eq!(read.failures, count(junit_parser::TestStatus::is_failure));
            assert_eq!(read.errors, count(junit_parser::TestStatus::is_error));
            let failed =
                |one: &&ClauseResult| one.verdict == Verdict::Fail || is_held_against(&run, one);
            for clause in run.clauses.iter().filter(failed) {
                let case = cases().find(|case| case.original_name == clause.id.as_str()).unwrap();
                assert!(case.status.is_failure(), "{case:?}");
            }
        }
    }

    #[test]
    fn a_broken_clause_is_a_failure_that_tells_its_story() {
        let document = parsed(&samples::failing());
        let case = find(&document, "clauses", "restore.use-evidence");
        assert_eq!(kind(case), Some((NonSuccessKind::Failure, "fail".to_owned())));
        let TestCaseStatus::NonSuccess { description: Some(text), .. } = &case.status else {
            panic!("{case:?}")
        };
        assert!(text.as_str().contains("✗ acme_weather is missing"), "{text:?}");
        assert!(text.as_str().contains("ADR 0048, Decision, paragraph 4"), "{text:?}");
    }

    #[test]
    fn what_a_runtime_lacks_is_skipped_with_the_reason() {
        let document = parsed(&samples::passing());
        let case = find(&document, "clauses", "provider.native");
        let TestCaseStatus::Skipped { message: Some(message), .. } = &case.status else {
            panic!("{case:?}")
        };
        assert!(message.as_str().contains("no native deferral"), "{message:?}");
    }

    #[test]
    fn a_claimed_clause_without_a_case_fails_unless_the_run_allows_it() {
        let document = parsed(&samples::unexercised());
        let case = find(&document, "clauses", "provider.retry");
        assert_eq!(kind(case), Some((NonSuccessKind::Failure, NOT_EXERCISED.to_owned())));

        let mut events = samples::unexercised();
        if let Some(Event::RunFinished(finished)) = events.last_mut() {
            finished.narrowed = true;
        }
        let document = parsed(&events);
        let case = find(&document, "clauses", "provider.retry");
        assert!(matches!(case.status, TestCaseStatus::Skipped { .. }), "{case:?}");
    }

    #[test]
    fn a_clause_that_a_crash_kept_from_being_judged_is_an_error_and_no_failure() {
        let document = parsed(&samples::crashing());
        let case = find(&document, "clauses", "search.exact");
        assert_eq!(kind(case), Some((NonSuccessKind::Error, "error".to_owned())));
    }

    const USED: &str = "the runtime can be used";
    const ENDED: &str = "the run comes to its end";

    #[test]
    fn a_runtime_that_did_not_start_is_an_error_with_the_cause_and_what_is_known_of_the_run() {
        let document = parsed(&samples::not_started());
        let case = find(&document, RUN, USED);
        assert_eq!(kind(case), Some((NonSuccessKind::Error, "runtimeFailed".to_owned())));
        let TestCaseStatus::NonSuccess { message: Some(message), .. } = &case.status else {
            panic!("{case:?}")
        };
        assert_eq!(message.as_str(), "the runtime hung: no answer to initialize within 2000 ms");
        let suite = document.test_suites.iter().find(|suite| suite.name.as_str() == RUN).unwrap();
        let known: Vec<_> = suite.properties.iter().map(|one| one.value.as_str()).collect();
        assert_eq!(known, ["mine", "mine", "nib-r3", "4f1c09aa", "3"]);
    }

    #[test]
    fn a_runtime_that_fails_on_the_way_is_an_error_with_its_log() {
        let document = parsed(&samples::crashing());
        let TestCaseStatus::NonSuccess { description: Some(text), .. } =
            &find(&document, RUN, USED).status
        else {
            panic!("a crash is an error")
        };
        assert!(text.as_str().starts_with("in 37 cases: the runtime crashed"), "{text:?}");
        assert!(text.as_str().contains("No module named 'agent'"), "{text:?}");
    }

    #[test]
    fn a_run_that_was_interrupted_is_an_error_and_one_that_was_not_is_none() {
        let mut events = samples::passing();
        assert_eq!(kind(find(&parsed(&events), RUN, ENDED)), None);
        let Some(Event::RunFinished(finished)) = events.last_mut() else { panic!("a run ends") };
        finished.interrupted = true;
        let document = parsed(&events);
        let case = find(&document, RUN, ENDED);
        assert_eq!(kind(case), Some((NonSuccessKind::Error, "interrupted".to_owned())));
    }

    #[test]
    fn a_baseline_that_is_out_of_date_is_a_failure_and_what_it_expects_is_skipped() {
        let document = parsed(&samples::outdated());
        let case = find(&document, RUN, "the baseline is up to date");
        assert_eq!(kind(case), Some((NonSuccessKind::Failure, "outdated".to_owned())));
        let case = find(&document, "clauses", "restore.ignores-failed");
        assert!(matches!(case.status, TestCaseStatus::Skipped { .. }), "{case:?}");
    }

    #[test]
    fn a_warning_passes_and_says_so() {
        let document = parsed(&samples::failing());
        let case = find(&document, "clauses", "search.decorated");
        assert!(matches!(case.status, TestCaseStatus::Success { .. }));
        assert!(case.system_out.as_ref().unwrap().as_str().starts_with("warning: "));
    }
}
