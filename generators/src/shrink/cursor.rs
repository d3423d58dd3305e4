//! Where in the way down a shrinking session is.

use std::collections::BTreeSet;

use tacit_contract::session::{Bulk, Outcome};
use tacit_contract::{Call, Mode, ProviderKind, Session, Step, ToolName, ToolSpec};

use super::pieces::{PLAIN_DESCRIPTION, plain_step, simpler_step, simpler_tool};
use crate::coverage::names_of;
use crate::universe::find;

/// The passes, in the order in which they are made: what takes most away comes first. After
/// the last the first begins again, until a whole round takes nothing away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pass {
    /// Changes of the session as a whole.
    Whole,
    /// Runs of steps are cut, then single steps.
    CutSteps,
    /// Runs of tools are cut, then single tools.
    CutTools,
    /// Each step is made simpler.
    Steps,
    /// Each tool is made simpler.
    Tools,
    /// What hardly ever matters.
    Rest,
}

const PASSES: [Pass; 6] =
    [Pass::Whole, Pass::CutSteps, Pass::CutTools, Pass::Steps, Pass::Tools, Pass::Rest];

/// A place in the passes.
#[derive(Debug, Clone)]
pub(super) struct Cursor {
    plainest: Mode,
    pass: usize,
    /// How many elements are cut at once.
    size: usize,
    /// One past the last element that is yet to be looked at; it goes from the end to the
    /// beginning, so that a cut moves nothing that is still ahead.
    end: usize,
    /// Which of the simpler forms of the session or of an element comes next.
    form: usize,
    first_round: bool,
    changed: bool,
}

impl Cursor {
    pub(super) fn new(session: &Session, plainest: Mode) -> Self {
        let mut cursor =
            Self { plainest, pass: 0, size: 1, end: 0, form: 0, first_round: true, changed: false };
        cursor.enter(0, session);
        cursor
    }

    /// The next session to try, different from this one; `None` at the end of the way.
    pub(super) fn candidate(&mut self, best: &Session) -> Option<Session> {
        loop {
            let Some(pass) = PASSES.get(self.pass).copied() else {
                if !self.changed {
                    return None;
                }
                self.first_round = false;
                self.changed = false;
                self.enter(0, best);
                continue;
            };
            match self.at(pass, best) {
                Some(candidate) if candidate != *best => return Some(candidate),
                Some(_) => self.skip(pass),
                None => self.enter(self.pass + 1, best),
            }
        }
    }

    /// The candidate failed and is the best there is now.
    pub(super) fn kept(&mut self) {
        self.changed = true;
        // After a simpler form nothing moves: the forms are those of the new element now, and
        // the next to try stands where this one stood.
        if let Some(Pass::CutSteps | Pass::CutTools) = PASSES.get(self.pass) {
            self.end = self.end.saturating_sub(self.size);
        }
    }

    /// The candidate did not fail.
    pub(super) fn dropped(&mut self) {
        if let Some(pass) = PASSES.get(self.pass).copied() {
            self.skip(pass);
        }
    }

    fn skip(&mut self, pass: Pass) {
        match pass {
            Pass::CutSteps | Pass::CutTools => self.end = self.end.saturating_sub(self.size),
            Pass::Whole | Pass::Steps | Pass::Tools | Pass::Rest => self.form += 1,
        }
    }

    fn enter(&mut self, pass: usize, session: &Session) {
        self.pass = pass;
        self.form = 0;
        let length = self.length(session);
        self.end = length;
        // Runs were tried in the first round; later ones only pick up what has become free.
        self.size = if self.first_round { (length / 2).max(1) } else { 1 };
    }

    fn length(&self, session: &Session) -> usize {
        match PASSES.get(self.pass) {
            Some(Pass::CutSteps | Pass::Steps) => session.steps.len(),
            Some(Pass::CutTools | Pass::Tools) => session.tools.len(),
            _ => 0,
        }
    }

    fn next_size(&mut self, session: &Session) {
        if self.end == 0 && self.size > 1 {
            let length = self.length(session);
            self.size = (self.size / 2).min(length.max(1));
            self.end = length;
        }
    }

