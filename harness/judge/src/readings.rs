//! Which of the accepted readings of restoration a runtime takes: seen in the first requests of
//! prompts, where nothing but the point in question decides.

use std::collections::{BTreeMap, BTreeSet};

use tacit_contract::{Revision, Standing, Status, ToolName};

use crate::account::{PromptAccount, RequestAccount, plainly_deferred};
use crate::evidence::{core_skills, is_skill};
use crate::hearing::{Findings, Hearing};
use crate::known::{Ending, Fact};

/// A point on which the contract leaves restoration open.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Point {
    /// The tool was core when it succeeded.
    WasCore,
    /// The evidence is older than the removal of a tool that is back.
    CameBack,
    /// A result row has no call.
    Orphan,
    /// A marker holds more names than one search may activate.
    LongMarker,
}

impl Point {
    fn id(self) -> &'static str {
        match self {
            Self::WasCore => "was-core",
            Self::CameBack => "came-back",
            Self::Orphan => "orphan",
            Self::LongMarker => "long-marker",
        }
    }
}

/// Tells the readings that the first requests of a session's prompts show.
pub fn of_restoration(hearing: &Hearing<'_>, findings: &mut Findings) {
    for prompt in &hearing.session.prompts {
        let Some(request) = prompt.first().filter(|request| request.view.is_some()) else {
            continue;
        };
        skill(hearing, prompt, request, findings);
        if hearing.account.profile.revision != Revision::R1 {
            restored(hearing, prompt, request, findings);
        }
    }
}

/// The evidence of earlier prompts that a request holds.
fn evidence<'a>(
    hearing: &'a Hearing<'_>,
    request: &'a RequestAccount<'_>,
) -> impl Iterator<Item = &'a Fact> {
    let held = request.held.iter().filter(|held| held.result.is_some());
    held.filter_map(|held| hearing.known.get(&held.id))
        .filter(|fact| fact.ending == Ending::Result(Status::Ok))
}

fn restored(
    hearing: &Hearing<'_>,
    prompt: &PromptAccount<'_>,
    request: &RequestAccount<'_>,
    findings: &mut Findings,
) {
    let sets = hearing.sets(request);
    if sets.anything {
        return;
    }
    let most = usize::try_from(hearing.account.profile.max_per_search).unwrap_or(4);
    let is_long = |fact: &Fact| fact.search && fact.marker.len() > most;
    let mut points: BTreeMap<&ToolName, BTreeSet<Point>> = BTreeMap::new();
    for fact in evidence(hearing, request) {
        for tool in fact.proves() {
            let open = points.entry(tool).or_default();
            if prompt.registry.standing(tool, fact.mode) == Some(Standing::Core) {
                open.insert(Point::WasCore);
            }
            if prompt.returned.get(tool).is_some_and(|removed| fact.since < *removed) {
                open.insert(Point::CameBack);
            }
            if is_long(fact) {
                open.insert(Point::LongMarker);
            }
        }
    }
    for tool in &hearing.known.orphans {
        points.entry(tool).or_default().insert(Point::Orphan);
    }
    // A tool that other evidence proves, or that several points leave open, tells of none.
    points.retain(|tool, _| {
        prompt.registry.is_deferred(tool, prompt.mode)
            && !prompt.registry.is_doubtful(tool)
            && !sets.required.contains_key(*tool)
    });
    let alone = |tool: &ToolName, point| {
        points.get(tool).is_some_and(|open| open.len() == 1 && open.contains(&point))
    };
    for point in [Point::WasCore, Point::CameBack, Point::Orphan] {
        for tool in points.keys().filter(|tool| alone(tool, point)) {
            let reading = match (request.shows(tool), point) {
                (true, _) => "restored",
                (false, Point::CameBack) => "a fresh search is needed",
                (false, _) => "not restored",
            };
            findings.reading(point.id(), reading);
        }
    }
    for fact in evidence(hearing, request).filter(|fact| is_long(fact)) {
        let names: Vec<&ToolName> = fact.marker.iter().collect();
        if names.iter().all(|tool| alone(tool, Point::LongMarker)) {
            let shown: Vec<bool> = names.iter().map(|tool| request.shows(tool)).collect();
            findings.reading(Point::LongMarker.id(), of_long_marker(&shown, most));
        }
    }
}

/// What became of the names of a marker that is too long, in their order.
fn of_long_marker(shown: &[bool], most: usize) -> &'static str {
    let (first, rest) = shown.split_at(most.min(shown.len()));
    let all = |part: &[bool]| part.iter().all(|shown| *shown);
    let none = |part: &[bool]| part.iter().all(|shown| !*shown);
    if all(shown) {
        "all restored"
    } else if none(shown) {
        "none restored"
    } else if all(first) && none(rest) {
        "the first ones restored"
    } else {
        "some restored"
    }
}

/// Whether a runtime of the amended revision sends the skill tool always, though nothing proves
/// it.
fn skill(
    hearing: &Hearing<'_>,
    prompt: &PromptAccount<'_>,
    request: &RequestAccount<'_>,
    findings: &mut Findings,
) {
    if hearing.account.profile.revision != Revision::R3 {
        return;
    }
    let core = core_skills(hearing.account.profile, hearing.session);
    let proven: BTreeSet<&ToolName> =
        evidence(hearing, request).flat_map(Fact::proves).chain(&hearing.known.orphans).collect();
    let skills = prompt.registry.given().iter().filter(|tool| {
        is_skill(tool)
            && plainly_deferred(prompt, &tool.name)
            && !proven.contains(&tool.name)
            && request.shows(&tool.name) == core.contains(&tool.name)
    });
    for tool in skills {
        findings.reading("skill", if core.contains(&tool.name) { "core" } else { "deferred" });
    }
}
