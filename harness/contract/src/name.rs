//! Names as types of their own, so that a tool's name is never taken for a call's id.

use std::borrow::{Borrow, Cow};
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

macro_rules! name {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(transparent)]
        pub struct $name(Arc<str>);

        impl $name {
            /// The name as text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl From<&str> for $name {
            fn from(text: &str) -> Self {
                Self(Arc::from(text))
            }
        }

        impl From<String> for $name {
            fn from(text: String) -> Self {
                Self(Arc::from(text))
            }
        }

        impl Borrow<str> for $name {
            fn borrow(&self) -> &str {
                &self.0
            }
        }

        impl AsRef<str> for $name {
            fn as_ref(&self) -> &str {
                &self.0
            }
        }

        impl PartialEq<str> for $name {
            fn eq(&self, other: &str) -> bool {
                &*self.0 == other
            }
        }

        impl PartialEq<&str> for $name {
            fn eq(&self, other: &&str) -> bool {
                &*self.0 == *other
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{:?}", &*self.0)
            }
        }
    };
}

name! {
    /// The name of a tool as the registry has it, without any prefix of the wire.
    ToolName
}
name! {
    /// The id of a clause: its family, a dot, and a word, such as `restore.use-evidence`.
    ClauseId
}
name! {
    /// The id of one tool call, unique in a session.
    CallId
}
name! {
    /// The id of a session, as the harness chose it.
    SessionId
}
name! {
    /// The id of the plugin that brings a tool.
    PluginId
}
name! {
    /// The id of a property, such as `sessions`.
    PropertyId
}

impl ToolName {
    /// The name as a sentence says it: of one that nobody could see, that it is so.
    #[must_use]
    pub fn in_words(&self) -> Cow<'_, str> {
        match self.as_str() {
            "" => "a tool without a name".into(),
            blank if blank.trim().is_empty() => format!("a tool named {blank:?}").into(),
            name => name.into(),
        }
    }
}

impl ClauseId {
    /// The family: what stands before the dot (`restore` of `restore.use-evidence`).
    #[must_use]
    pub fn family(&self) -> &str {
        self.as_str().split('.').next().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_that_cannot_be_seen_is_described() {
        for (name, words) in [
            ("acme_weather", "acme_weather"),
            ("", "a tool without a name"),
            (" \t", "a tool named \" \\t\""),
        ] {
            assert_eq!(ToolName::from(name).in_words(), words);
        }
    }
}
