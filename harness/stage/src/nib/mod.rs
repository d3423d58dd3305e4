//! Programs that speak the protocol of Nib's sidecar, which was made for an application and not for
//! a test: whoever starts the process is its parent, keeps the transcript of each session, and
//! answers whatever it asks of its host.
//!
//! The connector is such a parent and no more. It writes rows as they are told to it, gives them
//! back when the sidecar rebuilds a session, and takes calls of tools to the host of the contract.

mod desk;
mod history;
mod rows;
mod runtime;
mod session;
mod words;

pub use runtime::NibRuntime;

use crate::child::Processes;

/// Programs that speak the protocol of Nib's sidecar.
pub type Nib = Processes<NibRuntime>;
