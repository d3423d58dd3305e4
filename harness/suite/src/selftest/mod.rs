//! The checks put to the test: played against every known fault of the reference runtime, each
//! of which must be found, and against its correct variants, none of which may be blamed.
//!
//! A fault is tried on a bench of its own, from one case to the next on a new runtime: what is
//! found in a case follows from that case, so the matrix is the same however many faults are
//! tried side by side.

mod checks;
mod kill;
mod trial;
mod variants;
mod workers;

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use tacit_contract::clause::clauses;
use tacit_contract::matrix::{MATRIX_VERSION, Matrix, Tried};
use tacit_contract::{ClauseId, Level};
use tacit_reference::{CorrectVariant, Fault};

use crate::closing::millis;
use crate::error::RunError;
use crate::exit::Exit;

pub use checks::Checks;
pub use trial::{Found, Trial};

/// The profile that faults are tried under.
pub const PROFILE: &str = "nib-r3";

/// What is tried, and how hard.
#[derive(Debug, Clone)]
pub struct Settings {
    /// The faults.
    pub faults: Vec<&'static Fault>,
    /// The correct variants.
    pub variants: Vec<&'static CorrectVariant>,
    /// Whether these are all faults that there are.
    pub all: bool,
    /// The most cases that are played of each property.
    pub cases: u32,
    /// The seed.
    pub seed: u64,
    /// How many faults are tried side by side.
    pub jobs: NonZeroUsize,
    /// Which checks are played.
    pub only: Only,
}

/// Which checks are played.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Only {
    /// The scenarios, then the properties.
    #[default]
    Both,
    /// The scenarios alone.
    Scenarios,
    /// The properties alone.
    Properties,
}

impl Only {
    /// Whether scenarios are played.
    #[must_use]
    pub const fn scenarios(self) -> bool {
        matches!(self, Self::Both | Self::Scenarios)
    }

    /// Whether properties are played.
    #[must_use]
    pub const fn properties(self) -> bool {
        matches!(self, Self::Both | Self::Properties)
    }
}

/// Tries every fault and every variant that was asked for; `done` hears the key of each as it
/// ends, in whatever order.
///
/// # Errors
/// The features cannot be read, or a fault could not be tried: a fault of this program itself.
pub fn selftest(
    settings: &Settings,
    stop: &AtomicBool,
    done: &mut dyn FnMut(&str),
) -> Result<Matrix, RunError> {
    let begun = Instant::now();
    let checks = Checks::new(settings.seed, settings.cases)?;
    let (jobs, only) = (settings.jobs.get(), settings.only);
    let faults = workers::each(
        &settings.faults,
        jobs,
        |fault| Ok(Trial::new(fault, &checks, only)?.perform(stop)?.map(|found| found.row)),
        |row: &Tried| done(&row.key),
    )?;
    let variants = workers::each(
        &settings.variants,
        jobs,
        |variant| variants::play(variant, &checks, only, stop),
        |blamed| done(&blamed.key),
    )?;
    let interrupted = stop.load(Ordering::Relaxed);
    let mut matrix = Matrix {
        schema_version: MATRIX_VERSION,
        tool_version: env!("CARGO_PKG_VERSION").to_owned(),
        seed: format!("{:08x}", settings.seed),
        cases: settings.cases,
        duration_ms: millis(begun),
        unproven: unproven(&faults, settings.all && !interrupted),
        faults,
        variants,
        interrupted,
        exit_code: 0,
    };
    matrix.exit_code = exit(&matrix).code();
    Ok(matrix)
}

/// How a command ends that made this matrix.
#[must_use]
pub fn exit(matrix: &Matrix) -> Exit {
    match (matrix.interrupted, matrix.holds()) {
        (true, _) => Exit::Interrupted,
        (false, true) => Exit::Conforms,
        (false, false) => Exit::DoesNotConform,
    }
}

/// The clauses that no fault was seen to break: of all that a run judges, or, where only some
/// faults were tried, of those that these are meant to break.
fn unproven(faults: &[Tried], all: bool) -> Vec<ClauseId> {
    let proven: BTreeSet<&ClauseId> = faults
        .iter()
        .filter(|fault| fault.killed)
        .flat_map(|fault| &fault.killed_by)
        .filter(|kill| kill.is_sound())
        .map(|kill| &kill.clause)
        .collect();
    let meant: BTreeSet<&ClauseId> = faults.iter().flat_map(|fault| &fault.clauses).collect();
    clauses()
        .iter()
        .filter(|clause| meant.contains(&clause.id) || (all && clause.level != Level::Info))
        .filter(|clause| !proven.contains(&clause.id))
        .map(|clause| clause.id.clone())
        .collect()
}
