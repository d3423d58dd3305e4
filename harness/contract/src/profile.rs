//! Profiles: a revision of the contract in a runtime's own dialect, as TOML.

use std::collections::BTreeMap;
use std::ops::Range;

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::clause::{Clause, Level, clause, clauses};
use crate::name::{ClauseId, ToolName};
use crate::protocol::{Dialect, NewContext};
use crate::revision::Revision;
use crate::tool::Mode;

/// What a runtime claims, and what it calls things.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Profile {
    /// The name that `--profile` knows it by.
    pub id: String,
    /// What it is, in one line.
    pub title: String,
    /// The revision of the contract.
    pub revision: Revision,
    /// The most tools that one search may activate: four, or fewer.
    #[serde(default = "four")]
    pub max_per_search: u32,
    /// Whether two searches of one batch share one maximum (an accepted reading).
    #[serde(default)]
    pub batch_shares_maximum: bool,
    /// Whether inactive tools are sent ahead, in a form that the provider hides from the model.
    #[serde(default)]
    pub predeclares: bool,
    /// The runtime's names.
    #[serde(default)]
    pub names: Names,
    /// The tools of each mode.
    pub modes: BTreeMap<Mode, ModeTools>,
    /// The catalog's form and bounds; without it the runtime promises no catalog.
    #[serde(default)]
    pub catalog: Option<CatalogShape>,
    /// Clauses of the revision that the runtime does not claim, each with the reason.
    #[serde(default)]
    pub not_claimed: BTreeMap<ClauseId, String>,
}

fn four() -> u32 {
    4
}

/// A runtime's names; those that it gives at the start win over these.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Names {
    /// The search tool.
    #[serde(default)]
    pub search_tool: Option<ToolName>,
    /// Its arguments, with `$QUERY` for the query.
    #[serde(default)]
    pub search_arguments: Option<serde_json::Value>,
    /// The argument by which the model could ask for more.
    #[serde(default)]
    pub limit_argument: Option<String>,
    /// What is put before a tool's name on the wire.
    #[serde(default)]
    pub name_prefix: Option<String>,
    /// The tool that starts a new context.
    #[serde(default)]
    pub new_context: Option<NewContext>,
    /// The core tool that reads a file of the workspace.
    #[serde(default)]
    pub read: Option<ReadTool>,
}

/// The core tool that reads a file, and the argument that takes its path.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ReadTool {
    /// The tool.
    pub tool: ToolName,
    /// The argument.
    pub argument: String,
}

/// The tools that a runtime has of its own in one mode, beside those that a session gives it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ModeTools {
    /// Always sent, as the contract asks.
    pub core: Vec<ToolName>,
    /// Always sent, and not in the ADR; `"*"` for whatever the runtime likes.
    #[serde(default)]
    pub also: Vec<ToolName>,
    /// Deferred tools of the runtime's own: known by name, without canaries.
    #[serde(default)]
    pub deferred: Vec<ToolName>,
}

/// The catalog's form, and its bounds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct CatalogShape {
    /// The line that it begins with.
    pub heading: String,
    /// A tool's line, with `$NAME` and `$DESCRIPTION`.
    pub entry: String,
    /// The line that says how many are left out, with `$COUNT`.
    #[serde(default)]
    pub overflow: Option<String>,
    /// Where it ends.
    #[serde(default)]
    pub ends: CatalogEnd,
    /// The most entries.
    pub entries: usize,
    /// The most characters of a description, in Unicode scalar values.
    pub line: usize,
    /// The most bytes of the whole.
    pub bytes: usize,
}

/// Where a catalog ends.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub enum CatalogEnd {
    /// At the next blank line.
    #[default]
    #[serde(rename = "blank line")]
    BlankLine,
    /// At the next line that begins with `#`.
    #[serde(rename = "next heading")]
    NextHeading,
    /// With the base prompt.
    #[serde(rename = "end of prompt")]
    EndOfPrompt,
}

