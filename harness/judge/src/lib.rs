//! The evidence model and one check per clause; pure.
