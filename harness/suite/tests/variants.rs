//! No check blames a correct variant of the reference: what the contract leaves free is free.

mod support;

use support::{config, ran, reference};
use tacit_contract::protocol::Api;
use tacit_contract::{Profile, Revision, Verdict};
use tacit_reference::CorrectVariant;
use tacit_reference::variants::all;

/// Cases of each property. `scripts/no-false-alarm` plays many more.
const CASES: u32 = 16;

/// Judges one half of the table; each variant over an API and in a revision of its turn.
fn blameless(half: usize) {
    let problems: Vec<String> = all()
        .enumerate()
        .filter(|(place, _)| place % 2 == half)
        .filter_map(|(place, variant)| blame(place / 2, variant))
        .collect();
    assert!(problems.is_empty(), "{}", problems.join("\n"));
}

fn blame(turn: usize, variant: &CorrectVariant) -> Option<String> {
    // Own tools that are core in one mode and deferred in another are of the second revision.
    let revision = if turn % 4 == 3 { Revision::R2 } else { Revision::R3 };
    let corpus = match tempfile::tempdir() {
        Ok(corpus) => corpus,
        Err(error) => return Some(format!("no folder for the corpus: {error}")),
    };
    let subject = reference(revision, &[variant.key]);
    let mut config = config(subject, &format!("nib-{revision}"), CASES, corpus.path());
    config.apis = vec![Api::ALL[turn % Api::ALL.len()]];
    config.jobs = 1;
    config.allow_unexercised = true;
    if let Some(line) = variant.profile {
        let Some(profile) = profile_with(revision, line) else {
            return Some(format!("{}: `{line}` is no line of a profile", variant.key));
        };
        config.profile = profile;
    }
    let ran = ran(config);
    let blamed = [Verdict::Fail, Verdict::Warn, Verdict::Error];
    let blamed: Vec<_> = blamed.into_iter().flat_map(|verdict| ran.with(verdict)).collect();
    (!blamed.is_empty()).then(|| {
        let found: Vec<_> =
            blamed.iter().filter_map(|id| ran.counterexample(id.as_str())).collect();
        format!("{} in {revision}: {blamed:?}\n{found:#?}", variant.key)
    })
}

/// The profile of a revision with one more line at its top.
fn profile_with(revision: Revision, line: &str) -> Option<Profile> {
    let text = tacit_contract::profile::built_in(&format!("nib-{revision}"))?;
    Profile::parse(&format!("{line}\n{text}")).ok()
}

#[test]
fn no_correct_variant_of_the_first_half_is_blamed() {
    blameless(0);
}

#[test]
fn no_correct_variant_of_the_second_half_is_blamed() {
    blameless(1);
}
