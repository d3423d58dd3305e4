//! Content that is a text or a list of blocks.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Error, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};

use crate::body::Known;

/// Content of a message or of a result.
pub(crate) enum Content<B, O = Known> {
    /// One text.
    Text(String),
    /// Blocks.
    Blocks(Vec<B>),
    /// An object: what a few results are that no tool of the contract has. Nothing is read of
    /// it, unless an API has a use for it.
    Object(O),
}

impl<B, O> Content<B, O> {
    /// The texts, one a block.
    pub(crate) fn texts(self, text: impl Fn(B) -> Option<String>) -> Vec<String> {
        match self {
            Self::Text(text) => vec![text],
            Self::Blocks(blocks) => blocks.into_iter().filter_map(text).collect(),
            Self::Object(_) => Vec::new(),
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

impl<'de, B, O> Deserialize<'de> for Content<B, O>
where
    B: Deserialize<'de>,
    O: Deserialize<'de>,
{
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TextOrBlocks<B, O>(PhantomData<(B, O)>);
        impl<'de, B, O> Visitor<'de> for TextOrBlocks<B, O>
        where
            B: Deserialize<'de>,
            O: Deserialize<'de>,
        {
            type Value = Content<B, O>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text or a list of blocks")
            }

            fn visit_str<E: Error>(self, text: &str) -> Result<Content<B, O>, E> {
                Ok(Content::Text(text.to_owned()))
            }

            fn visit_string<E: Error>(self, text: String) -> Result<Content<B, O>, E> {
                Ok(Content::Text(text))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, blocks: A) -> Result<Content<B, O>, A::Error> {
                Vec::deserialize(SeqAccessDeserializer::new(blocks)).map(Content::Blocks)
            }

            fn visit_map<A: MapAccess<'de>>(self, object: A) -> Result<Content<B, O>, A::Error> {
                O::deserialize(MapAccessDeserializer::new(object)).map(Content::Object)
            }
        }
        deserializer.deserialize_any(TextOrBlocks(PhantomData))
    }
}
