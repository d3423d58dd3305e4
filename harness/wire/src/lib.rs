//! Reads provider requests and writes provider answers; pure.
