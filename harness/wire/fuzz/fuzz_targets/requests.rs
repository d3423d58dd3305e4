//! Whatever the bytes of a body are, it is read or refused at every kind of endpoint, and the same
//! is read in whichever way it is looked at.

#![no_main]

use libfuzzer_sys::fuzz_target;
use tacit_contract::ProviderKind;
use tacit_contract::protocol::Api;
use tacit_wire::{WireError, examine, outline, read};

fuzz_target!(|body: &[u8]| {
    for api in Api::ALL {
        let whole = read(api, body);
        for kind in [ProviderKind::plain(api), ProviderKind::native(api)] {
            let looked = examine(kind, body);
            let problems = match &looked {
                Ok((_, problems)) => problems.clone(),
                Err(error) => vec![WireError::as_problem(error)],
            };
            for problem in problems {
                assert!(!problem.to_string().is_empty());
            }
            assert_eq!(looked.map(|(view, _)| view), whole);
        }
        assert_eq!(outline(ProviderKind::plain(api), body).is_ok(), whole.is_ok());
    }
});
