//! Text from outside, made fit to stand on one line of a prompt.

/// Cuts a text to one line of at most `most` characters.
///
/// Any run of white space, line breaks of every script included, becomes one space; control,
/// bidirectional and invisible characters are dropped. A text that is cut ends in an ellipsis,
/// which counts.
#[must_use]
pub fn one_line(text: &str, most: usize) -> String {
    let mut line = String::new();
    let mut count = 0;
    let mut gap = false;
    // Where the line was one character short of the limit: the place for the ellipsis.
    let mut cut_at = 0;
    for symbol in text.chars() {
        if symbol.is_whitespace() {
            gap = count > 0;
            continue;
        }
        if is_hidden(symbol) {
            continue;
        }
        for next in gap.then_some(' ').into_iter().chain([symbol]) {
            if count == most {
                line.truncate(cut_at);
                line.push('…');
                return line;
            }
            line.push(next);
            count += 1;
            if count + 1 == most {
                cut_at = line.len();
            }
        }
        gap = false;
    }
    line
}

/// Whether a character has no shape of its own or changes the direction of others.
#[must_use]
pub fn is_hidden(symbol: char) -> bool {
    symbol.is_control()
        || matches!(symbol,
            '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
            | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{fe00}'..='\u{fe0f}' | '\u{feff}'
            | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}' | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use quickcheck::quickcheck;

    quickcheck! {
        fn a_line_never_passes_its_limit(text: String, most: u8) -> bool {
            let most = usize::from(most).max(1);
            one_line(&text, most).chars().count() <= most
        }

        fn a_line_holds_no_break_and_nothing_hidden(text: String) -> bool {
            one_line(&text, 120).chars().all(|symbol| {
                !is_hidden(symbol) && (symbol == ' ' || !symbol.is_whitespace())
            })
        }

        fn a_clean_line_stays_as_it_is(text: String) -> bool {
            let once = one_line(&text, 120);
            one_line(&once, 120) == once
        }
    }

    #[test]
    fn line_breaks_of_every_kind_become_one_space() {
        assert_eq!(one_line("a\r\n\u{2028}\u{85}\u{2029}b\u{b}c ", 20), "a b c");
    }

    #[test]
    fn a_long_text_is_cut_with_an_ellipsis_that_counts() {
        assert_eq!(one_line("abcdef", 6), "abcdef");
        assert_eq!(one_line("abcdefg", 6), "abcde…");
        assert_eq!(one_line("ab cd", 1), "…");
    }
}