/// A profile that cannot be used: what is wrong, and where.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{problem}")]
pub struct ProfileError {
    /// What was found and what was expected.
    pub problem: String,
    /// Where in the text, in bytes.
    pub span: Option<Range<usize>>,
}

impl ProfileError {
    fn of(problem: impl Into<String>) -> Self {
        Self { problem: problem.into(), span: None }
    }
}

macro_rules! built_in {
    ($($id:literal),* $(,)?) => {
        /// The text of a built-in profile.
        #[must_use]
        pub fn built_in(id: &str) -> Option<&'static str> {
            match id {
                $($id => Some(include_str!(concat!("../profiles/", $id, ".toml"))),)*
                _ => None,
            }
        }

        /// The names of the built-in profiles.
        pub const BUILT_IN: &[&str] = &[$($id),*];
    };
}

built_in!(
    "nib-r1",
    "nib-r2",
    "nib-r3",
    "ai-sdk",
    "mastra",
    "mastra-in-memory",
    "pi-0.83",
    "pi-0.83-policy",
    "pi-1.6",
    "pi-1.6-policy",
    "pydantic-ai",
);

impl Profile {
    /// Reads a profile.
    ///
    /// # Errors
    /// The text is no TOML, has a key that no profile has, or says what no profile may say: a
    /// maximum above four, a claim on no clause, catalog clauses claimed without a catalog.
    pub fn parse(text: &str) -> Result<Self, ProfileError> {
        let profile: Self = toml::from_str(text).map_err(|error| ProfileError {
            problem: error.message().to_owned(),
            span: error.span(),
        })?;
        profile.check()?;
        Ok(profile)
    }

    /// A built-in profile.
    ///
    /// # Errors
    /// There is none of that name.
    pub fn named(id: &str) -> Result<Self, ProfileError> {
        let text = built_in(id).ok_or_else(|| {
            ProfileError::of(format!("there is no profile `{id}`: {}", BUILT_IN.join(", ")))
        })?;
        Self::parse(text)
    }

    /// The same runtime, held to another revision of the contract: the built-in profile of that
    /// revision for one of them, else the same names and tools.
    #[must_use]
    pub fn under(&self, revision: Revision) -> Self {
        let own = format!("nib-{}", self.revision);
        let sibling = (self.id == own).then(|| Self::named(&format!("nib-{revision}")).ok());
        sibling.flatten().unwrap_or_else(|| Self { revision, ..self.clone() })
    }

    fn check(&self) -> Result<(), ProfileError> {
        if !(1..=4).contains(&self.max_per_search) {
            return Err(ProfileError::of(format!(
                "`max-per-search` is {}: expected 1 to 4, the contract's own maximum",
                self.max_per_search
            )));
        }
        self.check_names()?;
        for id in self.not_claimed.keys() {
            if clause(id.as_str()).is_none() {
                return Err(ProfileError::of(format!(
                    "`not-claimed.\"{id}\"` names no clause: `tacit list clauses` shows all"
                )));
            }
        }
        if self.modes.is_empty() {
            return Err(ProfileError::of(
                "`modes` is empty: expected the tools of one mode or more",
            ));
        }
        if self.catalog.is_none() {
            let claimed = self.claimed().find(|clause| needs_a_catalog(&clause.id));
            if let Some(clause) = claimed {
                return Err(ProfileError::of(format!(
                    "there is no `catalog`, yet `{}` is claimed: describe the catalog, or name the \
                     clause under `not-claimed` with the reason",
                    clause.id
                )));
            }
        }
        Ok(())
    }

