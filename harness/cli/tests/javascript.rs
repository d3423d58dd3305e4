//! Published runtimes in JavaScript, through the adapters that are kept here.

#![allow(clippy::unwrap_used, reason = "a test that panics is a test that fails")]

mod common;

use common::published::{fails_under_nib, keeps_what_it_claims};

#[test]
fn the_ai_sdk_keeps_what_it_claims() {
    let part = "@family:activation or @family:reset";
    let kept = ["activation.next-request", "activation.refused-until", "reset.each-prompt"];
    keeps_what_it_claims("ai-sdk", part, &kept);
}

#[test]
fn mastra_keeps_what_it_claims() {
    let part = "@family:activation or @family:e2e";
    let kept = ["activation.next-request", "catalog.heading", "restore.search-evidence"];
    keeps_what_it_claims("mastra", part, &kept);
}

#[test]
fn mastra_in_memory_keeps_what_it_claims() {
    let part = "@clause:activation.union or @clause:activation.lasts";
    keeps_what_it_claims("mastra-in-memory", part, &["activation.union", "activation.lasts"]);
}

#[test]
fn under_the_contract_of_nib_the_ai_sdk_forgets_what_was_found() {
    let part = "@clause:initial.search-absent or @clause:catalog.heading or \
                @clause:restore.ignores-missing or @clause:provider.fallback";
    let failing = [
        "catalog.heading",
        "catalog.names",
        "initial.new-context",
        "initial.search-absent",
        "restore.ignores-failed",
        "restore.ignores-missing",
        "restore.search-evidence",
    ];
    fails_under_nib("ai-sdk", part, &failing, &["activation.next-request"]);
}

#[test]
fn under_the_contract_of_nib_mastra_has_another_catalog_and_no_proof_by_use() {
    let part = "@clause:initial.search-absent or @clause:catalog.heading or \
                @clause:restore.use-evidence";
    let failing = [
        "catalog.heading",
        "catalog.names",
        "initial.new-context",
        "initial.search-absent",
        "restore.ignores-failed",
        "restore.use-evidence",
    ];
    fails_under_nib("mastra", part, &failing, &["restore.search-evidence"]);
}
