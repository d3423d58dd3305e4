//! What one mode makes of a registry.

use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::Arc;

use tacit_contract::{Mode, Standing, Tool};

use super::catalog::{self, Bounds};
use super::search::{Index, Selection};
use super::{ActiveSet, Registry, SEARCH};

/// A registry as one mode sees it: what is always sent, what is deferred, and nothing else.
///
/// The catalog lists active tools as well, so that the base prompt stays the same while a prompt
/// runs; it and the search index are made once, on first use.
#[derive(Debug)]
pub struct View {
    registry: Rc<Registry>,
    mode: Mode,
    always: Vec<Arc<Tool>>,
    deferred: Vec<Arc<Tool>>,
    catalog: OnceCell<Option<Rc<str>>>,
    index: OnceCell<Index>,
}

impl View {
    /// The view that a mode has of a registry.
    #[must_use]
    pub fn new(registry: Rc<Registry>, mode: Mode) -> Self {
        let mut always = Vec::new();
        let mut deferred = Vec::new();
        for tool in registry.tools() {
            match tool.standing(mode) {
                Some(Standing::Core) => always.push(Arc::clone(tool)),
                Some(Standing::Deferred) => deferred.push(Arc::clone(tool)),
                None => {}
            }
        }
        if deferred.is_empty() {
            always.retain(|tool| tool.name != SEARCH);
        }
        Self { registry, mode, always, deferred, catalog: OnceCell::new(), index: OnceCell::new() }
    }

    /// The mode.
    #[must_use]
    pub fn mode(&self) -> Mode {
        self.mode
    }

    /// The registry that this is a view of.
    #[must_use]
    pub fn registry(&self) -> &Rc<Registry> {
        &self.registry
    }

    /// The tools that every request carries: core, and the search tool while something is
    /// deferred.
    #[must_use]
    pub fn always(&self) -> &[Arc<Tool>] {
        &self.always
    }

    /// The deferred catalog, in registry order.
    #[must_use]
    pub fn deferred(&self) -> &[Arc<Tool>] {
        &self.deferred
    }

    /// The tool of that name, if this mode defers it.
    #[must_use]
    pub fn find_deferred(&self, name: &str) -> Option<&Arc<Tool>> {
        self.registry.get(name).filter(|tool| tool.standing(self.mode) == Some(Standing::Deferred))
    }

    /// Whether every request carries the tool of that name.
    #[must_use]
    pub fn is_always(&self, name: &str) -> bool {
        self.always.iter().any(|tool| tool.name == *name)
    }

    /// The tool of that name, and whether it is deferred.
    fn find(&self, name: &str) -> Option<(Arc<Tool>, bool)> {
        let tool = self.registry.get(name)?;
        let deferred = match tool.standing(self.mode)? {
            Standing::Core => false,
            Standing::Deferred => true,
        };
        Some((Arc::clone(tool), deferred))
    }

    /// The catalog section for the base prompt; `None` where nothing is deferred.
    #[must_use]
    pub fn catalog(&self) -> Option<&str> {
        self.catalog
            .get_or_init(|| {
                (!self.deferred.is_empty())
                    .then(|| catalog::render(&self.deferred, &Bounds::default()).into())
            })
            .as_deref()
    }

    /// The search index over everything that this mode allows.
    pub fn index(&self) -> &Index {
        self.index.get_or_init(|| Index::new(&self.always, &self.deferred))
    }

    /// What a search for `query` activates, at most `most` tools.
    #[must_use]
    pub fn select(&self, query: &str, active: &ActiveSet, most: usize) -> Selection {
        let ranking = match self.find(query.trim()) {
            // A name as it is spelt needs no index: a large registry is not read for it.
            Some(exact) => vec![exact],
            None => self.index().rank(query),
        };
        Selection::from_ranking(ranking, active, most)
    }
}
