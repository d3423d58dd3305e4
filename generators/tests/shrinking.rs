//! How well sessions shrink: planted predicates stand for the faults that a run looks for.

use tacit_contract::protocol::Api;
use tacit_contract::{Call, OtherProvider, ProviderKind, Query, Session, Step};
use tacit_generators::shrink::{SessionTree, smaller};
use tacit_generators::{Setting, mix, runner};

const CASES: u64 = 400;

/// What shrinking came to over the cases of a mix in which a predicate held.
struct Shrunk {
    smallest: Vec<Session>,
    evaluations: Vec<u32>,
}

impl Shrunk {
    fn mean(&self) -> u32 {
        let count = u32::try_from(self.evaluations.len()).unwrap_or(u32::MAX);
        self.evaluations.iter().sum::<u32>() / count.max(1)
    }

    fn most(&self) -> u32 {
        self.evaluations.iter().copied().max().unwrap_or_default()
    }
}

fn shrink(name: &str, mix_id: &str, fails: fn(&Session) -> bool) -> Shrunk {
    let Some(mix) = mix(mix_id) else { panic!("there is no mix `{mix_id}`") };
    let strategy = mix.strategy(&Setting::everything());
    let mut shrunk = Shrunk { smallest: Vec::new(), evaluations: Vec::new() };
    for case in 0..CASES {
        let Ok(tree) = runner::generate(&strategy, 11, case) else { panic!("case {case}") };
        if fails(&proptest::strategy::ValueTree::current(&tree)) {
            let smallest = runner::smallest(tree, 1000, fails);
            assert!(smallest.exhausted, "case {case} was given up");
            assert!(fails(&smallest.value), "case {case} no longer fails");
            shrunk.smallest.push(smallest.value);
            shrunk.evaluations.push(smallest.evaluations);
        }
    }
    assert!(shrunk.smallest.len() >= 5, "{name}: only {} cases fail", shrunk.smallest.len());
    println!(
        "{name}: {} cases, evaluations mean {} most {}",
        shrunk.smallest.len(),
        shrunk.mean(),
        shrunk.most()
    );
    shrunk
}

fn expect(shrunk: &Shrunk, steps: usize, tools: usize, mean: u32, most: u32) {
    for session in &shrunk.smallest {
        assert_eq!(session.length(), steps, "{session:?}");
        assert_eq!(session.tools.len(), tools, "{session:?}");
        assert!(session.bulk.is_none(), "{session:?}");
    }
    assert!(shrunk.mean() <= mean, "{} evaluations in the mean", shrunk.mean());
    assert!(shrunk.most() <= most, "{} evaluations", shrunk.most());
}

fn searches(step: &Step, name: &str) -> bool {
    let Step::Answer { calls } = step else { return false };
    calls.iter().any(|call| match call {
        Call::Search { query } => query.as_text() == Some(name),
        _ => false,
    })
}

fn uses(step: &Step, name: &str) -> bool {
    let Step::Answer { calls } = step else { return false };
    calls.iter().any(|call| matches!(call, Call::Use { tool, .. } if tool == name))
}

/// Whether steps that hold the conditions stand in this order, whatever stands between them.
fn in_order(session: &Session, conditions: &[&dyn Fn(&Step) -> bool]) -> bool {
    let mut wanted = conditions.iter();
    let mut next = wanted.next();
    for step in &session.steps {
        if next.is_some_and(|condition| condition(step)) {
            next = wanted.next();
        }
    }
    next.is_none()
}

fn is_prompt(step: &Step) -> bool {
    matches!(step, Step::Prompt { .. })
}

fn has(session: &Session, name: &str) -> bool {
    session.tools.iter().any(|tool| tool.name == name)
}

#[test]
fn a_search_a_restart_and_a_prompt_are_all_that_is_left_where_they_are_what_fails() {
    let shrunk = shrink("search, restart, prompt", "restarts", |session| {
        let restarts = |step: &Step| matches!(step, Step::Restart { .. });
        has(session, "Skill")
            && in_order(session, &[&|step| searches(step, "Skill"), &restarts, &is_prompt])
    });
    expect(&shrunk, 3, 1, 35, 60);
    for session in &shrunk.smallest {
        let plain = Step::Restart { process: false, from_rows: false };
        assert_eq!(session.steps[1], plain);
        assert_eq!(session.steps[2], Step::Prompt { text: "go on".to_owned() });
    }
}

