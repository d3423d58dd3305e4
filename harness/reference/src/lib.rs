//! The reference runtime: a real implementation of ADR 0048, with each known fault as a switch.
//!
//! It is an agent in small: a prompt goes to a model provider with the tools that are active,
//! the calls in the answer are run through a host, and so on until the model only speaks. What
//! it is shown is decided in [`activation`], which is pure and could be taken over by any agent
//! in Rust. Around it stand
//!
//! - a session: the registry, the mode, and the durable rows, from which all else follows;
//! - a turn: one prompt from the user's words to the model's last;
//! - an encoder for each provider API, which also writes what the provider is to load by itself;
//! - [`serve`], which puts it behind the stdio protocol, with both ports over [`http`], and
//!   [`serve_sidecar`], which puts it behind that of Nib's sidecar;
//! - [`faults`], each of which breaks it on purpose, and [`variants`], which do what the contract
//!   leaves free another way; both are [`switches`].
//!
//! Nothing of a session is kept in memory that its rows do not tell: a restart, a reload of the
//! rows and the next prompt all read the same evidence by the same function.
//!
//! # Where a tool's schema stands
//! In the ordinary list; but with a provider that loads tools, what a search has found stands at a
//! load point: behind the result whose marker names it, for as long as that result is in the
//! context. Over Chat Completions that is a system message with tools behind the results of its
//! batch, over Responses a finished tool search behind them, over Messages a reference in the
//! result itself to a deferred entry of the list.
//!
//! # What a request holds after the context was cut
//! A checkpoint keeps nothing but its summary, which stands as a user message of its own. A
//! compaction between prompts is followed by the next prompt. `new_context` writes its checkpoint
//! behind the batch that it was called in, and the prompt's text again behind the checkpoint, as
//! a row: the rows alone tell what was sent. What was active stays so until the prompt ends.

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
mod sidecar;
pub mod switches;
#[cfg(test)]
mod tests;
mod turn;
pub mod variants;

pub use faults::Fault;
pub use runtime::{ReferenceOptions, ReferenceRuntime};
pub use serve::{serve, serve_runtime};
pub use sidecar::{Spelling, serve_sidecar};
pub use switches::Switches;
pub use variants::CorrectVariant;
