//! What the bodies of all APIs have in common: how they are parsed, and how a schema is passed
//! over.

use std::fmt;

use serde::de::{DeserializeOwned, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use serde_json::error::Category;
use tacit_contract::protocol::Api;

use crate::error::WireError;

/// A parameter schema: read as [`Value`], or passed over as [`Outlined`].
pub(crate) trait Schema: DeserializeOwned {
    /// The schema, or `null` where it was passed over.
    fn into_value(self) -> Value;

    /// Whether it says that parameters are an object.
    fn is_object(&self) -> bool;
}

impl Schema for Value {
    fn into_value(self) -> Value {
        self
    }

    fn is_object(&self) -> bool {
        self.get("type").and_then(Self::as_str) == Some("object")
    }
}

/// A schema that is passed over, but for its type.
pub(crate) struct Outlined {
    object: bool,
}

impl Schema for Outlined {
    fn into_value(self) -> Value {
        Value::Null
    }

    fn is_object(&self) -> bool {
        self.object
    }
}

impl<'de> Deserialize<'de> for Outlined {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Passing;
        impl<'de> Visitor<'de> for Passing {
            type Value = Outlined;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a schema")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut schema: A) -> Result<Outlined, A::Error> {
                let mut object = false;
                while let Some(key) = schema.next_key::<String>()? {
                    if key == "type" {
                        let named = schema.next_value::<Value>()?;
                        object = named.as_str() == Some("object");
                    } else {
                        schema.next_value::<Known>()?;
                    }
                }
                Ok(Outlined { object })
            }

            fn visit_bool<E>(self, _: bool) -> Result<Outlined, E> {
                Ok(Outlined { object: false })
            }

            fn visit_unit<E>(self) -> Result<Outlined, E> {
                Ok(Outlined { object: false })
            }
        }
        deserializer.deserialize_any(Passing)
    }
}

/// A member that the API has and nobody here reads. (serde's own type for that would count as
/// unknown in [`parse_strictly`].)
pub(crate) struct Known;

impl<'de> Deserialize<'de> for Known {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Anything;
        impl<'de> Visitor<'de> for Anything {
            type Value = Known;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("anything")
            }

            fn visit_bool<E>(self, _: bool) -> Result<Known, E> {
                Ok(Known)
            }

            fn visit_i64<E>(self, _: i64) -> Result<Known, E> {
                Ok(Known)
            }

            fn visit_u64<E>(self, _: u64) -> Result<Known, E> {
                Ok(Known)
            }

            fn visit_f64<E>(self, _: f64) -> Result<Known, E> {
                Ok(Known)
            }

            fn visit_str<E>(self, _: &str) -> Result<Known, E> {
                Ok(Known)
            }

            fn visit_unit<E>(self) -> Result<Known, E> {
                Ok(Known)
            }

            fn visit_none<E>(self) -> Result<Known, E> {
                Ok(Known)
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Known, A::Error> {
                while items.next_element::<Known>()?.is_some() {}
                Ok(Known)
            }

            fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Known, A::Error> {
                while members.next_entry::<Known, Known>()?.is_some() {}
                Ok(Known)
            }
        }
        deserializer.deserialize_any(Anything)
    }
}

/// Parses a body.
///
/// The path of a misfit costs a second pass, which only a misfit pays.
pub(crate) fn parse<T: DeserializeOwned>(api: Api, body: &[u8]) -> Result<T, WireError> {
    serde_json::from_slice(body).map_err(|error| misfit::<T>(api, body, &error))
}

/// Parses a body, and gives the paths of the members that `T` does not have.
pub(crate) fn parse_strictly<T: DeserializeOwned>(
    api: Api,
    body: &[u8],
) -> Result<(T, Vec<String>), WireError> {
    let mut unknown = Vec::new();
    let mut deserializer = serde_json::Deserializer::from_slice(body);
    let parsed =
        serde_ignored::deserialize(&mut deserializer, |path| unknown.push(path.to_string()))
            .and_then(|parsed| deserializer.end().map(|()| parsed));
    match parsed {
        Ok(parsed) => Ok((parsed, unknown)),
        Err(error) => Err(misfit::<T>(api, body, &error)),
    }
}

fn misfit<T: DeserializeOwned>(api: Api, body: &[u8], error: &serde_json::Error) -> WireError {
    let not_json = || WireError::NotJson { api, problem: error.to_string() };
    if error.classify() != Category::Data {
        return not_json();
    }
    let mut deserializer = serde_json::Deserializer::from_slice(body);
    match serde_path_to_error::deserialize::<_, T>(&mut deserializer) {
        Ok(_) => not_json(),
        Err(traced) => WireError::Shape {
            api,
            path: traced.path().to_string(),
            problem: traced.inner().to_string(),
        },
    }
}
