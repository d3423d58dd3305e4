//! The tables of the vocabulary, each read and written in one place.

pub mod script;
pub mod tools;
pub mod transcript;

/// The rows of a table, as they stand in a step.
pub type Rows = Vec<Vec<String>>;

/// A row of two columns: what happens, and to what.
fn pair(row: &[String]) -> Result<(&str, &str), String> {
    match row {
        [what] => Ok((what.as_str(), "")),
        [what, of] => Ok((what.as_str(), of.as_str())),
        _ => Err(format!("expected two columns, found {}: `{}`", row.len(), row.join(" | "))),
    }
}

/// A row of two columns, to be written.
fn row(what: impl Into<String>, of: impl Into<String>) -> Vec<String> {
    vec![what.into(), of.into()]
}

/// The error of a row that the table does not have.
fn no_such_row(what: &str, known: &[&str]) -> String {
    let hint = crate::nearest::nearest(what, known.iter().copied())
        .map(|near| format!(": did you mean `{near}`?"))
        .unwrap_or_default();
    format!("there is no row `{what}`{hint}")
}
