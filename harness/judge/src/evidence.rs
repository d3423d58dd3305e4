//! The evidence model: for each request, what must be shown and what may be.
//!
//! This page is the contract of restoration and activation as code. For each request it gives
//! two sets. *Required*: core tools, always-active tools, and every tool whose evidence is
//! certain. *Open*: tools that an accepted reading or a checkpoint leaves to the runtime. What
//! is shown must hold the first and nothing beyond both.

use std::collections::{BTreeMap, BTreeSet};

use tacit_contract::profile::Profile;
use tacit_contract::{Call, CallId, OriginKind, Revision, Standing, Tool, ToolName};

use crate::account::{Account, PromptAccount, RequestAccount, SessionAccount, plainly_deferred};
use crate::known::{Ending, Fact, Known};

/// What one request must and may show.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sets {
    /// Deferred tools that must be shown, each with its ground.
    pub required: BTreeMap<ToolName, Ground>,
    /// Deferred tools that may be shown or not.
    pub open: BTreeSet<ToolName>,
    /// Deferred tools of which nobody knows whether there is evidence for them. Unlike what is
    /// open, they need not stay for having been shown: they may have been shown for no reason.
    pub unknown: BTreeSet<ToolName>,
    /// Whether a result stands in the request whose marker nobody can read, so that any deferred
    /// tool may be shown.
    pub anything: bool,
    /// Whether a checkpoint came in the middle of the prompt, here or before.
    pub checkpointed: bool,
}

/// Why a deferred tool must be shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Ground {
    /// A search of this prompt activated it; this request is the first that holds the result.
    Activated {
        /// The search.
        by: CallId,
    },
    /// It was active in the request before, in the same prompt.
    Carried,
    /// A search of an earlier prompt proves it.
    SearchEvidence,
    /// A successful use, and no search, proves it.
    UseEvidence,
}

impl Sets {
    /// Whether the request may show a deferred tool.
    #[must_use]
    pub fn allows(&self, tool: &ToolName) -> bool {
        self.anything || self.is_grounded(tool) || self.unknown.contains(tool)
    }

    /// Whether there is a reason to show a tool: evidence, or a reading that takes something for
    /// evidence.
    fn is_grounded(&self, tool: &ToolName) -> bool {
        self.required.contains_key(tool) || self.open.contains(tool)
    }
}

/// The sets of every turn request of a session, by the request's entry in the trace.
#[must_use]
pub fn sets_of(
    account: &Account<'_>,
    session: &SessionAccount<'_>,
    known: &Known,
) -> BTreeMap<usize, Sets> {
    let mut model = Model {
        profile: account.profile,
        session,
        known,
        recorded: session.rows.iter().any(|rows| rows.partial),
        skills: core_skills(account.profile, session),
        checkpoints: Vec::new(),
    };
    let mut sets = BTreeMap::new();
    let mut last: Option<&RequestAccount<'_>> = None;
    for prompt in &session.prompts {
        let mut before: Option<(Sets, &RequestAccount<'_>)> = None;
        for request in prompt.requests.iter().filter(|request| request.view.is_some()) {
            let checkpoint = last.is_some_and(|last| model.has_lost(last, request));
            if checkpoint {
                model.checkpoints.push(request.entry);
            }
            let now = model.sets(prompt, request, before.as_ref(), checkpoint);
            sets.insert(request.entry, now.clone());
            before = Some((now, request));
            last = Some(request);
        }
    }
    sets
}

/// The skill tools that a session takes for core, which the amended revision leaves open: those
/// that every request shows.
#[must_use]
pub fn core_skills(profile: &Profile, session: &SessionAccount<'_>) -> BTreeSet<ToolName> {
    let mut skills = BTreeSet::new();
    if profile.revision != Revision::R3 {
        return skills;
    }
    for prompt in &session.prompts {
        let given = prompt.registry.given().iter();
        skills.extend(given.filter(|tool| is_skill(tool)).map(|tool| tool.name.clone()));
    }
    for (prompt, request) in session.turns().filter(|(_, request)| request.view.is_some()) {
        let hidden = |tool: &ToolName| {
            prompt.registry.is_deferred(tool, prompt.mode) && !request.shows(tool)
        };
        skills.retain(|tool| !hidden(tool));
    }
    skills
}

/// Whether a tool stands for the skills.
#[must_use]
pub fn is_skill(tool: &Tool) -> bool {
    tool.origin.kind == OriginKind::Skill
}

struct Model<'a> {
    profile: &'a Profile,
    session: &'a SessionAccount<'a>,
    known: &'a Known,
    /// Whether a recording told the session: whoever played one would know more.
    recorded: bool,
    skills: BTreeSet<ToolName>,
    /// The entries at which evidence had left the context without a reopening.
    checkpoints: Vec<usize>,
}

