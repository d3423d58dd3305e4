//! What the bodies of all APIs have in common: how they are parsed, and how a schema is passed
//! over.

use std::fmt;

use serde::de::{DeserializeOwned, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_ignored::Path;
use serde_json::Value;
use serde_json::error::Category;
use tacit_contract::ProviderKind;
use tacit_contract::protocol::Api;

use crate::error::{WireError, cut};
use crate::problem::Problem;
use crate::strict::{Found, Limits};
use crate::view::RequestView;

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

/// A schema that is passed over, but for its type. It takes whatever [`Value`] takes.
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

/// A member that the API has and nobody here reads. (serde's own type for that would count as
/// unknown in [`parse_strictly`].)
pub(crate) struct Known;

/// Everything that a visitor can find but a list or an object.
macro_rules! scalars {
    ($value:ty, $made:expr) => {
        scalars!($value, $made, visit_bool bool, visit_i64 i64, visit_u64 u64, visit_f64 f64,
            visit_str &str);

        fn visit_unit<E>(self) -> Result<$value, E> {
            Ok($made)
        }
    };
    ($value:ty, $made:expr, $($visit:ident $found:ty),*) => {
        $(fn $visit<E>(self, _: $found) -> Result<$value, E> {
            Ok($made)
        })*
    };
}

impl<'de> Deserialize<'de> for Outlined {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Passing;
        impl<'de> Visitor<'de> for Passing {
            type Value = Outlined;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a schema")
            }

            scalars!(Outlined, Outlined { object: false });

            fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Outlined, A::Error> {
                while items.next_element::<Known>()?.is_some() {}
                Ok(Outlined { object: false })
            }

            fn visit_map<A: MapAccess<'de>>(self, mut schema: A) -> Result<Outlined, A::Error> {
                let mut object = false;
                while let Some(key) = schema.next_key::<String>()? {
                    if key == "type" {
                        object = schema.next_value::<Value>()? == "object";
                    } else {
                        schema.next_value::<Known>()?;
                    }
                }
                Ok(Outlined { object })
            }
        }
        deserializer.deserialize_any(Passing)
    }
}

impl<'de> Deserialize<'de> for Known {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Anything;
        impl<'de> Visitor<'de> for Anything {
            type Value = Known;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("anything")
            }

            scalars!(Known, Known);

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

/// A body of one API, parsed.
pub(crate) trait ApiBody: DeserializeOwned {
    /// The API.
    const API: Api;
    /// How long its endpoints let names be.
    const LIMITS: Limits;

    /// Says what a strict endpoint of the API refuses in it.
    fn check(&self, found: &mut Found);

    /// What it says.
    fn into_view(self) -> RequestView;
}

/// Reads a body.
pub(crate) fn read<B: ApiBody>(body: &[u8]) -> Result<RequestView, WireError> {
    Ok(parse::<B>(B::API, body)?.into_view())
}

/// Reads a body, and says what an endpoint would refuse in it.
pub(crate) fn examine<B: ApiBody>(
    provider: ProviderKind,
    body: &[u8],
) -> Result<(RequestView, Vec<Problem>), WireError> {
    let (parsed, unknown) = parse_strictly::<B>(B::API, body)?;
    let mut found = Found::new(B::LIMITS, provider, unknown);
    parsed.check(&mut found);
    Ok((parsed.into_view(), found.into_problems()))
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
    let mut note = |path: Path<'_>| unknown.push(shown(&path));
    let parsed = serde_ignored::deserialize(&mut deserializer, &mut note)
        .and_then(|parsed| deserializer.end().map(|()| parsed));
    match parsed {
        Ok(parsed) => Ok((parsed, unknown)),
        Err(error) => Err(misfit::<T>(api, body, &error)),
    }
}

/// Arguments as a value; text that is no JSON stays a text.
pub(crate) fn parsed(arguments: Value) -> Value {
    match arguments {
        Value::String(text) => serde_json::from_str(&text).unwrap_or(Value::String(text)),
        other => other,
    }
}

/// A path as places are shown everywhere.
fn shown(path: &Path<'_>) -> String {
    match path {
        Path::Root => String::new(),
        Path::Seq { parent, index } => format!("{}[{index}]", shown(parent)),
        Path::Map { parent, key } => match shown(parent) {
            parent if parent.is_empty() => cut(key),
            parent => format!("{parent}.{}", cut(key)),
        },
        Path::Some { parent }
        | Path::NewtypeStruct { parent }
        | Path::NewtypeVariant { parent } => shown(parent),
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    const API: Api = Api::OpenaiChat;

    #[derive(Deserialize)]
    struct Body {
        known: Option<Known>,
        list: Option<Vec<Entry>>,
    }

    #[derive(Deserialize)]
    struct Entry {
        schema: Option<Outlined>,
    }

    fn unknown(body: &Value) -> Vec<String> {
        parse_strictly::<Body>(API, body.to_string().as_bytes()).unwrap().1
    }

    #[test]
    fn members_that_there_are_not_are_given_with_their_paths() {
        let body = json!({
            "known": {"anything": [{"at": "all"}]},
            "list": [{}, {"schema": {"type": "object", "x": {"y": 1}}, "origin": {"kind": "x"}}],
            "modes": [],
        });
        assert_eq!(unknown(&body), ["list[1].origin", "modes"]);
    }

    #[test]
    fn what_is_parsed_strictly_is_what_is_parsed() {
        let body = json!({"list": [{"schema": {"type": "object"}}], "more": 1}).to_string();
        let (strict, _) = parse_strictly::<Body>(API, body.as_bytes()).unwrap();
        let is_object = |body: Body| body.list.unwrap()[0].schema.as_ref().unwrap().is_object();
        assert!(strict.known.is_none());
        assert!(is_object(strict));
        assert!(is_object(parse(API, body.as_bytes()).unwrap()));
    }

    #[test]
    fn strictly_or_not_the_errors_are_the_same() {
        for body in ["", "{", "[]", "{} {}", r#"{"list": [{}, 7]}"#] {
            let plain = parse::<Body>(API, body.as_bytes()).err().unwrap();
            let strict = parse_strictly::<Body>(API, body.as_bytes()).err().unwrap();
            assert_eq!(plain, strict, "{body}");
        }
    }

    fn any_json() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<bool>().prop_map(Value::from),
            any::<i64>().prop_map(Value::from),
            any::<u64>().prop_map(Value::from),
            any::<f64>().prop_map(Value::from),
            "object|.{0,3}".prop_map(Value::from),
        ];
        leaf.prop_recursive(3, 12, 4, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                prop::collection::vec(("type|.{0,3}", inner), 0..4)
                    .prop_map(|members| Value::Object(members.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig {
            failure_persistence: None,
            ..ProptestConfig::default()
        })]

        #[test]
        fn any_schema_is_passed_over_with_the_same_type(schema in any_json()) {
            let body = json!({"list": [{"schema": schema}]}).to_string();
            let (outlined, unknown) = parse_strictly::<Body>(API, body.as_bytes()).unwrap();
            prop_assert!(unknown.is_empty());
            let outlined = outlined.list.unwrap().remove(0).schema;
            prop_assert_eq!(
                outlined.is_some_and(|outlined| outlined.is_object()),
                schema.is_object() && Schema::is_object(&schema)
            );
        }
    }
}
