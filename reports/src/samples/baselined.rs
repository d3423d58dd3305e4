//! Events of a made-up run with a baseline.

use tacit_contract::baseline::{Baselined, Entry, Expectation, Standing};
use tacit_contract::event::RunFinished;
use tacit_contract::protocol::Api;
use tacit_contract::{Event, Revision, Verdict};

use super::{change, finished, judged, played, run, started};

/// One clause is broken as the baseline says, another is mended, and a third had its time.
pub(crate) fn outdated() -> Vec<Event> {
    let entry = |id: &str, standing, line, note: &str| Entry {
        expectation: Expectation {
            clause: id.into(),
            api: (standing == Standing::NotJudged).then_some(Api::AnthropicMessages),
            reason: "fixed in 2.70".to_owned(),
            issue: Some("https://example.org/7".to_owned()),
            until: "2026-12-03".parse().ok(),
            revision: Some(Revision::R3),
            counterexample: format!(".tacit/corpus/{}-1.json", id.replace('.', "-")),
            line,
        },
        standing,
        note: (!note.is_empty()).then(|| note.to_owned()),
    };
    let stale = "its counterexample passes now: remove the entry, or run with --update-baseline";
    let baseline = Baselined {
        file: "known.toml".to_owned(),
        regressed: false,
        entries: vec![
            entry("restore.ignores-failed", Standing::Expected, 3, ""),
            entry("restore.use-evidence", Standing::Stale, 9, stale),
            entry("search.exact", Standing::Expired, 15, "it was to last until 2026-12-03"),
            entry("search.words", Standing::NotJudged, 21, "its counterexample was not played"),
        ],
    };
    let mut clauses = judged("nib-r3");
    change(&mut clauses, "restore.ignores-failed", |clause| {
        clause.verdict = Verdict::ExpectedFailure;
        clause.reason = Some("expected by the baseline: fixed in 2.70".to_owned());
    });
    let finished = RunFinished { baseline: Some(baseline), ..finished(true, 1) };
    run(started(), played(Verdict::Pass), clauses, finished)
}
