//! The registry as the contract sees it: what each tool is in each mode, the runtime's own
//! tools included.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use crate::name::ToolName;
use crate::profile::Profile;
use crate::protocol::{CoreTools, Description};
use crate::session::Session;
use crate::tool::{Mode, Origin, OriginKind, Standing, Tool};

/// The longest name that every provider's API takes.
pub const LONGEST_NAME: usize = 64;

/// What a runtime was given, and what it has of its own.
#[derive(Debug, Clone)]
pub struct Registry {
    given: Arc<Vec<Tool>>,
    by_name: HashMap<ToolName, usize>,
    doubtful: BTreeSet<ToolName>,
    taken: BTreeSet<ToolName>,
    shared: BTreeSet<ToolName>,
    own: BTreeMap<Mode, Own>,
}

#[derive(Debug, Clone, Default)]
struct Own {
    core: BTreeSet<ToolName>,
    deferred: BTreeSet<ToolName>,
}

impl Registry {
    /// The registry of a runtime that was given these tools, under a profile.
    ///
    /// The names that the runtime keeps for itself are the search tool, `new_context` and the
    /// profile's core and further tools; a given tool that takes one of them is doubtful.
    #[must_use]
    pub fn new(given: Arc<Vec<Tool>>, profile: &Profile, runtime: &Description) -> Self {
        let dialect = profile.dialect(&runtime.dialect);
        let own_tools = runtime.capabilities.core_tools == CoreTools::Own;
        let mut reserved = BTreeSet::from([dialect.search_tool()]);
        reserved.extend(dialect.new_context.as_ref().map(|tool| tool.name.clone()));
        let mut own: BTreeMap<Mode, Own> = BTreeMap::new();
        for (mode, tools) in &profile.modes {
            reserved.extend(tools.also.iter().cloned());
            let entry = own.entry(*mode).or_default();
            entry.deferred.extend(tools.deferred.iter().cloned());
            entry.core.extend(tools.core.iter().cloned());
            if own_tools {
                reserved.extend(tools.core.iter().chain(&tools.deferred).cloned());
            }
        }
        let prefix = dialect.prefix();
        let mut by_name = HashMap::with_capacity(given.len());
        let [mut illegal, mut taken, mut shared] = [const { BTreeSet::<ToolName>::new() }; 3];
        for (place, tool) in given.iter().enumerate() {
            if !is_legal(prefix, &tool.name) {
                illegal.insert(tool.name.clone());
            }
            if reserved.contains(&tool.name) {
                taken.insert(tool.name.clone());
            }
            if by_name.insert(tool.name.clone(), place).is_some() {
                shared.insert(tool.name.clone());
            }
        }
        shared = &shared - &taken;
        let doubtful = illegal.into_iter().chain(&taken | &shared).collect();
        Self { given, by_name, doubtful, taken, shared, own }
    }

    /// What a tool is in a mode; `None` where the mode forbids it or nobody has it.
    ///
    /// A tool of the runtime's own wins over a given one of that name.
    #[must_use]
    pub fn standing(&self, name: &ToolName, mode: Mode) -> Option<Standing> {
        if let Some(own) = self.own.get(&mode) {
            if own.core.contains(name) {
                return Some(Standing::Core);
            }
            if own.deferred.contains(name) {
                return Some(Standing::Deferred);
            }
        }
        self.tool(name)?.standing(mode)
    }

    /// Whether a tool is in the mode's deferred catalog.
    #[must_use]
    pub fn is_deferred(&self, name: &ToolName, mode: Mode) -> bool {
        self.standing(name, mode) == Some(Standing::Deferred)
    }

    /// Whether a given tool may be renamed, refused or left out: its name is illegal, taken by
    /// the runtime, or brought twice. Nothing is required of it.
    #[must_use]
    pub fn is_doubtful(&self, name: &ToolName) -> bool {
        self.doubtful.contains(name)
    }

    /// The names that the runtime keeps for itself and that a given tool bears all the same.
    pub fn taken(&self) -> impl Iterator<Item = &ToolName> {
        self.taken.iter()
    }

