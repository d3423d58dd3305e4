//! The nearest of what there is, for someone who mistyped it.

/// The candidate that is most like a text, if any is like it at all.
pub fn nearest<'a>(text: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let mut best: Option<(f64, &str)> = None;
    for candidate in candidates {
        let likeness = likeness(text, candidate);
        if likeness > best.map_or(0.6, |(likeness, _)| likeness) {
            best = Some((likeness, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// How alike two ids are; one that holds the other as a whole word is close to it, however much
/// longer it may be.
fn likeness(text: &str, candidate: &str) -> f64 {
    let typed = strsim::normalized_damerau_levenshtein(text, candidate);
    let is_part =
        text.len() > 2 && candidate.split(['.', ' ']).any(|part| part.eq_ignore_ascii_case(text));
    if is_part { typed.max(0.7) } else { typed }
}

/// `; did you mean …?`, or nothing where nothing is near.
pub fn did_you_mean<'a>(text: &str, candidates: impl IntoIterator<Item = &'a str>) -> String {
    nearest(text, candidates)
        .map(|candidate| format!("; did you mean `{candidate}`?"))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_hand_is_understood_and_a_stranger_is_not() {
        let there = ["initial.core", "initial.minimal", "restore.use-evidence"];
        assert_eq!(nearest("inital.core", there), Some("initial.core"));
        assert_eq!(nearest("use-evidence", there), Some("restore.use-evidence"));
        assert_eq!(nearest("weather", there), None);
    }
}
