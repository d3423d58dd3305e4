//! What a runtime and its profile can do: what is not there is not generated.

use std::collections::BTreeMap;

use tacit_contract::protocol::{Capabilities, CoreTools, Dialect};
use tacit_contract::{Mode, ToolName};

/// What sessions may hold, so that no step is generated that the runtime cannot take.
#[derive(Debug, Clone, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "each is a capability of the protocol")]
pub struct Setting {
    /// The modes that it has; the first is the one that counterexamples shrink towards.
    pub modes: Vec<Mode>,
    /// It can be opened from rows.
    pub transcript: bool,
    /// Its mode can change.
    pub set_mode: bool,
    /// Its registry can change.
    pub set_tools: bool,
    /// It can be told to compact.
    pub compact: bool,
    /// A prompt can be stopped.
    pub abort: bool,
    /// It has a tool that starts a new context.
    pub new_context: bool,
    /// It speaks more than one provider API.
    pub several_apis: bool,
    /// It can let the provider load tools, over some API.
    pub native: bool,
    /// Its search tool has an argument by which the model can ask for more matches.
    pub limit: bool,
    /// Who brings the core tools.
    pub core_tools: CoreTools,
    /// The names of the core tools of each mode.
    pub core_names: BTreeMap<Mode, Vec<ToolName>>,
    /// The name of the search tool.
    pub search_tool: ToolName,
}

impl Setting {
    /// The setting of a runtime: what it can do, what it calls things (its own names before the
    /// profile's), and its core tools.
    #[must_use]
    pub fn of(
        capabilities: &Capabilities,
        dialect: &Dialect,
        core_names: BTreeMap<Mode, Vec<ToolName>>,
    ) -> Self {
        Self {
            modes: capabilities.modes.clone(),
            transcript: capabilities.transcript,
            set_mode: capabilities.set_mode,
            set_tools: capabilities.set_tools,
            compact: capabilities.compact,
            abort: capabilities.abort,
            new_context: dialect.new_context.is_some(),
            several_apis: capabilities.provider_apis.len() > 1,
            native: !capabilities.native_deferral.is_empty(),
            limit: dialect.limit_argument.is_some(),
            core_tools: capabilities.core_tools,
            core_names,
            search_tool: dialect.search_tool(),
        }
    }

    /// A runtime that can do everything, with the core tools that the ADR names.
    #[must_use]
    pub fn everything() -> Self {
        let read_only = ["Read", "Glob", "Grep"];
        let all = ["Read", "Bash", "Edit", "Write", "Glob", "Grep"];
        let core_names = Mode::ALL
            .into_iter()
            .map(|mode| {
                let names: &[&str] = if mode == Mode::Agent { &all } else { &read_only };
                (mode, names.iter().copied().map(ToolName::from).collect())
            })
            .collect();
        Self {
            modes: Mode::ALL.to_vec(),
            transcript: true,
            set_mode: true,
            set_tools: true,
            compact: true,
            abort: true,
            new_context: true,
            several_apis: true,
            native: true,
            limit: true,
            core_tools: CoreTools::Own,
            core_names,
            search_tool: tacit_contract::seed::SEARCH_TOOL.into(),
        }
    }

    /// A runtime that can only open, prompt, save and close, in agent mode, over one API.
    #[must_use]
    pub fn bare() -> Self {
        Self {
            modes: vec![Mode::Agent],
            transcript: false,
            set_mode: false,
            set_tools: false,
            compact: false,
            abort: false,
            new_context: false,
            several_apis: false,
            native: false,
            limit: false,
            ..Self::everything()
        }
    }

    /// What two runtimes can both do. The names that either keeps for itself are kept for both.
    #[must_use]
    pub fn meet(&self, other: &Self) -> Self {
        let mut core_names = self.core_names.clone();
        for (mode, names) in &other.core_names {
            let known = core_names.entry(*mode).or_default();
            // The other's search tool is one more name that no made-up call may reach.
            let more = names.iter().chain([&other.search_tool]);
            for name in more.filter(|name| **name != self.search_tool) {
                if !known.contains(name) {
                    known.push(name.clone());
                }
            }
        }
        let both_given =
            self.core_tools == CoreTools::Given && other.core_tools == CoreTools::Given;
        Self {
            modes: self.modes.iter().copied().filter(|mode| other.modes.contains(mode)).collect(),
            transcript: self.transcript && other.transcript,
            set_mode: self.set_mode && other.set_mode,
            set_tools: self.set_tools && other.set_tools,
            compact: self.compact && other.compact,
            abort: self.abort && other.abort,
            new_context: self.new_context && other.new_context,
            several_apis: self.several_apis && other.several_apis,
            native: self.native && other.native,
            limit: self.limit && other.limit,
            core_tools: if both_given { CoreTools::Given } else { CoreTools::Own },
            core_names,
            search_tool: self.search_tool.clone(),
        }
    }

    /// The mode that counterexamples shrink towards.
    #[must_use]
    pub fn plainest_mode(&self) -> Mode {
        self.modes.first().copied().unwrap_or(Mode::Agent)
    }

    /// Whether it can be played over more than one kind of provider.
    #[must_use]
    pub fn several_providers(&self) -> bool {
        self.several_apis || self.native
    }

    /// Every core name of every mode, each once.
    #[must_use]
    pub fn all_core_names(&self) -> Vec<ToolName> {
        let mut names: Vec<ToolName> = Vec::new();
        for name in self.core_names.values().flatten() {
            if !names.contains(name) {
                names.push(name.clone());
            }
        }
        names
    }

    /// Whether a scripted call of this name could reach a real tool of the runtime. None is
    /// generated: what such a tool would do with made-up arguments is nobody's to find out.
    #[must_use]
    pub fn is_reserved(&self, name: &ToolName) -> bool {
        let same = |other: &str| other.eq_ignore_ascii_case(name.as_str().trim());
        same(self.search_tool.as_str())
            || RESERVED.iter().copied().any(same)
            || self.core_names.values().flatten().any(|core| same(core.as_str()))
    }
}

/// Names that runtimes keep for themselves, whatever a profile says.
pub const RESERVED: [&str; 12] = [
    "ToolSearch",
    "tool_search",
    "new_context",
    "asktool",
    "Read",
    "Write",
    "Edit",
    "Bash",
    "Glob",
    "Grep",
    "Task",
    "shell",
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_runtimes_can_both_do_what_each_of_them_can() {
        let (all, bare) = (Setting::everything(), Setting::bare());
        assert_eq!(all.meet(&bare), bare);
        assert_eq!(bare.meet(&all), bare);
        assert_eq!(all.meet(&all), all);
    }

    #[test]
    fn a_name_that_one_of_two_keeps_for_itself_is_kept_for_both() {
        let one = Setting::everything();
        let mut other = Setting { search_tool: "find_tools".into(), ..one.clone() };
        other.core_names.insert(Mode::Agent, vec!["look".into()]);
        let both = one.meet(&other);
        for name in ["Read", "look", "ToolSearch", "find_tools"] {
            assert!(both.is_reserved(&name.into()), "{name}");
        }
    }
}
