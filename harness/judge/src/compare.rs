//! Comparisons: a session held against a variant of it.

use std::collections::BTreeSet;

use serde_json::Value;
use tacit_contract::profile::Profile;
use tacit_contract::{Judgement, ProviderKind, ToolName, Trace, Variant};

use crate::account::{Account, PromptAccount, RequestAccount, SessionAccount};
use crate::checks::order;
use crate::evidence::sets_of;
use crate::hearing::{Findings, Place};
use crate::known::Known;
use crate::shown;

/// From how many deferred tools on the first request may no longer grow.
const FROM: u32 = 10;

/// Holds the trace of a session against that of its variant.
#[must_use]
pub fn compare(profile: &Profile, base: &Trace, variant: Variant, other: &Trace) -> Judgement {
    let one = Account::new(profile, base);
    let two = Account::new(profile, other);
    let mut findings = Findings::default();
    if let (Some(base), Some(other)) = (one.main(), two.main()) {
        // What was refused left its prompt undone: what came after is another session.
        let refused = |session: &SessionAccount<'_>| {
            session.prompts.iter().any(|prompt| session.was_refused_in(prompt))
        };
        if refused(base) || refused(other) {
            return findings.judgement;
        }
        let pair = Pair { profile, base, other };
        match variant {
            Variant::Restarted | Variant::OtherPast => {
                pair.same_tools("restore.restart", &BTreeSet::new(), &mut findings);
                pair.same_order(&mut findings);
            }
            Variant::FromRows => {
                let open = &left_open(&one, base) | &left_open(&two, other);
                pair.same_tools("restore.restart", &open, &mut findings);
                pair.same_order(&mut findings);
            }
            Variant::Over { provider } => pair.same_over(provider, &mut findings),
            Variant::Permuted => pair.same_first("restore.search-evidence", &mut findings),
            Variant::WithIrrelevantRows => pair.same_first("restore.ignores-prose", &mut findings),
            Variant::WithMoreEvidence => pair.no_fewer(&mut findings),
            // The order in which tools are given is the registry's own, as their texts are: in
            // another order it is another registry, and may be listed and sent otherwise.
            Variant::Reordered
            | Variant::Reworded
            | Variant::Grown { .. }
            | Variant::LongTexts { .. } => pair.same_core(&mut findings),
        }
    }
    findings.judgement
}

/// Holds traces of one session against each other that differ in the size of the registry, the
/// smaller first.
#[must_use]
pub fn compare_sizes(profile: &Profile, sized: &[(Variant, &Trace)]) -> Judgement {
    let mut findings = Findings::default();
    let accounts: Vec<_> =
        sized.iter().map(|(variant, trace)| (*variant, Account::new(profile, trace))).collect();
    for (place, (small, base)) in accounts.iter().enumerate() {
        for (large, other) in &accounts[place + 1..] {
            let (Some(base), Some(other)) = (base.main(), other.main()) else { continue };
            let pair = Pair { profile, base, other };
            match (small, large) {
                (Variant::Grown { tools: few }, Variant::Grown { tools: many }) if few < many => {
                    if *few == FROM {
                        pair.cost(*many, &mut findings);
                    }
                    if *few >= 1000 {
                        pair.catalog_does_not_grow(&mut findings);
                    }
                }
                (
                    Variant::LongTexts { characters: few },
                    Variant::LongTexts { characters: many },
                ) if few < many => {
                    pair.catalog_does_not_grow(&mut findings);
                }
                _ => {}
            }
        }
    }
    findings.judgement
}

/// A prompt, and its first request.
type First<'a> = (&'a PromptAccount<'a>, &'a RequestAccount<'a>);

struct Pair<'a> {
    profile: &'a Profile,
    base: &'a SessionAccount<'a>,
    other: &'a SessionAccount<'a>,
}

impl<'a> Pair<'a> {
    /// The last prompts of both, counted from the end: a variant may have more before them.
    fn last(&self) -> Option<(First<'a>, First<'a>)> {
        let base = self.base.prompts.last()?;
        let other = self.other.prompts.last()?;
        Some(((base, base.first()?), (other, other.first()?)))
    }

