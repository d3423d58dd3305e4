//! Root causes: many clauses may be broken by one and the same fault.
//!
//! A clause is broken because of another where the other's smallest session stands in its own,
//! and breaks the other there as well, in the same tool: whatever it takes for the one is there,
//! and what is left to tell is a consequence. Where neither is smaller, the clause that says more
//! is the cause.

use std::collections::BTreeMap;
use std::mem::discriminant;

use tacit_contract::clause::clauses;
use tacit_contract::part::Caught;
use tacit_contract::session::Moment;
use tacit_contract::{Call, ClauseId, Session, Step};
use tacit_generators::texts::PLAIN_PROMPT;

/// The clause that is broken along with any other where a tool is shown that must not be.
const ANY: &str = "initial.minimal";

/// For each clause that is broken because of another: the root of its causes.
#[must_use]
pub fn causes(caught: &BTreeMap<ClauseId, Caught>) -> BTreeMap<ClauseId, ClauseId> {
    let mut sorted: Vec<(&ClauseId, &Caught)> =
        caught.iter().filter(|(_, caught)| caught.reproduced == crate::hunt::REPETITIONS).collect();
    sorted.sort_by_cached_key(|(id, caught)| weight(id, &caught.session));
    let mut roots: BTreeMap<ClauseId, ClauseId> = BTreeMap::new();
    for (place, (id, consequence)) in sorted.iter().enumerate() {
        let cause = sorted[..place].iter().find(|(cause, caught)| {
            also_breaks(consequence, cause) && is_within(&caught.session, &consequence.session)
        });
        if let Some((cause, _)) = cause {
            let root = roots.get(*cause).unwrap_or(cause).clone();
            roots.insert((*id).clone(), root);
        }
    }
    join(&sorted, &mut roots);
    roots
}

/// What breaks the clause of any tool too many, in a session that holds the smallest of it, has
/// the cause that this clause has.
fn join(sorted: &[(&ClauseId, &Caught)], roots: &mut BTreeMap<ClauseId, ClauseId>) {
    let Some((any, smallest)) = sorted.iter().find(|(id, _)| **id == *ANY) else { return };
    let Some(root) = roots.get(*any).cloned() else { return };
    for (id, caught) in sorted {
        let has_none = **id != root && !roots.contains_key(*id);
        if has_none && also_breaks(caught, any) && is_within(&smallest.session, &caught.session) {
            // What followed from it alone follows from the root as well.
            roots
                .values_mut()
                .filter(|cause| *cause == *id)
                .for_each(|cause| *cause = root.clone());
            roots.insert((*id).clone(), root.clone());
        }
    }
}

/// Smaller sessions are causes, larger ones consequences. Of equal ones the clause that is broken
/// along with any tool too many comes last, since the other says why.
fn weight(id: &ClauseId, session: &Session) -> (usize, bool, usize) {
    let place = clauses().iter().position(|clause| clause.id == *id);
    (session.length(), *id == *ANY, place.unwrap_or(usize::MAX))
}

/// Whether another clause was broken in the session as well, no later and in the same tool.
/// What a request weighs is no matter of one tool: it follows from any that is too many.
fn also_breaks(caught: &Caught, clause: &ClauseId) -> bool {
    let weighs = caught.breach.clause == *"initial.cost" && *clause == *ANY;
    caught.all.iter().filter(|breach| breach.clause == *clause).any(|breach| {
        let alike = breach.tool == caught.breach.tool
            && (breach.tool.is_some() || breach.found == caught.breach.found);
        breach.entry <= caught.breach.entry && (alike || weighs)
    })
}

/// Whether the steps of one session stand in another, in their order and each as one of its kind.
fn is_within(small: &Session, large: &Session) -> bool {
    let provider = small.provider.is_plainest() || small.provider == large.provider;
    provider && follows(&small.steps, &large.steps, same_step)
}

/// Whether each of some things has its like among others, in the same order.
fn follows<T>(few: &[T], many: &[T], alike: impl Fn(&T, &T) -> bool) -> bool {
    let mut rest = many.iter();
    few.iter().all(|one| rest.any(|other| alike(one, other)))
}

fn same_step(one: &Step, other: &Step) -> bool {
    match (one, other) {
        (Step::Seed(one), Step::Seed(other)) => follows(&one.moments, &other.moments, same_moment),
        (Step::Answer { calls: one }, Step::Answer { calls: other }) => {
            follows(one, other, same_call)
        }
        // A text that could not be made any plainer is part of what it takes.
        (Step::Prompt { text }, Step::Prompt { text: other }) => {
            text == PLAIN_PROMPT || text == other
        }
        // A session that is opened beside has a prompt of its own, and a plain one.
        (Step::Elsewhere, Step::Prompt { .. }) => true,
        (Step::Prompt { text }, Step::Elsewhere) => text == PLAIN_PROMPT,
        _ => discriminant(one) == discriminant(other),
    }
}

fn same_moment(one: &Moment, other: &Moment) -> bool {
    let status = |moment: &Moment| match moment {
        Moment::Searched { status, .. } | Moment::Used { status, .. } => Some(*status),
        _ => None,
    };
    discriminant(one) == discriminant(other) && status(one) == status(other)
}

fn same_call(one: &Call, other: &Call) -> bool {
    let outcome = |call: &Call| match call {
        Call::Use { outcome, .. } => Some(*outcome),
        _ => None,
    };
    discriminant(one) == discriminant(other) && outcome(one) == outcome(other)
}

#[cfg(test)]
mod tests {
    use tacit_contract::session::{Bulk, Past, SeedTurn};
    use tacit_contract::{Breach, Mode, ProviderKind, Query};

    use super::*;

