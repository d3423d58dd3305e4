//! Strategies for registries, transcripts, sessions, queries and hostile text.
//!
//! # How a session is made
//! A [`Session`](tacit_contract::Session) is a registry, a mode and a flat list of steps over a
//! fixed [`universe`] of tool names. A [`mix`] puts one together from
//! [`scenes`]: short runs of steps that mean something together, such as a search and the use of
//! what it found. No part of it depends on another while it is generated: a step names a tool
//! whether or not the registry has it, and each step is total, so that one that does not apply
//! does nothing. What the runtime cannot do ([`Setting`]) is not generated at all.
//!
//! # How it shrinks
//! As data, not through the strategies that made it ([`shrink`]): runs of steps go, then single
//! steps, tools, calls, names and texts. What a candidate was is known at once, so none is tried
//! twice, and a session from a file shrinks like a generated one.
//!
//! # How it repeats
//! A case follows from a master seed and its number ([`runner::runner`]), and from nothing else:
//! not from the environment, not from the cases before it, not from the worker that plays it.
//!
//! # How one knows what was generated
//! Each session has labels ([`coverage::labels`]); the tests hold each mix to the shares that it
//! is made for.
//!
//! ```
//! use tacit_generators::{Setting, mix, runner};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let restarts = mix("restarts").ok_or("no such mix")?.strategy(&Setting::everything());
//! let tree = runner::generate(&restarts, runner::master(7, "restarts"), 0)?;
//! let smallest = runner::smallest(tree, 200, |session| !session.steps.is_empty());
//! assert_eq!(smallest.value.length(), 1);
//! # Ok(())
//! # }
//! ```

mod actions;
pub mod arbitrary;
pub mod coverage;
pub mod exhaustive;
pub mod hostile;
pub mod mixes;
pub mod names;
pub mod occasions;
pub mod queries;
pub mod registries;
pub mod runner;
pub mod scenes;
pub mod sessions;
pub mod setting;
pub mod shrink;
pub mod texts;
pub mod transcripts;
pub mod universe;

pub use arbitrary::Any;
pub use mixes::{MIXES, Mix, mix};
pub use setting::Setting;
