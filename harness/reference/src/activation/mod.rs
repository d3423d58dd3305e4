//! The activation core: which tools a model is shown, and why.
//!
//! Everything here is pure: a registry goes in, a transcript goes in, and what comes out is a
//! catalog for the base prompt, the answer to a search, or the set of tools to restore. There is
//! no I/O and no clock, so an agent of any shape can take the module over as it stands:
//!
//! 1. build a [`Registry`] from the agent's own tools and the session's;
//! 2. take a [`View`] of it for the session's mode;
//! 3. at each prompt, start the [`ActiveSet`] from [`restored`];
//! 4. for each request, send [`View::always`] and the active set, with [`View::catalog`] in the
//!    base prompt, each tool where its [`Placement`] has it;
//! 5. answer a call of [`SEARCH`] by [`View::select`], and add what it activated to the set.

mod active;
pub mod catalog;
pub mod clean;
pub mod evidence;
pub mod pairing;
mod placement;
mod registry;
pub mod search;
mod view;
pub mod words;

pub use active::ActiveSet;
pub use evidence::restored;
pub use placement::Placement;
pub use registry::{Registry, is_legal_name};
pub use search::Selection;
pub use view::View;

/// The tool that activates others.
pub const SEARCH: &str = "ToolSearch";

/// The most tools that one search activates, whatever a session or a model asks for.
pub const MOST_ACTIVATED: usize = 4;
