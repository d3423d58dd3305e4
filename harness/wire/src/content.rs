//! Content that is a text or a list of blocks.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::SeqAccessDeserializer;
use serde::de::{Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use crate::body::Known;

/// Content of a message or of a result.
pub(crate) enum Content<B> {
    /// One text.
    Text(String),
    /// Blocks.
    Blocks(Vec<B>),
    /// An object: what a few results are that no tool of the contract has. Nothing is read of it.
    Object,
}

impl<B> Content<B> {
    /// The texts, one a block.
    pub(crate) fn texts(self, text: impl Fn(B) -> Option<String>) -> Vec<String> {
        match self {
            Self::Text(text) => vec![text],
            Self::Blocks(blocks) => blocks.into_iter().filter_map(text).collect(),
            Self::Object => Vec::new(),
        }
    }

    /// One text, a line or more a block.
    pub(crate) fn joined(self, text: impl Fn(B) -> Option<String>) -> String {
        match self {
            Self::Text(text) => text,
            other => other.texts(text).join("\n"),
        }
    }
}

impl<'de, B: Deserialize<'de>> Deserialize<'de> for Content<B> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TextOrBlocks<B>(PhantomData<B>);
        impl<'de, B: Deserialize<'de>> Visitor<'de> for TextOrBlocks<B> {
            type Value = Content<B>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text or a list of blocks")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Content<B>, E> {
                Ok(Content::Text(text.to_owned()))
            }

            fn visit_string<E: Error>(self, text: String) -> Result<Content<B>, E> {
                Ok(Content::Text(text))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, blocks: A) -> Result<Content<B>, A::Error> {
                Vec::deserialize(SeqAccessDeserializer::new(blocks)).map(Content::Blocks)
            }

            fn visit_map<A: MapAccess<'de>>(self, mut object: A) -> Result<Content<B>, A::Error> {
                while object.next_entry::<Known, Known>()?.is_some() {}
                Ok(Content::Object)
            }
        }
        deserializer.deserialize_any(TextOrBlocks(PhantomData))
    }
}
