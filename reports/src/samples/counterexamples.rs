//! Counterexamples of made-up runs.

use tacit_contract::clause::clause;
use tacit_contract::event::{Counterexample, StoryLine};
use tacit_contract::timeline::{
    Ended, Evidence, Ground, Point, PromptPoint, RequestPoint, Required,
};
use tacit_contract::{Breach, Mode, ProviderKind, ToolName};

/// A used tool is not restored.
pub(crate) fn missing_tool() -> Counterexample {
    let id = "restore.use-evidence";
    let mut request = request(&["read", "search_tools"]);
    request.evidence.push(Evidence {
        call: "call-1".into(),
        prompt: 0,
        tool: "acme_weather".into(),
        search: false,
        status: Ended::Ok,
        marker: Vec::new(),
    });
    request.required.push(Required {
        tool: "acme_weather".into(),
        ground: Ground::UseEvidence,
        by: Some("call-1".into()),
    });
    request.missing.push("acme_weather".into());
    let found = "acme_weather is missing: a successful use in the context proves it";
    Counterexample {
        steps_before: 19,
        steps: 3,
        story: vec![
            line("an agent session, with the deferred tool acme_weather"),
            line("the transcript holds a call of acme_weather (successful)"),
            line("the user asks \"anything\""),
            broken("request 1 shows: read, search_tools", found, id),
        ],
        timeline: vec![prompt(), Point::Request(request)],
        ..counterexample(id, "acme_weather", found)
    }
}

pub(super) fn line(text: &str) -> StoryLine {
    StoryLine { text: text.to_owned(), wrong: None, asks: None }
}

pub(super) fn broken(text: &str, found: &str, id: &str) -> StoryLine {
    let asks = clause(id).map(|clause| clause.sentence.clone());
    StoryLine { wrong: Some(found.to_owned()), asks, ..line(text) }
}

pub(super) fn counterexample(id: &str, tool: &str, found: &str) -> Counterexample {
    let path = format!(".tacit/corpus/{}-1", id.replace('.', "-"));
    Counterexample {
        clause: id.into(),
        found_by: "sessions".to_owned(),
        steps_before: 8,
        steps: 1,
        reproduced: 3,
        data: format!("{path}.json"),
        feature: format!("{path}.feature"),
        story: Vec::new(),
        timeline: Vec::new(),
        breach: Breach {
            clause: id.into(),
            session: "s1".into(),
            entry: 2,
            prompt: 1,
            request: 1,
            tool: Some(tool.into()),
            found: found.to_owned(),
        },
    }
}

pub(super) fn prompt() -> Point {
    Point::Prompt(PromptPoint {
        session: "s1".into(),
        entry: 1,
        prompt: 1,
        mode: Mode::Agent,
        provider: ProviderKind::PLAINEST,
        text: "anything".to_owned(),
    })
}

pub(super) fn request(shown: &[&str]) -> RequestPoint {
    let required = |tool: &str, ground| Required { tool: tool.into(), ground, by: None };
    RequestPoint {
        session: "s1".into(),
        entry: 2,
        prompt: 1,
        request: 1,
        mode: Mode::Agent,
        provider: ProviderKind::PLAINEST,
        repeat: false,
        unseen: None,
        shown: shown.iter().map(|tool| ToolName::from(*tool)).collect(),
        evidence: Vec::new(),
        required: vec![
            required("read", Ground::Core),
            required("search_tools", Ground::AlwaysActive),
        ],
        allowed: Vec::new(),
        anything: false,
        missing: Vec::new(),
        excess: Vec::new(),
    }
}
