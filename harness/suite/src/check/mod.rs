//! Recorded traffic, judged without a runtime: by the same judge, in the same events.

mod result;
mod shows;
mod tools;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

use tacit_contract::event::{ClauseResult, RECORDED, RunFinished, RunStarted, SCHEMA_VERSION};
use tacit_contract::protocol::Api;
use tacit_contract::tally::Tally;
use tacit_contract::timeline::{Ground, Point, Required};
use tacit_contract::{Breach, ClauseId, Event, Mode, Profile, Row, Seen, Tool, Verdict};
use tacit_judge::{Judge, timeline};
use tacit_recording::{
    Kind, Limits, Listener, Passed, Piece, Recorded, RecordingError, Setting, history, read,
};
use tacit_wire::RequestView;

use crate::closing::millis;
use crate::error::Sink;
use crate::exit::Exit;

use shows::Shows;
pub use tools::{RegistryError, registry};

/// What needs a conversation from its beginning: a schema that was shown once may be quoted later.
const WHOLE: &str = "catalog.no-schema";

/// What native forms leave open: a session that went over to a provider without them, over the
/// same API, has its tools at other places.
const PLAIN: &str = "order.stable";

/// What is checked, and what it is held to.
#[derive(Debug, Clone)]
pub struct Check {
    /// The files.
    pub files: Vec<PathBuf>,
    /// What they hold, where that is not to be told by their content.
    pub kind: Option<Kind>,
    /// The profile.
    pub profile: Profile,
    /// The mode that they were recorded in.
    pub mode: Mode,
    /// The registry; without it, it is inferred from the requests.
    pub registry: Option<Arc<Vec<Tool>>>,
    /// Whether a warning fails the check.
    pub strict: bool,
    /// When it began, in seconds since 1970-01-01 UTC; for the report alone.
    pub started_at: u64,
}

/// What a check came to, beside its events.
#[derive(Debug)]
pub struct Checked {
    /// How it ended.
    pub exit: Exit,
    /// What was in the files.
    pub files: Vec<FileHeard>,
    /// Why other files were passed over: nothing says that they are recordings.
    pub others: Vec<RecordingError>,
    /// How many prompts were told.
    pub prompts: u64,
    /// What was passed over.
    pub passed: Passed,
}

/// What was in a file.
#[derive(Debug)]
pub struct FileHeard {
    /// The file.
    pub path: PathBuf,
    /// What it is.
    pub kind: Kind,
    /// How many requests of a provider's API it holds.
    pub requests: u64,
    /// What a next prompt would have to restore, where it holds a transcript and no requests.
    pub restores: Option<Vec<Required>>,
}

/// Checks files, and says as events what all of them together show. They are parts of one
/// recording: a conversation may go on from one to the next. One that does not begin like any
/// recording is passed over, if another is one.
///
/// # Errors
/// A file cannot be read or breaks off, or none is a recording.
pub fn check(check: &Check, sink: Sink<'_>) -> Result<Checked, RecordingError> {
    let begun = Instant::now();
    let mut bench = Bench::new(check);
    let Heard { files, others, passed } = bench.hear()?;
    let results = bench.results();
    let exit = exit(&results, check.strict);
    sink(Event::RunStarted(bench.started()));
    for result in results {
        sink(Event::ClauseJudged(result));
    }
    let counts = bench.tally.counts;
    sink(Event::RunFinished(RunFinished {
        duration_ms: millis(begun),
        sessions: 0,
        prompts: counts.prompts,
        requests: counts.requests,
        coverage: BTreeMap::new(),
        // What a recording keeps is no claim for all that it does not show.
        conforms: false,
        exit_code: exit.code(),
        narrowed: true,
        interrupted: false,
        baseline: None,
    }));
    Ok(Checked { exit, files, others, prompts: counts.prompts, passed })
}

/// What the clauses come to: too little where none of those that must be kept was shown.
fn exit(results: &[ClauseResult], strict: bool) -> Exit {
    let any = |verdict| results.iter().any(|result| result.verdict == verdict);
    if any(Verdict::Fail) || strict && any(Verdict::Warn) {
        Exit::DoesNotConform
    } else if any(Verdict::Pass) {
        Exit::Conforms
    } else {
        Exit::TooLittle
    }
}

/// A clause that was broken, and where that stands.
struct Found {
    breach: Breach,
    place: String,
    times: u64,
}

/// What was heard in all files.
struct Heard {
    files: Vec<FileHeard>,
    others: Vec<RecordingError>,
    passed: Passed,
}

/// A check on its way.
struct Bench<'c> {
    check: &'c Check,
    /// The profile that it is judged by.
    profile: Profile,
    shows: Shows,
    tally: Tally,
    found: BTreeMap<ClauseId, Found>,
    apis: Vec<Api>,
}

impl<'c> Bench<'c> {
    fn new(check: &'c Check) -> Self {
        Self {
            check,
            profile: match check.registry {
                Some(_) => check.profile.clone(),
                None => tools::without_registry(&check.profile),
            },
            shows: Shows::new(check.registry.as_deref().map(Vec::as_slice), check.mode),
            tally: Tally::default(),
            found: BTreeMap::new(),
            apis: Vec::new(),
        }
    }

