//! The one line that a runtime has in its own tests: here, the reference's.

use std::process::ExitCode;

use tacit_contract::Revision;
use tacit_reference::{ReferenceOptions, ReferenceRuntime};

fn main() -> ExitCode {
    let options = ReferenceOptions::faultless(Revision::R3);
    tacit_libtest::main("nib-r3", move || ReferenceRuntime::new(options))
}
