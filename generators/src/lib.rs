//! Strategies for registries, transcripts, sessions, queries and hostile text.
