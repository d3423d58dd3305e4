//! The body of a request, as it may come: forms that endpoints refuse are let through here as
//! long as they say what the model would see.

use std::fmt;

use serde::de::value::{MapAccessDeserializer, SeqAccessDeserializer};
use serde::de::{Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::body::{Known, Schema};

#[derive(Deserialize)]
#[serde(bound(deserialize = "S: Schema"))]
pub(super) struct Body<S> {
    pub(super) model: Option<Known>,
    pub(super) messages: Vec<Message<S>>,
    pub(super) tools: Option<Vec<ToolEntry<S>>>,
    /// The older form of `tools`: what it holds, a model sees as well.
    pub(super) functions: Option<Vec<Function<S>>>,
    pub(super) tool_choice: Option<Known>,
    pub(super) stream: Option<bool>,
}

#[derive(Deserialize)]
#[serde(bound(deserialize = "S: Schema"))]
pub(super) struct Message<S> {
    pub(super) role: Role,
    pub(super) content: Option<Content>,
    pub(super) tool_calls: Option<Vec<Call>>,
    pub(super) tool_call_id: Option<String>,
    pub(super) tools: Option<Vec<ToolEntry<S>>>,
}

#[derive(Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(super) enum Role {
    #[serde(alias = "developer")]
    System,
    User,
    Assistant,
    Tool,
}

pub(super) enum Content {
    Text(String),
    Blocks(Vec<Block>),
}

#[derive(Deserialize)]
pub(super) struct Block {
    pub(super) r#type: Option<String>,
    pub(super) text: Option<String>,
    pub(super) refusal: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct Call {
    #[serde(default)]
    pub(super) id: String,
    pub(super) r#type: Option<String>,
    pub(super) function: Option<Called>,
    pub(super) custom: Option<CalledCustom>,
}

#[derive(Deserialize)]
pub(super) struct Called {
    pub(super) name: String,
    #[serde(default)]
    pub(super) arguments: Value,
}

#[derive(Deserialize)]
pub(super) struct CalledCustom {
    pub(super) name: String,
    #[serde(default)]
    pub(super) input: Value,
}

#[derive(Deserialize)]
#[serde(bound(deserialize = "S: Schema"))]
pub(super) struct ToolEntry<S> {
    pub(super) r#type: Option<String>,
    pub(super) function: Option<Function<S>>,
    pub(super) custom: Option<Function<S>>,
}

#[derive(Deserialize)]
#[serde(bound(deserialize = "S: Schema"))]
pub(super) struct Function<S> {
    pub(super) name: String,
    pub(super) description: Option<String>,
    pub(super) parameters: Option<S>,
}

impl<'de> Deserialize<'de> for Content {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TextOrBlocks;
        impl<'de> Visitor<'de> for TextOrBlocks {
            type Value = Content;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text or a list of blocks")
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Content, E> {
                Ok(Content::Text(text.to_owned()))
            }

            fn visit_string<E: serde::de::Error>(self, text: String) -> Result<Content, E> {
                Ok(Content::Text(text))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, blocks: A) -> Result<Content, A::Error> {
                Vec::deserialize(SeqAccessDeserializer::new(blocks)).map(Content::Blocks)
            }

            fn visit_map<A: MapAccess<'de>>(self, block: A) -> Result<Content, A::Error> {
                let _: IgnoredAny = IgnoredAny::deserialize(MapAccessDeserializer::new(block))?;
                Err(A::Error::custom("found an object, expected a text or a list of blocks"))
            }
        }
        deserializer.deserialize_any(TextOrBlocks)
    }
}
