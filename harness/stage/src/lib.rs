//! Plays a session on a runtime and records the trace.
