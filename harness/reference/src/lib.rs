//! The reference runtime: a real implementation of ADR 0048, with each known fault as a switch.

mod abort;
pub mod activation;
mod call;
mod context;
mod encoder;
pub mod faults;
pub mod http;
mod own;
mod prompts;
mod provider;
mod runtime;
mod serve;
mod session;
#[cfg(test)]
mod tests;
mod turn;

pub use faults::{Fault, Faults};
pub use runtime::{ReferenceOptions, ReferenceRuntime};
pub use serve::{serve, serve_runtime};
