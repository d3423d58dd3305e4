//! What the entries of a baseline come to at the end of a run.

use tacit_contract::baseline::{Baselined, Entry, Expectation, Listed, Replay, Standing};
use tacit_contract::part::Part;
use tacit_contract::{Day, Revision};

/// What an entry comes to: by its replay, where there was one, by whether the clause was broken in
/// what the entry is about, by the revision that the run is held to, and by the day.
#[must_use]
pub fn standing(
    entry: &Expectation,
    replay: Option<&Replay>,
    fails: bool,
    revision: Revision,
    today: Day,
) -> Standing {
    if !entry.is_of(revision) {
        return Standing::AnotherRevision;
    }
    match (fails, replay) {
        // Mended is mended, whatever the day.
        (false, Some(Replay::Passes)) => Standing::Stale,
        // What was not played is judged by the part of the run in which it is.
        (false, None) => Standing::NotJudged,
        _ if entry.has_expired(today) => Standing::Expired,
        (true, _) | (false, Some(Replay::Fails)) => Standing::Expected,
        (false, Some(Replay::Undecided(_))) => Standing::NotJudged,
    }
}

/// What the baseline of a run comes to; `regressed` says whether anything failed beyond it.
#[must_use]
pub fn judged(listed: &Listed, part: &Part, regressed: bool) -> Baselined {
    let revision = part.terms.profile.revision;
    let entry = |(entry, replay): (&Expectation, &Option<Replay>)| {
        let fails = is_broken(entry, part);
        let standing = standing(entry, replay.as_ref(), fails, revision, listed.today);
        let note = note(entry, standing, replay.as_ref(), revision);
        Entry { expectation: entry.clone(), standing, note }
    };
    let entries = listed.entries.iter().zip(&listed.replays).map(entry).collect();
    Baselined { file: listed.file.clone(), regressed, entries }
}

/// Whether the run saw what an entry is about.
fn is_broken(entry: &Expectation, part: &Part) -> bool {
    let clause = &entry.clause;
    let mut expected = part.tally.expected.get(clause).into_iter().flatten();
    let failing = part.tally.failing.get(clause).map(|failing| &failing.case);
    let in_scenarios = part.tally.in_scenarios.get(clause).and_then(|found| found.case.as_ref());
    expected.any(|api| entry.is_about(clause, *api))
        || failing
            .into_iter()
            .chain(in_scenarios)
            .any(|case| entry.is_about(clause, case.session.provider.api))
}

fn note(
    entry: &Expectation,
    standing: Standing,
    replay: Option<&Replay>,
    revision: Revision,
) -> Option<String> {
    match (standing, replay, entry.until, entry.revision) {
        (Standing::Expected, Some(Replay::Passes), ..) => {
            Some("its counterexample passes now, but another session breaks the clause".to_owned())
        }
        (Standing::Stale, ..) => Some(
            "its counterexample passes now: remove the entry, or run with --update-baseline"
                .to_owned(),
        ),
        (Standing::Expired, _, Some(until), _) => {
            Some(format!("it was to last until {until}: mend the runtime, or set a later date"))
        }
        (Standing::NotJudged, Some(Replay::Undecided(why)), ..) => Some(why.clone()),
        (Standing::NotJudged, ..) => Some("its counterexample is not part of this run".to_owned()),
        (Standing::AnotherRevision, _, _, Some(own)) => {
            Some(format!("{own}, where this run is held to {revision}"))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TODAY: &str = "2026-12-03";

    fn entry(until: Option<&str>, revision: Option<Revision>) -> Expectation {
        Expectation {
            clause: "restore.use-evidence".into(),
            api: None,
            reason: "known".to_owned(),
            issue: None,
            until: until.map(|day| day.parse().unwrap()),
            revision,
            counterexample: "x.json".to_owned(),
            line: 1,
        }
    }

    fn comes_to(entry: &Expectation, replay: Option<&Replay>, fails: bool) -> Standing {
        standing(entry, replay, fails, Revision::R3, TODAY.parse().unwrap())
    }

    /// Every replay that there is, and none.
    fn replays() -> [Option<Replay>; 4] {
        let unclear = Replay::Undecided("it is gone".to_owned());
        [None, Some(Replay::Fails), Some(Replay::Passes), Some(unclear)]
    }

    #[test]
    fn what_fails_and_is_listed_is_expected_however_its_counterexample_came_out() {
        for replay in replays() {
            let found = comes_to(&entry(None, None), replay.as_ref(), true);
            assert_eq!(found, Standing::Expected, "{replay:?}");
        }
        assert_eq!(comes_to(&entry(None, None), Some(&Replay::Fails), false), Standing::Expected);
    }

    #[test]
    fn what_passes_and_is_listed_is_stale_only_where_its_counterexample_passes() {
        let stale = [Standing::NotJudged, Standing::Expected, Standing::Stale, Standing::NotJudged];
        let found = replays().map(|replay| comes_to(&entry(None, None), replay.as_ref(), false));
        assert_eq!(found, stale);
    }

    #[test]
    fn an_entry_lasts_until_the_end_of_its_last_day() {
        let last = |day| comes_to(&entry(Some(day), None), Some(&Replay::Fails), true);
        assert_eq!(last("2026-12-02"), Standing::Expired);
        assert_eq!(last(TODAY), Standing::Expected);
        assert_eq!(last("2026-12-04"), Standing::Expected);
    }

    #[test]
    fn what_is_mended_after_its_last_day_is_stale_and_what_was_not_played_is_not_judged() {
        let late = entry(Some("2026-12-02"), None);
        assert_eq!(comes_to(&late, Some(&Replay::Passes), false), Standing::Stale);
        assert_eq!(comes_to(&late, None, false), Standing::NotJudged);
        assert_eq!(comes_to(&late, None, true), Standing::Expired);
    }

    #[test]
    fn an_entry_of_another_revision_comes_to_nothing_else() {
        for replay in replays() {
            for fails in [false, true] {
                let found = comes_to(
                    &entry(Some("2020-01-01"), Some(Revision::R2)),
                    replay.as_ref(),
                    fails,
                );
                assert_eq!(found, Standing::AnotherRevision);
                let own = comes_to(&entry(None, Some(Revision::R3)), replay.as_ref(), fails);
                assert_ne!(own, Standing::AnotherRevision);
            }
        }
    }
}