    /// Over the same rows both show the same tools with equal definitions, but for what is left
    /// open.
    fn same_tools(&self, clause: &str, open: &BTreeSet<ToolName>, findings: &mut Findings) {
        let Some(((_, base), (prompt, other))) = self.last() else { return };
        if base.view.is_none() || other.view.is_none() || !same_rows(base, other) {
            return;
        }
        if !base.held.is_empty() {
            findings.premise(clause);
        }
        let differs = base.shown.names().chain(other.shown.names()).find(|tool| {
            let (here, there) = (base.shown.get(tool), other.shown.get(tool));
            let left_open = here.is_some() != there.is_some() && open.contains(*tool);
            !left_open && here.map(|shown| &shown.schema) != there.map(|shown| &shown.schema)
        });
        if let Some(tool) = differs {
            let place = Place::request(self.other, prompt, other);
            let found = format!(
                "over the same rows the request shows {}; without it {}",
                other.shown.list(),
                base.shown.list()
            );
            findings.breach(clause, &place, Some(tool), found);
        }
    }

    /// Over the same rows both show their tools in the same order.
    fn same_order(&self, findings: &mut Findings) {
        let Some(((before, base), (prompt, other))) = self.last() else { return };
        if before.is_like(prompt) && same_rows(base, other) {
            let place = Place::request(self.other, prompt, other);
            order::hold(&prompt.registry, base, other, "the session itself", &place, findings);
        }
    }

    /// Request by request, over the same rows, both show the same tools with equal parameters.
    fn same_over(&self, provider: ProviderKind, findings: &mut Findings) {
        let clause = "provider.same";
        for (left, prompt) in self.base.prompts.iter().zip(&self.other.prompts) {
            for (base, other) in left.turns().zip(prompt.turns()) {
                if base.view.is_none() || other.view.is_none() || !same_rows(base, other) {
                    continue;
                }
                findings.premise(clause);
                let differs = base.shown.names().chain(other.shown.names()).find(|tool| {
                    self.is_the_sessions(prompt, tool) && differ_in(base, other, tool)
                });
                if let Some(tool) = differs {
                    let place = Place::request(self.other, prompt, other);
                    let found = format!(
                        "over {provider} the request shows {}; over {} {}{}",
                        other.shown.list(),
                        left.provider,
                        base.shown.list(),
                        if base.shows(tool) && other.shows(tool) {
                            format!(", and {tool} with other parameters")
                        } else {
                            String::new()
                        },
                    );
                    findings.breach(clause, &place, Some(tool), found);
                }
            }
        }
    }

    /// Whether a tool is one that the contract knows: what a runtime sends beside, where its
    /// profile leaves that open, may differ, and so may a name that not every API takes.
    fn is_the_sessions(&self, prompt: &PromptAccount<'_>, tool: &ToolName) -> bool {
        let known = prompt.registry.standing(tool, prompt.mode).is_some()
            || !self.profile.mode(prompt.mode).sends_anything();
        known && !prompt.registry.is_doubtful(tool)
    }

    /// Both show the same tools in the last prompt's first request, whatever rows stand there.
    fn same_first(&self, clause: &str, findings: &mut Findings) {
        let Some(((_, base), (prompt, other))) = self.last() else { return };
        if base.view.is_none() || other.view.is_none() {
            return;
        }
        findings.premise(clause);
        let differs = base
            .shown
            .names()
            .chain(other.shown.names())
            .find(|tool| base.shows(tool) != other.shows(tool));
        if let Some(tool) = differs {
            let place = Place::request(self.other, prompt, other);
            let found = format!(
                "the request shows {}; the session itself shows {}",
                other.shown.list(),
                base.shown.list()
            );
            findings.breach(clause, &place, Some(tool), found);
        }
    }

    /// More evidence takes nothing away. What a search finds may hang on what was active before
    /// it, so only a conversation that holds all that the session itself held has more.
    fn no_fewer(&self, findings: &mut Findings) {
        let clause = "restore.search-evidence";
        let Some(((_, base), (prompt, other))) = self.last() else { return };
        if base.view.is_none() || other.view.is_none() || !holds_rows_of(other, base) {
            return;
        }
        findings.premise(clause);
        if let Some(tool) = base.shown.names().find(|tool| !other.shows(tool)) {
            let place = Place::request(self.other, prompt, other);
            let found =
                format!("with more evidence {tool} is missing; shown: {}", other.shown.list());
            findings.breach(clause, &place, Some(tool), found);
        }
    }

    /// The registry's order, texts and size never change the core set.
    fn same_core(&self, findings: &mut Findings) {
        let Some(((before, base), (prompt, other))) = self.last() else { return };
        if base.view.is_none() || other.view.is_none() || before.mode != prompt.mode {
            return;
        }
        findings.premise("initial.core");
        let lost =
            prompt.registry.core(prompt.mode).find(|tool| base.shows(tool) && !other.shows(tool));
        if let Some(tool) = lost {
            let place = Place::request(self.other, prompt, other);
            let found = format!("core tool {tool} is missing; shown: {}", other.shown.list());
            findings.breach("initial.core", &place, Some(tool), found);
        }
    }

