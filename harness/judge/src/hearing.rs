//! A hearing: one session's account, with what is known, what was due, and what was found.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use tacit_contract::{Breach, ClauseId, Judgement, Measure, SessionId, Standing, Tool, ToolName};

use crate::account::{Account, PromptAccount, RequestAccount, SessionAccount};
use crate::checks::CHECKS;
use crate::evidence::{Sets, sets_of};
use crate::known::Known;
use crate::texts::{Spoken, TextsOfLast, VocabularyOfLast};

/// What every check is given.
pub struct Hearing<'a> {
    /// The whole account.
    pub account: &'a Account<'a>,
    /// The session that is judged.
    pub session: &'a SessionAccount<'a>,
    /// What is known of its calls.
    pub known: Known,
    /// What each turn request must and may show, by its entry.
    pub sets: BTreeMap<usize, Sets>,
    /// What the texts of its registries are like.
    pub texts: TextsOfLast,
    /// What the tools of its registries say of themselves.
    pub vocabulary: VocabularyOfLast,
    /// What the runtime's own deferred tools say of themselves: those that a request has shown.
    pub own: BTreeMap<ToolName, Spoken>,
}

impl<'a> Hearing<'a> {
    /// Opens the hearing of one session.
    #[must_use]
    pub fn of(account: &'a Account<'a>, session: &'a SessionAccount<'a>) -> Self {
        let known = Known::of(account, session);
        let sets = sets_of(account, session, &known);
        Self {
            account,
            session,
            known,
            sets,
            texts: TextsOfLast::default(),
            vocabulary: VocabularyOfLast::default(),
            own: own_texts(account, session),
        }
    }

    /// The sets of a turn request.
    #[must_use]
    pub fn sets(&self, request: &RequestAccount<'_>) -> &Sets {
        static NONE: Sets = Sets {
            required: BTreeMap::new(),
            open: BTreeSet::new(),
            unknown: BTreeSet::new(),
            anything: false,
            checkpointed: false,
        };
        self.sets.get(&request.entry).unwrap_or(&NONE)
    }

    /// The search tool's name.
    #[must_use]
    pub fn search_tool(&self) -> ToolName {
        self.account.dialect.search_tool()
    }

    /// The name of `new_context`, where the runtime has it.
    #[must_use]
    pub fn new_context(&self) -> Option<&ToolName> {
        self.account.dialect.new_context.as_ref().map(|tool| &tool.name)
    }

    /// Whether a tool is sent always, so that no evidence is asked for: one whose name is the
    /// runtime's own, or one that the profile lets the runtime send beside.
    #[must_use]
    pub fn is_always_sent(&self, prompt: &PromptAccount<'_>, tool: &ToolName) -> bool {
        self.is_reserved(prompt, tool) || self.account.profile.mode(prompt.mode).also.contains(tool)
    }

    /// Whether a name is the runtime's own: that of a core tool, of the search tool or of
    /// `new_context`. What the profile lets it send beside, it need not have.
    #[must_use]
    pub fn is_reserved(&self, prompt: &PromptAccount<'_>, tool: &ToolName) -> bool {
        prompt.registry.standing(tool, prompt.mode) == Some(Standing::Core)
            || *tool == self.search_tool()
            || self.new_context() == Some(tool)
    }

