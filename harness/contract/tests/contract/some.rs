//! Some of everything, for the tests.

use tacit_contract::protocol::{Api, Capabilities, CoreTools, Description, Dialect, Party};
use tacit_contract::session::{Bulk, Moment, Past, SeedTurn};
use tacit_contract::{
    Mode, Origin, ProviderKind, Session, Standing, Step, Tool, ToolName, ToolSpec,
};

/// A runtime that can do nothing beyond what every runtime can.
pub fn runtime(core_tools: CoreTools) -> Description {
    Description {
        protocol_version: 1,
        runtime: Party {
            name: "a runtime".to_owned(),
            version: "1".to_owned(),
            language: None,
            url: None,
        },
        capabilities: Capabilities {
            provider_apis: vec![Api::OpenaiChat],
            native_deferral: Vec::new(),
            modes: vec![Mode::Agent],
            core_tools,
            concurrent: false,
            activity: false,
            transcript: false,
            abort: false,
            set_mode: false,
            set_tools: false,
            compact: false,
        },
        dialect: Dialect::default(),
    }
}

/// A tool that is deferred in every mode.
pub fn deferred(name: &str) -> ToolSpec {
    ToolSpec::deferred(name, "what it is for", Origin::plugin("acme"), &Mode::ALL)
}

/// A tool of some standing in one mode.
pub fn in_mode(name: &str, mode: Mode, standing: Standing) -> ToolSpec {
    let mut tool = deferred(name);
    tool.modes = [(mode, standing)].into();
    tool
}

/// A session in agent mode.
pub fn session(tools: Vec<ToolSpec>, steps: Vec<Step>) -> Session {
    Session {
        seed: 1,
        mode: Mode::Agent,
        provider: ProviderKind::PLAINEST,
        tools,
        bulk: Bulk::default(),
        steps,
    }
}

pub fn prompt(text: &str) -> Step {
    Step::Prompt { text: text.to_owned() }
}

/// A seeded turn in which one search succeeded.
pub fn seeded(prompt: &str, marker: &[&str]) -> Step {
    let marker = marker.iter().copied().map(ToolName::from).collect();
    turn(prompt, vec![Moment::Searched { marker, status: Past::Ok }])
}

pub fn turn(prompt: &str, moments: Vec<Moment>) -> Step {
    Step::Seed(SeedTurn { prompt: prompt.to_owned(), moments })
}

/// The names of tools, to be compared with.
pub fn names(tools: &[Tool]) -> Vec<&str> {
    tools.iter().map(|tool| tool.name.as_str()).collect()
}
