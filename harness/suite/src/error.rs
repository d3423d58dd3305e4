//! Why a run gives no verdict, and where its events go.

use tacit_contract::Event;
use thiserror::Error;

use crate::corpus::CorpusError;

/// Where events go.
pub type Sink<'a> = &'a mut dyn FnMut(Event);

/// Why a run gave no verdict.
#[derive(Debug, Error)]
pub enum RunError {
    /// The corpus cannot be read or written.
    #[error(transparent)]
    Corpus(#[from] CorpusError),
    /// What was asked for cannot be run.
    #[error("{0}")]
    Usage(String),
    /// This program itself.
    #[error("a worker of the harness panicked: this is a fault of tacit itself")]
    OwnFault,
}
