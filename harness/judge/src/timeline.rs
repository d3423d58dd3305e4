//! The evidence model as a timeline: for each request what it showed, had to show and was allowed
//! to show, and on what grounds. It blames nobody: that is for [`blame`](crate::blame).

use std::collections::BTreeSet;

use tacit_contract::timeline::{Ended, Evidence, Excess, Point, PromptPoint};
use tacit_contract::timeline::{Ground as Told, RequestPoint, Required};
use tacit_contract::{CallId, Profile, Standing, Status, ToolName, Trace};

use crate::account::{Account, PromptAccount, RequestAccount};
use crate::evidence::Ground;
use crate::hearing::Hearing;
use crate::known::{Ending, Fact};
use crate::rejected::{Rejected, rejections};

/// The timeline of a trace: every prompt and every turn request of all its sessions, in the order
/// in which they came.
#[must_use]
pub fn timeline(profile: &Profile, trace: &Trace) -> Vec<Point> {
    let account = Account::new(profile, trace);
    let mut points = Vec::new();
    for session in &account.sessions {
        let hearing = Hearing::of(&account, session);
        for prompt in &session.prompts {
            points.push(Point::Prompt(PromptPoint {
                session: session.id.clone(),
                entry: prompt.entry,
                prompt: prompt.number,
                mode: prompt.mode,
                provider: prompt.provider,
                text: prompt.text.to_owned(),
            }));
            let requests = prompt.requests.iter();
            let told = requests.map(|request| Teller { hearing: &hearing, prompt, request }.tell());
            points.extend(told.map(Point::Request));
        }
    }
    points.sort_by_key(Point::entry);
    points
}

struct Teller<'a> {
    hearing: &'a Hearing<'a>,
    prompt: &'a PromptAccount<'a>,
    request: &'a RequestAccount<'a>,
}

