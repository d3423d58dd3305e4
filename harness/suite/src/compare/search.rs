//! From two runs to the smallest session on which their runtimes differ, told and kept.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use serde::Serialize;
use tacit_contract::case::SAVED_VERSION;
use tacit_contract::clause::clause;
use tacit_contract::protocol::Description;
use tacit_contract::{Breach, Case, Event, Level, Saved};

use super::candidates::{Candidate, Common, no_common_mode, of_scenarios, with_variants};
use super::differ::Aspect;
use super::keep::{SavedDifference, kept};
use super::observe::Eyes;
use super::pair::{Pair, Smallest};
use super::seek::seek;
use super::table::Said;
use super::tell::{Told, told};
use super::{CompareError, Note};
use crate::bench::Played;
use crate::config::Config;
use crate::corpus;
use crate::error::RunError;
use tacit_contract::tally::Trouble;

/// What became of the search for a difference.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Search {
    /// How many sessions were played on both, shrinking aside.
    pub sessions: u64,
    /// Why none could be played, where that is so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub impossible: Option<String>,
    /// What was found.
    pub found: Option<Box<Found>>,
}

/// The smallest session on which two runtimes differ.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Found {
    /// In what they differ.
    pub aspect: Aspect,
    /// The prompt that shows it, from 1; 0 where none does.
    pub prompt: u32,
    /// The request of that prompt, from 1; 0 where none shows it.
    pub request: u32,
    /// The difference, in a sentence; A is the first runtime, B the second.
    pub says: String,
    /// Where the session came from: a property's id, a scenario's title, or the corpus.
    pub found_by: String,
    /// The steps of the session as it was found.
    pub steps_before: usize,
    /// The steps of the shrunk session.
    pub steps: usize,
    /// In how many of three repetitions they differed again.
    pub reproduced: u32,
    /// What happened, up to the difference.
    pub story: Vec<Told>,
    /// What the judge says of each side.
    pub sides: [Judged; 2],
    /// The session as data; `None` where it could not be written.
    pub data: Option<String>,
    /// The session as a scenario, where a side breaks a clause.
    pub feature: Option<String>,
    /// Why a file is not there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lost: Option<String>,
    /// The session.
    pub case: Case,
}

/// One side, judged by its own profile.
#[derive(Debug, Clone, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct Judged {
    /// How it was asked for.
    pub spec: String,
    /// The first breach of each clause that it breaks; none where it keeps the contract.
    pub breaches: Vec<Breach>,
    /// How it failed, if it did.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trouble: Option<String>,
}

/// Looks for the smallest session on which two runtimes differ.
pub(super) fn search(
    configs: [&Arc<Config>; 2],
    runtimes: [&Description; 2],
    runs: &[Said],
    stop: &AtomicBool,
    note: &mut dyn FnMut(Note),
) -> Result<Search, CompareError> {
    let profiles = configs.map(|config| &config.profile);
    let common = Common::of(profiles, runtimes);
    let corpus = &configs[0].corpus;
    let impossible = no_common_mode(profiles, &common).or_else(|| {
        common.kinds.is_empty().then(|| "no provider API is common to both".to_owned())
    });
    if impossible.is_some() {
        return Ok(Search { sessions: 0, impossible, found: None });
    }
    let wanted = &configs[0].clauses;
    let eyes =
        [0, 1].map(|side| Eyes::new(profiles[side], runtimes[side], profiles[1 - side], wanted));
    let mut pair = Pair::new(configs, eyes, &common, stop);
    let known = known(corpus, runs, &common)?;
    let amount = (configs[0].seed, configs[0].cases);
    let sought = seek(&mut pair, &known, &common, amount, &mut |sessions| {
        note(Note::Compared(sessions));
    })?;
    let sessions = pair.sessions;
    let Some((candidate, difference)) = sought else {
        return Ok(Search { sessions, impossible: None, found: None });
    };
    let smallest = pair.smallest(&candidate, difference.aspect)?;
    let found =
        smallest.map(|smallest| Box::new(found(configs, runtimes, &candidate.found_by, smallest)));
    Ok(Search { sessions, impossible: None, found })
}

