//! Kinds of provider: which there are, and which is left out of what is written.

use tacit_contract::protocol::{Api, CoreTools};
use tacit_contract::{OtherProvider, ProviderKind};

use crate::some::{runtime, session};

const CHAT: ProviderKind = ProviderKind::plain(Api::OpenaiChat);
const MESSAGES: ProviderKind = ProviderKind::plain(Api::AnthropicMessages);
const RESPONSES: ProviderKind = ProviderKind::plain(Api::OpenaiResponses);

#[test]
fn every_kind_is_there_once_and_in_order() {
    let every: Vec<_> = Api::ALL
        .into_iter()
        .flat_map(|api| [ProviderKind::plain(api), ProviderKind::native(api)])
        .collect();
    assert_eq!(ProviderKind::EVERY.to_vec(), every);
    assert!(every[0] != every[1] && every[1] != every[2]);
}

#[test]
fn a_runtime_is_played_over_what_it_speaks_and_what_is_asked_for() {
    let mut can = runtime(CoreTools::Own).capabilities;
    can.provider_apis = vec![Api::AnthropicMessages, Api::OpenaiChat];
    can.native_deferral = vec![Api::AnthropicMessages, Api::OpenaiResponses];
    let all = ProviderKind::all(&can, &Api::ALL);
    assert_eq!(all, [CHAT, MESSAGES, ProviderKind::native(Api::AnthropicMessages)]);
    assert_eq!(ProviderKind::all(&can, &[Api::OpenaiChat, Api::OpenaiResponses]), [CHAT]);
}

#[test]
fn the_plainest_kind_needs_no_mention() {
    assert!(CHAT.is_plainest() && ProviderKind::default() == CHAT);
    let mut it = session(Vec::new(), Vec::new());
    assert!(serde_json::to_value(&it).unwrap().get("provider").is_none());
    for other in [MESSAGES, ProviderKind::native(Api::OpenaiChat)] {
        it.provider = other;
        assert!(!other.is_plainest());
        let written = serde_json::to_value(&it).unwrap();
        assert_eq!(
            serde_json::from_value::<ProviderKind>(written["provider"].clone()).unwrap(),
            other
        );
    }
    assert_eq!(serde_json::to_string(&CHAT).unwrap(), "{\"api\":\"openai-chat\"}");
}

#[test]
fn the_api_after_the_last_is_the_first_and_one_that_is_not_there_is_passed_over() {
    let all = [CHAT, RESPONSES, MESSAGES];
    let next = |kind, kinds: &[ProviderKind]| OtherProvider::OtherApi.than(kind, kinds);
    assert_eq!(next(CHAT, &all), Some(RESPONSES));
    assert_eq!(next(RESPONSES, &all), Some(MESSAGES));
    assert_eq!(next(MESSAGES, &all), Some(CHAT));
    assert_eq!(next(CHAT, &[CHAT, MESSAGES]), Some(MESSAGES));
    assert_eq!(next(RESPONSES, &[CHAT, RESPONSES]), Some(CHAT));
}
