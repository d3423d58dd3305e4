//! The fixed universe of tools: names that every session draws from.
//!
//! It is fixed so that steps can name a tool without knowing the registry: a name that the
//! registry lacks is a step that says something about missing tools, and deleting a tool while
//! shrinking changes no other step.

use tacit_contract::{Mode, Origin, OriginKind, Standing, ToolName, ToolSpec};

use Mode::{Agent, Chat, Goal, Plan};

/// Where a tool of the universe comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum From {
    /// The product.
    Builtin,
    /// The skill list.
    Skill,
    /// Plugin development.
    Devkit,
    /// The named plugin.
    Plugin(&'static str),
}

/// A tool of the universe.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// Its name.
    pub name: &'static str,
    /// What it is for, in dictionary words.
    pub description: &'static str,
    /// Two words of the description that no other tool of the universe has: together a query
    /// that only this tool answers.
    pub own_words: [&'static str; 2],
    /// Where it comes from.
    pub from: From,
    /// The modes in which it is deferred.
    pub deferred: &'static [Mode],
    /// The modes in which it is core: only for a runtime that is given its core tools.
    pub core: &'static [Mode],
    /// How often it is named, against the others: a few tools are named often, so that one
    /// session names the same tool twice.
    pub weight: usize,
}

const fn entry(
    name: &'static str,
    description: &'static str,
    own_words: [&'static str; 2],
    from: From,
    deferred: &'static [Mode],
    weight: usize,
) -> Entry {
    Entry { name, description, own_words, from, deferred, core: &[], weight }
}

/// The plugins of the universe, each with more than one tool.
pub const PLUGINS: [&str; 3] = ["acme", "beta", "gamma"];

/// Words that stand in five or more descriptions: a query for one of them has more matches than
/// a search may activate.
pub const BROAD_WORDS: [&str; 3] = ["project", "team", "page"];

/// Every tool of the universe.
///
/// Most are deferred in agent mode; each mode has some that only it and a few others defer, and
/// forbids others.
pub const UNIVERSE: [Entry; 15] = [
    entry(
        "Skill",
        "Follow a recipe that the team has rehearsed.",
        ["recipe", "rehearsed"],
        From::Skill,
        &[Agent, Chat, Plan, Goal],
        6,
    ),
    entry(
        "acme_weather",
        "Forecast rain and wind for a city that the team visits.",
        ["forecast", "wind"],
        From::Plugin("acme"),
        &[Agent, Chat, Plan, Goal],
        6,
    ),
    entry(
        "PluginCheck",
        "Validate the manifest of a plugin of the project.",
        ["validate", "manifest"],
        From::Devkit,
        &[Agent, Plan, Goal],
        4,
    ),
    entry(
        "BrowserPreview",
        "Render a page of the project in a headless viewport.",
        ["headless", "viewport"],
        From::Builtin,
        &[Agent, Goal],
        4,
    ),
    entry(
        "PluginPack",
        "Bundle a plugin of the project into an archive.",
        ["bundle", "archive"],
        From::Devkit,
        &[Agent],
        3,
    ),
    entry(
        "PluginScaffold",
        "Lay out a skeleton with placeholders for a fresh plugin of the project.",
        ["skeleton", "placeholders"],
        From::Devkit,
        &[Agent],
        2,
    ),
    entry(
        "acme_tickets",
        "List the defects that the team has filed against the project.",
        ["defects", "filed"],
        From::Plugin("acme"),
        &[Agent, Chat, Goal],
        3,
    ),
    entry(
        "beta_notes",
        "Jot a reminder on a page that the team shares.",
        ["jot", "reminder"],
        From::Plugin("beta"),
        &[Agent, Chat, Plan],
        3,
    ),
    entry(
        "beta_search",
        "Rummage through an encyclopedia for a page that helps the project.",
        ["rummage", "encyclopedia"],
        From::Plugin("beta"),
        &[Agent, Chat, Plan, Goal],
        2,
    ),
    entry(
        "gamma_chart",
        "Plot figures of the project as a histogram on a page.",
        ["figures", "histogram"],
        From::Plugin("gamma"),
        &[Agent, Goal],
        1,
    ),
    entry(
        "gamma_translate",
        "Put a page of the team into another language, idioms included.",
        ["language", "idioms"],
        From::Plugin("gamma"),
        &[Agent, Chat, Plan, Goal],
        2,
    ),
    entry(
        "gamma_invoice",
        "Bill a customer of the team and add the tax.",
        ["customer", "tax"],
        From::Plugin("gamma"),
        &[Agent],
        1,
    ),
    entry(
        "gamma_outline",
        "Arrange the chapters and footnotes of a page for the team.",
        ["chapters", "footnotes"],
        From::Plugin("gamma"),
        &[Plan, Goal],
        1,
    ),
    entry(
        "gamma_minutes",
        "Transcribe a meeting of the team onto a page.",
        ["transcribe", "meeting"],
        From::Plugin("gamma"),
        &[Chat, Plan],
        2,
    ),
    Entry {
        core: &[Chat],
        ..entry(
            "gamma_ledger",
            "Balance the accounts of the team for a quarter.",
            ["accounts", "quarter"],
            From::Plugin("gamma"),
            &[Agent, Plan],
            1,
        )
    },
];

impl Entry {
    /// The tool's name.
    #[must_use]
    pub fn tool_name(&self) -> ToolName {
        self.name.into()
    }

    /// Whether it can only be given to a runtime that brings no core tools of its own.
    #[must_use]
    pub fn needs_given_core(&self) -> bool {
        !self.core.is_empty()
    }

    /// The tool as sessions hold it.
    #[must_use]
    pub fn spec(&self) -> ToolSpec {
        let origin = match self.from {
            From::Builtin => Origin::of(OriginKind::Builtin),
            From::Skill => Origin::of(OriginKind::Skill),
            From::Devkit => Origin::of(OriginKind::Devkit),
            From::Plugin(id) => Origin::plugin(id),
        };
        let mut spec = ToolSpec::deferred(self.name, self.description, origin, self.deferred);
        spec.modes.extend(self.core.iter().map(|mode| (*mode, Standing::Core)));
        spec
    }
}

/// The tool of the universe that has a name.
#[must_use]
pub fn find(name: &str) -> Option<&'static Entry> {
    UNIVERSE.iter().find(|entry| entry.name == name)
}

/// The whole words of a text, in lower case.
pub fn words(text: &str) -> impl Iterator<Item = String> {
    text.split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
}