    /// Texts without which nothing would ever be found, and the runtime blamed for it.
    fn check_names(&self) -> Result<(), ProfileError> {
        if let Some(catalog) = &self.catalog {
            if !catalog.entry.contains("$NAME") {
                return Err(ProfileError::of(format!(
                    "`catalog.entry` is `{}`: expected a line with `$NAME` in it",
                    catalog.entry
                )));
            }
            if catalog.heading.trim().is_empty() {
                return Err(ProfileError::of(
                    "`catalog.heading` is empty: expected a line of text",
                ));
            }
        }
        if let Some(arguments) = &self.names.search_arguments
            && !arguments.to_string().contains("$QUERY")
        {
            return Err(ProfileError::of(format!(
                "`names.search-arguments` is {arguments}: expected `$QUERY` where the query goes"
            )));
        }
        for (mode, tools) in &self.modes {
            let mut once = std::collections::BTreeSet::new();
            for tool in &tools.core {
                if tool.as_str().trim().is_empty() || !once.insert(tool) {
                    return Err(ProfileError::of(format!(
                        "`modes.{mode}.core` names {tool:?} twice or names nothing: expected each \
                         tool once"
                    )));
                }
            }
        }
        Ok(())
    }

    /// The clauses that the runtime claims: those of its revision less those not claimed.
    pub fn claimed(&self) -> impl Iterator<Item = &'static Clause> {
        clauses().iter().filter(|clause| self.why_not_claimed(clause).is_none())
    }

    /// Whether the runtime claims a clause of this id.
    #[must_use]
    pub fn claims(&self, id: &str) -> bool {
        clause(id).is_some_and(|clause| self.why_not_claimed(clause).is_none())
    }

    /// Why a clause is not claimed; `None` where it is.
    #[must_use]
    pub fn why_not_claimed(&self, clause: &Clause) -> Option<String> {
        if !clause.revisions.contains(&self.revision) {
            return Some(format!("revision {} does not have it", self.revision));
        }
        self.not_claimed.get(&clause.id).cloned()
    }

    /// The runtime's own names, with those of the profile where it gave none.
    #[must_use]
    pub fn dialect(&self, given: &Dialect) -> Dialect {
        let names = &self.names;
        Dialect {
            search_tool: given.search_tool.clone().or_else(|| names.search_tool.clone()),
            search_arguments: given
                .search_arguments
                .clone()
                .or_else(|| names.search_arguments.clone()),
            limit_argument: given.limit_argument.clone().or_else(|| names.limit_argument.clone()),
            name_prefix: given.name_prefix.clone().or_else(|| names.name_prefix.clone()),
            new_context: given.new_context.clone().or_else(|| names.new_context.clone()),
        }
    }

    /// The tools of a mode; empty for a mode that the profile does not name.
    #[must_use]
    pub fn mode(&self, mode: Mode) -> &ModeTools {
        static NONE: ModeTools =
            ModeTools { core: Vec::new(), also: Vec::new(), deferred: Vec::new() };
        self.modes.get(&mode).unwrap_or(&NONE)
    }
}

impl ModeTools {
    /// Whether the runtime may send whatever else it likes.
    #[must_use]
    pub fn sends_anything(&self) -> bool {
        self.also.iter().any(|name| *name == "*")
    }
}

fn needs_a_catalog(id: &ClauseId) -> bool {
    id.family() == "catalog"
        && *id != "catalog.no-schema"
        && clause(id.as_str()).is_some_and(|c| c.level == Level::Must && c.unchecked.is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_built_in_profile_can_be_read_and_bears_its_name() {
        for id in BUILT_IN {
            let profile = Profile::named(id).unwrap_or_else(|error| panic!("{id}: {error}"));
            assert_eq!(profile.id, *id);
        }
    }

    #[test]
    fn a_key_that_no_profile_has_is_an_error_with_its_place() {
        let text = built_in("nib-r3").unwrap_or_default().replace("entries = 64", "entires = 64");
        let error = Profile::parse(&text).unwrap_err();
        assert!(error.problem.contains("entires"), "{error}");
        assert_eq!(error.span.map(|span| text[span].to_owned()), Some("entires".to_owned()));
    }

    #[test]
    fn a_maximum_above_four_is_refused() {
        let text = built_in("nib-r3")
            .unwrap_or_default()
            .replace("max-per-search = 4", "max-per-search = 5");
        assert!(Profile::parse(&text).unwrap_err().problem.contains("expected 1 to 4"));
    }
}
