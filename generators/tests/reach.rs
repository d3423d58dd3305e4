//! Every kind of session that is known to have shown a fault in some runtime is generated, in
//! the mix that is about it, several times in the cases that a run has by default.

use tacit_contract::session::{Moment, Outcome, Past};
use tacit_contract::{Call, Mode, Query, Session, Standing, Step};
use tacit_generators::{Setting, mix, occasions, runner, universe};

/// The cases of a property by default.
const CASES: u64 = 256;

/// Asserts that a mix reaches a kind of session whatever the seed.
fn reaches(mix_id: &str, what: &str, holds: impl Fn(&Session) -> bool) {
    let Some(mix) = mix(mix_id) else { panic!("there is no mix `{mix_id}`") };
    let strategy = mix.strategy(&Setting::everything());
    for seed in 0..4 {
        let master = runner::master(seed, mix_id);
        let cases = (0..CASES).filter_map(|case| runner::sample(&strategy, master, case).ok());
        let found = cases.filter(&holds).count();
        assert!(found >= 3, "`{mix_id}` with seed {seed}: {found} sessions with {what}");
    }
}

fn deferred(session: &Session, mode: Mode, name: &str) -> bool {
    let mut tools = session.tools.iter();
    tools.any(|tool| tool.name == name && tool.modes.get(&mode) == Some(&Standing::Deferred))
}

/// Whether a step is about a tool in some way.
type Condition = fn(&Step, &str) -> bool;

/// Whether for some tool that is deferred at the start the conditions hold one after another.
fn for_some_tool(session: &Session, conditions: &[Condition]) -> bool {
    universe::UNIVERSE.iter().any(|entry| {
        let mut wanted = conditions.iter();
        let mut next = wanted.next();
        for step in &session.steps {
            if next.is_some_and(|condition| condition(step, entry.name)) {
                next = wanted.next();
            }
        }
        next.is_none() && deferred(session, session.mode, entry.name)
    })
}

fn batch(step: &Step) -> &[Call] {
    match step {
        Step::Answer { calls } => calls,
        _ => &[],
    }
}

fn is_search(call: &Call, name: &str) -> bool {
    matches!(call, Call::Search { query } if query.as_text() == Some(name))
}

fn found(step: &Step, name: &str) -> bool {
    batch(step).iter().any(|call| is_search(call, name))
}

fn used(step: &Step, name: &str) -> bool {
    let ok =
        |call: &Call| matches!(call, Call::Use { tool, outcome: Outcome::Ok, .. } if tool == name);
    batch(step).iter().any(ok)
}

fn failed(step: &Step, name: &str) -> bool {
    let fails = |call: &Call| matches!(call, Call::Use { tool, outcome, .. } if tool == name && !outcome.is_ok());
    batch(step).iter().any(fails)
}

fn prompt(step: &Step, _: &str) -> bool {
    matches!(step, Step::Prompt { .. })
}

fn restart(step: &Step, _: &str) -> bool {
    matches!(step, Step::Restart { .. })
}

#[test]
fn evidence_and_then_another_prompt() {
    reaches("sessions", "search, prompt", |session| for_some_tool(session, &[found, prompt]));
    reaches("sessions", "search, use", |session| for_some_tool(session, &[found, used]));
    reaches("uses", "search, failing use, prompt", |session| {
        for_some_tool(session, &[found, failed, prompt])
    });
    reaches("uses", "use in the next prompt", |session| {
        for_some_tool(session, &[found, prompt, used])
    });
    reaches("searches", "search, prompt, search", |session| {
        for_some_tool(session, &[found, prompt, found])
    });
}

#[test]
fn evidence_and_then_a_restart() {
    reaches("restarts", "search, restart, prompt", |session| {
        for_some_tool(session, &[found, restart, prompt])
    });
    reaches("restarts", "search, restart in a new process, prompt", |session| {
        let ended = |step: &Step, _: &str| matches!(step, Step::Restart { process: true, .. });
        for_some_tool(session, &[found, ended, prompt])
    });
    reaches("restarts", "search, restart from rows, prompt", |session| {
        let rows = |step: &Step, _: &str| matches!(step, Step::Restart { from_rows: true, .. });
        for_some_tool(session, &[found, rows, prompt])
    });
    reaches("restarts", "two restarts after a search", |session| {
        for_some_tool(session, &[found, restart, restart, prompt])
    });
}

