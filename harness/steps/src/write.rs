//! From a case to a feature: a counterexample that runs as it stands.

use std::fmt::Write as _;

use tacit_contract::clause::clause;
use tacit_contract::session::{SeedTurn, Session};
use tacit_contract::{Case, ClauseId, Mode, OriginKind, OtherProvider, Step, ToolSpec};

use crate::case::USUAL_SEED;
use crate::table::{Rows, script, tools, transcript};
use crate::title::{capital, title};
use crate::vocabulary::SOMETHING_ELSE;
use crate::words::{quote, write_table};

/// Where a counterexample came from: the comment above it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    /// The property or the scenario that found it.
    pub found_by: String,
    /// The harness and its version.
    pub tool: String,
    /// The runtime and its version.
    pub runtime: String,
    /// How that runtime was asked for; nothing where it was in a program of its own.
    pub spec: Option<String>,
    /// The seed of the run.
    pub seed: u64,
    /// How many steps the session had when it was found.
    pub steps_before: usize,
}

/// What stands before the runtime in the comment that names it.
pub(crate) const SPEC: &str = "# runtime: ";

/// Writes a case as a feature of one scenario, whose last step names the broken clause.
#[must_use]
pub fn write(case: &Case, broken: &ClauseId, header: &Header) -> String {
    let sentence = clause(broken.as_str()).map(|clause| clause.sentence.as_str());
    let mut out = String::new();
    out.push_str(&comment(header, case.session.length()));
    let _ = writeln!(out, "@counterexample @clause:{}", one_line(broken.as_str()));
    let _ = writeln!(out, "Feature: {} is not kept", one_line(broken.as_str()));
    if let Some(clause) = clause(broken.as_str()) {
        let _ = writeln!(out, "  {}.\n  {}.", capital(&clause.sentence), clause.citation());
    }
    let _ = writeln!(out, "\n  Scenario: {}", title(&case.session));
    let mut writer = Writer { out, last: "" };
    writer.setting(&case.session);
    writer.steps(&case.session.steps);
    for variant in &case.variants {
        writer.step("When", &format!("the same session is also played {}", variant.describe()));
    }
    let sentence = sentence.map(|sentence| format!(": {sentence}")).unwrap_or_default();
    writer.step("Then", &format!("the runtime keeps {}{sentence}", quote(broken.as_str())));
    writer.out
}

fn comment(header: &Header, steps: usize) -> String {
    let shrunk = match header.steps_before {
        before if before > steps => format!("; shrunk from {before} steps to {steps}"),
        _ => String::new(),
    };
    let line = format!(
        "found by {}: {} on {}, seed {:08x}{shrunk}",
        header.tool, header.found_by, header.runtime, header.seed
    );
    let spec = header.spec.as_ref().map(|spec| format!("{SPEC}{}\n", one_line(spec)));
    format!("# {}\n{}", one_line(&line), spec.unwrap_or_default())
}

/// A text without anything that would end its line.
fn one_line(text: &str) -> String {
    text.split(|char: char| char.is_control()).collect::<Vec<_>>().join(" ")
}

struct Writer {
    out: String,
    last: &'static str,
}

impl Writer {
    fn step(&mut self, keyword: &'static str, text: &str) {
        let shown = if self.last == keyword { "And" } else { keyword };
        self.last = keyword;
        let _ = writeln!(self.out, "    {shown} {text}");
    }

    fn table(&mut self, rows: &Rows) {
        self.out.push_str(&write_table(rows, "      "));
    }

    fn setting(&mut self, session: &Session) {
        let opening = format!("{} {} session", article(session.mode), session.mode);
        match named(&session.tools) {
            Some((kind, names)) => {
                self.step("Given", &format!("{opening} with the {kind} {names}"));
            }
            None if session.tools.is_empty() => self.step("Given", &opening),
            None => {
                self.step("Given", &format!("{opening} with the tools"));
                self.table(&tools::write(&session.tools));
            }
        }
        let bulk = session.bulk;
        if bulk != tacit_contract::session::Bulk::default() {
            let tools = if bulk.count == 1 { "tool" } else { "tools" };
            let text = format!(
                "{} further plugin {tools}, each described in {} characters",
                bulk.count, bulk.description
            );
            self.step("Given", &text);
        }
        if !session.provider.is_plainest() {
            let loads = if session.provider.native { " that loads tools" } else { "" };
            let text = format!("a provider of \"{}\"{loads}", session.provider.api.as_str());
            self.step("Given", &text);
        }
        if session.seed != USUAL_SEED {
            self.step("Given", &format!("the seed \"{:08x}\"", session.seed));
        }
    }

