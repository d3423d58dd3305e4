//! Verdicts: what all cases together say of each clause.

use std::collections::BTreeMap;

use tacit_contract::baseline::Expectation;
use tacit_contract::clause::{self, Need, clauses};
use tacit_contract::event::ClauseResult;
use tacit_contract::part::{Caught, Part, Terms};
use tacit_contract::protocol::{Api, Description};
use tacit_contract::tally::{InScenario, Tally};
use tacit_contract::{Clause, ClauseId, Level, Profile, Verdict};

use crate::causes::causes;

/// Judges every clause after all cases. `should` and `info` clauses without a check are left
/// out: nothing is said of them.
#[must_use]
pub fn clause_results(part: &Part) -> Vec<ClauseResult> {
    let wanted = &part.terms.clauses;
    let mut results: Vec<ClauseResult> = clauses()
        .iter()
        .filter(|clause| clause.level == Level::Must || clause.unchecked.is_none())
        .filter(|clause| wanted.is_empty() || wanted.contains(&clause.id))
        .map(|clause| result(clause, part))
        .collect();
    trace_back(&mut results, &part.counterexamples);
    results
}

/// Says of each broken clause which other is the cause. What weighs more never follows from what
/// weighs less.
fn trace_back(results: &mut [ClauseResult], counterexamples: &BTreeMap<ClauseId, Caught>) {
    let failing: BTreeMap<ClauseId, Level> = results
        .iter()
        .filter(|result| matches!(result.verdict, Verdict::Fail | Verdict::Warn))
        .map(|result| (result.id.clone(), result.level))
        .collect();
    let caught = counterexamples
        .iter()
        .filter(|(id, _)| failing.contains_key(*id))
        .map(|(id, caught)| (id.clone(), caught.clone()));
    let causes = causes(&caught.collect());
    for result in results {
        let cause = causes.get(&result.id);
        let weighs_less = |cause: &&ClauseId| {
            failing.get(*cause) == Some(&Level::Must) || result.level != Level::Must
        };
        result.because = cause.filter(weighs_less).cloned();
    }
}

fn result(clause: &Clause, part: &Part) -> ClauseResult {
    let Part { terms: Terms { profile, .. }, runtime, tally, counterexamples, .. } = part;
    let over = exercised_over(clause, runtime, tally);
    let exercised = over.values().sum();
    let unexercised: Vec<&str> =
        over.iter().filter(|(_, count)| **count == 0).map(|(api, _)| api.as_str()).collect();
    let mut result = ClauseResult {
        id: clause.id.clone(),
        level: clause.level,
        verdict: Verdict::NotApplicable,
        exercised,
        exercised_over: if over.len() > 1 { over.clone() } else { BTreeMap::new() },
        claimed: false,
        reason: None,
        because: None,
        reading: None,
        reproduced: None,
        counterexamples: Vec::new(),
    };
    if let Some(reason) = profile.why_not_claimed(clause) {
        result.reason = Some(format!("not claimed: {reason}"));
        return result;
    }
    result.claimed = true;
    if let Some(reason) = not_applicable(clause, profile, runtime) {
        result.reason = Some(reason);
        return result;
    }
    result.reading = readings(clause, tally);
    if let Some(failing) = tally.failing.get(&clause.id) {
        result.verdict = broken(clause.level);
        result.reason = Some(failing.breach.found.clone());
        if let Some(caught) = counterexamples.get(&clause.id) {
            // What was found in the smallest session, which is the one that is shown.
            result.reason = Some(caught.breach.found.clone());
            result.counterexamples.push(caught.path.clone());
            result.reproduced = Some(caught.reproduced);
        }
    } else if let Some(InScenario { scenario, breach, .. }) = tally.in_scenarios.get(&clause.id) {
        result.verdict = broken(clause.level);
        result.reason = Some(format!("{} (scenario: {scenario})", breach.found));
    } else if let Some(entry) = expected(clause, part) {
        result.verdict = Verdict::ExpectedFailure;
        result.reason = Some(because_listed(entry));
        result.counterexamples.push(entry.counterexample.clone());
    } else if unexercised.is_empty() {
        result.verdict = Verdict::Pass;
    } else if let (0, Some(why)) = (exercised, tally.undecided.get(&clause.id)) {
        // What a request does not show is nobody's failure, and no pass either.
        result.reason = Some(format!("could not be decided: {why}"));
    } else if let Some(cause) = cause(tally) {
        result.verdict = Verdict::Error;
        result.reason = Some(cause);
    } else {
        result.verdict = Verdict::NotExercised;
        let over = format!("no case over {} reached its premise", unexercised.join(", "));
        let nowhere = exercised == 0;
        result.reason = Some(if nowhere { "no case reached its premise".to_owned() } else { over });
    }
    result
}

