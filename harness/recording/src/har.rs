//! HAR files: `log.entries`, one entry at a time.

use std::fmt;
use std::fs::File;

use serde::de::{DeserializeSeed, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::bounded::Bounded;
use crate::error::RecordingError;
use crate::read::Source;
use crate::{Exchange, secrets};

#[derive(Deserialize)]
struct Entry {
    request: Request,
    #[serde(default)]
    response: Option<Response>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Request {
    url: String,
    #[serde(default)]
    method: Option<String>,
    #[serde(default)]
    post_data: Option<PostData>,
}

#[derive(Deserialize)]
struct PostData {
    #[serde(default)]
    text: Option<String>,
}

#[derive(Deserialize)]
struct Response {
    #[serde(default)]
    status: Option<i64>,
}

/// Reads a HAR file.
pub(crate) fn read(
    source: &Source<'_>,
    input: Bounded<File>,
    heard: &mut dyn FnMut(Exchange),
) -> Result<(), RecordingError> {
    let mut number = 0;
    let mut deserializer = serde_json::Deserializer::from_reader(input);
    let log = Log { source, number: &mut number, heard };
    let mut track = serde_path_to_error::Track::new();
    let result = log
        .deserialize(serde_path_to_error::Deserializer::new(&mut deserializer, &mut track))
        .and_then(|()| deserializer.end());
    result.map_err(|error| {
        let path = track.path().to_string();
        // A question mark stands for a member whose name was not read to its end.
        let path = path.trim_end_matches(".?");
        let place = if path == "." { String::new() } else { format!("at `{path}`") };
        source.parse(&place, &error)
    })
}

/// The object that holds the log; then the log itself.
struct Log<'a> {
    source: &'a Source<'a>,
    number: &'a mut usize,
    heard: &'a mut dyn FnMut(Exchange),
}

impl<'de> DeserializeSeed<'de> for Log<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_map(self)
    }
}

impl<'de> Visitor<'de> for Log<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object with `log`, and in it `entries`")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<(), A::Error> {
        let Self { source, number, heard } = self;
        let mut seen = false;
        while let Some(key) = members.next_key::<String>()? {
            source.renew();
            match key.as_str() {
                "log" => members.next_value_seed(Log { source, number, heard })?,
                "entries" => members.next_value_seed(Entries { source, number, heard })?,
                _ => {
                    members.next_value::<IgnoredAny>()?;
                    continue;
                }
            }
            seen = true;
        }
        if seen { Ok(()) } else { Err(A::Error::custom("expected `log` with `entries`")) }
    }
}

struct Entries<'a> {
    source: &'a Source<'a>,
    number: &'a mut usize,
    heard: &'a mut dyn FnMut(Exchange),
}

impl<'de> DeserializeSeed<'de> for Entries<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_seq(self)
    }
}

impl<'de> Visitor<'de> for Entries<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of entries")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut entries: A) -> Result<(), A::Error> {
        self.source.renew();
        while let Some(entry) = entries.next_element::<Entry>()? {
            *self.number += 1;
            (self.heard)(exchange(*self.number, entry));
            self.source.renew();
        }
        Ok(())
    }
}

fn exchange(number: usize, entry: Entry) -> Exchange {
    let path = secrets::path_of(&entry.request.url);
    let is_post = entry.request.method.is_none_or(|method| method.eq_ignore_ascii_case("post"));
    let text = entry.request.post_data.and_then(|data| data.text);
    let api = tacit_wire::api_of(&path).filter(|_| is_post && text.is_some());
    let text = if api.is_some() { text.unwrap_or_default() } else { String::new() };
    let body = match serde_json::from_str::<Value>(&text) {
        Ok(mut body) => {
            secrets::redact(&mut body);
            body.to_string()
        }
        Err(_) => secrets::redacted(&text).unwrap_or(text),
    };
    let status = entry.response.and_then(|response| response.status);
    Exchange {
        place: format!("entry {number}"),
        api,
        path,
        body: body.into(),
        status: status.and_then(|status| u16::try_from(status).ok()),
    }
}
