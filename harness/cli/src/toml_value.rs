//! Values in `tacit.toml` that are written as on the command line.

use std::num::NonZeroUsize;
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

/// A number of cases as flags take it.
pub fn cases<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<u32>, D::Error> {
    number_with(values::cases, deserializer)
}

/// A number of workers as flags take it.
pub fn jobs<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<NonZeroUsize>, D::Error> {
    number_with(values::jobs, deserializer)
}

fn number_with<'de, T, D: Deserializer<'de>>(
    read: fn(&str) -> Result<T, String>,
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    let value = toml::Value::deserialize(deserializer)?;
    let (shown, read) = match &value {
        toml::Value::Integer(number) => (number.to_string(), read(&number.to_string())),
        // What is no number at all is told as a number that does not fit.
        other => (format!("a {}", other.type_str()), read("")),
    };
    read.map(Some).map_err(|problem| serde::de::Error::custom(format!("{problem}, found {shown}")))
}

fn read_with<'de, T, D: Deserializer<'de>>(
    read: fn(&str) -> Result<T, String>,
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    let text = String::deserialize(deserializer)?;
    let value = read(&text);
    value.map(Some).map_err(|problem| serde::de::Error::custom(format!("`{text}`: {problem}")))
}
