//! The active deferred set.

use std::sync::Arc;

use tacit_contract::Tool;

/// The deferred tools whose schemas are sent now, in the order in which they became active.
///
/// That order is a function of the evidence alone, and a newcomer stands last: tools that were
/// sent before keep their place, and with it the provider's cached prefix.
#[derive(Debug, Clone, Default)]
pub struct ActiveSet {
    tools: Vec<Arc<Tool>>,
}

impl ActiveSet {
    /// Adds a tool; false if it was active already.
    pub fn insert(&mut self, tool: Arc<Tool>) -> bool {
        let new = !self.contains(tool.name.as_str());
        if new {
            self.tools.push(tool);
        }
        new
    }

    /// Whether a tool is active.
    #[must_use]
    pub fn contains(&self, name: &str) -> bool {
        self.tools.iter().any(|tool| tool.name == *name)
    }

    /// The active tools, oldest first.
    pub fn iter(&self) -> std::slice::Iter<'_, Arc<Tool>> {
        self.tools.iter()
    }

    /// How many tools are active.
    #[must_use]
    pub fn len(&self) -> usize {
        self.tools.len()
    }

    /// Whether none is.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.tools.is_empty()
    }
}

impl<'a> IntoIterator for &'a ActiveSet {
    type Item = &'a Arc<Tool>;
    type IntoIter = std::slice::Iter<'a, Arc<Tool>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl Extend<Arc<Tool>> for ActiveSet {
    fn extend<I: IntoIterator<Item = Arc<Tool>>>(&mut self, tools: I) {
        for tool in tools {
            self.insert(tool);
        }
    }
}

impl FromIterator<Arc<Tool>> for ActiveSet {
    fn from_iter<I: IntoIterator<Item = Arc<Tool>>>(tools: I) -> Self {
        let mut set = Self::default();
        set.extend(tools);
        set
    }
}
