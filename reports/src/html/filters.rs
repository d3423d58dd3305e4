//! The filters. They need the script, which shows them.

use maud::{Markup, html};
use tacit_contract::Level;

use super::page::Page;
use super::summary::by_family;
use super::text::{Said, badge, class, level};
use crate::tally::Tally;

impl Page<'_> {
    pub(super) fn filters(&self) -> Markup {
        let tally = Tally::of(&self.run.clauses);
        let families = by_family(&self.run.clauses);
        html! {
            search {
                form.filters id="filters" hidden aria-label="Filter clauses, counterexamples, scenarios and properties" {
                    label.text {
                        span.hidden { "Text" }
                        input type="search" name="text" autocomplete="off"
                            placeholder="Filter by text" aria-keyshortcuts="/";
                    }
                    label {
                        span.hidden { "Family" }
                        select name="family" {
                            option value="" { "every family" }
                            @for (family, _) in &families {
                                option value=(Said(family)) { (Said(family)) }
                            }
                        }
                    }
                    label {
                        span.hidden { "Level" }
                        select name="level" {
                            option value="" { "every level" }
                            @for one in [Level::Must, Level::Should, Level::Info] {
                                option value=(level(one)) { (level(one)) }
                            }
                        }
                    }
                    fieldset.verdicts {
                        legend.hidden { "Verdicts" }
                        @for (verdict, _) in tally.shown() {
                            @if self.has(verdict) {
                                label {
                                    input type="checkbox" name="verdict" value=(class(verdict));
                                    (badge(verdict))
                                }
                            }
                        }
                    }
                    button type="reset" { "Show all" }
                    output name="count" aria-live="polite" {}
                }
            }
        }
    }

    /// Whether anything came out so.
    fn has(&self, verdict: tacit_contract::Verdict) -> bool {
        self.run.clauses.iter().any(|clause| clause.verdict == verdict)
            || self.run.scenarios.iter().any(|scenario| scenario.verdict == verdict)
            || self.run.properties.iter().any(|property| property.verdict == verdict)
    }
}
