//! Reading a file, value by value: never more of it than one value is held.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

use serde::Deserialize;
use serde_json::{Deserializer, Value};
use tacit_contract::json::without_place;
use tacit_contract::{Row, Trace};

use crate::bounded::{Allowance, Bounded};
use crate::error::RecordingError;
use crate::kind::Kind;
use crate::rows::Rows;
use crate::{Exchange, har, requests, secrets};

/// The most bytes that one value may have: a request, a row, a trace.
pub const LONGEST: usize = 64 * 1024 * 1024;

/// How much of a file is looked at before its kind is told.
const BUFFER: usize = 64 * 1024;

/// What a file holds.
#[derive(Debug)]
pub enum Recorded {
    /// A request.
    Exchange(Exchange),
    /// A trace, and where it stands.
    Trace(String, Box<Trace>),
    /// The rows of a transcript that are in effect at its end: they come once, when the file has
    /// been read.
    Rows(Vec<Row>),
}

/// Reads a file, and hands out what it holds in the order in which it stands there.
///
/// The kind is told by the content where none is given. It comes back with the result.
///
/// # Errors
/// The file cannot be read, is none of the kind, or holds a value of more than [`LONGEST`] bytes.
pub fn read(
    path: &Path,
    kind: Option<Kind>,
    heard: &mut dyn FnMut(Recorded),
) -> Result<Kind, RecordingError> {
    read_within(path, kind, LONGEST, heard)
}

/// The same with another limit.
pub(crate) fn read_within(
    path: &Path,
    kind: Option<Kind>,
    limit: usize,
    heard: &mut dyn FnMut(Recorded),
) -> Result<Kind, RecordingError> {
    let file = |source| RecordingError::File { path: path.to_owned(), source };
    let mut buffer = BufReader::with_capacity(BUFFER, open(path).map_err(file)?);
    let beginning = buffer.fill_buf().map_err(file)?;
    let mark = beginning.starts_with(b"\xef\xbb\xbf");
    let skipped = if mark { 3 } else { 0 };
    let begins = beginning[skipped..].trim_ascii_start().to_vec();
    buffer.consume(skipped);
    let allowance = Allowance::new(limit);
    let source = Source { path, limit, allowance: allowance.clone() };
    // Every recording begins with an object, and so much shows before anything is parsed.
    if kind.is_none() && !(begins.is_empty() || begins.starts_with(b"{")) {
        return Err(source.unknown("it begins with no JSON object"));
    }
    let bounded = Bounded::new(buffer, allowance);
    if kind == Some(Kind::Har) || kind.is_none() && Kind::begins_har(&begins) {
        har::read(&source, bounded, &mut |exchange| heard(Recorded::Exchange(exchange)))?;
        return Ok(Kind::Har);
    }
    values(&source, bounded, kind, heard)
}

/// What is no regular file might never end, or never begin: it is not opened at all.
fn open(path: &Path) -> std::io::Result<File> {
    let found = std::fs::metadata(path)?;
    if found.is_dir() {
        return Err(std::io::Error::other("it is a folder: name the files in it"));
    }
    if !found.is_file() {
        return Err(std::io::Error::other("it is no regular file: expected one on a disk"));
    }
    File::open(path)
}

/// A file on its way, for errors.
pub(crate) struct Source<'p> {
    path: &'p Path,
    limit: usize,
    allowance: Allowance,
}

impl Source<'_> {
    /// A new value begins.
    pub(crate) fn renew(&self) {
        self.allowance.renew();
    }

    /// What was found in place of JSON.
    pub(crate) fn parse(&self, place: &str, error: &serde_json::Error) -> RecordingError {
        if error.is_io() && self.allowance.is_spent() {
            let (path, limit) = (self.path.to_owned(), self.limit);
            let place = format!(
                "{place}{}line {}",
                if place.is_empty() { "" } else { ", " },
                self.allowance.line()
            );
            return RecordingError::TooLong { path, place, limit };
        }
        let what = without_place(error);
        let place = match (error.line(), place) {
            (0, place) => place.to_owned(),
            (line, "") => format!("line {line}, column {}", error.column()),
            (line, place) => format!("{place}, line {line}, column {}", error.column()),
        };
        let found = match what.as_str() {
            what if error.is_eof() => format!("it breaks off in the middle: {what}"),
            what if what.starts_with("recursion limit") => {
                "it is nested too deep: expected 128 levels at the most".to_owned()
            }
            "invalid unicode code point" => "it is no UTF-8 text".to_owned(),
            what if error.is_syntax() => format!("it is no JSON: {what}"),
            what => what.to_owned(),
        };
        RecordingError::Form { path: self.path.to_owned(), place, found }
    }

    /// Nothing says what it is.
    fn unknown(&self, found: &'static str) -> RecordingError {
        RecordingError::Unknown { path: self.path.to_owned(), found }
    }

    /// What was found in a value.
    pub(crate) fn form(&self, place: &str, found: impl Into<String>) -> RecordingError {
        let (path, place) = (self.path.to_owned(), place.to_owned());
        RecordingError::Form { path, place, found: found.into() }
    }

    /// A value as a type; an error names the field.
    pub(crate) fn typed<T: for<'de> Deserialize<'de>>(
        &self,
        place: &str,
        value: Value,
    ) -> Result<T, RecordingError> {
        serde_path_to_error::deserialize(value)
            .map_err(|error| self.form(place, format!("at `{}`: {}", error.path(), error.inner())))
    }
}

fn values(
    source: &Source<'_>,
    input: Bounded<File>,
    mut kind: Option<Kind>,
    heard: &mut dyn FnMut(Recorded),
) -> Result<Kind, RecordingError> {
    let mut rows = Rows::default();
    let mut empty = true;
    let mut values = Deserializer::from_reader(input).into_iter::<Value>();
    loop {
        source.renew();
        let Some(value) = values.next() else { break };
        let mut value = value.map_err(|error| source.parse("", &error))?;
        let place = format!("line {}", source.allowance.first_line());
        empty = false;
        let kind = match kind {
            Some(kind) => kind,
            None => *kind.insert(
                Kind::of(&value)
                    .ok_or_else(|| source.unknown("its first value belongs to none"))?,
            ),
        };
        secrets::redact(&mut value);
        match kind {
            Kind::Trace => {
                heard(Recorded::Trace(place.clone(), Box::new(source.typed(&place, value)?)));
            }
            Kind::Pi => rows.pi(source, &place, value)?,
            Kind::Nib => rows.nib(source, &place, value)?,
            Kind::Requests | Kind::Har => {
                heard(Recorded::Exchange(requests::exchange(source, place, value)?));
            }
        }
    }
    let kind = kind.filter(|_| !empty);
    let kind = kind.ok_or_else(|| RecordingError::Empty { path: source.path.to_owned() })?;
    if matches!(kind, Kind::Pi | Kind::Nib) {
        heard(Recorded::Rows(rows.in_effect()));
    }
    Ok(kind)
}