/// The entry of the baseline that a clause was broken as.
fn expected<'a>(clause: &Clause, part: &'a Part) -> Option<&'a Expectation> {
    let apis = part.tally.expected.get(&clause.id)?;
    let listed = part.baseline.as_ref()?;
    let about = |one: &&Expectation| apis.iter().any(|api| one.is_about(&clause.id, *api));
    listed.entries.iter().filter(|one| one.is_of(part.terms.profile.revision)).find(about)
}

fn because_listed(entry: &Expectation) -> String {
    let issue = entry.issue.as_ref().map_or_else(String::new, |issue| format!(" ({issue})"));
    let until = entry.until.map_or_else(String::new, |until| format!(", until {until}"));
    format!("expected by the baseline: {}{issue}{until}", entry.reason)
}

/// How often a clause's premise occurred over each API over which it can.
fn exercised_over(clause: &Clause, runtime: &Description, tally: &Tally) -> BTreeMap<Api, u64> {
    let can = &runtime.capabilities;
    let native = clause.needs.contains(&Need::NativeDeferral);
    let apis = if native { &can.native_deferral } else { &can.provider_apis };
    let seen = tally.exercised.get(&clause.id);
    let count = |api: &Api| seen.and_then(|seen| seen.get(api)).copied().unwrap_or_default();
    apis.iter().map(|api| (*api, count(api))).collect()
}

/// What it comes to that clauses are broken: the weightiest decides.
#[must_use]
pub fn of_broken<'a>(clauses: impl Iterator<Item = &'a ClauseId>) -> Verdict {
    let levels = clauses.filter_map(|id| clause::clause(id.as_str()));
    levels.map(|clause| clause.level).min().map_or(Verdict::Fail, broken)
}

/// What it comes to that a clause of a level is broken.
pub(crate) fn broken(level: Level) -> Verdict {
    match level {
        Level::Must => Verdict::Fail,
        Level::Should | Level::Info => Verdict::Warn,
    }
}

/// Why a clause cannot be judged on this runtime; `None` where it can.
#[must_use]
pub fn not_applicable(clause: &Clause, profile: &Profile, runtime: &Description) -> Option<String> {
    let dialect = profile.dialect(&runtime.dialect);
    let lacks = clause.needs.iter().find_map(|need| need.lacking(runtime, &dialect));
    if let Some(lacks) = lacks {
        return Some(lacks.to_owned());
    }
    if clause.id == "initial.cost" && profile.predeclares {
        return Some("the runtime sends tools ahead that the provider hides".to_owned());
    }
    if profile.catalog.is_none() && BY_THE_CATALOG.contains(&clause.id.as_str()) {
        return Some("the profile promises no catalog".to_owned());
    }
    clause.unchecked.clone()
}

/// The clauses below `must` that are about a catalog, or held against its bound. Those of `must`
/// a profile without one has to name itself, with its reason.
const BY_THE_CATALOG: [&str; 4] =
    ["catalog.remainder", "catalog.instruction", "catalog.clean-text", "search.bounded"];

/// Which readings were seen of a clause, and what was measured.
pub(crate) fn readings(clause: &Clause, tally: &Tally) -> Option<String> {
    // Of several points the reading alone does not say which it is about.
    let several = clause.readings.len() > 1;
    let seen = clause.readings.iter().filter_map(|point| Some((point, tally.readings.get(point)?)));
    let seen: Vec<String> = seen
        .flat_map(|(point, readings)| {
            let about = if several { format!("{point}: ") } else { String::new() };
            readings.iter().map(move |(reading, count)| format!("{about}{reading} ({count})"))
        })
        .collect();
    let measured = tally.measures.get(&clause.id).and_then(|measure| {
        let percent = measure.percent()?;
        Some(format!("{percent} % of {} bytes", measure.whole))
    });
    let all: Vec<String> = seen.into_iter().chain(measured).collect();
    (!all.is_empty()).then(|| all.join(", "))
}

fn cause(tally: &Tally) -> Option<String> {
    tally.main_cause().map(ToString::to_string).or_else(|| tally.passing.clone())
}
