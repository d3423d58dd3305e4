//! Occasions: queries that say something only beside certain tools, with these tools.
//!
//! A session whose steps search for such a query gets the tools as well, where its registry may
//! be added to.

use tacit_contract::{Mode, Origin, ToolSpec};

/// A query, and the tools beside which it says something.
#[derive(Debug, Clone, Copy)]
pub struct Occasion {
    /// The queries; each of them is one for these tools.
    pub queries: &'static [&'static str],
    /// The tools, name and description, in the order in which they are registered.
    pub tools: &'static [[&'static str; 2]],
    /// The modes in which all but the last tool are deferred; the others forbid them.
    pub others_in: &'static [Mode],
}

impl Occasion {
    /// Its tools as a session has them.
    pub fn specs(&self) -> impl Iterator<Item = ToolSpec> + use<> {
        let Self { tools, others_in, .. } = *self;
        tools.iter().enumerate().map(move |(place, [name, description])| {
            let modes = if place + 1 == tools.len() { &Mode::ALL } else { others_in };
            ToolSpec::deferred(*name, *description, Origin::plugin(PLUGIN), modes)
        })
    }
}

/// The plugin that brings the tools of every occasion.
pub const PLUGIN: &str = "zeta";

/// Tools that are described in another script, with a query that asks for them in it.
pub const SCRIPTS: [Occasion; 5] = [
    Occasion {
        queries: &["погоды города", "прогноз погоды"],
        tools: &[["zeta_pogoda", "Прогноз погоды для любого города"]],
        others_in: &Mode::ALL,
    },
    Occasion {
        queries: &["天気 予報", "予報 気温"],
        tools: &[["zeta_tenki", "天気 予報 と 気温"]],
        others_in: &Mode::ALL,
    },
    Occasion {
        queries: &["توقعات الطقس"],
        tools: &[["zeta_taqs", "توقعات الطقس للمدينة"]],
        others_in: &Mode::ALL,
    },
    Occasion {
        queries: &["πρόγνωση καιρού"],
        tools: &[["zeta_kairos", "Η πρόγνωση καιρού για μια πόλη"]],
        others_in: &Mode::ALL,
    },
    Occasion {
        queries: &["תחזית מזג"],
        tools: &[["zeta_tahazit", "תחזית מזג אוויר לעיר"]],
        others_in: &Mode::ALL,
    },
];

/// Queries whose best match is sure, and tools that a careless search takes for better ones:
/// words inside words, small words, and one word said over and over.
pub const WORDS: [Occasion; 4] = [
    Occasion {
        queries: &["rate rest", "rest rate"],
        tools: &[
            ["zeta_forest", "Separate a forest from a field."],
            ["zeta_crest", "Decorate a crest."],
            ["zeta_arrest", "Narrate an arrest."],
            ["zeta_interest", "Calibrate an interest."],
            ["zeta_toll", "Rate a toll road."],
            ["zeta_nap", "Rate a rest in a hammock."],
        ],
        others_in: &Mode::ALL,
    },
    Occasion {
        queries: &["please tune piano", "tune piano please", "want piano tune"],
        tools: &[["zeta_music", "Tune a piano."]],
        others_in: &Mode::ALL,
    },
    Occasion {
        queries: &["please brew coffee", "want some coffee brew"],
        tools: &[["zeta_kitchen", "Brew coffee in a pot."]],
        others_in: &Mode::ALL,
    },
    Occasion {
        queries: &["sort shells", "shells sort"],
        tools: &[
            ["zeta_beach", "Shells, shells, shells, shells and ever so many shells by a beach."],
            ["zeta_coast", "Shells, shells, shells, shells and ever so many shells by a coast."],
            ["zeta_cove", "Shells, shells, shells, shells and ever so many shells by a cove."],
            ["zeta_reef", "Shells, shells, shells, shells and ever so many shells by a reef."],
            ["zeta_tide", "Shells, shells, shells, shells and ever so many shells by a tide."],
            ["zeta_sieve", "Sort shells."],
        ],
        others_in: &Mode::ALL,
    },
];

/// Queries for a tool beside four or more that match as well, stand before it, and are forbidden in
/// most modes: a search that counts its matches before it looks at the mode has no place left.
pub const FORBIDDEN: [Occasion; 2] = [
    Occasion {
        queries: &["knead dough", "dough knead"],
        tools: &[
            ["zeta_loaf", "Knead dough."],
            ["zeta_roll", "Knead dough."],
            ["zeta_bun", "Knead dough."],
            ["zeta_bagel", "Knead dough."],
            ["zeta_pizza", "Knead dough for a pizza."],
        ],
        others_in: &[Mode::Goal],
    },
    Occasion {
        queries: &["mend kite", "kite"],
        tools: &[
            ["zeta_string", "Mend a kite."],
            ["zeta_frame", "Mend a kite."],
            ["zeta_tail", "Mend a kite."],
            ["zeta_spool", "Mend a kite."],
            ["zeta_sail", "Mend a kite."],
            ["zeta_crossbar", "Mend a kite that the wind has broken."],
        ],
        others_in: &[Mode::Plan, Mode::Goal],
    },
];

/// Every occasion.
pub fn all() -> impl Iterator<Item = &'static Occasion> {
    SCRIPTS.iter().chain(&WORDS).chain(&FORBIDDEN)
}

/// The queries of some occasions.
#[must_use]
pub fn queries(occasions: &'static [Occasion]) -> Vec<&'static str> {
    occasions.iter().flat_map(|occasion| occasion.queries).copied().collect()
}

/// The tools that a query is about; none where it is no query of an occasion.
pub fn tools_of(query: &str) -> impl Iterator<Item = ToolSpec> {
    let occasion = all().find(|occasion| occasion.queries.contains(&query));
    occasion.into_iter().flat_map(Occasion::specs)
}
