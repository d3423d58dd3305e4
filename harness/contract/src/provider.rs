//! Kinds of provider: over which API a session is played, and whether the provider loads tools.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::protocol::{Api, Capabilities};

/// What a session's provider is like, as far as activation is concerned.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct ProviderKind {
    /// Its API.
    pub api: Api,
    /// Whether it loads deferred tools by itself, and the runtime is told to let it.
    #[serde(default, skip_serializing_if = "is_false")]
    pub native: bool,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_false(native: &bool) -> bool {
    !native
}

impl ProviderKind {
    /// A provider of an API that loads nothing by itself.
    #[must_use]
    pub const fn plain(api: Api) -> Self {
        Self { api, native: false }
    }

    /// A provider of an API that loads deferred tools.
    #[must_use]
    pub const fn native(api: Api) -> Self {
        Self { api, native: true }
    }

    /// Every kind that there is, API by API in the order of the protocol.
    pub const EVERY: [Self; 2 * Api::ALL.len()] = {
        let mut every = [Self::PLAINEST; 2 * Api::ALL.len()];
        let mut at = 0;
        while at < Api::ALL.len() {
            every[2 * at] = Self::plain(Api::ALL[at]);
            every[2 * at + 1] = Self::native(Api::ALL[at]);
            at += 1;
        }
        every
    };

    /// The kind that counterexamples shrink towards.
    pub const PLAINEST: Self = Self::plain(Api::OpenaiChat);

    /// Whether this is the kind that needs no mention.
    #[must_use]
    pub fn is_plainest(&self) -> bool {
        *self == Self::PLAINEST
    }

    /// Every kind that a runtime can be played with over some APIs, in the order of the protocol,
    /// the plain ones first.
    #[must_use]
    pub fn all(runtime: &Capabilities, apis: &[Api]) -> Vec<Self> {
        let spoken = |api: &Api| runtime.provider_apis.contains(api) && apis.contains(api);
        let plain = Api::ALL.into_iter().filter(spoken).map(Self::plain);
        let loads = |api: &Api| spoken(api) && runtime.native_deferral.contains(api);
        plain.chain(Api::ALL.into_iter().filter(loads).map(Self::native)).collect()
    }
}

impl Default for ProviderKind {
    fn default() -> Self {
        Self::PLAINEST
    }
}

impl fmt::Display for ProviderKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.api.as_str())?;
        if self.native { f.write_str(" with native deferral") } else { Ok(()) }
    }
}

/// Another provider, as seen from the one that a session has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub enum OtherProvider {
    /// One of the next API, which loads tools if that can be had.
    OtherApi,
    /// One of the same API that loads tools by itself.
    Native,
    /// One of the same API that does not.
    Plain,
}

impl OtherProvider {
    /// Which kind that is, of those that there are; `None` where there is no such other.
    #[must_use]
    pub fn than(self, now: ProviderKind, kinds: &[ProviderKind]) -> Option<ProviderKind> {
        let there = |kind: ProviderKind| kinds.contains(&kind);
        let other = match self {
            Self::Native => ProviderKind::native(now.api),
            Self::Plain => ProviderKind::plain(now.api),
            Self::OtherApi => {
                let at = Api::ALL.iter().position(|api| *api == now.api)?;
                let mut after = (1..Api::ALL.len()).map(|by| Api::ALL[(at + by) % Api::ALL.len()]);
                let api = after.find(|api| there(ProviderKind::plain(*api)))?;
                let native = ProviderKind::native(api);
                if there(native) { native } else { ProviderKind::plain(api) }
            }
        };
        (other != now && there(other)).then_some(other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KINDS: [ProviderKind; 3] = [
        ProviderKind::plain(Api::OpenaiChat),
        ProviderKind::plain(Api::AnthropicMessages),
        ProviderKind::native(Api::AnthropicMessages),
    ];

    #[test]
    fn another_api_is_the_next_that_there_is_and_the_first_after_the_last() {
        let [chat, plain, native] = KINDS;
        assert_eq!(OtherProvider::OtherApi.than(chat, &KINDS), Some(native));
        assert_eq!(OtherProvider::OtherApi.than(native, &KINDS), Some(chat));
        assert_eq!(OtherProvider::OtherApi.than(chat, &[chat]), None);
        assert_eq!(OtherProvider::OtherApi.than(chat, &[chat, plain]), Some(plain));
    }

    #[test]
    fn loading_is_turned_on_and_off_where_it_is_the_other_way() {
        let [chat, plain, native] = KINDS;
        assert_eq!(OtherProvider::Native.than(plain, &KINDS), Some(native));
        assert_eq!(OtherProvider::Plain.than(native, &KINDS), Some(plain));
        assert_eq!(OtherProvider::Native.than(native, &KINDS), None);
        assert_eq!(OtherProvider::Native.than(chat, &KINDS), None);
    }
}