    /// The names, not the runtime's own, that more than one given tool bears.
    pub fn shared(&self) -> impl Iterator<Item = &ToolName> {
        self.shared.iter()
    }

    /// Every given tool of a name, in the order in which they were given.
    pub fn namesakes<'a>(&'a self, name: &'a ToolName) -> impl Iterator<Item = &'a Tool> {
        self.given.iter().filter(move |tool| tool.name == *name)
    }

    /// A given tool.
    #[must_use]
    pub fn tool(&self, name: &ToolName) -> Option<&Tool> {
        self.by_name.get(name).and_then(|place| self.given.get(*place))
    }

    /// Every given tool.
    #[must_use]
    pub fn given(&self) -> &Arc<Vec<Tool>> {
        &self.given
    }

    /// The mode's core set: the runtime's own and the given ones, doubtful ones left out.
    pub fn core(&self, mode: Mode) -> impl Iterator<Item = &ToolName> {
        self.all(mode, Standing::Core)
    }

    /// The mode's deferred catalog, the runtime's own first, doubtful ones left out.
    pub fn deferred(&self, mode: Mode) -> impl Iterator<Item = &ToolName> {
        self.all(mode, Standing::Deferred)
    }

    /// Whether the catalog of the mode might hold a doubtful tool.
    #[must_use]
    pub fn has_doubtful(&self, mode: Mode) -> bool {
        self.doubtful.iter().any(|name| {
            self.given.iter().any(|tool| tool.name == *name && tool.standing(mode).is_some())
        })
    }

    fn all(&self, mode: Mode, wanted: Standing) -> impl Iterator<Item = &ToolName> {
        let own = self.own.get(&mode).into_iter().flat_map(move |own| match wanted {
            Standing::Core => &own.core,
            Standing::Deferred => &own.deferred,
        });
        let given = self.given.iter().map(|tool| &tool.name).filter(move |name| {
            !self.doubtful.contains(*name)
                && !self
                    .own
                    .get(&mode)
                    .is_some_and(|own| own.core.contains(*name) || own.deferred.contains(*name))
                && self.standing(name, mode) == Some(wanted)
        });
        own.chain(given)
    }
}

/// Whether every provider's API takes the name, prefix included.
#[must_use]
pub fn is_legal(prefix: &str, name: &ToolName) -> bool {
    let name = name.as_str();
    let length = prefix.len() + name.len();
    !name.is_empty()
        && length <= LONGEST_NAME
        && prefix
            .bytes()
            .chain(name.bytes())
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-')
}

/// The tools that a runtime is given for a session: with core tools of its own, those that are
/// core in no mode; else every tool, and the profile's core tools with schemas of the harness.
#[must_use]
pub fn tools_for(session: &Session, profile: &Profile, runtime: &Description) -> Vec<Tool> {
    let tools = session.registry();
    match runtime.capabilities.core_tools {
        CoreTools::Own => tools
            .into_iter()
            .filter(|tool| !tool.modes.values().any(|standing| *standing == Standing::Core))
            .collect(),
        CoreTools::Given => core_tools(session.seed, profile).into_iter().chain(tools).collect(),
    }
}

fn core_tools(seed: u64, profile: &Profile) -> Vec<Tool> {
    let mut modes: Vec<(ToolName, BTreeMap<Mode, Standing>)> = Vec::new();
    for (mode, tools) in &profile.modes {
        for name in &tools.core {
            match modes.iter_mut().find(|(known, _)| known == name) {
                Some((_, modes)) => {
                    modes.insert(*mode, Standing::Core);
                }
                None => modes.push((name.clone(), BTreeMap::from([(*mode, Standing::Core)]))),
            }
        }
    }
    modes
        .into_iter()
        .map(|(name, modes)| Tool {
            description: format!("{name}: a tool that every request holds"),
            input_schema: crate::canary::schema(seed, &name, 1),
            origin: Origin::of(OriginKind::Builtin),
            name,
            modes,
        })
        .collect()
}
