//! What all files together say of each clause.

use std::collections::BTreeMap;

use tacit_contract::clause::clauses;
use tacit_contract::event::ClauseResult;
use tacit_contract::{Clause, Level, Verdict};

use super::{Bench, Found};

impl Bench<'_> {
    /// Every clause, in the order of the contract, as for a run.
    pub(super) fn results(&self) -> Vec<ClauseResult> {
        clauses()
            .iter()
            .filter(|clause| clause.level == Level::Must || clause.unchecked.is_none())
            .map(|clause| self.result(clause))
            .collect()
    }

    fn result(&self, clause: &Clause) -> ClauseResult {
        let over = self.tally.exercised.get(&clause.id).cloned().unwrap_or_default();
        let exercised = over.values().sum();
        let mut result = ClauseResult {
            id: clause.id.clone(),
            level: clause.level,
            verdict: Verdict::NotApplicable,
            exercised,
            exercised_over: if over.len() > 1 { over } else { BTreeMap::new() },
            claimed: false,
            reason: None,
            because: None,
            reading: crate::verdict::readings(clause, &self.tally),
            reproduced: None,
            counterexamples: Vec::new(),
        };
        if let Some(reason) = self.check.profile.why_not_claimed(clause) {
            result.reason = Some(format!("not claimed: {reason}"));
            return result;
        }
        result.claimed = true;
        (result.verdict, result.reason) = self.verdict(clause, exercised);
        result
    }

    fn verdict(&self, clause: &Clause, exercised: u64) -> (Verdict, Option<String>) {
        if let Some(Found { breach, place, times }) = self.found.get(&clause.id) {
            let often =
                if *times > 1 { format!(", and {} more", times - 1) } else { String::new() };
            let prompt = match breach.prompt {
                0 => String::new(),
                prompt => format!(", prompt {prompt}, request {}", breach.request),
            };
            let beside = super::shows::beside(clause.id.as_str()).filter(|_| !self.shows.own);
            let beside = beside.map_or_else(String::new, |beside| format!("; {beside}"));
            let reason = format!("{} ({place}{prompt}{often}){beside}", breach.found);
            return (crate::verdict::broken(clause.level), Some(reason));
        }
        if exercised > 0 {
            return (Verdict::Pass, None);
        }
        let undecided = self.tally.undecided.get(&clause.id);
        let lacks = self.shows.lacks(clause.id.as_str());
        let why = lacks
            .map(|lacks| format!("a recording does not show {lacks}"))
            .or_else(|| clause.unchecked.clone())
            .or_else(|| undecided.map(|why| format!("could not be decided: {why}")));
        if why.is_some() {
            return (Verdict::NotApplicable, why);
        }
        let why = "nothing that was recorded reached its premise";
        (Verdict::NotExercised, Some(why.to_owned()))
    }
}
