//! The SARIF report (2.1.0), for code scanning.

use std::fmt::Write as _;

use serde_json::{Map, Value, json};
use tacit_contract::clause::clause;
use tacit_contract::event::ClauseResult;
use tacit_contract::{Level, Verdict};

use crate::baseline::outdated;
use crate::findings::{Finding, Place, Weight, findings};
use crate::json::pretty;
use crate::outcome::Outcome;
use crate::reporter::ReportError;
use crate::run::{Failure, Run};
use crate::time;

/// The report of a run as text: a rule for each clause, and a result for each that did not come
/// out as it should.
///
/// # Errors
/// None of what a run holds; JSON could always refuse something.
pub fn render(run: &Run) -> Result<String, ReportError> {
    pretty(&log(run))
}

fn log(run: &Run) -> Value {
    let rules: Vec<Value> = rules(run).map(rule).collect();
    let results: Vec<Value> = findings(run).iter().map(|finding| result(run, finding)).collect();
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": {"driver": {
                "name": "tacit",
                "version": run.started.tool_version,
                "rules": rules,
            }},
            "automationDetails": {"id": format!("tacit/{}/", run.started.profile)},
            "invocations": [invocation(run)],
            "properties": {
                "runtime": format!("{} {}", run.started.name, run.started.version).trim_end(),
                "spec": run.started.spec,
                "profile": run.started.profile,
                "seed": time::seed(run.started.seed),
            },
            "results": results,
        }],
    })
}

/// The clauses that rules are made of: each once, as the format asks for, though a record may judge
/// one twice.
fn rules(run: &Run) -> impl Iterator<Item = &ClauseResult> {
    run.clauses.chunk_by(|one, other| one.id == other.id).filter_map(|same| same.first())
}

/// Whether the run came to its end, and what kept the runtime from being tested: without it a
/// runtime that never started would look like one in which nothing was found.
fn invocation(run: &Run) -> Value {
    let mut notifications: Vec<Value> = run.failures.iter().map(notification).collect();
    if run.finished.interrupted {
        notifications.push(json!({
            "level": "error",
            "message": {"text": "the run was interrupted: what is here was done until then"},
        }));
    }
    json!({
        "executionSuccessful": notifications.is_empty(),
        "exitCode": run.finished.exit_code,
        "exitCodeDescription": Outcome::of(&run.finished).as_str(),
        "toolExecutionNotifications": notifications,
        "toolConfigurationNotifications": outdated(run).map(misconfigured).collect::<Vec<_>>(),
    })
}

