//! What a search finds and says otherwise.

use tacit_contract::Status;

use crate::activation::SEARCH;
use crate::activation::search::{Ranking, no_match};
use crate::activation::words;
use crate::call::Done;
use crate::session::{Session, State};
use crate::switches::{Switch, Switches};

/// How many names a miss tells.
const TOLD_AFTER_A_MISS: usize = 8;

/// The ranking of a query, in place of the usual one.
pub(crate) fn ranking(
    switches: Switches,
    state: &State,
    query: &str,
    usual: Ranking,
    most: usize,
) -> Ranking {
    let view = &state.view;
    let mut ranking = usual;
    if switches.has(Switch::ExactNameWithNeighbours)
        && let Some(exact) = view.find_deferred(query.trim())
        && !state.active.contains(exact.name.as_str())
    {
        let parts = words::of_name(exact.name.as_str()).join(" ");
        let alike = view.index().rank(&parts).into_iter();
        ranking.extend(alike.filter(|(tool, deferred)| *deferred && tool.name != exact.name));
    }
    let by_words = !view.index().holds_a_name(query);
    if switches.has(Switch::OtherRanking) && by_words {
        let asked = words::asked(query);
        let held = |text: &str, word: &String| {
            words::of(text).any(|own| own == *word)
                || words::is_unspaced(word) && words::fold(text).contains(word.as_str())
        };
        let count = |name: &str, description: &str| {
            let in_name = words::of_name(name);
            asked.iter().filter(|word| in_name.contains(word) || held(description, word)).count()
        };
        let mut scored: Vec<_> = view
            .deferred()
            .iter()
            .map(|tool| (count(tool.name.as_str(), &tool.description), tool))
            .filter(|(count, _)| *count > 0)
            .collect();
        scored.sort_by(|a, b| b.0.cmp(&a.0).then_with(|| a.1.name.cmp(&b.1.name)));
        ranking.retain(|(_, deferred)| !deferred);
        ranking.extend(scored.into_iter().map(|(_, tool)| (std::sync::Arc::clone(tool), true)));
    }
    if switches.has(Switch::OneMatchAlone) && by_words {
        keep_first(&mut ranking, 1);
    }
    if switches.has(Switch::ActiveUsesPlaces) {
        keep_first(&mut ranking, most);
    }
    ranking
}

/// Keeps the first deferred tools of a ranking, and all others.
fn keep_first(ranking: &mut Ranking, most: usize) {
    let mut places = most;
    ranking.retain(|(_, deferred)| {
        if !deferred {
            return true;
        }
        let kept = places > 0;
        places = places.saturating_sub(1);
        kept
    });
}

/// Changes the result of a search.
pub(crate) fn said(session: &Session, state: &State, done: &mut Done) {
    let switches = session.options.switches;
    if done.text == no_match() {
        if switches.has(Switch::MissIsError) {
            done.status = Status::Error;
        }
        if switches.has(Switch::MissNamesSome) {
            let first = state.view.deferred().iter().take(TOLD_AFTER_A_MISS);
            let names: Vec<_> = first.map(|tool| tool.name.as_str()).collect();
            done.text = format!("{} There are, among others: {}.", done.text, names.join(", "));
        }
    }
    if switches.has(Switch::MarkerEmpty) && done.status == Status::Ok {
        done.added.get_or_insert_default();
    }
    if switches.has(Switch::OtherTexts) {
        done.text = reworded(&done.text);
    }
}

/// The same in other words.
fn reworded(text: &str) -> String {
    if text == no_match() {
        return "None of the tools on demand does this, and none was loaded.".to_owned();
    }
    text.replace("Activated: ", "Loaded from now on: ")
        .replace("You can call what is named here from your next step on.", "Call them next.")
        .replace("Already available, no search needed: ", "You have these at hand: ")
        .replace("more matched and stay inactive:", "others fit too, and were left where they are:")
}

/// The search tool's description in other words.
pub(crate) fn description() -> String {
    format!("Looks through the tools on demand; {SEARCH} makes up to four of them callable.")
}
