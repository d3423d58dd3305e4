//! The commands.

pub mod run;
