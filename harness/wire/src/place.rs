//! Where in a body something stands.

use std::fmt;

use crate::error::cut;

/// A place in a body, such as `messages[2].content`.
///
/// It is a chain of borrowed steps, so that naming a place costs nothing until it is shown.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Place<'a> {
    /// The body itself.
    Body,
    /// A member of an object.
    Member(&'a Place<'a>, &'a str),
    /// An entry of a list.
    Entry(&'a Place<'a>, usize),
}

impl<'a> Place<'a> {
    /// The member of that name of the object that stands here.
    pub(crate) const fn member(&'a self, name: &'a str) -> Self {
        Self::Member(self, name)
    }

    /// The entry of that number of the list that stands here.
    pub(crate) const fn entry(&'a self, index: usize) -> Self {
        Self::Entry(self, index)
    }
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Body => Ok(()),
            Self::Member(Self::Body, name) => f.write_str(&cut(name)),
            Self::Member(parent, name) => write!(f, "{parent}.{}", cut(name)),
            Self::Entry(parent, index) => write!(f, "{parent}[{index}]"),
        }
    }
}
