//! `provider.native`: where definitions stand for a provider that loads tools by itself.

use tacit_contract::trace::From;
use tacit_contract::{CallId, Seen, ToolName};
use tacit_wire::{Item, Visibility};

use crate::account::{PromptAccount, RequestAccount, same_call};
use crate::evidence::Ground;
use crate::hearing::{Findings, Hearing, Place};
use crate::shown::Placed;

const CLAUSE: &str = "provider.native";

/// The point on which both readings are accepted.
const POINT: &str = "native-place";

/// `provider.native`
pub fn native(hearing: &Hearing<'_>, findings: &mut Findings) {
    let mut last: Option<(&PromptAccount<'_>, &RequestAccount<'_>)> = None;
    for prompt in &hearing.session.prompts {
        let mut earlier: Option<&RequestAccount<'_>> = None;
        for request in prompt.turns().filter(|request| request.view.is_some()) {
            if prompt.provider.native {
                let at = Bench { hearing, prompt, request };
                for tool in at.newly_required(earlier) {
                    at.stands_in_one_place(tool, findings);
                }
                if let Some((before, last)) = last.filter(|_| earlier.is_none())
                    && at.was_only_reloaded(before, last)
                {
                    at.stands_where_it_stood(last, findings);
                }
            }
            earlier = Some(request);
        }
        last = earlier.map(|request| (prompt, request)).or(last);
    }
}

struct Bench<'a> {
    hearing: &'a Hearing<'a>,
    prompt: &'a PromptAccount<'a>,
    request: &'a RequestAccount<'a>,
}

impl<'a> Bench<'a> {
    fn breach(&self, tool: &ToolName, found: String, findings: &mut Findings) {
        let place = Place::request(self.hearing.session, self.prompt, self.request);
        findings.breach(CLAUSE, &place, Some(tool), found);
    }

    /// The deferred tools that a search whose result is new here activated, or, in the prompt's
    /// first request, that evidence restores.
    fn newly_required(
        &self,
        earlier: Option<&'a RequestAccount<'a>>,
    ) -> impl Iterator<Item = &'a ToolName> {
        let required = &self.hearing.sets(self.request).required;
        required
            .iter()
            .filter(move |(_, ground)| match ground {
                Ground::Activated { by } => {
                    earlier.is_none_or(|earlier| earlier.result(by).is_none())
                }
                Ground::SearchEvidence | Ground::UseEvidence => earlier.is_none(),
                Ground::Carried => false,
            })
            .map(|(tool, _)| tool)
    }

    /// In the ordinary list or at a load point, once. What stands in neither is missing, and
    /// judged with its evidence; what was sent and never loaded is judged here.
    fn stands_in_one_place(&self, tool: &ToolName, findings: &mut Findings) {
        let places = self.request.shown.places(tool);
        let visible = || places.iter().filter(|placed| placed.visibility == Visibility::Visible);
        let in_list = visible().any(|placed| placed.loaded_at.is_none());
        let loads: Vec<usize> = visible().filter_map(|placed| placed.loaded_at).collect();
        let is_declared = places.iter().any(|placed| placed.visibility == Visibility::Declared);
        if !in_list && loads.is_empty() && !is_declared {
            return;
        }
        findings.premise(CLAUSE);
        let twice = loads.iter().enumerate().any(|(at, load)| loads[..at].contains(load));
        match (in_list, loads.is_empty()) {
            (true, false) => {
                let found = format!("{tool} stands in the ordinary list and at a load point");
                self.breach(tool, found, findings);
            }
            (false, false) if twice => {
                let found = format!("{tool} stands twice at one load point");
                self.breach(tool, found, findings);
            }
            (false, true) => {
                let found = format!("{tool} was sent hidden, and nothing in the request loads it");
                self.breach(tool, found, findings);
            }
            (true, true) => findings.reading(POINT, "in the ordinary list"),
            (false, false) => findings.reading(POINT, "at the load point"),
        }
    }

    /// Whether nothing but reloading came between a request and this one: the provider, the
    /// registry and the mode are the same, and all calls that stood there stand here.
    fn was_only_reloaded(&self, before: &PromptAccount<'_>, last: &RequestAccount<'_>) -> bool {
        let between = &self.hearing.account.trace.log[last.entry..self.request.entry];
        let mut own = between.iter().filter(|entry| entry.session == self.hearing.session.id);
        let mut reloaded = false;
        let undisturbed = own.all(|entry| match &entry.seen {
            Seen::Opened { from, .. } => {
                reloaded = true;
                matches!(from, From::State { .. } | From::ExportedRows { .. })
            }
            Seen::ModeSet { .. }
            | Seen::ToolsSet { .. }
            | Seen::RegisteredLate { .. }
            | Seen::Compacted => false,
            _ => true,
        });
        let kept = last.held.iter().all(|held| self.holds(&held.id));
        undisturbed && reloaded && kept && before.provider == self.prompt.provider
    }

    fn holds(&self, call: &CallId) -> bool {
        self.request.held.iter().any(|held| held.id == *call)
    }

    /// What stood at a load point stands there again after a reload.
    fn stands_where_it_stood(&self, last: &RequestAccount<'_>, findings: &mut Findings) {
        let deferred = |tool: &&ToolName| self.prompt.registry.is_deferred(tool, self.prompt.mode);
        for tool in last.shown.names().filter(deferred) {
            let Some(stood) = load_points(last, tool).next().filter(|_| self.request.shows(tool))
            else {
                continue;
            };
            findings.premise(CLAUSE);
            if load_points(self.request, tool).any(|stands| stands == stood) {
                continue;
            }
            let now = load_points(self.request, tool).next().map_or_else(
                || "in the ordinary list".to_owned(),
                |call| format!("at a load point {}", after(self.request, call)),
            );
            let found = format!(
                "{tool} stood at a load point {}, and stands {now} since the reload",
                after(last, stood)
            );
            self.breach(tool, found, findings);
        }
    }
}

/// Where a load point stands, for people: a call by its tool and its place in the request.
fn after(request: &RequestAccount<'_>, call: Option<&CallId>) -> String {
    let place = call.and_then(|call| request.held.iter().position(|held| held.id == *call));
    place.map_or_else(
        || "before any result".to_owned(),
        |place| {
            let tool = &request.held[place].tool;
            format!("after the result of its call {}, of {tool}", place + 1)
        },
    )
}

/// The load points of a tool in a request, each as the call of the session whose result it
/// follows, or stands in.
fn load_points<'a>(
    request: &'a RequestAccount<'_>,
    tool: &ToolName,
) -> impl Iterator<Item = Option<&'a CallId>> {
    let visible = |placed: &&Placed| placed.visibility == Visibility::Visible;
    request
        .shown
        .places(tool)
        .iter()
        .filter(visible)
        .filter_map(|placed| Some(call_before(request, placed.loaded_at?)))
}

fn call_before<'a>(request: &'a RequestAccount<'_>, loaded_at: usize) -> Option<&'a CallId> {
    let items = request.view.as_ref().map_or(&[][..], |view| view.items.as_slice());
    items[..loaded_at.min(items.len())].iter().rev().find_map(|item| match item {
        Item::Result { call_id, .. } => {
            let own = request.held.iter().find(|held| same_call(call_id, &held.id));
            own.map(|held| &held.id)
        }
        _ => None,
    })
}
