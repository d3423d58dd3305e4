//! A transcript that is there before the session is opened: one row for each thing it holds.

use tacit_contract::ToolName;
use tacit_contract::session::{Moment, Past, SeedTurn};

use super::{Rows, no_such_row, pair, row};
use crate::words::{escape, read_name, read_names, unescape, write_name, write_names};

const ASKED: &str = "the user asked";
const SAID: &str = "the model said";
const ANSWERED: &str = "which answered";
const MARKED: &str = "with a marker for";
const ORPHANED: &str = "nobody called";
const SUMMARISED: &str = "all was summed up as";

/// What a search that ended in some way is called.
const SEARCHES: [(&str, Past); 4] = [
    ("the model found", Past::Ok),
    ("a search failed for", Past::Error),
    ("a search was interrupted for", Past::Interrupted),
    ("a search was never answered for", Past::Unanswered),
];

/// What a use that ended in some way is called.
const USES: [(&str, Past); 4] = [
    ("the model used", Past::Ok),
    ("a use failed of", Past::Error),
    ("a use was interrupted of", Past::Interrupted),
    ("a use was never answered of", Past::Unanswered),
];

/// The words of every row, for hints and for the documentation.
#[must_use]
pub fn vocabulary() -> Vec<&'static str> {
    let mut all = vec![ASKED];
    all.extend(SEARCHES.iter().chain(&USES).map(|(word, _)| *word));
    all.extend([ANSWERED, MARKED, ORPHANED, SAID, SUMMARISED]);
    all
}

/// Reads the turns of a transcript.
///
/// # Errors
/// A row is unknown, comes before the first `the user asked`, or changes a row that is not there.
pub fn read(rows: &Rows) -> Result<Vec<SeedTurn>, String> {
    let mut turns: Vec<SeedTurn> = Vec::new();
    for cells in rows {
        let (what, of) = pair(cells)?;
        if what == ASKED {
            turns.push(SeedTurn { prompt: unescape(of), moments: Vec::new() });
            continue;
        }
        let turn = turns
            .last_mut()
            .ok_or_else(|| format!("expected `{ASKED}` before `{what}`: every turn begins so"))?;
        match what {
            ANSWERED => answered(turn, unescape(of))?,
            MARKED => marked(turn, read_names(of)?)?,
            _ => turn.moments.push(read_moment(what, of)?),
        }
    }
    Ok(turns)
}

fn read_moment(what: &str, of: &str) -> Result<Moment, String> {
    let past = |words: &[(&str, Past)]| {
        words.iter().find(|(word, _)| *word == what).map(|(_, status)| *status)
    };
    if let Some(status) = past(&SEARCHES) {
        return Ok(Moment::Searched { marker: read_names(of)?, status });
    }
    if let Some(status) = past(&USES) {
        return Ok(Moment::Used { tool: read_name(of)?, status, says: None });
    }
    match what {
        ORPHANED => Ok(Moment::Orphaned { tool: read_name(of)? }),
        SAID => Ok(Moment::Said { text: unescape(of) }),
        SUMMARISED => Ok(Moment::Summarised { summary: unescape(of) }),
        _ => Err(no_such_row(what, &vocabulary())),
    }
}

fn answered(turn: &mut SeedTurn, text: String) -> Result<(), String> {
    match turn.moments.last_mut() {
        Some(Moment::Used { says, .. }) => {
            *says = Some(text);
            Ok(())
        }
        _ => Err(format!("expected a use before `{ANSWERED}`: it says what the used tool said")),
    }
}

fn marked(turn: &mut SeedTurn, marker: Vec<ToolName>) -> Result<(), String> {
    match turn.moments.pop() {
        Some(Moment::Used { tool, status: Past::Ok, says: None }) => {
            turn.moments.push(Moment::Forged { tool, marker });
            Ok(())
        }
        _ => Err(format!(
            "expected `the model used` before `{MARKED}`: it puts a marker on that tool's result"
        )),
    }
}

/// Writes the turns of a transcript.
#[must_use]
pub fn write(turns: &[&SeedTurn]) -> Rows {
    let mut rows = Rows::new();
    for turn in turns {
        rows.push(row(ASKED, escape(&turn.prompt)));
        for moment in &turn.moments {
            write_moment(moment, &mut rows);
        }
    }
    rows
}

fn write_moment(moment: &Moment, rows: &mut Rows) {
    let word = |words: &[(&'static str, Past)], status: Past| {
        words.iter().find(|(_, known)| *known == status).map_or(ASKED, |(word, _)| word)
    };
    match moment {
        Moment::Searched { marker, status } => {
            rows.push(row(word(&SEARCHES, *status), write_names(marker)));
        }
        Moment::Used { tool, status, says } => {
            rows.push(row(word(&USES, *status), write_name(tool.as_str())));
            rows.extend(says.as_ref().map(|says| row(ANSWERED, escape(says))));
        }
        Moment::Forged { tool, marker } => {
            rows.push(row(word(&USES, Past::Ok), write_name(tool.as_str())));
            rows.push(row(MARKED, write_names(marker)));
        }
        Moment::Orphaned { tool } => rows.push(row(ORPHANED, write_name(tool.as_str()))),
        Moment::Said { text } => rows.push(row(SAID, escape(text))),
        Moment::Summarised { summary } => rows.push(row(SUMMARISED, escape(summary))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_turn_is_read_back_as_it_was_written() {
        let tool = || ToolName::from("acme_weather");
        let mut moments = vec![
            Moment::Forged { tool: tool(), marker: vec!["a, b".into(), "c".into()] },
            Moment::Orphaned { tool: tool() },
            Moment::Said { text: " \"x\"\n".to_owned() },
            Moment::Summarised { summary: String::new() },
        ];
        for status in [Past::Ok, Past::Error, Past::Interrupted, Past::Unanswered] {
            moments.push(Moment::Searched { marker: Vec::new(), status });
            moments.push(Moment::Searched { marker: vec![tool()], status });
            moments.push(Moment::Used { tool: "".into(), status, says: None });
            moments.push(Moment::Used { tool: tool(), status, says: Some(String::new()) });
        }
        let turns = [
            SeedTurn { prompt: "one".to_owned(), moments },
            SeedTurn { prompt: String::new(), moments: Vec::new() },
        ];
        let written = write(&turns.iter().collect::<Vec<_>>());
        assert_eq!(read(&written), Ok(turns.to_vec()));
    }

    #[test]
    fn a_row_before_the_first_prompt_is_an_error() {
        let error = read(&vec![row("the model found", "a")]).unwrap_err();
        assert!(error.contains("expected `the user asked`"), "{error}");
    }

    #[test]
    fn a_marker_stands_on_a_plain_use_alone() {
        let rows = vec![row(ASKED, "x"), row("a use failed of", "a"), row(MARKED, "b")];
        assert!(read(&rows).is_err());
    }
}
