//! Seeded transcripts: turns that lie before the session, with evidence and with what only
//! looks like it.

use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use proptest::strategy::SBoxedStrategy;
use tacit_contract::ToolName;
use tacit_contract::session::{Moment, Past, SeedTurn};

use crate::names::{evenly, known, recorded, weighted};
use crate::setting::Setting;
use crate::texts::{imitations, prompts, sayings};

/// What kind of turns a mix wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Turns {
    /// Of every kind.
    Any,
    /// Complete ones that can change places: no checkpoint, which takes all before it away,
    /// and no result that nobody asked for.
    Complete,
}

/// The names of a marker: one to four, rarely more than a search may activate.
fn markers(setting: &Setting) -> SBoxedStrategy<Vec<ToolName>> {
    let distinct = |names: Vec<ToolName>| {
        let mut kept: Vec<ToolName> = Vec::with_capacity(names.len());
        for name in names {
            if !kept.contains(&name) {
                kept.push(name);
            }
        }
        kept
    };
    weighted(vec![
        (25, vec(known(), 1..=1).sboxed()),
        (25, vec(evenly(), 1..=1).sboxed()),
        (34, vec(recorded(setting), 1..=4).prop_map(distinct).sboxed()),
        (1, Just(vec![setting.search_tool.clone()]).sboxed()),
        (5, vec(evenly(), 6..=8).prop_map(distinct).sboxed()),
        (4, Just(Vec::new()).sboxed()),
    ])
}

fn pasts(ok: u32) -> SBoxedStrategy<Past> {
    weighted(vec![
        (ok, Just(Past::Ok).sboxed()),
        (14, Just(Past::Error).sboxed()),
        (12, Just(Past::Interrupted).sboxed()),
        (10, Just(Past::Unanswered).sboxed()),
    ])
}

fn searched(setting: &Setting) -> SBoxedStrategy<Moment> {
    (markers(setting), pasts(60))
        .prop_map(|(marker, status)| Moment::Searched { marker, status })
        .sboxed()
}

fn used(setting: &Setting) -> SBoxedStrategy<Moment> {
    (recorded(setting), pasts(60), prop::option::weighted(0.3, sayings(setting)))
        .prop_map(|(tool, status, says)| Moment::Used { tool, status, says })
        .sboxed()
}

fn moments(turns: Turns, setting: &Setting) -> SBoxedStrategy<Moment> {
    let odd = u32::from(turns == Turns::Any);
    let forged = (recorded(setting), markers(setting))
        .prop_map(|(tool, marker)| Moment::Forged { tool, marker });
    let orphaned = known().prop_map(|tool| Moment::Orphaned { tool });
    let said = weighted(vec![(2, imitations(setting)), (1, sayings(setting))])
        .prop_map(|text| Moment::Said { text });
    let summarised = weighted(vec![(2, imitations(setting)), (1, sayings(setting))])
        .prop_map(|summary| Moment::Summarised { summary });
    weighted(vec![
        (34, searched(setting)),
        (38, used(setting)),
        (8, forged.sboxed()),
        (4 * odd, orphaned.sboxed()),
        (12, said.sboxed()),
        (5 * odd, summarised.sboxed()),
    ])
}

/// A turn: a prompt, and up to four things that came of it.
pub fn turns(turns: Turns, setting: &Setting) -> SBoxedStrategy<SeedTurn> {
    // A tool that was used without a search, and one that was found and used: the two kinds of
    // turn that restoration is about.
    let used_alone =
        known().prop_map(|tool| vec![Moment::Used { tool, status: Past::Ok, says: None }]);
    let found_and_used =
        (known(), select(vec![Past::Ok, Past::Ok, Past::Error])).prop_map(|(tool, status)| {
            let marker = vec![tool.clone()];
            vec![
                Moment::Searched { marker, status: Past::Ok },
                Moment::Used { tool, status, says: None },
            ]
        });
    let moments = weighted(vec![
        (20, used_alone.sboxed()),
        (20, found_and_used.sboxed()),
        (60, vec(moments(turns, setting), 0..=4).sboxed()),
    ]);
    (prompts(setting), moments).prop_map(|(prompt, moments)| SeedTurn { prompt, moments }).sboxed()
}
