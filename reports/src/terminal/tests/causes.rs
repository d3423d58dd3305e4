//! Blocks: what is broken, by which cause, and in which session.

use tacit_contract::{Event, Verdict};

use super::super::{Detail, Options};
use super::{shown, with};
use crate::samples;

#[test]
fn one_cause_is_one_block_with_all_that_follows_from_it() {
    let text = with(&samples::flooded(), Options { detail: Detail::Quiet, ..Options::default() });
    insta::assert_snapshot!(text, @r#"
    FAIL  initial.minimal
          smallest session (1 step), reproduced 3/3
          .tacit/corpus/initial-minimal-1.feature
            1  an agent session, with the deferred tools acme_tickets, acme_weather
            2  the user asks "anything"
            3  request 1 shows: read, search_tools, acme_tickets, acme_weather
               ✗ acme_tickets is shown in the first request
               the clause: the first request of a prompt sends nothing beyond core,
                           always-active and restored tools
               required: nothing
               allowed besides: nothing
               too much: acme_tickets, acme_weather
          the same breaks 2 clauses more:
            activation.not-before   acme_weather is shown before there is any
                                    evidence for it
            restore.ignores-failed  acme_tickets is shown, though its only evidence
                                    failed
          ADR 0048, Decision, paragraphs 1 and 2 · tacit explain initial.minimal

    does not conform: 42 of 45 claimed clauses (2 not applicable, 0 not claimed) · 2,816 sessions in 41 s
    "#);
}

#[test]
fn a_consequence_whose_cause_is_expected_stands_for_itself() {
    let mut events = samples::flooded();
    for event in &mut events {
        if let Event::ClauseJudged(clause) = event
            && clause.id == *"initial.minimal"
        {
            clause.verdict = Verdict::ExpectedFailure;
        }
    }
    let text = shown(&events);
    assert!(text.contains("\nFAIL  activation.not-before"), "{text}");
    assert!(!text.contains("the same breaks"), "{text}");
}

#[test]
fn a_verbose_run_tells_what_each_request_had_to_show_and_why() {
    let text = with(&samples::failing(), Options { detail: Detail::Verbose, ..Options::default() });
    let begin = text.find("\nFAIL  restore.use-evidence").unwrap();
    let end = begin + text[begin..].find("\n\n").unwrap();
    insta::assert_snapshot!(text[begin..end], @r#"

    FAIL  restore.use-evidence
          smallest session (3 steps), reproduced 3/3
          .tacit/corpus/restore-use-evidence-1.feature
            1  an agent session, with the deferred tool acme_weather
            2  the transcript holds a call of acme_weather (successful)
            3  the user asks "anything"
            4  request 1 shows: read, search_tools
               ✗ acme_weather is missing: a successful use in the context proves it
               the clause: a deferred tool that was used successfully in the
                           effective context is restored
               required: acme_weather (because it was used in the transcript)
               missing: acme_weather
          timeline
            prompt 1  "anything" · agent mode · openai-chat
              request 1
                shows     read, search_tools
                evidence  acme_weather in the transcript, successful
                required  acme_weather (because it was used in the transcript)
                ✗ missing acme_weather
          ADR 0048, Decision, paragraph 4 · tacit explain restore.use-evidence
    "#);
}

#[test]
fn a_runtime_that_never_asks_its_provider_is_one_cause() {
    let mut events = samples::unexercised();
    let Some(Event::RunFinished(finished)) = events.last_mut() else { panic!("a run ends") };
    finished.requests = 0;
    let text = with(&events, Options { detail: Detail::Normal, ..Options::default() });
    let block = &text[text.find("NOT EXERCISED").unwrap()..text.find("too little").unwrap()];
    insta::assert_snapshot!(block, @r"
    NOT EXERCISED  2 must clauses: the runtime never asked its provider
          every session is opened with a provider of the harness: its address is to
          be used for each request
    ");
}

#[test]
fn a_flaky_counterexample_is_marked() {
    let text = with(&samples::flaky(), Options { detail: Detail::Quiet, ..Options::default() });
    insta::assert_snapshot!(text, @r#"
    FAIL  restore.use-evidence
          flaky: failed again in 1 of 3 repetitions (19 steps, not shrunk)
          .tacit/corpus/restore-use-evidence-1.feature
            1  an agent session, with the deferred tool acme_weather
            2  the transcript holds a call of acme_weather (successful)
            3  the user asks "anything"
            4  request 1 shows: read, search_tools
               ✗ acme_weather is missing: a successful use in the context proves it
               the clause: a deferred tool that was used successfully in the
                           effective context is restored
               required: acme_weather (because it was used in the transcript)
               missing: acme_weather
          ADR 0048, Decision, paragraph 4 · tacit explain restore.use-evidence

    does not conform: 44 of 45 claimed clauses (2 not applicable, 0 not claimed) · 2,816 sessions in 41 s
    "#);
}

#[test]
fn a_baseline_says_what_its_entries_came_to_and_what_there_is_to_do() {
    let text = shown(&samples::outdated());
    let end = text.find("EXPECTED").map(|at| &text[at..]);
    insta::assert_snapshot!(end.unwrap_or_default());
    let options = Options { detail: Detail::Quiet, ..Options::default() };
    insta::assert_snapshot!(with(&samples::outdated(), options));
}
