//! Words of any script.

use super::clean::is_hidden;

/// English words that say nothing about a capability on their own.
const FILLERS: [&str; 24] = [
    "a", "an", "and", "at", "by", "can", "for", "from", "i", "in", "is", "it", "me", "my", "need",
    "of", "on", "or", "please", "that", "the", "to", "want", "with",
];

/// The words that a query asks for, each once; fillers only where there is nothing else.
#[must_use]
pub fn asked(query: &str) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    for word in of(query) {
        if !words.contains(&word) {
            words.push(word);
        }
    }
    let is_filler = |word: &String| FILLERS.contains(&word.as_str());
    if !words.iter().all(is_filler) {
        words.retain(|word| !is_filler(word));
    }
    words
}

/// The whole words of a text, in lower case.
pub fn of(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|symbol| !is_part(symbol)).filter(|word| !word.is_empty()).map(fold)
}

/// The words of a tool's name: its parts as `_`, `-` and capitals divide them, and the whole.
#[must_use]
pub fn of_name(name: &str) -> Vec<String> {
    let mut parts = Vec::new();
    let mut part = String::new();
    let symbols: Vec<char> = name.chars().collect();
    for (place, symbol) in symbols.iter().enumerate() {
        let before = place.checked_sub(1).map(|before| symbols[before]);
        let after = symbols.get(place + 1);
        let begins = symbol.is_uppercase()
            && (before.is_some_and(|before| !before.is_uppercase())
                || after.is_some_and(|after| after.is_lowercase()));
        if (begins || !symbol.is_alphanumeric()) && !part.is_empty() {
            parts.push(fold(&part));
            part.clear();
        }
        if symbol.is_alphanumeric() {
            part.push(*symbol);
        }
    }
    if !part.is_empty() {
        parts.push(fold(&part));
    }
    let undivided = of(name).collect::<Vec<_>>();
    let whole = undivided.concat();
    for extra in undivided.into_iter().chain([whole]) {
        if !parts.contains(&extra) {
            parts.push(extra);
        }
    }
    parts
}

/// Whether a word is of a script that sets no spaces between words, or glues particles to them:
/// there a word stands in a text wherever its letters do.
#[must_use]
pub fn is_unspaced(word: &str) -> bool {
    word.chars().any(|symbol| {
        matches!(symbol,
            '\u{0e00}'..='\u{0eff}' | '\u{1000}'..='\u{109f}' | '\u{1100}'..='\u{11ff}'
            | '\u{1780}'..='\u{17ff}' | '\u{3040}'..='\u{30ff}' | '\u{3130}'..='\u{318f}'
            | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7af}'
            | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{3ffff}')
    })
}

/// One spelling for letters that differ only in case or in their place in the word.
#[must_use]
pub fn fold(text: &str) -> String {
    if text.is_ascii() {
        return text.to_ascii_lowercase();
    }
    text.chars()
        .filter(|symbol| !is_hidden(*symbol))
        .flat_map(char::to_lowercase)
        .map(|symbol| if symbol == 'ς' { 'σ' } else { symbol })
        .collect()
}

/// Whether a character belongs to a word. Marks that combine with a letter do, and so do the
/// invisible joiners that some scripts need inside a word.
fn is_part(symbol: char) -> bool {
    symbol.is_alphanumeric()
        || matches!(symbol,
            '\u{300}'..='\u{36f}' | '\u{591}'..='\u{5bd}' | '\u{64b}'..='\u{65f}'
            | '\u{900}'..='\u{963}' | '\u{966}'..='\u{df3}' | '\u{e00}'..='\u{e4e}'
            | '\u{e80}'..='\u{ecd}' | '\u{1000}'..='\u{1049}' | '\u{1780}'..='\u{17d3}'
            | '\u{200c}' | '\u{200d}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_divided_at_capitals_and_at_marks() {
        assert_eq!(of_name("BrowserPreview"), ["browser", "preview", "browserpreview"]);
        assert_eq!(
            of_name("acme_HTTPServer-2"),
            ["acme", "http", "server", "2", "httpserver", "acmehttpserver2"]
        );
        assert_eq!(of_name("weather"), ["weather"]);
    }

    #[test]
    fn words_of_every_script_are_found_whole() {
        assert_eq!(of("Größe, ΣΙΣΥΦΟΣ: naïve!").collect::<Vec<_>>(), ["größe", "σισυφοσ", "naïve"]);
        assert_eq!(of("мир हिन्दी").collect::<Vec<_>>(), ["мир", "हिन्दी"]);
        assert!(is_unspaced("天気"));
        assert!(!is_unspaced("weather"));
    }
}
