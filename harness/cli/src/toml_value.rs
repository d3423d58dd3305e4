//! Values in `tacit.toml` that are written as on the command line.

use std::time::Duration;

use serde::{Deserialize, Deserializer};

use crate::args::values;

/// An amount of memory as flags take it.
pub fn memory<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u64>, D::Error> {
    read_with(values::memory, deserializer)
}

/// A duration as flags take it.
pub fn duration<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Duration>, D::Error> {
    read_with(values::duration, deserializer)
}

fn read_with<'de, T, D: Deserializer<'de>>(
    read: fn(&str) -> Result<T, String>,
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    let text = String::deserialize(deserializer)?;
    let value = read(&text);
    value.map(Some).map_err(|problem| serde::de::Error::custom(format!("`{text}`: {problem}")))
}
