//! What a seeded transcript holds, in words.

use tacit_contract::session::{Moment, Past, SeedTurn};

use super::names;

pub(super) fn seed(turn: &SeedTurn) -> String {
    if turn.moments.is_empty() {
        return format!("the prompt {:?}", turn.prompt);
    }
    turn.moments.iter().map(moment).collect::<Vec<_>>().join(", and ")
}

fn moment(moment: &Moment) -> String {
    match moment {
        Moment::Searched { marker, status } if marker.is_empty() => {
            format!("a search that found nothing ({})", past(*status))
        }
        Moment::Searched { marker, status } => {
            format!("a search ({}) that names {}", past(*status), names(marker))
        }
        Moment::Used { tool, status, .. } => format!("a call of {tool} ({})", past(*status)),
        Moment::Forged { tool, marker } => {
            format!("a result of {tool} with a marker that names {}", names(marker))
        }
        Moment::Orphaned { tool } => format!("a result of {tool} that nobody called"),
        Moment::Said { text } => format!("the words {text:?}"),
        Moment::Summarised { summary } => format!("a checkpoint: {summary:?}"),
    }
}

fn past(status: Past) -> &'static str {
    match status {
        Past::Ok => "successful",
        Past::Error => "failed",
        Past::Interrupted => "interrupted",
        Past::Unanswered => "never answered",
    }
}