#[test]
fn evidence_that_leaves_the_context() {
    reaches("context", "search, compaction, prompt", |session| {
        let compact = |step: &Step, _: &str| matches!(step, Step::Compact);
        for_some_tool(session, &[found, compact, prompt])
    });
    reaches("context", "search, new context, prompt", |session| {
        let fresh = |step: &Step, _: &str| batch(step).contains(&Call::NewContext);
        for_some_tool(session, &[found, fresh, prompt])
    });
    reaches("context", "prompt, search, branch, prompt", |session| {
        let branch = |step: &Step, _: &str| matches!(step, Step::Branch { .. });
        for_some_tool(session, &[prompt, prompt, found, branch, prompt])
    });
    reaches("context", "search, abort, prompt", |session| {
        let abort = |step: &Step, _: &str| matches!(step, Step::Abort);
        for_some_tool(session, &[found, abort, prompt])
    });
}

#[test]
fn calls_that_must_be_refused() {
    reaches("uses", "a use that nothing led to", |session| {
        let first = session.steps.iter().find(|step| !batch(step).is_empty());
        universe::UNIVERSE.iter().any(|entry| {
            session.seeds().count() == 0
                && deferred(session, session.mode, entry.name)
                && first.is_some_and(|step| used(step, entry.name) && !found(step, entry.name))
        })
    });
    reaches("uses", "a use in the batch of its search", |session| {
        for_some_tool(session, &[|step, name| found(step, name) && used(step, name)])
    });
}

#[test]
fn searches_that_add_up_and_searches_that_find_nothing() {
    reaches("searches", "two searches in one batch", |session| {
        let two = |step: &Step| {
            let names = |entry: &&universe::Entry| {
                found(step, entry.name) && deferred(session, session.mode, entry.name)
            };
            universe::UNIVERSE.iter().filter(names).count() > 1
        };
        session.steps.iter().any(two)
    });
    for value in ["null", "array", "object", "number", "missing", "blank"] {
        reaches("searches", value, |session| {
            session.steps.iter().flat_map(batch).any(|call| match call {
                Call::Search { query: Query::Odd { value: odd } } => match value {
                    "null" => odd.is_null(),
                    "array" => odd.is_array(),
                    "object" => odd.is_object(),
                    _ => value == "number" && odd.is_number(),
                },
                Call::Search { query: Query::Missing } => value == "missing",
                Call::Search { query: Query::Text { text } } => {
                    value == "blank" && text.trim().is_empty()
                }
                _ => false,
            })
        });
    }
}

fn queries(session: &Session) -> impl Iterator<Item = &str> {
    session.steps.iter().flat_map(batch).filter_map(|call| match call {
        Call::Search { query } => query.as_text(),
        _ => None,
    })
}

/// What a name is made to look like.
type Disguise = fn(&str) -> String;

#[test]
fn names_in_every_disguise_and_several_in_one_query() {
    let disguises: [(&str, Disguise); 5] = [
        ("a name in backticks", |name| format!("`{name}`")),
        ("a name in quotes", |name| format!("\"{name}\"")),
        ("a name with a full stop", |name| format!("{name}.")),
        ("a name in capitals", str::to_uppercase),
        ("a name without its prefix", |name| {
            name.split_once('_').map_or_else(String::new, |(_, rest)| rest.to_owned())
        }),
    ];
    for (what, disguise) in disguises {
        reaches("searches", what, |session| {
            universe::UNIVERSE.iter().any(|entry| {
                let worn = disguise(entry.name);
                deferred(session, session.mode, entry.name)
                    && queries(session).any(|query| query == worn)
            })
        });
    }
    reaches("searches", "several names", |session| {
        queries(session).any(|query| {
            let names: Vec<&str> = query.split([',', ' ', '\n']).collect();
            let there = |name: &&str| name.is_empty() || deferred(session, session.mode, name);
            names.len() > 1 && names.iter().all(there)
        })
    });
}

