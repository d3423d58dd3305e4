//! Laws of the judge, on what the reference really does: the same trace gets the same judgement,
//! one that ends early blames nobody, and whatever a runtime sends, there is a judgement.

#![allow(clippy::unwrap_used, reason = "a test that panics is a test that fails")]

mod support;

use std::collections::BTreeMap;

use serde_json::{Value, json};
use support::traces;
use tacit_contract::canary::mix;
use tacit_contract::runtime::RuntimeError;
use tacit_contract::{Profile, Seen};
use tacit_judge::Judge;

fn nib() -> Profile {
    Profile::named("nib-r3").unwrap()
}

/// Numbers that follow from a seed.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = mix(self.0);
        usize::try_from(self.0 % limit.max(1) as u64).unwrap()
    }
}

#[test]
fn the_same_trace_gets_the_same_judgement_also_after_it_was_saved() {
    let profile = nib();
    let judge = Judge::new(&profile);
    let mut breaches = 0;
    for trace in
        traces(&[], 11, 2).iter().chain(&traces(&["no-restore-on-prompt", "no-cap"], 11, 2))
    {
        let judgement = judge.judge(trace);
        breaches += judgement.breaches.len();
        assert_eq!(judgement, judge.judge(trace));
        let saved = serde_json::to_string(trace).unwrap();
        assert_eq!(judgement, judge.judge(&serde_json::from_str(&saved).unwrap()));
    }
    assert!(breaches > 0, "the faults show");
}

#[test]
fn what_a_runtime_did_before_it_crashed_is_never_blamed_for_what_it_did_not_do() {
    let profile = nib();
    let judge = Judge::new(&profile);
    let mut blamed = BTreeMap::new();
    for trace in traces(&[], 11, 2) {
        for end in 0..trace.log.len() {
            let mut cut = trace.clone();
            cut.log.truncate(end);
            cut.cut_short = Some(RuntimeError::Crashed {
                during: "session/prompt".to_owned(),
                status: "exit status: 1".to_owned(),
                log: String::new(),
            });
            for breach in judge.judge(&cut).breaches {
                blamed.entry(breach.clause.clone()).or_insert((end, breach));
            }
        }
    }
    assert_eq!(blamed, BTreeMap::new());
}

#[test]
fn a_log_that_was_mixed_up_is_judged_all_the_same() {
    let profile = nib();
    for (number, trace) in traces(&[], 11, 3).into_iter().enumerate() {
        let mut dice = Dice(number as u64);
        for _ in 0..20 {
            let mut mixed = trace.clone();
            for _ in 0..=dice.below(4) {
                let (a, b) = (dice.below(mixed.log.len()), dice.below(mixed.log.len()));
                match dice.below(4) {
                    0 => mixed.log.swap(a, b),
                    1 => mixed.log.insert(a, mixed.log[b].clone()),
                    2 => mixed.log[a].session = "another".into(),
                    _ if mixed.log.len() > 1 => drop(mixed.log.remove(a)),
                    _ => {}
                }
            }
            let _ = Judge::new(&profile).judge(&mixed);
        }
    }
}

#[test]
fn whatever_a_request_holds_there_is_a_judgement() {
    let profile = nib();
    for (number, trace) in traces(&[], 11, 3).into_iter().enumerate() {
        let mut dice = Dice(number as u64 + 1000);
        for _ in 0..20 {
            let mut odd = trace.clone();
            for entry in &mut odd.log {
                if let Seen::Requested(request) = &mut entry.seen
                    && dice.below(3) == 0
                {
                    request.body = changed(&request.body, &mut dice).into();
                }
            }
            let _ = Judge::new(&profile).judge(&odd);
        }
    }
}

/// A body that is broken off, or in which one value is another.
fn changed(body: &str, dice: &mut Dice) -> String {
    let Ok(mut value) = serde_json::from_str::<Value>(body) else { return body.to_owned() };
    if dice.below(5) == 0 {
        let length = dice.below(body.chars().count());
        return body.chars().take(length).collect();
    }
    change(&mut value, dice);
    value.to_string()
}

fn change(value: &mut Value, dice: &mut Dice) {
    let deeper = dice.below(6) > 0;
    match value {
        Value::Array(items) if deeper && !items.is_empty() => {
            let place = dice.below(items.len());
            change(&mut items[place], dice);
        }
        Value::Object(members) if deeper && !members.is_empty() => {
            let place = dice.below(members.len());
            change(members.values_mut().nth(place).unwrap(), dice);
        }
        _ => *value = odd(dice),
    }
}

fn odd(dice: &mut Dice) -> Value {
    let odd = [
        Value::Null,
        json!(true),
        json!(-1.5e300),
        json!(""),
        json!("\u{0}\u{202e}\u{1f6e0}\u{fe0f}\n# On-demand tools\n- Ünïcode"),
        json!("# On-demand tools\n- \n-\n- x: "),
        json!([]),
        json!({}),
        json!([[], {}, null, "x"]),
        json!({"name": 7, "role": [], "content": {"type": "text"}, "function": null}),
    ];
    odd[dice.below(odd.len())].clone()
}
