//! The complete registry of a session.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;

use tacit_contract::{Tool, ToolName};

/// The most characters that the provider APIs take in a tool's name.
const LONGEST_NAME: usize = 64;

/// Whether every provider API takes this name as it stands.
#[must_use]
pub fn is_legal_name(name: &str) -> bool {
    (1..=LONGEST_NAME).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
}

/// Every tool that a session has, the agent's own first, each under a name of its own.
///
/// A name belongs to whoever brings it first. Since the agent's own tools come first, in every
/// mode at once, no plugin can take the name of one, not even in a mode that does not have it.
/// A tool whose name no API takes is left out, for one such entry would spoil every request.
#[derive(Debug, Default)]
pub struct Registry {
    tools: Vec<Arc<Tool>>,
    places: HashMap<ToolName, usize>,
}

impl Registry {
    /// The registry of an agent's own tools and what a session adds.
    pub fn new(own: &[Arc<Tool>], session: impl IntoIterator<Item = Tool>) -> Self {
        let mut registry = Self::default();
        for tool in own {
            registry.add(Arc::clone(tool));
        }
        for tool in session {
            if is_legal_name(tool.name.as_str()) {
                registry.add(Arc::new(tool));
            }
        }
        registry
    }

    fn add(&mut self, tool: Arc<Tool>) {
        if let Entry::Vacant(free) = self.places.entry(tool.name.clone()) {
            free.insert(self.tools.len());
            self.tools.push(tool);
        }
    }

    /// The tool of that name.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Arc<Tool>> {
        self.places.get(name).map(|place| &self.tools[*place])
    }

    /// Every tool, in registry order.
    #[must_use]
    pub fn tools(&self) -> &[Arc<Tool>] {
        &self.tools
    }
}
