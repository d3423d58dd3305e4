//! What a scenario needs: where the runtime lacks it, the scenario is not applicable.

use std::str::FromStr as _;

use tacit_contract::clause::{Need, clause};
use tacit_contract::protocol::{Api, Description, Dialect};
use tacit_contract::{
    Call, Case, Clause, ClauseId, Mode, Profile, ProviderKind, Query, Revision, Session, Step,
    Variant,
};

use crate::catalogue::ScenarioInfo;

/// A runtime under a profile, asked for what it has with a provider.
pub struct Has<'a> {
    profile: &'a Profile,
    runtime: &'a Description,
    dialect: Dialect,
    provider: ProviderKind,
    kinds: Vec<ProviderKind>,
}

impl<'a> Has<'a> {
    /// What a runtime has under a profile, in a session that begins with this provider.
    #[must_use]
    pub fn new(profile: &'a Profile, runtime: &'a Description, provider: ProviderKind) -> Self {
        let dialect = profile.dialect(&runtime.dialect);
        let kinds = ProviderKind::all(&runtime.capabilities, &Api::ALL);
        Self { profile, runtime, dialect, provider, kinds }
    }

    /// Why a scenario cannot be played; `None` where it can.
    #[must_use]
    pub fn lacking(&self, scenario: &ScenarioInfo, case: &Case) -> Option<String> {
        self.by_revision(scenario)
            .or_else(|| self.by_clauses(scenario))
            .or_else(|| scenario.values("needs:").find_map(|need| self.by_need(need)))
            .or_else(|| self.by_session(&case.session))
            .or_else(|| case.variants.iter().find_map(|variant| self.by_variant(*variant, case)))
    }

    /// The clauses of a scenario that can be judged here.
    #[must_use]
    pub fn judged(&self, scenario: &ScenarioInfo) -> Vec<ClauseId> {
        scenario
            .clauses
            .iter()
            .filter(|id| clause(id.as_str()).is_some_and(|c| self.by_clause(c).is_none()))
            .cloned()
            .collect()
    }

    /// Why a clause cannot be judged here; `None` where it can.
    #[must_use]
    pub fn by_clause(&self, clause: &Clause) -> Option<String> {
        if let Some(why) = self.profile.why_not_claimed(clause) {
            return Some(format!("{} is not claimed: {why}", clause.id));
        }
        if let Some(why) = &clause.unchecked {
            return Some(format!("{} is not checked: {why}", clause.id));
        }
        clause.needs.iter().find_map(|need| self.by_clause_need(*need))
    }

    fn by_clause_need(&self, need: Need) -> Option<String> {
        let lacks = need.lacking(self.runtime, &self.dialect).map(str::to_owned);
        let plain = need == Need::NativeDeferral && !self.provider.native;
        lacks.or_else(|| plain.then(|| "the provider loads no tools".to_owned()))
    }

    fn by_revision(&self, scenario: &ScenarioInfo) -> Option<String> {
        let revision = self.profile.revision;
        let bound =
            |prefix| scenario.values(prefix).next().and_then(|text| Revision::from_str(text).ok());
        let early = bound("from:").is_some_and(|from| revision < from);
        let late = bound("until:").is_some_and(|until| revision > until);
        (early || late).then(|| format!("revision {revision} says otherwise"))
    }

    /// A scenario can be played as long as one of its clauses can be judged.
    fn by_clauses(&self, scenario: &ScenarioInfo) -> Option<String> {
        let mut reasons = Vec::new();
        for id in &scenario.clauses {
            reasons.push(clause(id.as_str()).and_then(|clause| self.by_clause(clause))?);
        }
        reasons.into_iter().next()
    }

    fn by_need(&self, need: &str) -> Option<String> {
        let lacks = |need: Need| self.by_clause_need(need);
        let can = &self.runtime.capabilities;
        let unless = |there: bool, why: &str| (!there).then(|| why.to_owned());
        match need {
            "transcript" => lacks(Need::Transcript),
            "setTools" => lacks(Need::SetTools),
            "nativeDeferral" => lacks(Need::NativeDeferral),
            "severalApis" => lacks(Need::SeveralApis),
            "newContext" => lacks(Need::NewContext),
            "plainProvider" => unless(!self.provider.native, "the provider loads tools by itself"),
            "restart" => clause("restore.restart").and_then(|c| self.by_clause(c)),
            "useEvidence" => clause("restore.use-evidence").and_then(|c| self.by_clause(c)),
            "setMode" => unless(can.set_mode, "the runtime's mode cannot change"),
            "abort" => unless(can.abort, "a prompt of the runtime cannot be stopped"),
            "compact" => unless(can.compact, "the runtime cannot be told to compact"),
            "activity" => unless(can.activity, "the runtime does not tell what its user sees"),
            "limit" => unless(
                self.dialect.limit_argument.is_some(),
                "the search tool has no argument that asks for more matches",
            ),
            "catalog" => unless(self.profile.catalog.is_some(), "the profile promises no catalog"),
            other => Some(format!("nobody knows what @needs:{other} asks for")),
        }
    }

    fn by_mode(&self, mode: Mode) -> Option<String> {
        let known = self.profile.modes.contains_key(&mode)
            && self.runtime.capabilities.modes.contains(&mode);
        (!known).then(|| format!("the runtime has no {mode} mode"))
    }

    fn by_session(&self, session: &Session) -> Option<String> {
        self.by_provider(session.provider)
            .or_else(|| self.by_mode(session.mode))
            .or_else(|| session.steps.iter().find_map(|step| self.by_step(step)))
            .or_else(|| self.by_switches(session))
    }

    fn by_provider(&self, provider: ProviderKind) -> Option<String> {
        let known = self.kinds.contains(&provider);
        (!known).then(|| format!("the runtime is not played over {provider}"))
    }

    fn by_switches(&self, session: &Session) -> Option<String> {
        let mut now = session.provider;
        for step in &session.steps {
            let Step::SwitchProvider { to } = step else { continue };
            match to.than(now, &self.kinds) {
                Some(other) => now = other,
                None => return Some(format!("there is no such other provider than {now}")),
            }
        }
        None
    }

    fn by_variant(&self, variant: Variant, case: &Case) -> Option<String> {
        variant.of(&case.session).and_then(|session| self.by_session(&session))
    }

    fn by_step(&self, step: &Step) -> Option<String> {
        match step {
            Step::Seed(_) | Step::Restart { from_rows: true, .. } => self.by_need("transcript"),
            Step::Abort => self.by_need("abort"),
            Step::Compact => self.by_need("compact"),
            Step::SetMode { mode } => self.by_need("setMode").or_else(|| self.by_mode(*mode)),
            Step::Unplug { .. }
            | Step::Plug { .. }
            | Step::Update { .. }
            | Step::RestartLate { .. } => self.by_need("setTools"),
            Step::Answer { calls } => calls.iter().find_map(|call| self.by_call(call)),
            Step::Prompt { .. }
            | Step::Fail { .. }
            | Step::Restart { .. }
            | Step::Branch { .. }
            | Step::SwitchProvider { .. }
            | Step::Elsewhere
            | Step::ElsewhereAhead { .. } => None,
        }
    }

    fn by_call(&self, call: &Call) -> Option<String> {
        match call {
            Call::NewContext => self.by_need("newContext"),
            Call::Search { query: Query::Limited { .. } } => self.by_need("limit"),
            Call::Read => self
                .profile
                .names
                .read
                .is_none()
                .then(|| "the profile names no tool that reads a file".to_owned()),
            Call::Search { .. } | Call::Use { .. } => None,
        }
    }
}