    fn cost(&self, many: u32, findings: &mut Findings) {
        let (Some(base), Some(other)) = (first_of(self.base), first_of(self.other)) else { return };
        let bound = self.profile.catalog.as_ref().map_or(0, |shape| shape.bytes);
        let (small, large) = (decoded(base.1), decoded(other.1));
        findings.premise("initial.cost");
        if large > small + bound {
            let place = Place::request(self.other, other.0, other.1);
            let found = format!(
                "with {many} deferred tools the first request has {large} bytes of text, with \
                 {FROM} it has {small}: {bound} more at the most"
            );
            findings.breach("initial.cost", &place, None, found);
        }
    }

    fn catalog_does_not_grow(&self, findings: &mut Findings) {
        let (Some(base), Some(other)) = (first_of(self.base), first_of(self.other)) else { return };
        if base.1.catalog.entries.is_empty() {
            return;
        }
        findings.premise("catalog.bounded");
        let (small, large) =
            (base.1.catalog.size_without_digits(), other.1.catalog.size_without_digits());
        if large > small {
            let place = Place::request(self.other, other.0, other.1);
            let found = format!("the catalog grew from {small} bytes to {large}, digits aside");
            findings.breach("catalog.bounded", &place, None, found);
        }
    }
}

/// Whether a tool is shown in one of two requests alone, or with other parameters. What was taken
/// back in words only is neither shown nor not.
fn differ_in(base: &RequestAccount<'_>, other: &RequestAccount<'_>, tool: &ToolName) -> bool {
    match (base.shown.get(tool), other.shown.get(tool)) {
        (Some(left), Some(right)) => !same_parameters(&left.schema, &right.schema),
        (Some(_), None) => !other.shown.is_withdrawn(tool),
        (None, Some(_)) => !base.shown.is_withdrawn(tool),
        (None, None) => false,
    }
}

/// Whether two schemas ask for the same: the same properties, the same of them required. What an
/// API has around them is its own.
fn same_parameters(left: &Value, right: &Value) -> bool {
    let none = Value::Object(serde_json::Map::new());
    let properties = |schema: &Value| schema.get("properties").unwrap_or(&none).clone();
    properties(left) == properties(right) && shown::required(left) == shown::required(right)
}

/// The tools that are left to the runtime where the last prompt begins: by an accepted reading, or
/// because nobody knows whether there is evidence. Rows do
/// not say in which mode a call was made, nor that a plugin was gone since: a runtime for which
/// that counts knows it from its state, and cannot from the rows.
fn left_open(account: &Account<'_>, session: &SessionAccount<'_>) -> BTreeSet<ToolName> {
    let known = Known::of(account, session);
    let mut sets = sets_of(account, session, &known);
    let first = session.prompts.last().and_then(PromptAccount::first);
    let mut first = first.and_then(|first| sets.remove(&first.entry)).unwrap_or_default();
    first.open.append(&mut first.unknown);
    first.open
}

fn first_of<'a>(
    session: &'a SessionAccount<'a>,
) -> Option<(&'a PromptAccount<'a>, &'a RequestAccount<'a>)> {
    let prompt = session.prompts.first()?;
    Some((prompt, prompt.first()?))
}

/// The length of all text of a request, decoded.
fn decoded(request: &RequestAccount<'_>) -> usize {
    fn text(value: &Value) -> usize {
        match value {
            Value::String(text) => text.len(),
            Value::Array(items) => items.iter().map(text).sum(),
            Value::Object(members) => {
                members.iter().map(|(key, value)| key.len() + text(value)).sum()
            }
            _ => 1,
        }
    }
    serde_json::from_str(&request.raw.body).map_or(0, |body: Value| text(&body))
}

/// Whether the calls of one request stand in another with the same results, in the same order.
fn holds_rows_of(more: &RequestAccount<'_>, fewer: &RequestAccount<'_>) -> bool {
    let mut rest = more.held.iter();
    fewer
        .held
        .iter()
        .all(|held| rest.any(|other| (&other.tool, &other.result) == (&held.tool, &held.result)))
}

/// Whether two requests hold the same calls with the same results: the same effective context.
fn same_rows(base: &RequestAccount<'_>, other: &RequestAccount<'_>) -> bool {
    let rows = |request: &RequestAccount<'_>| -> Vec<_> {
        request.held.iter().map(|held| (held.tool.clone(), held.result.is_some())).collect()
    };
    rows(base) == rows(other)
}
