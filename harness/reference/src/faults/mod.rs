//! Faults.

/// What a runtime does wrong.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Faults(u128);

impl Faults {
    /// None.
    #[must_use]
    pub fn none() -> Self {
        Self(0)
    }

    /// The faults of these keys.
    ///
    /// # Errors
    ///
    /// The first key that names no fault.
    pub fn parse<'a>(keys: impl IntoIterator<Item = &'a str>) -> Result<Self, UnknownFault> {
        match keys.into_iter().next() {
            Some(key) => Err(UnknownFault { key: key.to_owned() }),
            None => Ok(Self::none()),
        }
    }
}

/// A key names no fault.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{key}` is no fault of the reference runtime")]
pub struct UnknownFault {
    /// The key.
    pub key: String,
}
