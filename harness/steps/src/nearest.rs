//! What was probably meant.

/// The candidate that is nearest to a text, if any is near enough to be worth naming.
pub fn nearest<'a>(text: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (text.chars().count() / 2).max(3);
    candidates
        .map(|candidate| (distance(text, candidate), candidate))
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// How many characters have to be added, dropped or replaced to make one text of the other.
pub fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut costs: Vec<usize> = (0..=other.len()).collect();
    for (row, char) in one.chars().enumerate() {
        let mut diagonal = costs[0];
        costs[0] = row + 1;
        for (column, against) in other.iter().enumerate() {
            let replaced = diagonal + usize::from(char != *against);
            diagonal = costs[column + 1];
            costs[column + 1] = replaced.min(diagonal + 1).min(costs[column] + 1);
        }
    }
    costs.last().copied().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_pen_is_recognised_and_another_word_is_not() {
        assert_eq!(nearest("cals", ["calls", "searches for"].into_iter()), Some("calls"));
        assert_eq!(nearest("walks the dog", ["calls", "searches for"].into_iter()), None);
    }
}
