//! The top of the page: how the run came out, what was run, and the families at a glance.

use maud::{Markup, html};
use tacit_contract::Verdict;
use tacit_contract::event::ClauseResult;

use super::page::Page;
use super::text::{Said, badge, class, mark};
use crate::baseline;
use crate::outcome::{Outcome, Worth, counts};
use crate::tally::{Tally, word};
use crate::time;

impl Page<'_> {
    /// What was tested, in a few words.
    pub(super) fn title(&self) -> String {
        let started = &self.run.started;
        // Which of its variants the reference is, its own name does not say.
        let by_spec = started.spec.starts_with("reference");
        let name = if by_spec { &started.spec } else { &started.name };
        crate::terminal::text::clean(format!("{name} {}", started.version).trim())
    }

    pub(super) fn summary(&self, title: &str) -> Markup {
        let outcome = Outcome::of(&self.run.finished);
        let (meaning, sign) = meaning(outcome);
        html! {
            section.summary id="summary" aria-labelledby="summary-title" {
                h1 id="summary-title" { (title) }
                p class={ "outcome " (meaning) } {
                    span.sign aria-hidden="true" { (sign) }
                    span { strong { (outcome.lead()) } " " (Said(counts(self.run))) }
                }
                (self.families())
                (self.facts())
            }
        }
    }

    /// A bar for each family, in the order of the contract.
    fn families(&self) -> Markup {
        let families = by_family(&self.run.clauses);
        html! {
            @if families.is_empty() {
                p { "No clause was judged." }
            } @else {
                (legend(&Tally::of(&self.run.clauses)))
                ul.families aria-label="Clauses by family" {
                    @for (family, clauses) in &families {
                        (self.bar(family, &Tally::of(clauses.iter().copied()), clauses.len()))
                    }
                }
            }
        }
    }

    fn bar(&self, family: &str, tally: &Tally, all: usize) -> Markup {
        let counts: Vec<(Verdict, u32)> =
            tally.shown().into_iter().filter(|(_, count)| *count > 0).collect();
        let words: Vec<_> =
            counts.iter().map(|(verdict, count)| format!("{count} {}", word(*verdict))).collect();
        html! {
            li {
                (self.link("family", family, &html! {
                    span.name { (Said(family)) }
                    span.bar aria-hidden="true" style={ "--all:" (all) } {
                        @for (verdict, count) in &counts {
                            span class=(class(*verdict)) style={ "--count:" (count) } {
                                (mark(*verdict))
                            }
                        }
                    }
                    span.words { (words.join(", ")) }
                }))
            }
        }
    }

    fn facts(&self) -> Markup {
        let (started, finished) = (&self.run.started, &self.run.finished);
        let apis: Vec<_> = started.apis.iter().map(|api| api.as_str()).collect();
        let native = started.capabilities.as_ref().map_or(0, |can| can.native_deferral.len());
        let played = [
            time::counted(finished.sessions, "session"),
            time::counted(finished.prompts, "prompt"),
            time::counted(finished.requests, "request"),
        ];
        let mut facts = vec![
            ("runtime", started.spec.clone()),
            ("profile", format!("{}, revision {}", started.profile, started.revision)),
            (
                "over",
                match (apis.is_empty(), native) {
                    (true, _) => "no API".to_owned(),
                    (_, 0) => apis.join(", "),
                    _ => format!("{}, native deferral too", apis.join(", ")),
                },
            ),
            ("played", played.join(", ")),
            ("seed", time::seed(started.seed)),
            ("begun", time::rfc3339(started.started_at)),
            ("took", time::duration(finished.duration_ms)),
        ];
        facts.extend(finished.baseline.as_ref().map(|baseline| {
            ("baseline", format!("{}: {}", baseline.file, baseline::counts(baseline)))
        }));
        html! {
            dl.facts {
                @for (name, value) in facts {
                    div { dt { (name) } dd { (Said(value)) } }
                }
            }
        }
    }

    pub(super) fn foot(&self) -> Markup {
        html! {
            footer {
                p {
                    "Made by tacit " (Said(&self.run.started.tool_version))
                    " from the events of one run. A pass says that no session among those played "
                    "broke the clause, and how often its premise occurred; a clause without a "
                    "single case is never a pass."
                }
            }
        }
    }
}

/// What an outcome is worth, as the style sheet knows it, and its sign.
pub(crate) fn meaning(outcome: Outcome) -> (&'static str, &'static str) {
    match outcome.worth() {
        Worth::Good => ("good", "✓"),
        Worth::Doubtful => ("doubtful", "!"),
        Worth::Bad => ("bad", "✗"),
    }
}

/// Clauses by family, in their order.
pub(super) fn by_family(clauses: &[ClauseResult]) -> Vec<(&str, Vec<&ClauseResult>)> {
    let mut families: Vec<(&str, Vec<&ClauseResult>)> = Vec::new();
    for clause in clauses {
        let family = clause.id.family();
        match families.iter_mut().find(|(name, _)| *name == family) {
            Some((_, clauses)) => clauses.push(clause),
            None => families.push((family, vec![clause])),
        }
    }
    families
}

fn legend(tally: &Tally) -> Markup {
    html! {
        ul.legend aria-label="Clauses by verdict" {
            @for (verdict, count) in tally.shown().into_iter().filter(|(_, count)| *count > 0) {
                li { b { (count) } " " (badge(verdict)) }
            }
        }
    }
}
