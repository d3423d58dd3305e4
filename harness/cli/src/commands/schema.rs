//! `tacit schema`.

use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Value, json};
use tacit_contract::protocol::{
    Description, ErrorAnswer, InSession, Initialize, Opening, Prompt, PromptEnd, Saved as State,
    SetMode, SetTools, Transcript, VERSION, method,
};
use tacit_contract::runtime::{HostAnswer, HostCall};
use tacit_contract::{Event, Matrix, Saved, Trace};
use tacit_reports::Diff;
use tacit_suite::compare::Comparison;
use tacit_suite::revisions::Revisions;

use crate::args::Schema;
use crate::output;
use crate::problem::Problem;

/// Prints a schema.
pub fn schema(name: Schema) -> Result<(), Problem> {
    output::print_json(&match name {
        Schema::Protocol => protocol(),
        Schema::Report => tacit_reports::json::schema(),
        Schema::Event => written::<Event>(),
        Schema::Session => read::<Saved>(),
        Schema::Trace => read::<Trace>(),
        Schema::Selftest => written::<Matrix>(),
        Schema::Comparison => written::<Comparison>(),
        Schema::Diff => written::<Diff>(),
        Schema::Revisions => written::<Revisions>(),
    })
}

/// The schema of what tacit writes: all that will be there.
fn written<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    settings.into_generator().into_root_schema_for::<T>().to_value()
}

/// The schema of what tacit reads: all that must be there.
fn read<T: JsonSchema>() -> Value {
    let settings = SchemaSettings::draft2020_12().for_deserialize();
    settings.into_generator().into_root_schema_for::<T>().to_value()
}

/// The messages of the adapter protocol, a schema for each.
fn protocol() -> Value {
    let nothing = || json!({"type": "object"});
    let in_session = written::<InSession>;
    let method = |params: Value, result: Value| json!({"params": params, "result": result});
    json!({
        "protocolVersion": VERSION,
        "methods": {
            (method::INITIALIZE): method(written::<Initialize>(), read::<Description>()),
            (method::OPEN): method(written::<Opening>(), nothing()),
            (method::PROMPT): method(written::<Prompt>(), read::<PromptEnd>()),
            (method::SAVE): method(in_session(), read::<State>()),
            (method::CLOSE): method(in_session(), nothing()),
            (method::SHUTDOWN): method(nothing(), nothing()),
            (method::TRANSCRIPT): method(in_session(), read::<Transcript>()),
            (method::ABORT): method(in_session(), nothing()),
            (method::SET_MODE): method(written::<SetMode>(), nothing()),
            (method::SET_TOOLS): method(written::<SetTools>(), nothing()),
            (method::COMPACT): method(in_session(), nothing()),
        },
        "error": read::<ErrorAnswer>(),
        "host": {"call": read::<HostCall>(), "answer": written::<HostAnswer>()},
    })
}