#[test]
fn a_use_whose_plugin_goes_keeps_its_search_its_use_and_the_removal() {
    let shrunk = shrink("search, use, unplug, prompt", "plugins", |session| {
        let goes = |step: &Step| matches!(step, Step::Unplug { plugin } if *plugin == "acme");
        let found = |step: &Step| searches(step, "acme_weather");
        let used = |step: &Step| uses(step, "acme_weather");
        has(session, "acme_weather") && in_order(session, &[&found, &used, &goes, &is_prompt])
    });
    expect(&shrunk, 4, 1, 35, 60);
}

#[test]
fn a_batch_of_two_searches_loses_every_other_call() {
    let shrunk = shrink("two searches in a batch", "searches", |session| {
        session.steps.iter().any(|step| {
            let Step::Answer { calls } = step else { return false };
            calls.iter().filter(|call| matches!(call, Call::Search { .. })).count() > 1
        })
    });
    expect(&shrunk, 1, 0, 35, 60);
    for session in &shrunk.smallest {
        assert!(matches!(&session.steps[..], [Step::Answer { calls }] if calls.len() == 2));
    }
}

#[test]
fn a_seeded_turn_keeps_the_one_moment_that_matters() {
    use tacit_contract::session::{Moment, Past};
    let shrunk = shrink("a failed search in the seeds", "transcripts", |session| {
        let failed = |moment: &Moment| match moment {
            Moment::Searched { marker, status } => *status == Past::Error && !marker.is_empty(),
            _ => false,
        };
        session.seeds().any(|turn| turn.moments.iter().any(failed))
            && session.steps.iter().any(is_prompt)
    });
    expect(&shrunk, 2, 0, 35, 60);
    for session in &shrunk.smallest {
        let turn = session.seeds().next().map(|turn| turn.moments.as_slice());
        assert!(matches!(turn, Some([Moment::Searched { marker, .. }]) if marker.len() == 1));
    }
}

#[test]
fn a_change_of_provider_shrinks_to_the_one_that_matters() {
    let shrunk = shrink("search, change, prompt", "providers", |session| {
        let changes = |step: &Step| matches!(step, Step::SwitchProvider { .. });
        has(session, "Skill")
            && in_order(session, &[&|step| searches(step, "Skill"), &changes, &is_prompt])
    });
    expect(&shrunk, 3, 1, 35, 60);
    let simplest = Step::SwitchProvider { to: OtherProvider::Plain };
    assert!(shrunk.smallest.iter().all(|session| session.steps[1] == simplest));
}

#[test]
fn the_provider_shrinks_to_the_plain_one_of_its_api_and_then_to_the_plainest() {
    let messages = ProviderKind::native(Api::AnthropicMessages);
    let smallest = |fails: fn(&Session) -> bool| {
        let Some(mix) = mix("sessions") else { panic!("there is no mix of that name") };
        let strategy = mix.strategy(&Setting::everything());
        let Ok(session) = runner::sample(&strategy, 3, 1) else { panic!("no session") };
        let session = Session { provider: messages, ..session };
        let tree = SessionTree::new(session, Setting::everything().plainest_mode());
        runner::smallest(tree, 1000, fails).value.provider
    };
    assert_eq!(smallest(|_| true), ProviderKind::PLAINEST);
    assert_eq!(smallest(|session| session.provider.native), messages);
    assert_eq!(
        smallest(|session| session.provider.api == Api::AnthropicMessages),
        ProviderKind::plain(Api::AnthropicMessages)
    );
}

#[test]
fn a_branch_over_two_prompts_keeps_both() {
    let shrunk = shrink("prompt, prompt, branch, prompt", "context", |session| {
        let branches = |step: &Step| matches!(step, Step::Branch { .. });
        in_order(session, &[&is_prompt, &is_prompt, &branches, &is_prompt])
    });
    expect(&shrunk, 4, 0, 35, 60);
}

