//! The step definitions of the Gherkin scenarios: features in words on one side, sessions and
//! expectations as data on the other.
//!
//! Steps hold no checks. What a scenario plays is a [`Case`](tacit_contract::Case), what it
//! expects goes to the judge, and what it plays on is a port that the suite hands in.

pub mod case;
pub mod catalogue;
pub mod documentation;
pub mod hook;
pub mod meaning;
mod nearest;
pub mod needs;
pub mod pattern;
pub mod port;
pub mod run;
pub mod source;
pub mod table;
pub mod tags;
pub mod title;
pub mod vocabulary;
pub mod words;
pub mod world;
pub mod write;