    fn steps(&mut self, steps: &[Step]) {
        let mut rest = steps;
        while let Some(first) = rest.first() {
            let taken = match first {
                Step::Seed(_) => self.seeds(rest),
                Step::Prompt { text } => self.prompt(text, &rest[1..]) + 1,
                step if script::is_script(step) => self.unasked(rest),
                action => {
                    if let Some(text) = act(action) {
                        self.step("When", &text);
                    }
                    1
                }
            };
            rest = &rest[taken..];
        }
    }

    fn seeds(&mut self, steps: &[Step]) -> usize {
        let turns: Vec<&SeedTurn> = steps
            .iter()
            .map_while(|step| match step {
                Step::Seed(turn) => Some(turn),
                _ => None,
            })
            .collect();
        self.step("Given", "a transcript in which");
        self.table(&transcript::write(&turns));
        turns.len()
    }

    fn prompt(&mut self, text: &str, after: &[Step]) -> usize {
        let length = after.iter().take_while(|step| script::is_script(step)).count();
        // Each prompt is an event of its own, so its keyword is written out.
        self.last = "";
        if length == 0 && text == SOMETHING_ELSE {
            self.step("When", "the user asks something else");
        } else if length == 0 {
            self.step("When", &format!("the user asks {}", quote(text)));
        } else {
            self.step("When", &format!("the user asks {}, and the model", quote(text)));
            self.table(&script::write(&after[..length]));
        }
        length
    }

    fn unasked(&mut self, steps: &[Step]) -> usize {
        let length = steps.iter().take_while(|step| script::is_script(step)).count();
        self.step("When", "the model, though nobody asked,");
        self.table(&script::write(&steps[..length]));
        length
    }
}

fn article(mode: Mode) -> &'static str {
    if mode == Mode::Agent { "an" } else { "a" }
}

/// The tools as a phrase, where all are of one kind and as usual.
fn named(specs: &[ToolSpec]) -> Option<(String, String)> {
    let kind: OriginKind = specs.first()?.origin.kind;
    let usual = |spec: &ToolSpec| *spec == tools::usual(kind, spec.name.clone());
    if !specs.iter().all(usual) {
        return None;
    }
    let quoted: Vec<String> = specs.iter().map(|spec| quote(spec.name.as_str())).collect();
    let names = match quoted.split_last() {
        Some((last, before)) if !before.is_empty() => format!("{} and {last}", before.join(", ")),
        _ => quoted.concat(),
    };
    let plural = if specs.len() > 1 { "s" } else { "" };
    Some((format!("{}{plural}", tools::kind_name(kind)), names))
}

/// An action in words; `None` for what is told in a table.
fn act(step: &Step) -> Option<String> {
    Some(match step {
        Step::Restart { process: true, from_rows: false } => "the runtime is restarted".to_owned(),
        Step::Restart { process: false, from_rows: false } => {
            "the session is saved and opened again".to_owned()
        }
        Step::Restart { process: false, from_rows: true } => {
            "the session is opened again from its rows".to_owned()
        }
        Step::Restart { process: true, from_rows: true } => {
            "the runtime is restarted, and the session opened from its rows".to_owned()
        }
        Step::RestartLate { plugin } => format!(
            "the session is opened again, and the plugin {} registers late",
            quote(plugin.as_str())
        ),
        Step::Branch { prompts: 1 } => "the last prompt is taken back".to_owned(),
        Step::Branch { prompts } => format!("the last {prompts} prompts are taken back"),
        Step::Compact => "the conversation is compacted".to_owned(),
        Step::SetMode { mode } => format!("the mode changes to {mode}"),
        Step::Unplug { plugin } => format!("the plugin {} is removed", quote(plugin.as_str())),
        Step::Plug { plugin } => format!("the plugin {} comes back", quote(plugin.as_str())),
        Step::Update { plugin } => format!("the plugin {} is updated", quote(plugin.as_str())),
        Step::SwitchProvider { to: OtherProvider::OtherApi } => {
            "the session goes on over another API".to_owned()
        }
        Step::SwitchProvider { to: OtherProvider::Native } => {
            "the session goes on with a provider that loads tools".to_owned()
        }
        Step::SwitchProvider { to: OtherProvider::Plain } => {
            "the session goes on with a provider that loads none".to_owned()
        }
        Step::Elsewhere => "another session is opened beside it".to_owned(),
        Step::ElsewhereAhead { plugin } => format!(
            "another session is opened beside it, with the plugin {} one version ahead",
            quote(plugin.as_str())
        ),
        Step::Seed(_)
        | Step::Prompt { .. }
        | Step::Answer { .. }
        | Step::Fail { .. }
        | Step::Abort => return None,
    })
}
