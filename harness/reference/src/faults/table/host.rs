//! The way to the host.

use super::must;
use crate::faults::Fault;
use crate::switches::Switch;

pub(super) const ROWS: &[Fault] = &[
    must(
        Switch::SkipsAuditForActivated,
        "skips-audit-for-activated",
        &[],
        &["host.same-path"],
        None,
        "Calls of activated tools are not written down by the host.",
    ),
    must(
        Switch::ActivatedWithoutTimeout,
        "activated-without-timeout",
        &[],
        &["host.same-path"],
        None,
        "Calls of activated tools are sent to the host without a time limit.",
    ),
    must(
        Switch::ActivatedOutsideWorkspace,
        "activated-outside-workspace",
        &[],
        &["host.same-path"],
        None,
        "Calls of activated tools are sent to the host without the workspace.",
    ),
    must(
        Switch::GrantOnActivation,
        "grant-on-activation",
        &[],
        &["host.no-grant"],
        None,
        "A tool that was activated runs even if the host denies it.",
    ),
    must(
        Switch::GlobalSearchScope,
        "global-search-scope",
        &["NousResearch/hermes-agent PR #34493", "octos-org/octos #1152"],
        &["host.mode-forbids"],
        Some(3),
        "A search finds and activates tools of every mode.",
    ),
    must(
        Switch::PermissionOnce,
        "permission-once",
        &[],
        &["host.same-path"],
        Some(5),
        "For an activated tool permission is asked once.",
    ),
    must(
        Switch::DenialRecordedOk,
        "denial-recorded-ok",
        &[],
        &["host.no-grant"],
        Some(3),
        "A denied call of an activated tool is recorded as a success.",
    ),
    must(
        Switch::DeferEqualsRestrict,
        "defer-equals-restrict",
        &["octos-org/octos #174"],
        &["host.mode-forbids"],
        Some(2),
        "What the mode forbids is taken for deferred: it is listed, found and activated.",
    ),
];