impl Teller<'_> {
    fn tell(&self) -> RequestPoint {
        let Self { hearing, prompt, request } = self;
        let mut point = RequestPoint {
            session: hearing.session.id.clone(),
            entry: request.entry,
            prompt: prompt.number,
            request: request.number,
            mode: prompt.mode,
            provider: prompt.provider,
            repeat: request.repeat,
            unseen: self.unseen(),
            shown: Vec::new(),
            evidence: Vec::new(),
            required: Vec::new(),
            allowed: Vec::new(),
            anything: false,
            missing: Vec::new(),
            excess: Vec::new(),
        };
        if point.unseen.is_some() {
            return point;
        }
        let sets = hearing.sets(request);
        let besides = |tool: &&ToolName| {
            !sets.required.contains_key(*tool) && prompt.registry.is_deferred(tool, prompt.mode)
        };
        point.shown = request.shown.in_order().into_iter().cloned().collect();
        point.evidence = self.evidence();
        point.required = self.required();
        point.allowed = sets.open.union(&sets.unknown).filter(besides).cloned().collect();
        point.anything = sets.anything;
        point.missing = point
            .required
            .iter()
            .map(|required| &required.tool)
            .filter(|tool| !request.shows(tool) && !request.shown.is_withdrawn(tool))
            .cloned()
            .collect();
        point.excess = self.excess();
        point
    }

    /// Why nothing can be said of what the request shows.
    fn unseen(&self) -> Option<String> {
        if self.request.view.is_some() {
            return None;
        }
        let reason = self.hearing.session.undecidable.get(&self.request.entry).cloned();
        Some(reason.unwrap_or_else(|| "it cannot be read".to_owned()))
    }

    fn fact(&self, id: &CallId) -> Option<&Fact> {
        self.hearing.known.get(id)
    }

    fn evidence(&self) -> Vec<Evidence> {
        let told = self.request.held.iter().filter_map(|held| {
            let fact = self.fact(&held.id)?;
            let status = match fact.ending {
                // A result that is known and does not stand here proves nothing here.
                _ if held.result.is_none() => Ended::Missing,
                Ending::Result(Status::Ok) => Ended::Ok,
                Ending::Result(Status::Error) => Ended::Error,
                Ending::Result(Status::Interrupted) => Ended::Interrupted,
                Ending::Missing => Ended::Missing,
                Ending::Unknown => Ended::Unknown,
            };
            Some(Evidence {
                call: held.id.clone(),
                prompt: fact.prompt,
                tool: fact.tool.clone(),
                search: fact.search,
                status,
                marker: fact.marker.clone(),
            })
        });
        told.collect()
    }

    /// Core tools first, then what is sent always, then what evidence requires.
    fn required(&self) -> Vec<Required> {
        let Self { hearing, prompt, .. } = self;
        let plain =
            |ground| move |tool: &ToolName| Required { tool: tool.clone(), ground, by: None };
        let core = prompt.registry.core(prompt.mode).map(plain(Told::Core));
        let search = Hearing::has_deferred(prompt).then(|| hearing.search_tool());
        let always = hearing.new_context().into_iter().chain(&search);
        let mut required: Vec<Required> =
            core.chain(always.map(plain(Told::AlwaysActive))).collect();
        required.extend(hearing.sets(self.request).required.iter().map(|(tool, ground)| {
            let (ground, by) = match ground {
                Ground::Activated { by } => (Told::Activated, Some(by.clone())),
                Ground::Carried => {
                    (Told::Carried, self.proof(tool, true).or(self.proof(tool, false)))
                }
                Ground::SearchEvidence => (Told::SearchEvidence, self.proof(tool, true)),
                Ground::UseEvidence => (Told::UseEvidence, self.proof(tool, false)),
            };
            Required { tool: tool.clone(), ground, by }
        }));
        required
    }

    /// The first call in the request that proves a tool, among the searches or the uses.
    fn proof(&self, tool: &ToolName, search: bool) -> Option<CallId> {
        let held = self.request.held.iter().filter(|held| held.result.is_some());
        let mut proofs = held.filter(|held| {
            self.fact(&held.id)
                .is_some_and(|fact| fact.search == search && fact.proves().contains(&tool))
        });
        proofs.next().map(|held| held.id.clone())
    }

    fn excess(&self) -> Vec<Excess> {
        let Self { hearing, prompt, request } = self;
        let rejected = rejections(hearing, prompt, request);
        let mut excess = Vec::new();
        for tool in request.shown.in_order() {
            let though = match prompt.registry.standing(tool, prompt.mode) {
                Some(Standing::Core) => continue,
                Some(Standing::Deferred) if hearing.sets(request).allows(tool) => continue,
                Some(Standing::Deferred) => {
                    let kinds = rejected.get(tool).into_iter().flat_map(BTreeSet::iter);
                    kinds.map(|kind| Rejected::describe(*kind).to_owned()).collect()
                }
                None => match self.outside(tool) {
                    Some(why) => vec![why.to_owned()],
                    None => continue,
                },
            };
            excess.push(Excess { tool: tool.clone(), though });
        }
        excess
    }

    /// Why a tool that is neither core nor deferred is too much; `None` where it is not.
    fn outside(&self, tool: &ToolName) -> Option<&'static str> {
        let Self { hearing, prompt, .. } = self;
        if *tool == hearing.search_tool() {
            let needed = Hearing::has_deferred(prompt) || prompt.registry.has_doubtful(prompt.mode);
            return (!needed).then_some("there is no deferred tool");
        }
        if hearing.is_always_sent(prompt, tool) {
            return None;
        }
        if prompt.gone.contains(tool) {
            return Some("its plugin was removed");
        }
        if prompt.registry.tool(tool).is_some() {
            return Some("the mode forbids it");
        }
        let free = hearing.account.profile.mode(prompt.mode).sends_anything();
        (!free).then_some("it is no tool of the session")
    }
}
