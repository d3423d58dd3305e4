//! What is written and read again: names of modes, revisions, APIs, and kinds of provider.

use tacit_contract::protocol::{Api, LINE_LIMIT, LOG_LIMIT, code};
use tacit_contract::{ClauseId, Mode, ProviderKind, Revision};

#[test]
fn modes_and_revisions_are_read_as_they_are_written() {
    assert_eq!(Mode::ALL.map(Mode::as_str), ["agent", "chat", "plan", "goal"]);
    for mode in Mode::ALL {
        assert_eq!(mode.to_string().parse(), Ok(mode));
    }
    assert_eq!(Revision::ALL.map(Revision::as_str), ["r1", "r2", "r3"]);
    for revision in Revision::ALL {
        assert_eq!(revision.to_string().parse(), Ok(revision));
    }
    assert!("ask".parse::<Mode>().unwrap_err().contains("`ask` is no mode"));
    assert!("r4".parse::<Revision>().unwrap_err().contains("`r4` is no revision"));
}

#[test]
fn apis_are_named_as_on_the_wire() {
    for api in Api::ALL {
        assert_eq!(serde_json::to_value(api).unwrap(), api.as_str());
    }
}

#[test]
fn a_kind_of_provider_is_told_with_its_api_and_whether_it_loads() {
    let plain = ProviderKind::plain(Api::OpenaiResponses);
    assert_eq!(plain.to_string(), "openai-responses");
    let native = ProviderKind::native(Api::OpenaiResponses);
    assert_eq!(native.to_string(), "openai-responses with native deferral");
}

#[test]
fn a_clause_is_of_the_family_before_its_dot() {
    assert_eq!(ClauseId::from("restore.use-evidence").family(), "restore");
}

#[test]
fn the_protocol_s_numbers_are_those_that_adapters_know() {
    assert_eq!((LINE_LIMIT, LOG_LIMIT), (67_108_864, 1_048_576));
    let of_json_rpc = [
        code::PARSE,
        code::INVALID_REQUEST,
        code::UNKNOWN_METHOD,
        code::BAD_PARAMS,
        code::INTERNAL,
    ];
    assert_eq!(of_json_rpc, [-32700, -32600, -32601, -32602, -32603]);
}