    /// The definitions that other sessions have of a tool, and that this one neither has nor had
    /// before a prompt.
    #[must_use]
    pub fn elsewhere(&self, prompt: &PromptAccount<'_>, now: &Tool) -> Vec<&'a Tool> {
        let others = self.account.sessions.iter().filter(|other| other.id != self.session.id);
        let registries = others.flat_map(|other| &other.prompts).map(|other| &other.registry);
        let apart = registries.filter(|other| !Arc::ptr_eq(other.given(), prompt.registry.given()));
        let versions =
            apart.filter_map(|other| other.tool(&now.name)).filter(|other| *other != now);
        versions.filter(|other| prompt.former(now).all(|former| former != *other)).collect()
    }

    /// Whether the mode has a deferred tool that nothing speaks against.
    #[must_use]
    pub fn has_deferred(prompt: &PromptAccount<'_>) -> bool {
        prompt.registry.deferred(prompt.mode).next().is_some()
    }
}

fn own_texts(account: &Account<'_>, session: &SessionAccount<'_>) -> BTreeMap<ToolName, Spoken> {
    let deferred: BTreeSet<_> =
        account.profile.modes.values().flat_map(|mode| &mode.deferred).collect();
    let requests = || session.prompts.iter().flat_map(|prompt| &prompt.requests);
    let shown = |tool: &ToolName| requests().find_map(|request| request.shown.get(tool));
    let texts = deferred
        .into_iter()
        .filter_map(|tool| Some((tool.clone(), Spoken::of(tool, &shown(tool)?.description))));
    texts.collect()
}

/// Where in a session something was found.
#[derive(Debug, Clone)]
pub struct Place {
    session: SessionId,
    entry: usize,
    prompt: u32,
    request: u32,
}

impl Place {
    /// A turn request.
    #[must_use]
    pub fn request(
        session: &SessionAccount<'_>,
        prompt: &PromptAccount<'_>,
        request: &RequestAccount<'_>,
    ) -> Self {
        Self {
            session: session.id.clone(),
            entry: request.entry,
            prompt: prompt.number,
            request: request.number,
        }
    }

    /// An entry of a prompt that is no request.
    #[must_use]
    pub fn in_prompt(
        session: &SessionAccount<'_>,
        prompt: &PromptAccount<'_>,
        entry: usize,
    ) -> Self {
        Self { session: session.id.clone(), entry, prompt: prompt.number, request: 0 }
    }

    /// An entry outside of any prompt's run.
    #[must_use]
    pub fn entry(session: &SessionAccount<'_>, prompt: u32, entry: usize) -> Self {
        Self { session: session.id.clone(), entry, prompt, request: 0 }
    }
}

/// What the checks find.
#[derive(Debug, Default)]
pub struct Findings {
    /// The judgement so far.
    pub judgement: Judgement,
}

impl Findings {
    /// The premise of a clause occurred.
    pub fn premise(&mut self, clause: &str) {
        *self.judgement.exercised.entry(ClauseId::from(clause)).or_default() += 1;
    }

    /// A clause was broken; a sentence that begins with the name of the tool names it even where
    /// the name cannot be seen.
    pub fn breach(
        &mut self,
        clause: &str,
        place: &Place,
        tool: Option<&ToolName>,
        found: impl Into<String>,
    ) {
        let mut found = found.into();
        if let Some(tool) = tool
            && let Some(rest) = found.strip_prefix(tool.as_str())
            && rest.starts_with(' ')
        {
            found = format!("{}{rest}", tool.in_words());
        }
        self.judgement.breaches.push(Breach {
            clause: clause.into(),
            session: place.session.clone(),
            entry: place.entry,
            prompt: place.prompt,
            request: place.request,
            tool: tool.cloned(),
            found,
        });
    }

    /// A part and its whole were measured.
    pub fn measure(&mut self, clause: &str, measure: Measure) {
        self.judgement.measures.entry(ClauseId::from(clause)).or_default().add(measure);
    }

    /// Something was seen that cannot be looked into: every clause that nothing else exercised is
    /// undecided, but the one on the form of requests.
    pub fn undecided(&mut self, why: &str) {
        for (id, _) in CHECKS.iter().filter(|(id, _)| *id != "provider.valid") {
            let id = ClauseId::from(*id);
            if !self.judgement.exercised.contains_key(&id) {
                self.judgement.undecided.insert(id, why.to_owned());
            }
        }
    }

    /// Which of the accepted readings of a point was seen.
    pub fn reading(&mut self, point: &str, reading: &str) {
        let seen = self.judgement.readings.entry(point.to_owned()).or_default();
        *seen.entry(reading.to_owned()).or_default() += 1;
    }
}