    fn at(&mut self, pass: Pass, best: &Session) -> Option<Session> {
        match pass {
            Pass::Whole => whole(self.form, best),
            Pass::CutSteps => self.cut(best, |session| &mut session.steps),
            Pass::CutTools => self.cut(best, |session| &mut session.tools),
            Pass::Steps => self.simplify(best, |session| &mut session.steps, simpler_step),
            Pass::Tools => self.simplify(best, |session| &mut session.tools, simpler_tool),
            Pass::Rest => rest(self.form, best, self.plainest),
        }
    }

    fn cut<T>(&mut self, best: &Session, list: fn(&mut Session) -> &mut Vec<T>) -> Option<Session> {
        self.next_size(best);
        if self.end == 0 {
            return None;
        }
        let mut candidate = best.clone();
        list(&mut candidate).drain(self.end.saturating_sub(self.size)..self.end);
        Some(candidate)
    }

    fn simplify<T>(
        &mut self,
        best: &Session,
        list: fn(&mut Session) -> &mut Vec<T>,
        simpler: fn(&T) -> Vec<T>,
    ) -> Option<Session> {
        let mut candidate = best.clone();
        let elements = list(&mut candidate);
        while let Some(at) = self.end.checked_sub(1) {
            let forms = elements.get(at).map(simpler).unwrap_or_default();
            if let Some(form) = forms.into_iter().nth(self.form) {
                elements[at] = form;
                return Some(candidate);
            }
            self.end = at;
            self.form = 0;
        }
        None
    }
}

/// A session from which something is taken away as a whole.
fn whole(form: usize, best: &Session) -> Option<Session> {
    let mut session = best.clone();
    match form {
        0 => session.bulk = Bulk::default(),
        1 => {
            let named = named(best);
            session.tools.retain(|tool| named.contains(tool.name.as_str()));
        }
        2 => {
            session.steps = session.steps.iter().map(plain_step).collect();
            let foreign = |tool: &&mut ToolSpec| find(tool.name.as_str()).is_none();
            for tool in session.tools.iter_mut().filter(foreign) {
                PLAIN_DESCRIPTION.clone_into(&mut tool.description);
            }
        }
        3 => session.steps = session.steps.iter().map(plain_step).collect(),
        4 => session.steps.iter_mut().for_each(allow),
        // Whether the runtime has such a provider is not known here: if not, nothing fails.
        5 => session.provider = ProviderKind::plain(best.provider.api),
        6 => session.provider = ProviderKind::PLAINEST,
        // What a change of provider shows, a session that begins with it often shows as well.
        7 => begin_with_the_other(&mut session, |other| other),
        8 => begin_with_the_other(&mut session, |other| ProviderKind::plain(other.api)),
        _ => return None,
    }
    Some(session)
}

/// Leaves the first change of provider out, and begins with the other one.
fn begin_with_the_other(session: &mut Session, kind: fn(ProviderKind) -> ProviderKind) {
    let first = session.steps.iter().enumerate().find_map(|(place, step)| match step {
        Step::SwitchProvider { to } => {
            Some((place, to.than(session.provider, &ProviderKind::EVERY)?))
        }
        _ => None,
    });
    if let Some((place, other)) = first {
        session.steps.remove(place);
        session.provider = kind(other);
    }
}

fn allow(step: &mut Step) {
    if let Step::Answer { calls } = step {
        for call in calls {
            if let Call::Use { outcome, .. } = call {
                *outcome = Outcome::Ok;
            }
        }
    }
}

/// The names that the steps mention: in calls, queries, markers and rows.
fn named(session: &Session) -> BTreeSet<&str> {
    let mut names = BTreeSet::new();
    for step in &session.steps {
        match step {
            Step::Answer { calls } => {
                for call in calls {
                    match call {
                        Call::Use { tool, .. } => names.extend([tool.as_str()]),
                        Call::Search { query } => names.extend(query.as_text()),
                        Call::Read | Call::NewContext => {}
                    }
                }
            }
            Step::Seed(turn) => {
                names.extend(turn.moments.iter().flat_map(names_of).map(ToolName::as_str));
            }
            _ => {}
        }
    }
    names
}

/// What hardly ever matters, and makes two counterexamples easier to compare.
fn rest(form: usize, best: &Session, plainest: Mode) -> Option<Session> {
    let mut session = best.clone();
    match form {
        0 => session.mode = plainest,
        1 => session.bulk.count /= 2,
        2 => session.bulk.count = session.bulk.count.saturating_sub(1),
        3 => session.bulk.description = session.bulk.description.min(10),
        4 => session.seed = 1,
        _ => return None,
    }
    Some(session)
}