fn misconfigured((place, told): (Place<'_>, String)) -> Value {
    json!({"level": "error", "message": {"text": plain(&told)}, "locations": [location(place)]})
}

fn notification(failure: &Failure) -> Value {
    json!({"level": "error", "message": {"text": plain(&failure.told())}})
}

fn rule(result: &ClauseResult) -> Value {
    let level = match result.level {
        Level::Must => "error",
        Level::Should => "warning",
        Level::Info => "note",
    };
    let id = result.id.as_str();
    let known = clause(id);
    let source = known.map_or_else(String::new, |known| format!("{} · ", known.citation()));
    json!({
        "id": id,
        "shortDescription": {"text": known.map_or(id, |known| known.sentence.as_str())},
        "help": {"text": format!("{source}tacit explain {id}")},
        "defaultConfiguration": {"level": level},
        "properties": {"tags": [result.id.family()]},
    })
}

fn result(run: &Run, finding: &Finding<'_>) -> Value {
    let level = match finding.weight {
        Weight::Error => "error",
        Weight::Warning => "warning",
        Weight::Note => "note",
    };
    let mut result = Map::new();
    let mut put = |key: &str, value: Value| result.insert(key.to_owned(), value);
    put("ruleId", json!(finding.clause.id));
    put("ruleIndex", json!(rules(run).position(|one| one.id == finding.clause.id)));
    put("level", json!(level));
    put("message", json!({"text": plain(&finding.told())}));
    if let Some(place) = finding.place {
        put("locations", json!([location(place)]));
    }
    if let Some(found) = finding.found {
        let mut related = location(Place { file: &found.feature, line: 1 });
        related["message"] = json!({"text": "the smallest session, as a scenario"});
        put("relatedLocations", json!([related]));
    }
    // A clause stays one finding when its scenario moves to another line.
    let fingerprint = format!("{}/{}", run.started.profile, finding.clause.id);
    put("partialFingerprints", json!({"tacitClause/v1": fingerprint}));
    if finding.clause.verdict == Verdict::ExpectedFailure {
        let mut suppression = json!({"kind": "external", "status": "accepted"});
        if let Some(reason) = &finding.clause.reason {
            suppression["justification"] = json!(reason);
        }
        put("suppressions", json!([suppression]));
    }
    Value::Object(result)
}

fn location(place: Place<'_>) -> Value {
    json!({"physicalLocation": {
        "artifactLocation": {"uri": uri(place.file)},
        "region": {"startLine": place.line.max(1)},
    }})
}

/// A text in which nothing is a link: what comes from the runtime must not lead anywhere.
fn plain(text: &str) -> String {
    text.replace("](", "\\](")
}

/// A path as a relative reference.
fn uri(path: &str) -> String {
    let mut uri = String::with_capacity(path.len());
    for byte in path.bytes() {
        match byte {
            b'\\' => uri.push('/'),
            b'/' | b'-' | b'.' | b'_' | b'~' => uri.push(char::from(byte)),
            _ if byte.is_ascii_alphanumeric() => uri.push(char::from(byte)),
            _ => {
                let _ = write!(uri, "%{byte:02X}");
            }
        }
    }
    uri
}

/// Whether a text fits the published schema.
#[cfg(test)]
pub(crate) fn fits_the_schema(text: &str) -> bool {
    tests::VALIDATOR.is_valid(&serde_json::from_str(text).unwrap())
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use tacit_contract::Event;

    use super::*;
    use crate::samples;

    pub(super) static VALIDATOR: LazyLock<jsonschema::Validator> = LazyLock::new(|| {
        let schema = include_str!("../tests/schemas/sarif-2.1.0.json");
        // One pattern ends in a bracket that closes nothing: ECMAScript takes it for itself, and
        // the engine here does not.
        let schema = schema.replacen("{2}]?$\"", "{2}\\\\]?$\"", 2);
        let schema: Value = serde_json::from_str(&schema).unwrap();
        jsonschema::options().should_validate_formats(true).build(&schema).unwrap()
    });

    fn rendered(events: &[Event]) -> Value {
        serde_json::from_str(&render(&Run::of(events).unwrap()).unwrap()).unwrap()
    }

    fn of<'a>(log: &'a Value, id: &str) -> &'a Value {
        let results = log["runs"][0]["results"].as_array().unwrap();
        results.iter().find(|result| result["ruleId"] == id).unwrap()
    }

    #[test]
    fn every_report_fits_the_published_schema() {
        for events in samples::all() {
            let log = rendered(&events);
            let errors: Vec<_> = VALIDATOR
                .iter_errors(&log)
                .map(|error| format!("{}: {error}", error.instance_path()))
                .collect();
            assert!(errors.is_empty(), "{errors:#?}");
        }
        let mut wrong = rendered(&samples::failing());
        wrong["runs"][0]["results"][0]["level"] = json!("fatal");
        assert!(!VALIDATOR.is_valid(&wrong), "the schema tells a level that there is not");
    }

    #[test]
    fn a_broken_clause_is_an_error_at_the_line_of_its_scenario() {
        let log = rendered(&samples::failing());
        insta::assert_json_snapshot!(of(&log, "restore.use-evidence"));
    }

    #[test]
    fn a_rule_is_a_clause_and_a_result_points_to_its_rule() {
        let log = rendered(&samples::failing());
        for result in log["runs"][0]["results"].as_array().unwrap() {
            let place = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
            assert_eq!(log["runs"][0]["tool"]["driver"]["rules"][place]["id"], result["ruleId"]);
        }
    }

    #[test]
    fn a_clause_that_is_judged_twice_is_one_rule() {
        let mut events = samples::failing();
        let last = events.len() - 1;
        events.insert(last, events[last - 1].clone());
        assert!(fits_the_schema(&render(&Run::of(&events).unwrap()).unwrap()));
    }

    #[test]
    fn what_is_expected_to_fail_is_suppressed_with_the_reason_and_what_is_not_is_not() {
        let log = rendered(&samples::failing());
        let suppressed = &of(&log, "restore.ignores-failed")["suppressions"][0];
        assert_eq!(suppressed["justification"], "expected by the baseline: fixed in 2.70");
        assert!(of(&log, "restore.use-evidence").get("suppressions").is_none());
    }

    #[test]
    fn a_warning_is_one_and_a_clause_without_a_case_is_a_note() {
        assert_eq!(of(&rendered(&samples::failing()), "search.decorated")["level"], "warning");
        assert_eq!(of(&rendered(&samples::unexercised()), "provider.retry")["level"], "note");
    }

    #[test]
    fn a_runtime_that_did_not_start_is_no_clean_run() {
        let log = rendered(&samples::not_started());
        let invocation = &log["runs"][0]["invocations"][0];
        assert_eq!(invocation["executionSuccessful"], false);
        let text = invocation["toolExecutionNotifications"][0]["message"]["text"].as_str().unwrap();
        assert!(text.contains("no answer to initialize"), "{text}");
        let log = rendered(&samples::passing());
        assert_eq!(log["runs"][0]["invocations"][0]["executionSuccessful"], true);
    }

    #[test]
    fn a_baseline_that_is_out_of_date_is_a_notification_at_the_line_of_the_entry() {
        let log = rendered(&samples::outdated());
        let invocation = &log["runs"][0]["invocations"][0];
        let told = invocation["toolConfigurationNotifications"].as_array().unwrap();
        assert_eq!(told.len(), 2, "{told:?}");
        let place = &told[0]["locations"][0]["physicalLocation"];
        assert_eq!(place["artifactLocation"]["uri"], "known.toml");
        assert_eq!(place["region"]["startLine"], 9);
        assert_eq!(invocation["executionSuccessful"], true);
    }

    #[test]
    fn a_path_of_any_letters_is_a_reference() {
        assert_eq!(uri("my features/größe%.feature"), "my%20features/gr%C3%B6%C3%9Fe%25.feature");
        assert_eq!(uri(".tacit\\corpus\\a-1.feature"), ".tacit/corpus/a-1.feature");
    }

    #[test]
    fn what_a_runtime_says_is_no_link() {
        assert_eq!(plain("[tool](https://example.org)"), "[tool\\](https://example.org)");
    }
}
