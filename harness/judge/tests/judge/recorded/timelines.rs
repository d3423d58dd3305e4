//! Timelines: what each request showed, had to show and was allowed to show.

use std::fmt::Write;

use tacit_contract::ToolName;
use tacit_contract::timeline::{Ground, Point, RequestPoint};
use tacit_judge::timeline::timeline;

use super::played::{Recorded, family};

/// A test for each family whose sessions differ in what evidence they hold.
macro_rules! families {
    ($($test:ident: $family:literal,)*) => {
        $(#[test]
        fn $test() {
            let name = concat!("timelines-", $family);
            insta::assert_snapshot!(name, told(&family($family)));
        })*
    };
}

families! {
    the_timelines_of_sessions_are_as_before: "sessions",
    the_timelines_of_uses_are_as_before: "uses",
    the_timelines_of_seeded_transcripts_are_as_before: "transcripts",
    the_timelines_of_lost_context_are_as_before: "context",
    the_timelines_of_faults_of_registries_are_as_before: "faults-registry",
    the_timelines_of_failing_providers_are_as_before: "providers",
    the_timelines_of_faults_of_restoration_are_as_before: "faults-restore",
    the_timelines_of_faults_of_first_requests_are_as_before: "faults-initial",
}

fn told(cases: &[Recorded]) -> String {
    let mut text = String::new();
    for case in cases {
        writeln!(text, "{}", case.name).unwrap();
        for point in timeline(&case.profile(), &case.trace) {
            let entry = point.entry();
            match point {
                Point::Prompt(prompt) => {
                    let (session, mode, over) = (prompt.session, prompt.mode, prompt.provider);
                    let number = prompt.prompt;
                    writeln!(text, "{entry:>4} prompt {number} of {session}, {mode}, over {over}")
                }
                Point::Request(request) => writeln!(text, "{entry:>4} {}", shown(&request)),
            }
            .unwrap();
        }
    }
    text
}

/// One request on one line.
fn shown(request: &RequestPoint) -> String {
    if let Some(why) = &request.unseen {
        return format!("not seen: {why}");
    }
    let mut parts = vec![format!("shows {}", request.shown.len())];
    if request.repeat {
        parts.push("again".to_owned());
    }
    let always = |ground| matches!(ground, Ground::Core | Ground::AlwaysActive);
    let always = request.required.iter().filter(|required| always(required.ground)).count();
    parts.push(format!("{always} always"));
    for required in &request.required[always..] {
        let by = required.by.as_ref().map_or("nothing", |call| call.as_str());
        parts.push(format!("{} {:?} by {by}", required.tool, required.ground));
    }
    for held in &request.evidence {
        parts.push(format!("{} {:?} {:?}", held.call, held.status, held.marker));
    }
    if request.anything {
        parts.push("anything".to_owned());
    }
    let names = |what: &str, tools: &[ToolName]| match tools {
        [] => None,
        _ => Some(format!("{what} {tools:?}")),
    };
    parts.extend(names("allowed", &request.allowed));
    parts.extend(names("missing", &request.missing));
    for excess in &request.excess {
        parts.push(format!("too much: {}, though {:?}", excess.tool, excess.though));
    }
    parts.join("; ")
}
