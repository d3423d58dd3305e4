//! Shorter texts.

/// Texts that lack a part of this one: half of it, then a quarter, and where it is short, single
/// characters. The parts are of whole characters; the last come first.
pub(super) fn shorter(text: &str) -> impl Iterator<Item = String> + use<> {
    let characters: Vec<char> = text.chars().collect();
    let length = characters.len();
    let sizes = [length, length.div_ceil(2), length.div_ceil(4), usize::from(length <= 12)];
    let mut before = usize::MAX;
    let sizes: Vec<usize> = sizes
        .into_iter()
        .filter(|size| {
            let smaller = *size > 0 && *size < before;
            before = before.min(*size);
            smaller
        })
        .collect();
    sizes.into_iter().flat_map(move |size| {
        let characters = characters.clone();
        let parts = length.div_ceil(size);
        (0..parts).rev().map(move |part| {
            let from = part * size;
            let to = (from + size).min(characters.len());
            characters[..from].iter().chain(&characters[to..]).collect()
        })
    })
}

#[cfg(test)]
mod tests {
    use super::shorter;

    #[test]
    fn every_shorter_text_is_shorter_and_the_empty_one_comes_first() {
        for text in ["a", "ab", "a line\nand another", "👩‍👩‍👧‍👦 and more", &"w".repeat(3000)]
        {
            let shorter: Vec<String> = shorter(text).collect();
            assert_eq!(shorter.first().map(String::as_str), Some(""));
            assert!(shorter.iter().all(|short| short.len() < text.len()));
            assert!(shorter.len() < 24, "{} forms of {text:?}", shorter.len());
        }
        assert_eq!(shorter("").count(), 0);
    }
}
