//! The judge: holds what was seen against the contract. Pure: it never touches a runtime.
//!
//! A trace is told as an [`account`], prompt by prompt; the [`evidence`] model says what each
//! request must and may show; the [`blame`] of each difference, and the [`checks`] of the other
//! clauses, make a [`Judgement`].

pub mod account;
pub mod blame;
pub mod catalog;
pub mod checks;
pub mod compare;
pub mod evidence;
pub mod expect;
pub mod hearing;
pub mod known;
mod readings;
pub mod rejected;
pub mod shown;
mod teller;
pub mod texts;
pub mod timeline;
pub mod words;

use tacit_contract::protocol::Stop;
use tacit_contract::trace::{Answered, RequestClass};
use tacit_contract::{Case, Judgement, Profile, Trace, Variant};

pub use account::Account;
use checks::{CHECKS, Check};
use hearing::{Findings, Hearing};

/// Judges traces under one profile.
#[derive(Debug, Clone, Copy)]
pub struct Judge<'p> {
    profile: &'p Profile,
}

impl<'p> Judge<'p> {
    /// A judge of what this profile claims.
    #[must_use]
    pub fn new(profile: &'p Profile) -> Self {
        Self { profile }
    }

    /// Judges every claimed clause that one trace can show.
    #[must_use]
    pub fn judge(self, trace: &Trace) -> Judgement {
        let account = Account::new(self.profile, trace);
        let mut findings = Findings::default();
        for session in &account.sessions {
            let hearing = Hearing::of(&account, session);
            blame::judge(&hearing, &mut findings);
            readings::of_restoration(&hearing, &mut findings);
            for (_, check) in CHECKS {
                if let Check::Own(check) | Check::Both(check) | Check::ComparedAndOwn(check) = check
                {
                    check(&hearing, &mut findings);
                }
            }
        }
        for session in &account.sessions {
            if let Some(why) = session.undecidable.values().next() {
                findings.undecided(why);
            }
        }
        self.claimed(findings.judgement)
    }

    /// Judges a session and what it is compared with: the base trace and that of each variant.
    #[must_use]
    pub fn judge_case(self, base: &Trace, variants: &[(Variant, Trace)]) -> Judgement {
        let mut judgement = self.judge(base);
        for (variant, trace) in variants {
            judgement.add(self.judge(trace));
            judgement.add(self.claimed(compare::compare(self.profile, base, *variant, trace)));
        }
        let sized: Vec<_> = variants
            .iter()
            .filter(|(variant, _)| {
                matches!(variant, Variant::Grown { .. } | Variant::LongTexts { .. })
            })
            .map(|(variant, trace)| (*variant, trace))
            .collect();
        if !sized.is_empty() {
            judgement.add(self.claimed(compare::compare_sizes(self.profile, &sized)));
        }
        judgement
    }

    /// What is not claimed is not judged.
    fn claimed(self, mut judgement: Judgement) -> Judgement {
        judgement.exercised.retain(|id, _| self.profile.claims(id.as_str()));
        judgement.undecided.retain(|id, _| self.profile.claims(id.as_str()));
        judgement.breaches.retain(|breach| self.profile.claims(breach.clause.as_str()));
        judgement
    }
}

/// What went wrong in a trace that the script did not cause, in the runtime's own words: the
/// error that cut it short, or the first prompt that ended in error.
#[must_use]
pub fn trouble(trace: &Trace) -> Option<String> {
    if let Some(error) = &trace.cut_short {
        return Some(error.to_string());
    }
    let mut failed = false;
    let mut astray = None;
    for entry in &trace.log {
        match &entry.seen {
            tacit_contract::Seen::Prompted { .. } => (failed, astray) = (false, None),
            tacit_contract::Seen::Requested(request) => {
                failed |= match &request.answer {
                    Answered::Failure { .. } | Answered::Refused => true,
                    Answered::Calls { calls, .. } => calls.iter().any(|call| !call.is_json()),
                    _ => false,
                };
                if request.class == RequestClass::Stray {
                    astray = Some(request.path.as_str());
                }
            }
            tacit_contract::Seen::PromptEnded(end) if end.stop == Stop::Error && !failed => {
                let error = end.error.as_deref().unwrap_or("no reason given");
                let astray = astray.map_or_else(String::new, |path| {
                    format!("; it asked at `{path}`, where its provider has nothing")
                });
                return Some(format!("a prompt ended in error: {error}{astray}"));
            }
            _ => {}
        }
    }
    None
}

/// The variants that a case plays beside its session, where their rules apply.
pub fn variants_of(case: &Case) -> impl Iterator<Item = (Variant, tacit_contract::Session)> + '_ {
    case.variants.iter().filter_map(|variant| Some((*variant, variant.of(&case.session)?)))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use tacit_contract::clause;

    use super::*;

    #[test]
    fn every_clause_has_a_check_or_says_why_it_has_none() {
        let checked: BTreeSet<&str> = CHECKS.iter().map(|(id, _)| *id).collect();
        for clause in clause::clauses() {
            let has_check = checked.contains(clause.id.as_str());
            assert_ne!(has_check, clause.unchecked.is_some(), "{}", clause.id);
        }
    }

    #[test]
    fn every_check_has_a_clause() {
        for (id, _) in CHECKS {
            assert!(clause::clause(id).is_some(), "{id} is no clause");
        }
    }
}