    fn caught(clause: &str, steps: Vec<Step>, entry: usize, also: &[(&str, &str)]) -> Caught {
        let breach = |(clause, tool): &(&str, &str)| Breach {
            clause: (*clause).into(),
            session: "s1".into(),
            entry,
            prompt: 1,
            request: 1,
            tool: Some((*tool).into()),
            found: format!("{tool} is shown"),
        };
        let all: Vec<Breach> = also.iter().map(breach).collect();
        let own = all.iter().find(|breach| breach.clause == *clause).unwrap().clone();
        let session = Session {
            seed: 1,
            mode: Mode::Agent,
            provider: ProviderKind::PLAINEST,
            tools: Vec::new(),
            bulk: Bulk::default(),
            steps,
        };
        Caught {
            path: String::new(),
            found_by: "sessions".into(),
            reproduced: 3,
            evaluations: 0,
            session,
            breach: own,
            all,
        }
    }

    fn told(caught: Vec<Caught>) -> Vec<(String, String)> {
        let caught =
            caught.into_iter().map(|caught| (caught.breach.clause.clone(), caught)).collect();
        let causes = causes(&caught).into_iter();
        causes.map(|(id, cause)| (id.to_string(), cause.to_string())).collect()
    }

    fn pair(id: &str, cause: &str) -> (String, String) {
        (id.to_owned(), cause.to_owned())
    }

    fn prompt() -> Step {
        Step::Prompt { text: "go on".to_owned() }
    }

    fn searches() -> Step {
        Step::Answer { calls: vec![Call::Search { query: Query::text("a") }] }
    }

    fn failed_search() -> Step {
        let moment = Moment::Searched { marker: vec!["a".into()], status: Past::Error };
        Step::Seed(SeedTurn { prompt: String::new(), moments: vec![moment] })
    }

    #[test]
    fn what_needs_more_and_breaks_the_other_as_well_follows_from_it() {
        let minimal = caught("initial.minimal", vec![prompt()], 2, &[("initial.minimal", "a")]);
        let both = [("initial.minimal", "b"), ("restore.ignores-failed", "b")];
        let failed = caught("restore.ignores-failed", vec![failed_search(), prompt()], 2, &both);
        let causes = told(vec![minimal, failed]);
        assert_eq!(causes, [pair("restore.ignores-failed", "initial.minimal")]);
    }

    #[test]
    fn of_two_that_need_the_same_the_one_that_says_why_is_the_cause() {
        let both = [("initial.minimal", "a"), ("restore.ignores-failed", "a")];
        let steps = || vec![failed_search(), prompt()];
        let causes = told(vec![
            caught("initial.minimal", steps(), 2, &both),
            caught("restore.ignores-failed", steps(), 2, &both),
        ]);
        assert_eq!(causes, [pair("initial.minimal", "restore.ignores-failed")]);
    }

    #[test]
    fn what_can_be_without_the_other_has_a_cause_of_its_own() {
        let failed = [("initial.minimal", "a"), ("restore.ignores-failed", "a")];
        let reset = [("initial.minimal", "a"), ("reset.each-prompt", "a")];
        let causes = told(vec![
            caught("restore.ignores-failed", vec![failed_search(), prompt()], 2, &failed),
            caught("initial.minimal", vec![failed_search(), prompt()], 2, &failed),
            caught("reset.each-prompt", vec![prompt(), searches(), prompt()], 5, &reset),
        ]);
        assert_eq!(causes, [pair("initial.minimal", "restore.ignores-failed")]);
    }

    #[test]
    fn what_as_little_breaks_has_one_cause() {
        let named = vec![Step::Prompt { text: "a".to_owned() }];
        let elsewhere = || vec![Step::Elsewhere];
        let before = [("initial.minimal", "b"), ("activation.not-before", "b")];
        let by_text = [("initial.minimal", "a"), ("activation.not-by-text", "a")];
        let causes = told(vec![
            caught("initial.minimal", elsewhere(), 2, &before),
            caught("activation.not-before", elsewhere(), 2, &before),
            caught("activation.not-by-text", named, 2, &by_text),
        ]);
        let cause = "activation.not-before";
        assert_eq!(causes, [pair("activation.not-by-text", cause), pair("initial.minimal", cause)]);
    }

    #[test]
    fn a_text_that_it_takes_is_missing_where_another_stands() {
        let named = || vec![Step::Prompt { text: "a".to_owned() }];
        let by_text = [("initial.minimal", "a"), ("activation.not-by-text", "a")];
        let reset = [("initial.minimal", "a"), ("reset.each-prompt", "a")];
        let causes = told(vec![
            caught("initial.minimal", named(), 2, &by_text),
            caught("activation.not-by-text", named(), 2, &by_text),
            caught("reset.each-prompt", vec![prompt(), searches(), prompt()], 5, &reset),
        ]);
        assert_eq!(causes, [pair("initial.minimal", "activation.not-by-text")]);
    }

    #[test]
    fn another_tool_is_another_matter() {
        let core = [("initial.core", "Glob")];
        let restore = [("initial.core", "Glob"), ("restore.use-evidence", "a")];
        let causes = told(vec![
            caught("initial.core", vec![prompt()], 2, &core),
            caught("restore.use-evidence", vec![failed_search(), prompt()], 2, &restore),
        ]);
        assert_eq!(causes, []);
    }

    #[test]
    fn what_fails_now_and_then_is_neither_cause_nor_consequence() {
        let both = [("initial.minimal", "a"), ("activation.not-before", "a")];
        let mut flaky = caught("activation.not-before", vec![prompt()], 2, &both);
        flaky.reproduced = 2;
        let minimal = caught("initial.minimal", vec![prompt(), prompt()], 2, &both);
        assert_eq!(told(vec![flaky, minimal]), []);
    }
}