/// The sessions that are there already: those that were kept, those that the runs have just
/// shrunk, and those of the scenarios. The shortest come first.
fn known(corpus: &Path, runs: &[Said], common: &Common) -> Result<Vec<Candidate>, RunError> {
    let mut known: Vec<Candidate> = Vec::new();
    for saved in kept(corpus) {
        known.push(Candidate { case: saved.case, found_by: "corpus".to_owned() });
    }
    for event in runs.iter().flat_map(|run| &run.events) {
        let Event::CounterexampleFound(found) = event else { continue };
        // One that could not be kept is a pity, and no more.
        let Ok(read) = corpus::read(Path::new(&found.data)) else { continue };
        let sessions = with_variants(read.case.clone());
        known.extend(sessions.map(|session| Candidate::of(session, &found.found_by)));
        if !read.case.variants.is_empty() {
            known.push(Candidate { case: read.case, found_by: found.found_by.clone() });
        }
    }
    known.extend(of_scenarios(common)?);
    known.retain(|candidate| common.takes(&candidate.case.session));
    known.sort_by_key(|candidate| candidate.case.session.length());
    Ok(known)
}

fn found(
    configs: [&Arc<Config>; 2],
    runtimes: [&Description; 2],
    found_by: &str,
    smallest: Smallest,
) -> Found {
    let profiles = configs.map(|config| &config.profile);
    let sides = [0, 1].map(|side| judged(configs[side], &smallest.played[side]));
    let story = told(profiles, &smallest.played, &smallest.difference);
    let kept = keep(configs, runtimes, found_by, &smallest, &sides);
    let (data, feature, lost) = match kept {
        Ok((data, feature)) => (Some(data), feature, None),
        Err(error) => (None, None, Some(error)),
    };
    let Smallest { case, difference, steps_before, reproduced, .. } = smallest;
    Found {
        aspect: difference.aspect,
        prompt: difference.prompt,
        request: difference.request,
        says: difference.says,
        found_by: found_by.to_owned(),
        steps_before,
        steps: case.session.length(),
        reproduced,
        story,
        sides,
        data,
        feature,
        lost,
        case,
    }
}

fn judged(config: &Config, played: &Played) -> Judged {
    let mut breaches: Vec<Breach> = Vec::new();
    for breach in &played.judgement.breaches {
        let measured = clause(breach.clause.as_str()).is_none_or(|c| c.level == Level::Info);
        if !measured && !breaches.iter().any(|known| known.clause == breach.clause) {
            breaches.push(breach.clone());
        }
    }
    let trouble = played.trouble.as_ref().map(|trouble| match trouble {
        Trouble::Fatal(error) => error.to_string(),
        Trouble::Passing(what) => what.clone(),
    });
    Judged { spec: config.spec.clone(), breaches, trouble }
}

/// Keeps what was found: as the counterexample of the first clause that a side breaks and the
/// other keeps, else of the first that any breaks, else as a session alone.
fn keep(
    configs: [&Arc<Config>; 2],
    runtimes: [&Description; 2],
    found_by: &str,
    smallest: &Smallest,
    sides: &[Judged; 2],
) -> Result<(String, Option<String>), String> {
    let corpus = &configs[0].corpus;
    let all =
        || [0, 1].into_iter().flat_map(|side| sides[side].breaches.iter().map(move |b| (side, b)));
    let alone = all().find(|(side, breach)| {
        !sides[1 - side].breaches.iter().any(|other| other.clause == breach.clause)
    });
    let Some((side, breach)) = alone.or_else(|| all().next()) else {
        let saved = SavedDifference::new(
            configs.map(|config| config.spec.clone()),
            configs.map(|config| config.profile.id.clone()),
            smallest.difference.says.clone(),
            smallest.case.clone(),
        );
        let path = saved.keep(corpus).map_err(|error| error.to_string())?;
        return Ok((path.display().to_string(), None));
    };
    let party = &runtimes[side].runtime;
    let saved = Saved {
        schema_version: SAVED_VERSION,
        clause: breach.clause.clone(),
        profile: configs[side].profile.id.clone(),
        runtime: format!("{} {}", party.name, party.version),
        spec: configs[side].spec_of_its_own(),
        found_by: format!("{found_by}, compared"),
        found: breach.found.clone(),
        case: smallest.case.clone(),
    };
    let paths = corpus::keep(corpus, &saved, configs[side].seed, smallest.steps_before)
        .map_err(|error| error.to_string())?;
    Ok((paths.data.display().to_string(), Some(paths.feature.display().to_string())))
}
