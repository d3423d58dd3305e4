//! The events of a run, rendered.
