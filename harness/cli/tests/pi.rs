//! pi in two versions, by itself and with an extension that keeps the contract on its engine.

#![allow(clippy::unwrap_used, reason = "a test that panics is a test that fails")]

mod common;

use common::published::{fails_under_nib_in_these, keeps_what_it_claims};

/// Over every API, plain and native: where definitions stand, and what leaves with the context.
const POLICY: &str = "@clause:provider.native or @clause:restore.effective-context";

const KEPT: [&str; 5] = [
    "activation.next-request",
    "catalog.heading",
    "provider.native",
    "restore.effective-context",
    "restore.search-evidence",
];

#[test]
fn the_policy_keeps_the_contract_on_the_engine_of_0_83() {
    keeps_what_it_claims("pi-0.83-policy", POLICY, &KEPT);
}

#[test]
fn the_policy_keeps_the_contract_on_the_engine_of_1_6() {
    keeps_what_it_claims("pi-1.6-policy", POLICY, &KEPT);
}

#[test]
fn pi_0_83_keeps_what_it_claims() {
    let kept = ["activation.next-request", "search.at-most-four"];
    keeps_what_it_claims("pi-0.83", "@clause:search.at-most-four", &kept);
}

#[test]
fn pi_1_6_keeps_what_it_claims() {
    let kept = ["activation.next-request", "restore.search-evidence"];
    keeps_what_it_claims("pi-1.6", "@clause:restore.search-evidence", &kept);
}

#[test]
fn under_the_contract_of_nib_pi_0_83_restores_nothing() {
    let part = "@clause:restore.search-evidence or @clause:search.at-most-four";
    let kept = ["activation.next-request", "search.at-most-four"];
    fails_under_nib_in_these("pi-0.83", part, &["restore.search-evidence"], &kept);
}

#[test]
fn under_the_contract_of_nib_pi_1_6_loads_more_than_four() {
    let part = "@clause:restore.search-evidence or @clause:search.at-most-four";
    let kept = ["activation.next-request", "restore.search-evidence"];
    fails_under_nib_in_these("pi-1.6", part, &["search.at-most-four"], &kept);
}
