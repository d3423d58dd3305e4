//! The order in which properties look for a clause: those that are likely to reach it come first.

use tacit_contract::ClauseId;
use tacit_steps::catalogue::ScenarioInfo;

use crate::property::{Property, Variants, properties};

/// Every property, the likeliest to break one of these clauses first: those that the features
/// name under the clause's own rule, then those of its family, then the others in their usual
/// order, and last those whose cases cost most.
#[must_use]
pub fn likeliest_first(clauses: &[ClauseId], scenarios: &[ScenarioInfo]) -> Vec<Property> {
    let mut order: Vec<Property> = properties().collect();
    order.sort_by_key(|property| {
        let id = property.id();
        let running =
            || scenarios.iter().filter(|scenario| scenario.property.as_ref() == Some(&id));
        let of_rule = running()
            .any(|scenario| clauses.iter().any(|clause| scenario.clauses.contains(clause)));
        let of_family = running().any(|scenario| {
            clauses.iter().any(|clause| scenario.values("family:").any(|f| f == clause.family()))
        });
        let costly = matches!(property.variants, Variants::All { .. });
        match (of_rule, of_family, costly) {
            (true, ..) => 0,
            (false, true, false) => 1,
            (false, false, false) => 2,
            (false, _, true) => 3,
        }
    });
    order
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use tacit_contract::clause::clauses;
    use tacit_steps::catalogue::{built_in, catalogue};

    use super::*;

    fn order(clause: &str) -> Vec<&'static str> {
        let scenarios = built_in().map(|sources| catalogue(&sources)).unwrap_or_default();
        let order = likeliest_first(&[ClauseId::from(clause)], &scenarios);
        order.into_iter().map(|property| property.mix.id).collect()
    }

    #[test]
    fn the_properties_of_a_rule_come_before_those_of_its_family_and_both_before_others() {
        let order = order("restore.restart");
        assert_eq!(order.first(), Some(&"restarts"));
        let place = |id| order.iter().position(|other| *other == id);
        assert!(place("transcripts") < place("sessions"), "{order:?}");
        assert_eq!(order.last(), Some(&"growth"));
    }

    #[test]
    fn what_costs_most_comes_first_where_nothing_else_can_show_the_clause() {
        assert_eq!(order("initial.cost").first(), Some(&"growth"));
    }

    #[test]
    fn no_property_is_left_out() {
        let all: BTreeSet<&str> = properties().map(|property| property.mix.id).collect();
        for clause in clauses() {
            let order = order(clause.id.as_str());
            assert_eq!(order.len(), all.len(), "{}", clause.id);
            assert_eq!(order.into_iter().collect::<BTreeSet<_>>(), all, "{}", clause.id);
        }
    }
}
