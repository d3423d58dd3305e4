//! Whole outputs, as they are read.

mod causes;

use tacit_contract::Event;
use tacit_contract::Verdict;
use tacit_contract::event::{Counterexample, Extent, ScenarioResult, StoryLine};

use super::{Colour, Detail, Options, render};
use crate::run::Run;
use crate::samples;

fn shown(events: &[Event]) -> String {
    with(events, Options::default())
}

fn with(events: &[Event], options: Options) -> String {
    render(&Run::of(events).unwrap(), &options)
}

#[test]
fn a_run_of_the_reference_that_nobody_asked_for_says_so_in_its_first_and_last_line() {
    insta::assert_snapshot!(shown(&samples::passing()), @r#"
    tacit 0.1.0 · no runtime was named: reference 0.1.0 is tested · profile nib-r3
      seed 4f1c09aa

      initial       6 pass
      catalog       6 pass
      search        7 pass
      activation    7 pass
      reset         1 pass
      restore      10 pass
      host          3 pass
      provider      3 pass    2 not applicable
      isolation     1 pass
      registry      1 pass

      not judged: 15 should clauses and 5 info clauses (only the must clauses are
      judged so far)

    conforms to 45 of 45 claimed clauses (2 not applicable, 0 not claimed) · 2,816 sessions in 41 s · no runtime was named: this is the reference
    "#);
}

#[test]
fn what_was_enumerated_is_told_with_how_much_of_it_was_played() {
    let told = |cases: u32, all: u64| {
        let mut run = Run::of(&samples::passing()).unwrap();
        run.properties[0].id = "exhaustive".into();
        (run.properties[0].cases, run.properties[0].extent) =
            (cases, Some(Extent { depth: 3, cases: all }));
        render(&run, &Options::default())
    };
    let whole = told(3_563, 3_563);
    assert!(whole.contains("  exhaustive: 3,563 sessions, all that there are of up to 3 steps\n"));
    let part = told(128, 3_563);
    assert!(
        part.contains("  exhaustive: 128 of 3,563 sessions of up to 3 steps, the shortest first\n")
    );
    assert!(told(128, u64::MAX).contains("128 of more than 18,446,744,"));
}

#[test]
fn a_failure_is_told_with_its_smallest_session_and_one_cause_is_shown_once() {
    insta::assert_snapshot!(shown(&samples::failing()), @r#"
    tacit 0.1.0 · runtime pydantic-ai 2.68.0 (stdio) · profile nib-r3
      seed 4f1c09aa

      initial       6 pass
      catalog       3 pass    3 fail                  no catalog in any request
      search        7 pass    1 warn   a name in backticks was not found
      activation    7 pass
      reset         1 pass
      restore       8 pass    1 fail    1 expected failure
      host          3 pass
      provider      3 pass    2 not applicable
      isolation     1 pass
      registry      1 pass

      not judged: 14 should clauses and 5 info clauses (only the must clauses are
      judged so far)

    FAIL  catalog.heading, catalog.names, catalog.bounded
            ✗ no catalog in any request
          ADR 0048, Decision, paragraph 3
          ADR 0048, Decision, paragraph 3; Consequences
          tacit explain catalog.heading

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
          ADR 0048, Decision, paragraph 4 · tacit explain restore.use-evidence

    WARN  search.decorated
          a name is found in quotes, backticks, another letter case, with a full
          stop, or without its prefix
            ✗ a name in backticks was not found
          public bug reports · tacit explain search.decorated

    EXPECTED  restore.ignores-failed
          failed results restore nothing, and take nothing away from an earlier
          success
          expected by the baseline: fixed in 2.70

    does not conform: 40 of 45 claimed clauses (2 not applicable, 0 not claimed), 1 warning, 1 expected failure · 2,816 sessions in 41 s
    "#);
}

#[test]
fn a_runtime_that_crashed_early_is_one_cause() {
    insta::assert_snapshot!(shown(&samples::crashing()), @r#"
    tacit 0.1.0 · runtime pydantic-ai 2.68.0 (stdio) · profile nib-r3
      seed 4f1c09aa

      initial       0 pass    6 error
      catalog       0 pass    6 error
      search        0 pass    7 error
      activation    0 pass    7 error
      reset         0 pass    1 error
      restore       0 pass   10 error
      host          0 pass    3 error
      provider      0 pass    3 error    2 not applicable
      isolation     0 pass    1 error
      registry      0 pass    1 error

      not judged: 15 should clauses and 5 info clauses (only the must clauses are
      judged so far)

    ERROR  the runtime crashed during session/open: exit status: 1
          in 37 cases · 45 clauses could not be judged
          its log ends:
            Traceback (most recent call last):
              File "agent.py", line 3
            ModuleNotFoundError: No module named 'agent'\u{1b}[0m

    does not conform: 0 of 45 claimed clauses (2 not applicable, 0 not claimed), 45 errors · 2,816 sessions in 41 s
    "#);
}

#[test]
fn a_runtime_that_did_not_start_failed_in_no_case() {
    insta::assert_snapshot!(shown(&samples::not_started()), @r#"
    tacit 0.1.0 · runtime mine (stdio) · profile nib-r3 · seed 4f1c09aa

    ERROR  the runtime hung: no answer to initialize within 2000 ms

    the runtime could not be used: 0 of 0 claimed clauses (0 not applicable, 0 not claimed) · 2.0 s
    "#);
}

#[test]
fn only_the_reference_is_said_to_run_in_process() {
    for (spec, how) in [
        ("reference", "(in process)"),
        ("reference@r2", "(in process)"),
        ("reference+no-cap", "(in process)"),
        ("stdio:tacit serve-reference", "(stdio)"),
        ("pydantic-ai", "(stdio)"),
        ("references", "(stdio)"),
    ] {
        let mut events = samples::failing();
        let Event::RunStarted(started) = &mut events[0] else { panic!("a run begins") };
        spec.clone_into(&mut started.spec);
        assert!(shown(&events).lines().next().unwrap().contains(how), "{spec}");
    }
}

#[test]
fn the_head_says_which_variant_of_the_reference_is_tested() {
    let mut events = samples::passing();
    let Event::RunStarted(started) = &mut events[0] else { panic!("a run begins") };
    (started.spec, started.by_default) = ("reference@r1+no-cap".to_owned(), false);
    let text = shown(&events);
    assert!(text.contains("runtime reference@r1+no-cap 0.1.0 (in process)"), "{text}");
}

#[test]
fn a_run_that_was_narrowed_need_not_reach_every_clause() {
    let mut events = samples::unexercised();
    let Some(Event::RunFinished(finished)) = events.last_mut() else { panic!("a run ends") };
    (finished.exit_code, finished.narrowed) = (0, true);
    let text = shown(&events);
    assert!(text.lines().last().unwrap().starts_with("nothing failed: 33 of 35 "), "{text}");
}

#[test]
fn a_scenario_whose_property_broke_a_clause_is_told_by_that_clause() {
    let text = shown(&with_a_scenario_of_a_property("restore.use-evidence"));
    assert!(!text.contains("FAIL  scenario"), "{text}");
    let text = shown(&with_a_scenario_of_a_property("restore.rebuilt"));
    assert!(text.contains("FAIL  scenario: Whatever happened before"), "{text}");
}

/// A run in which a clause failed, and a scenario by a property that broke this clause.
fn with_a_scenario_of_a_property(clause: &str) -> Vec<Event> {
    let mut events = samples::failing();
    for event in &mut events {
        if let Event::PropertyFinished(property) = event
            && property.id == *"sessions"
        {
            property.counterexamples.insert(clause.into(), "kept.feature".to_owned());
        }
    }
    events.insert(
        1,
        Event::ScenarioFinished(ScenarioResult {
            name: "Whatever happened before".to_owned(),
            feature: "features/restore.feature".to_owned(),
            line: 46,
            tags: vec!["property:sessions".to_owned()],
            verdict: Verdict::Fail,
            duration_ms: 0,
            message: Some("breaks a clause".to_owned()),
            step: None,
            breaches: Vec::new(),
        }),
    );
    events
}

#[test]
fn what_the_run_was_not_asked_about_is_not_shown() {
    let mut events = samples::failing();
    let Some(Event::ScenarioFinished(scenario)) = events.get_mut(1) else {
        panic!("one is played")
    };
    scenario.tags.clear();
    scenario.breaches = vec![samples::missing_tool().breach];
    events.retain(|event| !matches!(event, Event::ClauseJudged(_)));
    let text = shown(&events);
    assert!(!text.contains("FAIL"), "{text}");
}

#[test]
fn clauses_without_a_case_are_shown_by_name() {
    insta::assert_snapshot!(shown(&samples::unexercised()), @r#"
    tacit 0.1.0 · runtime pydantic-ai 2.68.0 (stdio) · profile nib-r1
      seed 4f1c09aa

      initial       6 pass
      catalog       6 pass
      search        7 pass
      activation    7 pass
      reset         1 pass
      restore       0 pass   10 not applicable        revision r1 does not have it
      host          3 pass
      provider      2 pass    1 not exercised    2 not applicable
      isolation     0 pass    1 not exercised
      registry      1 pass

      not judged: 15 should clauses and 5 info clauses (only the must clauses are
      judged so far)

    NOT EXERCISED  2 must clauses: no case reached the premise
          provider.retry, isolation.sessions

    too little was tested: 33 of 35 claimed clauses (2 not applicable, 10 not claimed), 2 not exercised · 2,816 sessions in 41 s
    "#);
}

#[test]
fn a_quiet_run_that_passes_is_one_line() {
    let text = with(&samples::passing(), Options { detail: Detail::Quiet, ..Options::default() });
    insta::assert_snapshot!(text, @r#"
    conforms to 45 of 45 claimed clauses (2 not applicable, 0 not claimed) · 2,816 sessions in 41 s · no runtime was named: this is the reference
    "#);
}

#[test]
fn a_verbose_run_lists_scenarios_properties_and_clauses() {
    let text = with(&samples::failing(), Options { detail: Detail::Verbose, ..Options::default() });
    let clauses = text.find("\n  pass              initial.minimal").unwrap();
    insta::assert_snapshot!(text[..clauses], @r#"
    tacit 0.1.0 · runtime pydantic-ai 2.68.0 (stdio) · profile nib-r3
      seed 4f1c09aa

    scenarios
      pass              A tool that was found is still there at the next prompt ·
                        features/restore.feature:12 · 12 ms
      fail              A used tool is restored · features/restore.feature:21 · 12
                        ms

    properties
      fail              sessions · 256 cases · 4.3 s · random sessions keep every
                        clause
      pass              searches · 256 cases · 4.3 s · random searches activate what
                        they must

    clauses
      pass              initial.core · 212 times
    "#);
    assert!(text.contains("\ngenerated sessions\n   10.0 %  five matches\n   30.0 %  restart\n"));
    assert!(text.contains("pass              search.exact · 212 times · alone\n"), "{text}");
}

#[test]
fn a_scenario_that_no_clause_explains_is_shown_by_itself() {
    let mut events = samples::passing();
    events.insert(
        1,
        Event::ScenarioFinished(ScenarioResult {
            name: "A step that nobody wrote".to_owned(),
            feature: "mine/own.feature".to_owned(),
            line: 7,
            tags: Vec::new(),
            verdict: Verdict::Fail,
            duration_ms: 0,
            message: Some("no step of this wording exists".to_owned()),
            step: Some("When the moon is full".to_owned()),
            breaches: Vec::new(),
        }),
    );
    let text = with(&events, Options { detail: Detail::Quiet, ..Options::default() });
    insta::assert_snapshot!(text, @r#"
    FAIL  scenario: A step that nobody wrote
          mine/own.feature:7
            When the moon is full
            ✗ no step of this wording exists

    conforms to 45 of 45 claimed clauses (2 not applicable, 0 not claimed) · 2,816 sessions in 41 s · no runtime was named: this is the reference
    "#);
}

#[test]
fn nothing_but_the_last_line_and_paths_is_wider_than_the_terminal() {
    for events in samples::all() {
        let text = with(&events, Options { detail: Detail::Verbose, ..Options::default() });
        let lines: Vec<_> = text.lines().collect();
        for line in &lines[..lines.len() - 1] {
            assert!(line.chars().count() <= 80, "{line}");
            assert_eq!(line.trim_end(), *line);
        }
    }
}

#[test]
fn colours_change_nothing_but_the_colour() {
    for events in samples::all() {
        let options = Options { detail: Detail::Verbose, ..Options::default() };
        let painted = with(&events, Options { colour: true, ..options });
        assert!(painted.contains('\u{1b}'));
        let mut plain = painted;
        for code in ["32", "1;31", "33", "1", "2", "0"] {
            plain = plain.replace(&format!("\u{1b}[{code}m"), "");
        }
        assert_eq!(plain, with(&events, options));
    }
}

#[test]
fn a_runtime_cannot_write_on_the_terminal_through_its_names_and_texts() {
    let hostile = "\u{1b}]0;title\u{7}\u{202e}".to_owned();
    let mut events = samples::failing();
    for event in &mut events {
        match event {
            Event::RunStarted(started) => started.name.clone_from(&hostile),
            Event::CounterexampleFound(Counterexample { story, .. }) => {
                let text = hostile.clone();
                *story = vec![StoryLine {
                    text,
                    wrong: Some(hostile.clone()),
                    asks: Some(hostile.clone()),
                }];
            }
            Event::ClauseJudged(clause) => clause.reason = Some(hostile.clone()),
            Event::ScenarioFinished(one) => one.name.clone_from(&hostile),
            _ => {}
        }
    }
    let text = with(&events, Options { detail: Detail::Verbose, ..Options::default() });
    assert!(!text.contains(['\u{1b}', '\u{7}', '\u{202e}']), "{text}");
}

#[test]
fn colours_are_for_terminals_of_people_who_did_not_decline_them() {
    assert!(Colour::Auto.is_on(true, false));
    assert!(!Colour::Auto.is_on(true, true));
    assert!(!Colour::Auto.is_on(false, false));
    assert!(Colour::Always.is_on(false, true));
    assert!(!Colour::Never.is_on(true, false));
    assert_eq!("never".parse(), Ok(Colour::Never));
    assert!("sometimes".parse::<Colour>().is_err());
}

#[test]
fn what_is_measured_has_a_line_of_its_own_and_no_verdict() {
    let mut run = Run::of(&samples::passing()).unwrap();
    let mut measured = run.clauses[0].clone();
    measured.id = "cache.order".into();
    measured.level = tacit_contract::Level::Info;
    measured.verdict = tacit_contract::Verdict::Pass;
    measured.reading = Some("kept (12)".to_owned());
    run.clauses.push(measured);
    let text = render(&run, &Options::default());
    assert!(text.contains("\n  measured: cache.order   kept (12)\n"), "{text}");
    assert!(!text.contains("\n  cache "), "{text}");
}
