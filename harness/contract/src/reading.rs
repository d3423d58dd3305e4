//! The points on which the contract accepts several readings.

const POINTS: &[(&str, &[&str])] = &[
    ("active-matches", &["matches that are active already use up places", "they do not"]),
    ("exact-name", &["an exact name activates that tool alone", "its neighbours too, up to four"]),
    ("marker", &["the marker names what is new", "it names everything that matched"]),
    ("catalog-after-activation", &["the catalog still lists active tools", "it leaves them out"]),
    ("miss", &["a miss names some of the catalog, within its bound", "it names none"]),
    ("batch", &["two searches of one batch activate four each", "they activate four together"]),
    (
        "search.not-json",
        &[
            "the prompt goes on with an error result",
            "it goes on as after a search in vain",
            "the prompt ends in error",
        ],
    ),
    (
        "was-core",
        &["a tool that was core when it succeeded and is deferred now is restored", "it is not"],
    ),
    (
        "came-back",
        &["evidence older than the removal of a tool that is back restores it", "it does not"],
    ),
    ("orphan", &["a tool that a result row with no call names is restored", "it is not"]),
    ("skill", &["the skill tool is deferred in r3 as in r2", "it is core"]),
    (
        "native-place",
        &[
            "a definition that the provider can load stands at its load point",
            "it stands in the ordinary list",
        ],
    ),
    ("cache.order", &["tools that were sent keep their place when one is added", "they move"]),
    (
        "cache.base-prompt",
        &["the base prompt is equal within a prompt and across prompts", "it changes"],
    ),
    ("cache.loader", &["the search tool's own definition is the same", "it changes"]),
    (
        "long-marker",
        &[
            "a persisted marker with more than four names restores them all",
            "it restores the first four",
            "it restores none",
        ],
    ),
];

/// The readings that are accepted on a point, in words; nothing where there is no such point.
#[must_use]
pub fn accepted(point: &str) -> Option<&'static [&'static str]> {
    POINTS.iter().find(|(known, _)| *known == point).map(|(_, accepted)| *accepted)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_of_the_contract_is_put_into_words() {
        let points = crate::clause::clauses().iter().flat_map(|clause| &clause.readings);
        for point in points {
            assert!(accepted(point).is_some(), "{point} is not explained");
        }
    }
}
