//! The providers of a run: which kinds there are, and which case is played with which.

use tacit_contract::ProviderKind;
use tacit_contract::protocol::{Api, Description};
use tacit_contract::runtime::RuntimeError;

use crate::error::RunError;

/// How many cases take turns before the next begin one kind later: rare cases of a property come
/// at regular intervals, and shall not always meet the same kind.
const BLOCK: u64 = 64;

/// The kinds of provider that a runtime can be played with, over the APIs that are used of it.
#[must_use]
pub fn kinds(runtime: &Description) -> Vec<ProviderKind> {
    ProviderKind::all(&runtime.capabilities, &Api::ALL)
}

/// The provider of a property's case: the kinds take turns, so that how long a property takes
/// does not grow with their number.
#[must_use]
pub fn of_case(number: u64, kinds: &[ProviderKind]) -> ProviderKind {
    let count = kinds.len().max(1) as u64;
    let turn = (number % BLOCK + number / BLOCK) % count;
    usize::try_from(turn).ok().and_then(|turn| kinds.get(turn)).copied().unwrap_or_default()
}

/// A runtime as if it spoke no other APIs than those asked for.
///
/// # Errors
/// It speaks none of them: whoever asked for one of several cannot have it, and a runtime that
/// speaks none at all cannot be used.
pub fn narrowed(runtime: &Description, asked: &[Api]) -> Result<Description, Lacking> {
    let mut narrowed = runtime.clone();
    let can = &mut narrowed.capabilities;
    // Each once, in the order of the protocol.
    let spoken = std::mem::take(&mut can.provider_apis);
    let wanted = |api: &Api| spoken.contains(api) && asked.contains(api);
    can.provider_apis = Api::ALL.into_iter().filter(wanted).collect();
    can.native_deferral.retain(|api| can.provider_apis.contains(api));
    if !can.provider_apis.is_empty() {
        return Ok(narrowed);
    }
    let speaks = list(&runtime.capabilities.provider_apis);
    if runtime.capabilities.provider_apis.is_empty() {
        let problem = "it says that it speaks no provider API: expected at least one in \
                       `capabilities.providerApis`";
        return Err(Lacking::Unusable(RuntimeError::NotStarted { problem: problem.to_owned() }));
    }
    let problem = format!("the runtime does not speak {}: `--api` takes {speaks}", list(asked));
    Err(Lacking::Usage(RunError::Usage(problem)))
}

/// Why there is no provider to play with.
#[derive(Debug)]
pub enum Lacking {
    /// The runtime speaks nothing at all.
    Unusable(RuntimeError),
    /// It does not speak what was asked for.
    Usage(RunError),
}

fn list(apis: &[Api]) -> String {
    apis.iter().map(|api| api.as_str()).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn runtime(apis: &[Api], native: &[Api]) -> Description {
        let mut runtime: Description = serde_json::from_value(serde_json::json!({
            "protocolVersion": 1,
            "runtime": {"name": "any", "version": "1"},
            "capabilities": {"providerApis": [], "modes": ["agent"], "coreTools": "own"},
        }))
        .unwrap_or_else(|error| panic!("{error}"));
        runtime.capabilities.provider_apis = apis.to_vec();
        runtime.capabilities.native_deferral = native.to_vec();
        runtime
    }

    #[test]
    fn what_is_not_asked_for_is_not_there() {
        let two = [Api::OpenaiChat, Api::AnthropicMessages];
        let whole = runtime(&two, &two);
        let narrowed = narrowed(&whole, &[Api::AnthropicMessages]);
        let kinds = narrowed.map(|narrowed| kinds(&narrowed)).ok();
        let both = [ProviderKind::plain, ProviderKind::native];
        assert_eq!(kinds, Some(both.map(|kind| kind(Api::AnthropicMessages)).to_vec()));
    }

    #[test]
    fn an_api_that_the_runtime_does_not_speak_is_a_slip_of_who_asked() {
        let asked = narrowed(&runtime(&[Api::OpenaiChat], &[]), &[Api::OpenaiResponses]);
        let Err(Lacking::Usage(RunError::Usage(problem))) = asked else { panic!("{asked:?}") };
        assert!(problem.contains("openai-responses: `--api` takes openai-chat"), "{problem}");
    }

    #[test]
    fn a_runtime_that_speaks_no_api_cannot_be_used() {
        let asked = narrowed(&runtime(&[], &[]), &Api::ALL);
        assert!(matches!(asked, Err(Lacking::Unusable(_))), "{asked:?}");
    }

    #[test]
    fn each_kind_meets_as_many_cases_and_rare_ones_as_well() {
        let all = ProviderKind::EVERY;
        for count in 1..=all.len() {
            let kinds = &all[..count];
            let of = |number| of_case(number, kinds);
            for kind in kinds {
                let met = (0..256).filter(|number| of(*number) == *kind).count();
                assert!(met.abs_diff(256 / count) <= 4, "{kind}: {met} of 256, {count} kinds");
            }
            let rare: BTreeSet<ProviderKind> = (0..4).map(|nth| of(nth * 64)).collect();
            assert_eq!(rare.len(), count.min(4), "{count} kinds");
        }
    }
}
