//! What is wrong with a text that is to be JSON.

/// What does not fit, without the line and the column at the end of it: who counts lines or fields
/// of their own say better where it is.
#[must_use]
pub fn without_place(error: &serde_json::Error) -> String {
    let text = error.to_string();
    let place = format!(" at line {} column {}", error.line(), error.column());
    text.strip_suffix(&place).unwrap_or(&text).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_problem_is_told_without_its_place_and_one_that_has_none_as_it_is() {
        let of = |text: &str| without_place(&serde_json::from_str::<Vec<u8>>(text).unwrap_err());
        assert_eq!(of("[1,"), "EOF while parsing a value");
        let of_value = serde_json::from_value::<u8>(serde_json::json!("x")).unwrap_err();
        assert_eq!(without_place(&of_value), of_value.to_string());
    }
}
