//! Where in a request the definitions of its tools stand.

use std::collections::BTreeMap;
use std::sync::Arc;

use tacit_contract::{Row, Tool};

use super::ActiveSet;
use super::evidence::{Claim, Ground, claims};

/// The tools of a request, each in one place.
#[derive(Debug, Clone, Default)]
pub struct Placement {
    /// Those of the ordinary list.
    pub listed: Vec<Arc<Tool>>,
    /// Those that are loaded right behind a result, by the row of that result.
    pub loaded: BTreeMap<usize, Vec<Arc<Tool>>>,
}

impl Placement {
    /// All in the ordinary list, which every provider reads.
    #[must_use]
    pub fn plain(tools: Vec<Arc<Tool>>) -> Self {
        Self { listed: tools, loaded: BTreeMap::new() }
    }

    /// For a provider that loads tools: an active tool stands behind the first result whose
    /// marker names it, any other in the ordinary list.
    ///
    /// A pure function of the rows of the effective context, so that a restart changes nothing.
    /// Markers of rows before `since` do not count; what is active by its use alone has none.
    #[must_use]
    pub fn native(tools: Vec<Arc<Tool>>, active: &ActiveSet, rows: &[Row], since: usize) -> Self {
        let mut placement = Self::plain(tools);
        let markers = claims(rows).into_iter().filter(|claim| {
            claim.row >= since && matches!(claim.ground, Ground::Marker(_)) && Claim::holds(claim)
        });
        for claim in markers.filter(|claim| active.contains(claim.tool.as_str())) {
            let listed = &mut placement.listed;
            if let Some(place) = listed.iter().position(|tool| tool.name == *claim.tool) {
                placement.loaded.entry(claim.row).or_default().push(listed.remove(place));
            }
        }
        placement
    }
}
