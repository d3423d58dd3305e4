//! Shrinking of sessions, as data.
//!
//! A session is not shrunk through the strategies that made it but as what it is: steps, tools
//! and texts. So a step can go whatever scene it came from, a run of steps or tools can go at
//! once, and a session that was read from a file shrinks as well as one that was generated.
//! The same way down serves proptest ([`SessionTree`]) and quickcheck ([`smaller`]).

mod cursor;
mod pieces;
mod text;

use proptest::strategy::{NewTree, Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use tacit_contract::{Mode, Session};

use cursor::Cursor;
pub(crate) use pieces::{simpler_query, simpler_step, simpler_tool, simpler_turn};

/// A strategy whose sessions shrink as data.
#[derive(Debug, Clone)]
pub struct Shrinking<S> {
    inner: S,
    plainest: Mode,
}

impl<S: Strategy<Value = Session>> Shrinking<S> {
    /// The sessions of a strategy, shrinking towards a mode that the runtime has.
    pub fn new(inner: S, plainest: Mode) -> Self {
        Self { inner, plainest }
    }
}

impl<S: Strategy<Value = Session>> Strategy for Shrinking<S> {
    type Tree = SessionTree;
    type Value = Session;

    fn new_tree(&self, runner: &mut TestRunner) -> NewTree<Self> {
        let session = self.inner.new_tree(runner)?.current();
        Ok(SessionTree::new(session, self.plainest))
    }
}

/// A session and the way down from it.
#[derive(Debug, Clone)]
pub struct SessionTree {
    /// The smallest session that is known to fail.
    best: Session,
    /// The smaller one that is being tried, if one is.
    tried: Option<Session>,
    cursor: Cursor,
}

impl SessionTree {
    /// The way down from a session, which need not have been generated.
    #[must_use]
    pub fn new(session: Session, plainest: Mode) -> Self {
        let cursor = Cursor::new(&session, plainest);
        Self { best: session, tried: None, cursor }
    }

    fn try_next(&mut self) -> bool {
        self.tried = self.cursor.candidate(&self.best);
        self.tried.is_some()
    }
}

impl ValueTree for SessionTree {
    type Value = Session;

    fn current(&self) -> Session {
        self.tried.as_ref().unwrap_or(&self.best).clone()
    }

    fn simplify(&mut self) -> bool {
        if let Some(tried) = self.tried.take() {
            self.best = tried;
            self.cursor.kept();
        }
        self.try_next()
    }

    /// Goes back to the last that failed and on to the next candidate at once: to show the one
    /// that failed again would cost a second evaluation each time.
    fn complicate(&mut self) -> bool {
        if self.tried.take().is_none() {
            return false;
        }
        self.cursor.dropped();
        self.try_next()
    }
}

/// Sessions that are a little smaller, in the order in which they are worth trying.
pub fn smaller(session: &Session, plainest: Mode) -> impl Iterator<Item = Session> + use<> {
    let session = session.clone();
    let mut cursor = Cursor::new(&session, plainest);
    let mut first = true;
    std::iter::from_fn(move || {
        if !std::mem::take(&mut first) {
            cursor.dropped();
        }
        cursor.candidate(&session)
    })
}