#[test]
fn queries_beside_the_tools_that_make_them_say_something() {
    let there = |session: &Session, occasion: &occasions::Occasion| {
        occasion.tools.iter().all(|[name, _]| deferred(session, session.mode, name))
            && queries(session).any(|query| occasion.queries.contains(&query))
    };
    reaches("searches", "a query in another script", |session| {
        occasions::SCRIPTS.iter().any(|occasion| there(session, occasion))
    });
    for occasion in &occasions::WORDS {
        reaches("searches", occasion.queries[0], |session| there(session, occasion));
    }
    for occasion in &occasions::FORBIDDEN {
        reaches("searches", occasion.queries[0], |session| {
            let last = occasion.tools.last().is_some_and(|[name, _]| {
                deferred(session, session.mode, name)
                    && !deferred(session, session.mode, occasion.tools[0][0])
            });
            last && queries(session).any(|query| occasion.queries.contains(&query))
        });
    }
    reaches("searches", "arguments without JSON", |session| {
        session
            .steps
            .iter()
            .flat_map(batch)
            .any(|call| matches!(call, Call::Search { query: Query::NotJson { .. } }))
    });
}

#[test]
fn modes_that_forbid_what_there_is_evidence_for() {
    let changes = |session: &Session, forbids: bool| {
        universe::UNIVERSE.iter().any(|entry| {
            let (mut mode, mut evidence, mut changed) = (session.mode, false, false);
            session.steps.iter().any(|step| {
                let there = session.tools.iter().any(|tool| tool.name == entry.name);
                match step {
                    Step::SetMode { mode: next } => {
                        changed |= *next != mode;
                        mode = *next;
                    }
                    Step::Prompt { .. } => {
                        return there
                            && evidence
                            && changed
                            && entry.deferred.contains(&mode) != forbids;
                    }
                    other => evidence |= found(other, entry.name) && entry.deferred.contains(&mode),
                }
                false
            })
        })
    };
    reaches("modes", "evidence, a mode that forbids it, prompt", |session| changes(session, true));
    reaches("modes", "evidence, a mode that allows it, prompt", |session| changes(session, false));
    reaches("modes", "a mode, another, and back to agent", |session| {
        let set = |step: &Step, mode| *step == Step::SetMode { mode };
        let plan = session.steps.iter().position(|step| set(step, Mode::Plan));
        plan.is_some_and(|at| session.steps[at..].iter().any(|step| set(step, Mode::Agent)))
    });
}

#[test]
fn plugins_that_go_with_evidence_of_their_tools() {
    fn gone(step: &Step, name: &str) -> bool {
        matches!(step, Step::Unplug { plugin } if name.starts_with(&format!("{plugin}_")))
    }
    fn back(step: &Step, name: &str) -> bool {
        matches!(step, Step::Plug { plugin } if name.starts_with(&format!("{plugin}_")))
    }
    let paths: [(&str, &[Condition]); 4] = [
        ("search, removal, prompt", &[found, gone, prompt]),
        ("search, removal, restart, prompt", &[found, gone, restart, prompt]),
        ("search, removal, search again", &[found, gone, prompt, found]),
        ("search, removal, return, prompt", &[found, gone, prompt, back, prompt]),
    ];
    for (what, path) in paths {
        reaches("plugins", what, |session| for_some_tool(session, path));
    }
}

#[test]
fn providers_that_fail_between_a_search_and_what_it_found() {
    reaches("providers", "search, failure", |session| {
        let fails = |step: &Step, _: &str| matches!(step, Step::Fail { .. });
        for_some_tool(session, &[found, fails]) && !session.steps.is_empty()
    });
}

