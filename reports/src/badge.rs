//! The badge, in the form that shields.io reads from an endpoint.

use serde_json::json;

use crate::json::pretty;
use crate::outcome::{Outcome, Worth};
use crate::reporter::ReportError;
use crate::run::Run;
use crate::tally::Claims;

/// The badge of a run as text.
///
/// # Errors
/// None of what a run holds; JSON could always refuse something.
pub fn render(run: &Run) -> Result<String, ReportError> {
    let outcome = Outcome::of(&run.finished);
    let color = match outcome.worth() {
        Worth::Good => "brightgreen",
        Worth::Doubtful => "yellow",
        Worth::Bad => "red",
    };
    let badge = json!({
        "schemaVersion": 1,
        "label": format!("tacit {}", run.started.profile),
        "message": message(run, outcome),
        "color": color,
    });
    pretty(&badge)
}

fn message(run: &Run, outcome: Outcome) -> String {
    let claims = Claims::of(&run.clauses);
    let (kept, all) = (claims.tally().pass, claims.claimed.len());
    match outcome {
        Outcome::Conforms | Outcome::Warned | Outcome::DoesNotConform => {
            format!("{kept} of {all} clauses")
        }
        // A part of the clauses says nothing of the whole.
        Outcome::NothingFailed | Outcome::TooLittle | Outcome::Outdated | Outcome::Interrupted => {
            format!("{}, {kept} of {all} clauses", outcome.as_str())
        }
        Outcome::Unusable => outcome.as_str().to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use tacit_contract::Event;

    use super::*;
    use crate::samples;

    fn badge(events: &[Event]) -> serde_json::Value {
        serde_json::from_str(&render(&Run::of(events).unwrap()).unwrap()).unwrap()
    }

    #[test]
    fn a_badge_has_the_members_that_an_endpoint_must_have_and_no_others() {
        for events in samples::all() {
            let badge = badge(&events);
            let keys: Vec<_> = badge.as_object().unwrap().keys().map(String::as_str).collect();
            assert_eq!(keys, ["schemaVersion", "label", "message", "color"]);
            assert_eq!(badge["schemaVersion"], 1);
            assert!(badge["message"].as_str().is_some_and(|message| !message.is_empty()));
        }
    }

    #[test]
    fn only_a_run_in_which_nothing_is_wrong_is_green() {
        let shown = |events: &[Event]| {
            let badge = badge(events);
            let text = |key: &str| badge[key].as_str().unwrap_or_default().to_owned();
            format!("{} ({})", text("message"), text("color"))
        };
        insta::assert_snapshot!(
            [
                samples::passing(),
                samples::failing(),
                samples::unexercised(),
                samples::not_started()
            ]
            .map(|events| shown(&events))
            .join("\n")
        );
    }
}
