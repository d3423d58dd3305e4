//! The checks: one for each clause, a file for each family.

mod activation;
mod answering;
mod cache;
mod catalog;
mod cost;
mod finding;
mod fresh;
mod host;
mod initial;
mod isolation;
mod listing;
mod matching;
mod names;
mod native;
pub(crate) mod order;
mod provider;
mod registry;
mod restore;
mod search;
mod searches;

use tacit_contract::trace::Answered;

use crate::account::{PromptAccount, RequestAccount, SessionAccount};
use crate::hearing::{Findings, Hearing};

/// How a clause is judged.
pub enum Check {
    /// On each session of a trace, by a check of its own.
    Own(fn(&Hearing<'_>, &mut Findings)),
    /// With the evidence model, which tells for each tool which clause decides.
    Evidence,
    /// With the evidence model, and by a check of its own.
    Both(fn(&Hearing<'_>, &mut Findings)),
    /// On two traces, a session and a variant of it.
    Compared,
    /// On two traces, and on each session of a trace by a check of its own.
    ComparedAndOwn(fn(&Hearing<'_>, &mut Findings)),
}

/// Every clause that has a check, and its check.
pub const CHECKS: &[(&str, Check)] = &[
    ("initial.core", Check::Own(initial::core)),
    ("initial.minimal", Check::Evidence),
    ("initial.search-present", Check::Own(initial::search_present)),
    ("initial.search-absent", Check::Own(initial::search_absent)),
    ("initial.new-context", Check::Own(initial::new_context)),
    ("initial.cost", Check::Compared),
    ("catalog.heading", Check::Own(catalog::heading)),
    ("catalog.names", Check::Own(catalog::names)),
    ("catalog.only-deferred", Check::Own(catalog::only_deferred)),
    ("catalog.no-schema", Check::Own(catalog::no_schema)),
    ("catalog.bounded", Check::Own(catalog::bounded)),
    ("catalog.one-line", Check::Own(catalog::one_line)),
    ("catalog.remainder", Check::Own(listing::remainder)),
    ("catalog.instruction", Check::Own(listing::instruction)),
    ("catalog.clean-text", Check::Own(listing::clean_text)),
    ("catalog.no-guidance", Check::Own(listing::no_guidance)),
    ("search.exact", Check::Own(search::exact)),
    ("search.capability", Check::Own(search::capability)),
    ("search.at-most-four", Check::Own(search::at_most_four)),
    ("search.marker", Check::Own(search::marker)),
    ("search.no-match", Check::Both(search::no_match)),
    ("search.local", Check::Own(search::local)),
    ("search.row", Check::Own(search::row)),
    ("search.decorated", Check::Own(finding::decorated)),
    ("search.several", Check::Own(finding::several)),
    ("search.any-script", Check::Own(finding::any_script)),
    ("search.words", Check::Own(finding::whole_words)),
    ("search.active-again", Check::Own(answering::active_again)),
    ("search.bounded", Check::Own(answering::bounded)),
    ("search.truthful", Check::Own(answering::truthful)),
    ("search.not-json", Check::Own(answering::not_json)),
    ("activation.next-request", Check::Evidence),
    ("activation.not-before", Check::Evidence),
    ("activation.not-by-text", Check::Evidence),
    ("activation.lasts", Check::Evidence),
    ("activation.refused-until", Check::Both(activation::refused_until)),
    ("activation.same-batch", Check::Own(activation::same_batch)),
    ("activation.union", Check::Evidence),
    ("reset.each-prompt", Check::Evidence),
    ("restore.search-evidence", Check::Evidence),
    ("restore.use-evidence", Check::Evidence),
    ("restore.only-catalog", Check::Evidence),
    ("restore.ignores-failed", Check::Evidence),
    ("restore.ignores-interrupted", Check::Evidence),
    ("restore.ignores-missing", Check::Both(restore::goes_on)),
    ("restore.ignores-prose", Check::Evidence),
    ("restore.effective-context", Check::Evidence),
    ("restore.restart", Check::Compared),
    ("restore.marker-durable", Check::Own(restore::marker_durable)),
    ("host.same-path", Check::Own(host::same_path)),
    ("host.no-grant", Check::Own(host::no_grant)),
    ("host.mode-forbids", Check::Both(host::mode_forbids)),
    ("provider.fallback", Check::Own(provider::fallback)),
    ("provider.native", Check::Own(native::native)),
    ("provider.same", Check::ComparedAndOwn(provider::same)),
    ("provider.valid", Check::Own(provider::valid)),
    ("provider.retry", Check::Own(provider::retry)),
    ("isolation.sessions", Check::Both(isolation::versions)),
    ("registry.removed", Check::Both(registry::removed)),
    ("order.stable", Check::ComparedAndOwn(order::stable)),
    ("registry.fresh", Check::Own(fresh::fresh)),
    ("registry.reserved", Check::Own(names::reserved)),
    ("registry.collisions", Check::Own(names::collisions)),
    ("cache.order", Check::Own(cache::order)),
    ("cache.base-prompt", Check::Own(cache::base_prompt)),
    ("cache.loader", Check::Own(cache::loader)),
    ("cost.first-request", Check::Own(cost::first_request)),
];

/// Whether the provider failed in a prompt, refused a request for its form, or gave an answer that
/// nobody can read: an error that ends the prompt is the runtime's answer to that.
fn provider_failed(session: &SessionAccount<'_>, prompt: &PromptAccount<'_>) -> bool {
    answers_failed(session, prompt)
        || prompt.issued().any(|(_, issued)| searches::has_no_json(issued))
}

/// Whether the provider failed in a prompt, or refused a request for its form.
fn answers_failed(session: &SessionAccount<'_>, prompt: &PromptAccount<'_>) -> bool {
    let failed =
        |request: &RequestAccount<'_>| matches!(request.raw.answer, Answered::Failure { .. });
    prompt.requests.iter().any(failed) || session.was_refused_in(prompt)
}