#[test]
fn evidence_and_then_another_provider() {
    use tacit_contract::OtherProvider;
    fn switched(step: &Step, _: &str) -> bool {
        matches!(step, Step::SwitchProvider { .. })
    }
    let kinds = [OtherProvider::OtherApi, OtherProvider::Native, OtherProvider::Plain];
    for wanted in kinds {
        reaches("providers", &format!("search, change to {wanted:?}, prompt"), |session| {
            let there = session.steps.contains(&Step::SwitchProvider { to: wanted });
            there && for_some_tool(session, &[found, switched, prompt])
        });
    }
    let paths: [(&str, &[Condition]); 4] = [
        ("search, use, change, prompt", &[found, used, switched, prompt]),
        ("search, restart, change, prompt", &[found, restart, switched, prompt]),
        ("search, change, restart, prompt", &[found, switched, restart, prompt]),
        ("search, change, prompt, change, prompt", &[found, switched, prompt, switched, prompt]),
    ];
    for (what, path) in paths {
        for mix in ["providers", "restarts"] {
            reaches(mix, what, |session| for_some_tool(session, path));
        }
    }
}

#[test]
fn failures_of_every_kind_and_then_another_prompt() {
    for failure in tacit_contract::session::Failure::ALL {
        reaches("providers", &format!("{failure:?}, prompt"), |session| {
            let at = session.steps.iter().position(|step| *step == Step::Fail { failure });
            at.is_some_and(|at| session.steps[at..].iter().any(|step| prompt(step, "")))
        });
    }
}

#[test]
fn sessions_beside_one_that_has_activated_something() {
    reaches("isolation", "search, another session", |session| {
        let beside = |step: &Step, _: &str| matches!(step, Step::Elsewhere);
        for_some_tool(session, &[found, beside, prompt])
    });
    reaches("isolation", "another session with a newer plugin, search", |session| {
        let ahead = |step: &Step, tool: &str| match step {
            Step::ElsewhereAhead { plugin } => tool.starts_with(plugin.as_str()),
            _ => false,
        };
        for_some_tool(session, &[ahead, found])
    });
}

#[test]
fn plugins_that_register_late_with_evidence_of_their_tools() {
    for mix in ["restarts", "plugins"] {
        reaches(mix, "search, a plugin registers late, prompt", |session| {
            let late = |step: &Step, tool: &str| match step {
                Step::RestartLate { plugin } => tool.starts_with(plugin.as_str()),
                _ => false,
            };
            for_some_tool(session, &[found, late, prompt])
        });
    }
}

#[test]
fn exact_names_that_other_tools_speak_of_and_that_the_catalog_leaves_out() {
    reaches("catalogs", "a name that six other descriptions hold", |session| {
        deferred(session, session.mode, "find_symbol")
            && session.steps.iter().any(|step| found(step, "find_symbol"))
    });
    reaches("catalogs", "a name beyond the catalog", |session| {
        let last = format!("bulk_{:04}", session.bulk.count.saturating_sub(1));
        session.bulk.count > 64 && session.steps.iter().any(|step| found(step, &last))
    });
}

#[test]
fn rows_that_prove_something_and_rows_that_prove_nothing() {
    let statuses = [Past::Ok, Past::Error, Past::Interrupted, Past::Unanswered];
    for wanted in statuses {
        reaches("transcripts", &format!("a search that is {wanted:?}"), |session| {
            session.seeds().flat_map(|turn| &turn.moments).any(|moment| match moment {
                Moment::Searched { marker, status } => {
                    *status == wanted
                        && marker.iter().any(|name| deferred(session, session.mode, name.as_str()))
                }
                _ => false,
            })
        });
        reaches("transcripts", &format!("a use that is {wanted:?}"), |session| {
            session.seeds().flat_map(|turn| &turn.moments).any(|moment| match moment {
                Moment::Used { tool, status, .. } => {
                    *status == wanted && deferred(session, session.mode, tool.as_str())
                }
                _ => false,
            })
        });
    }
    reaches("transcripts", "a forged marker", |session| {
        session.seeds().flat_map(|turn| &turn.moments).any(|moment| match moment {
            Moment::Forged { marker, .. } => {
                marker.iter().any(|name| deferred(session, session.mode, name.as_str()))
            }
            _ => false,
        })
    });
}

#[test]
fn tools_that_say_what_only_a_marker_may() {
    reaches("uses", "a tool that names another, and a prompt after it", |session| {
        let says = |step: &Step, name: &str| {
            batch(step).iter().any(|call| match call {
                Call::Use { tool, says: Some(text), .. } => tool != name && text.contains(name),
                _ => false,
            })
        };
        for_some_tool(session, &[says, prompt])
    });
}
