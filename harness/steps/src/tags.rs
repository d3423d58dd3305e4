//! The tags that mean something: a slip in one must not change what is run without a word.

use std::str::FromStr as _;

use tacit_contract::Revision;
use tacit_contract::clause::{clause, clauses};

use crate::nearest::nearest;

/// What a scenario can say that it needs.
pub const NEEDS: [&str; 14] = [
    "transcript",
    "abort",
    "setMode",
    "setTools",
    "compact",
    "activity",
    "newContext",
    "limit",
    "catalog",
    "nativeDeferral",
    "plainProvider",
    "severalApis",
    "restart",
    "useEvidence",
];

/// What is wrong with a tag; `None` where it is right, or means nothing to us.
#[must_use]
pub fn problem(tag: &str) -> Option<String> {
    let (kind, value) = tag.split_once(':')?;
    match kind {
        "clause" if clause(value).is_none() => {
            let ids = clauses().iter().map(|clause| clause.id.as_str());
            Some(format!("there is no clause `{value}`{}", hint(value, ids)))
        }
        "from" | "until" => Revision::from_str(value).err(),
        "needs" if !NEEDS.contains(&value) => {
            let hint = hint(value, NEEDS.into_iter());
            Some(format!("nothing is called `{value}` that a runtime could have{hint}"))
        }
        _ => None,
    }
}

/// "Did you mean", where something is near enough.
fn hint<'a>(value: &str, known: impl Iterator<Item = &'a str>) -> String {
    nearest(value, known).map(|near| format!(": did you mean `{near}`?")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_in_a_tag_is_told_with_what_was_meant() {
        assert!(problem("clause:restore.restrat").is_some_and(|p| p.contains("restore.restart")));
        assert!(problem("from:r9").is_some_and(|p| p.contains("r1, r2 or r3")));
        assert!(problem("needs:settools").is_some_and(|p| p.contains("`setTools`")));
    }

    #[test]
    fn tags_of_one_s_own_are_nobody_s_business() {
        for tag in ["wip", "ticket:42", "clause:restore.restart", "until:r1", "needs:abort"] {
            assert_eq!(problem(tag), None, "{tag}");
        }
    }
}
