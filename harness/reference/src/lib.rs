//! The reference runtime: a real implementation of ADR 0048, with each known fault as a switch.