#[test]
fn a_description_that_breaks_its_line_is_left_alone_with_the_break() {
    let shrunk = shrink("a line break in a description", "catalogs", |session| {
        session.tools.iter().any(|tool| tool.description.contains('\n'))
    });
    expect(&shrunk, 0, 1, 35, 60);
    for session in &shrunk.smallest {
        assert_eq!(session.tools[0].description, "\n");
    }
}

#[test]
fn a_query_of_the_wrong_shape_is_the_only_step_left() {
    let shrunk = shrink("an odd query", "searches", |session| {
        session.steps.iter().any(|step| match step {
            Step::Answer { calls } => calls.iter().any(|call| match call {
                Call::Search { query } => matches!(query, Query::Missing | Query::Odd { .. }),
                _ => false,
            }),
            _ => false,
        })
    });
    expect(&shrunk, 1, 0, 35, 60);
    let missing = vec![Step::Answer { calls: vec![Call::Search { query: Query::Missing }] }];
    assert!(shrunk.smallest.iter().all(|session| session.steps == missing));
}

#[test]
fn bulk_shrinks_to_the_number_that_matters() {
    let shrunk = shrink("more than 64 tools", "catalogs", |session| session.bulk.count > 64);
    assert!(shrunk.smallest.iter().all(|session| session.bulk.count == 65));
    assert!(shrunk.smallest.iter().all(|session| session.steps.is_empty()));
    assert!(shrunk.most() <= 100, "{} evaluations", shrunk.most());
}

#[test]
fn a_session_that_always_fails_shrinks_to_nothing_at_once() {
    let shrunk = shrink("anything", "sessions", |_| true);
    expect(&shrunk, 0, 0, 12, 20);
}

#[test]
fn a_session_that_never_fails_again_is_left_as_it_was() {
    let Some(mix) = mix("sessions") else { panic!("there is no mix of that name") };
    let strategy = mix.strategy(&Setting::everything());
    for case in 0..50 {
        let Ok(session) = runner::sample(&strategy, 3, case) else { panic!("case {case}") };
        let mode = Setting::everything().plainest_mode();
        let smallest = runner::smallest(SessionTree::new(session.clone(), mode), 1000, |_| false);
        assert_eq!(smallest.value, session);
        assert_eq!(smallest.evaluations as usize, smaller(&session, mode).count());
    }
}

#[test]
fn proptests_own_loop_comes_to_the_same_session() {
    use proptest::test_runner::{TestCaseError, TestError};
    let Some(mix) = mix("restarts") else { panic!("there is no mix of that name") };
    let strategy = mix.strategy(&Setting::everything());
    let fails = |session: &Session| {
        session.steps.iter().filter(|step| matches!(step, Step::Restart { .. })).count() > 1
    };
    let mut compared = 0;
    for case in 0..60 {
        let Ok(tree) = runner::generate(&strategy, 5, case) else { panic!("case {case}") };
        let Ok(same) = runner::generate(&strategy, 5, case) else { panic!("case {case}") };
        let outcome = runner::runner(5, case, 1000).run_one(tree, |session| {
            if fails(&session) { Err(TestCaseError::fail("planted")) } else { Ok(()) }
        });
        if let Err(TestError::Fail(_, session)) = outcome {
            assert_eq!(session, runner::smallest(same, 1000, fails).value);
            compared += 1;
        }
    }
    assert!(compared > 5, "only {compared} cases fail");
}

#[test]
fn shrinking_that_is_cut_short_still_gives_a_session_that_fails() {
    let Some(mix) = mix("sessions") else { panic!("there is no mix of that name") };
    let strategy = mix.strategy(&Setting::everything());
    let fails = |session: &Session| session.steps.iter().filter(|step| is_prompt(step)).count() > 2;
    for case in 0..100 {
        for limit in [0, 1, 3, 10] {
            let Ok(tree) = runner::generate(&strategy, 9, case) else { panic!("case {case}") };
            if fails(&proptest::strategy::ValueTree::current(&tree)) {
                assert!(fails(&runner::smallest(tree, limit, fails).value));
            }
        }
    }
}