impl Model<'_> {
    fn sets(
        &self,
        prompt: &PromptAccount<'_>,
        request: &RequestAccount<'_>,
        before: Option<&(Sets, &RequestAccount<'_>)>,
        checkpoint: bool,
    ) -> Sets {
        let checkpointed = before.is_some_and(|(before, _)| before.checkpointed || checkpoint);
        let mut sets = Sets { checkpointed, ..Sets::default() };
        self.add_evidence(prompt, request, &mut sets);
        if sets.checkpointed {
            self.add_taken(prompt, request, &mut sets);
        }
        if let Some((before, earlier)) = before {
            self.add_carried(prompt, before, earlier, &mut sets);
        }
        sets.open.extend(self.known.orphans.iter().cloned());
        sets.open.extend(self.skills.iter().cloned());
        sets.unknown.extend(self.known.doubted.iter().cloned());
        sets
    }

    /// A result that stands in the request, and is neither an error nor interrupted, is evidence.
    fn add_evidence(
        &self,
        prompt: &PromptAccount<'_>,
        request: &RequestAccount<'_>,
        sets: &mut Sets,
    ) {
        for held in request.held.iter().filter(|held| held.result.is_some()) {
            let Some(fact) = self.known.get(&held.id) else { continue };
            if self.profile.revision == Revision::R1 && fact.prompt != prompt.number {
                continue;
            }
            if fact.ending == Ending::Unknown {
                let whether = if self.recorded { &mut sets.unknown } else { &mut sets.open };
                whether.insert(fact.tool.clone());
                sets.anything |= fact.search;
            }
            for tool in fact.proves() {
                if !prompt.registry.is_deferred(tool, prompt.mode) {
                    continue;
                }
                if self.is_certain(prompt, fact, tool) {
                    let ground = ground(prompt, &held.id, fact);
                    let known = sets.required.entry(tool.clone()).or_insert(ground.clone());
                    if *known == Ground::UseEvidence {
                        *known = ground;
                    }
                } else {
                    sets.open.insert(tool.clone());
                }
            }
        }
    }

    /// Evidence is certain unless an accepted reading or a checkpoint touches it.
    fn is_certain(&self, prompt: &PromptAccount<'_>, fact: &Fact, tool: &ToolName) -> bool {
        let long = fact.search
            && fact.marker.len() > usize::try_from(self.profile.max_per_search).unwrap_or(4);
        let was_core = prompt.registry.standing(tool, fact.mode) == Some(Standing::Core);
        let came_back = prompt.returned.get(tool).is_some_and(|removed| fact.since < *removed);
        let checkpointed = self.checkpoints.iter().any(|checkpoint| fact.since < *checkpoint);
        // What a runtime does not promise to restore, it may restore.
        let promised = fact.search || self.profile.claims("restore.use-evidence");
        let touched = long || was_core || came_back || checkpointed;
        plainly_deferred(prompt, tool) && promised && !touched
    }

    /// Whether a checkpoint came since the last request: a call that stood there, or the one that
    /// started a new context, stands here no more, though nothing was opened again in between.
    fn has_lost(&self, last: &RequestAccount<'_>, request: &RequestAccount<'_>) -> bool {
        let reopened =
            self.session.reopened.iter().any(|entry| (last.entry..request.entry).contains(entry));
        let started_anew =
            last.calls().iter().filter(|call| call.call == Call::NewContext).map(|call| &call.id);
        let mut stood = last.held.iter().map(|held| &held.id).chain(started_anew);
        !reopened && stood.any(|id| request.held.iter().all(|now| now.id != *id))
    }

    /// What this prompt's searches and uses proved before a checkpoint took them is open until
    /// the prompt ends.
    fn add_taken(&self, prompt: &PromptAccount<'_>, request: &RequestAccount<'_>, sets: &mut Sets) {
        let taken = self
            .known
            .iter()
            .filter(|(_, fact)| fact.prompt == prompt.number && fact.since < request.entry);
        sets.open.extend(taken.flat_map(|(_, fact)| fact.proves()).cloned());
    }

    /// What was active in the request before stays so for the rest of the prompt; once a checkpoint
    /// came in between, both ways are accepted. A tool that should have been shown there and was
    /// not is no one's to keep: its own ground goes on holding.
    fn add_carried(
        &self,
        prompt: &PromptAccount<'_>,
        before: &Sets,
        earlier: &RequestAccount<'_>,
        sets: &mut Sets,
    ) {
        let shown = earlier
            .shown
            .names()
            .filter(|tool| before.allows(tool) && prompt.registry.is_deferred(tool, prompt.mode));
        for tool in shown {
            if self.recorded && !before.is_grounded(tool) {
                sets.unknown.insert(tool.clone());
            } else if sets.checkpointed || !plainly_deferred(prompt, tool) {
                sets.open.insert(tool.clone());
            } else {
                sets.required.insert(tool.clone(), Ground::Carried);
            }
        }
        sets.open.extend(before.open.iter().cloned());
        sets.unknown.extend(before.unknown.iter().cloned());
    }
}

fn ground(prompt: &PromptAccount<'_>, id: &CallId, fact: &Fact) -> Ground {
    match (fact.search, fact.prompt == prompt.number) {
        (true, true) => Ground::Activated { by: id.clone() },
        (true, false) => Ground::SearchEvidence,
        (false, _) => Ground::UseEvidence,
    }
}
