//! Which result answers which call.
//!
//! One definition serves both the request (what may be sent) and the evidence (what counts), so
//! that nothing is restored from a row that the model does not see.

use tacit_contract::Row;

/// The pairs of calls and results in a stretch of transcript.
#[derive(Debug, Default)]
pub struct Pairing {
    answers: Vec<Vec<Option<usize>>>,
    is_answer: Vec<bool>,
}

impl Pairing {
    /// Pairs each result with the nearest earlier call of its id and tool that is still
    /// unanswered. What finds no such call answers nothing: an orphan, or a repetition.
    #[must_use]
    pub fn of(rows: &[Row]) -> Self {
        let mut pairing =
            Self { answers: vec![Vec::new(); rows.len()], is_answer: vec![false; rows.len()] };
        let mut open = Vec::new();
        for (place, row) in rows.iter().enumerate() {
            match row {
                Row::Assistant { tool_calls, .. } => {
                    pairing.answers[place] = vec![None; tool_calls.len()];
                    open.extend(
                        tool_calls.iter().enumerate().map(|(nth, call)| (place, nth, call)),
                    );
                }
                Row::ToolResult { call_id, tool_name, .. } => {
                    let nearest = open
                        .iter()
                        .rposition(|(_, _, call)| call.id == *call_id && call.name == *tool_name);
                    if let Some((asked, nth, _)) = nearest.map(|nearest| open.remove(nearest)) {
                        pairing.answers[asked][nth] = Some(place);
                        pairing.is_answer[place] = true;
                    }
                }
                Row::User { .. } | Row::Checkpoint { .. } => {}
            }
        }
        pairing
    }

    /// The row that answers the `nth` call of the assistant row at `place`.
    #[must_use]
    pub fn answer(&self, place: usize, nth: usize) -> Option<usize> {
        self.answers.get(place)?.get(nth).copied().flatten()
    }

    /// Whether the row at `place` is the answer to a call.
    #[must_use]
    pub fn is_answer(&self, place: usize) -> bool {
        self.is_answer.get(place).copied().unwrap_or_default()
    }
}