    /// Hears all files, and judges what they hold piece by piece.
    fn hear(&mut self) -> Result<Heard, RecordingError> {
        let check = self.check;
        let tools = |views: &[&RequestView]| match &check.registry {
            Some(tools) => Arc::clone(tools),
            None => tools::inferred(&check.profile, check.mode, views),
        };
        let setting = Setting { profile: &check.profile, mode: check.mode, tools: &tools };
        // Pieces come from the listener, and traces past it.
        let bench = RefCell::new(self);
        let mut judged = |piece: Piece| bench.borrow_mut().piece(&piece, false);
        let mut listener = Listener::new(setting, Limits::default(), &mut judged);
        let (mut files, mut others) = (Vec::new(), Vec::new());
        for path in &check.files {
            let (mut requests, mut restores) = (0, None);
            let at = |place: &str| format!("{}, {place}", path.display());
            let heard = read(path, check.kind, &mut |recorded| match recorded {
                Recorded::Exchange(mut exchange) => {
                    requests += u64::from(exchange.api.is_some());
                    bench.borrow_mut().shows.answers |= exchange.status.is_some();
                    exchange.place = at(&exchange.place);
                    listener.hear(exchange);
                }
                Recorded::Trace(place, trace) => {
                    let entries = trace.log.iter().enumerate();
                    let asked = entries.filter(|(_, entry)| is_request(&entry.seen));
                    let places: BTreeMap<usize, String> =
                        asked.map(|(entry, _)| (entry, at(&place))).collect();
                    requests += places.len() as u64;
                    let piece = Piece { trace: *trace, places, goes_on: false };
                    bench.borrow_mut().piece(&piece, true);
                }
                Recorded::Rows(rows) => restores = Some(restored(check, setting, &rows)),
            });
            match heard {
                Ok(kind) => files.push(FileHeard { path: path.clone(), kind, requests, restores }),
                Err(error @ RecordingError::Unknown { .. }) => others.push(error),
                Err(error) => return Err(error),
            }
        }
        if files.is_empty() && !others.is_empty() {
            return Err(others.swap_remove(0));
        }
        Ok(Heard { files, others, passed: listener.finish() })
    }

    /// Judges a trace; one of tacit's own shows all that was seen of its session.
    fn piece(&mut self, piece: &Piece, own: bool) {
        let Some(api) = piece.trace.log.iter().find_map(|entry| match &entry.seen {
            Seen::Opened { api, .. } => Some(*api),
            _ => None,
        }) else {
            return;
        };
        if !self.apis.contains(&api) {
            self.apis.push(api);
        }
        self.shows.own |= own;
        self.tally.counts.count(&piece.trace);
        let mut judgement =
            Judge::new(if own { &self.check.profile } else { &self.profile }).judge(&piece.trace);
        if !own {
            let is_native = piece.trace.session.provider.native;
            let shown = |id: &ClauseId| {
                self.shows.lacks_of_traffic(id.as_str()).is_none()
                    && !(piece.goes_on && id == WHOLE)
                    && !(is_native && id == PLAIN)
            };
            judgement.exercised.retain(|id, _| shown(id));
            judgement.undecided.retain(|id, _| shown(id));
            judgement.measures.retain(|id, _| shown(id));
            judgement.breaches.retain(|breach| shown(&breach.clause));
        }
        for breach in std::mem::take(&mut judgement.breaches) {
            let place = piece.places.range(..=breach.entry).next_back();
            let place = place.map_or_else(String::new, |(_, place)| place.clone());
            let found = self.found.entry(breach.clause.clone());
            found.or_insert(Found { breach, place, times: 0 }).times += 1;
        }
        self.tally.judged(api, judgement);
    }

    fn started(&self) -> RunStarted {
        let profile = &self.check.profile;
        RunStarted {
            schema_version: SCHEMA_VERSION,
            tool_version: env!("CARGO_PKG_VERSION").to_owned(),
            spec: RECORDED.to_owned(),
            by_default: false,
            name: RECORDED.to_owned(),
            version: String::new(),
            capabilities: None,
            profile: profile.id.clone(),
            revision: profile.revision,
            seed: 0,
            started_at: self.check.started_at,
            shard: None,
            cases: 0,
            scenarios: 0,
            properties: Vec::new(),
            apis: self.apis.clone(),
        }
    }
}

fn is_request(seen: &Seen) -> bool {
    matches!(seen, Seen::Requested(_))
}

/// What the first request of the next prompt would have to show on the strength of evidence.
fn restored(check: &Check, setting: Setting<'_>, rows: &[Row]) -> Vec<Required> {
    let registry = check.registry.clone();
    let registry = registry.unwrap_or_else(|| tools::of_rows(&check.profile, check.mode, rows));
    let tools = |_: &[&RequestView]| Arc::clone(&registry);
    let piece = history(&Setting { tools: &tools, ..setting }, rows);
    let points = timeline::timeline(&check.profile, &piece.trace);
    let last = points.into_iter().rev().find_map(|point| match point {
        Point::Request(request) => Some(request.required),
        Point::Prompt(_) => None,
    });
    let by_evidence = |required: &Required| {
        matches!(required.ground, Ground::SearchEvidence | Ground::UseEvidence)
    };
    last.unwrap_or_default().into_iter().filter(by_evidence).collect()
}
