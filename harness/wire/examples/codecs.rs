//! What it costs to read a request, beside what parsing the same bytes to a JSON value costs.
//!
//! `cargo run --release -p tacit-wire --example codecs` builds a body of a megabyte for each API
//! (many tools, a long conversation) and prints median times and their ratios. The aim is that
//! `read` and `examine` take less than twice what `serde_json` takes.

use std::hint::black_box;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tacit_contract::ProviderKind;
use tacit_contract::protocol::Api;
use tacit_wire::{WireError, examine, outline, read};

/// How large a body is, in bytes, at least.
const BODY: usize = 1 << 20;

/// How many tools it has.
const TOOLS: usize = 500;

/// How often each way is timed.
const ROUNDS: usize = 41;

/// How many times as long as a bare parse reading may take.
const AIM: f64 = 2.0;

fn main() -> ExitCode {
    match Api::ALL.iter().try_fold(true, |aims, api| Ok(table(*api)? && aims)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => {
            println!("\nmore than {AIM} times a bare parse");
            ExitCode::FAILURE
        }
        Err(error) => {
            let error: WireError = error;
            println!("failed to {error}");
            ExitCode::FAILURE
        }
    }
}

/// Prints what each way costs; says whether those that have an aim meet it.
fn table(api: Api) -> Result<bool, WireError> {
    let body = body(api).to_string().into_bytes();
    let kind = ProviderKind::plain(api);
    let problems = examine(kind, &body)?.1;
    assert!(problems.is_empty(), "the body of {kind} is not as it should be: {problems:?}");

    let mut times: [Vec<Duration>; 4] = Default::default();
    // In turns, so that what else the machine does weighs on each alike.
    for _ in 0..ROUNDS {
        times[0].push(time(|| serde_json::from_slice::<Value>(&body)));
        times[1].push(time(|| read(api, &body)));
        times[2].push(time(|| outline(kind, &body)));
        times[3].push(time(|| examine(kind, &body)));
    }
    let [value, read, outline, examine] = times.map(median);
    println!("\n{kind}, {} bytes", body.len());
    println!("  {:<8} {:>7.2} ms", "value", 1e3 * value);
    let mut met = true;
    for (way, time, has_aim) in
        [("read", read, true), ("outline", outline, false), ("examine", examine, true)]
    {
        let ratio = time / value;
        println!("  {way:<8} {:>7.2} ms  {ratio:.2}", 1e3 * time);
        met &= !has_aim || ratio < AIM;
    }
    Ok(met)
}

/// How long it takes to make something; not how long to drop it.
fn time<T>(way: impl FnOnce() -> T) -> Duration {
    let start = Instant::now();
    let made = black_box(way());
    let time = start.elapsed();
    drop(made);
    time
}

/// The one in the middle, in seconds.
fn median(mut times: Vec<Duration>) -> f64 {
    times.sort_unstable();
    times[times.len() / 2].as_secs_f64()
}

/// A body with all the tools, and as many turns as fill it.
fn body(api: Api) -> Value {
    let tools: Vec<Value> = (0..TOOLS).map(|number| tool(api, number)).collect();
    let mut length = json!(tools).to_string().len();
    let mut turns = Vec::new();
    let mut number = 0;
    while length < BODY {
        let turn = turn(api, number);
        length += turn.iter().map(|message| message.to_string().len() + 1).sum::<usize>();
        turns.extend(turn);
        number += 1;
    }
    let (prompt, conversation) = match api {
        Api::OpenaiChat => {
            turns.insert(0, json!({"role": "system", "content": "You help."}));
            ("user", "messages")
        }
        Api::OpenaiResponses => ("instructions", "input"),
        Api::AnthropicMessages => ("system", "messages"),
    };
    let mut body = json!({"model": "some-model", "stream": true, "tools": tools});
    body[prompt] = json!("You help.");
    body[conversation] = json!(turns);
    if api == Api::AnthropicMessages {
        body["max_tokens"] = json!(4096);
    }
    body
}

fn tool(api: Api, number: usize) -> Value {
    let name = format!("plugin_{}_tool_{number}", number / 10);
    let description = format!("Does the {number}th thing with its input, and says what it did.");
    let property = |at: usize| {
        json!({
            "type": "string",
            "description": format!("What the {at}th property of tool {number} is for, in words."),
            "enum": ["first", "second", "third"],
            "default": "first",
        })
    };
    let schema = json!({
        "type": "object",
        "properties": {
            "input": {"type": "string", "description": "What to do it with."},
            "options": {
                "type": "object",
                "properties": {"mode": property(0), "format": property(1), "depth": property(2)},
                "additionalProperties": false,
            },
            "paths": {"type": "array", "items": property(3), "minItems": 1, "maxItems": 100},
        },
        "required": ["input"],
    });
    match api {
        Api::OpenaiChat => json!({"type": "function", "function": {
            "name": name, "description": description, "parameters": schema}}),
        Api::OpenaiResponses => json!({"type": "function",
            "name": name, "description": description, "parameters": schema, "strict": false}),
        Api::AnthropicMessages => {
            json!({"name": name, "description": description, "input_schema": schema})
        }
    }
}

/// A prompt, a call, its result, an answer.
fn turn(api: Api, number: usize) -> Vec<Value> {
    let prompt = format!("Prompt {number}: look into the file, do it, and say what you did.");
    let id = format!("call_{number}");
    let arguments = json!({"input": "some words", "paths": [format!("src/room_{number}.rs")]});
    let result = "The first line of the result.\n\tA \"quoted\" line.\nAnd a third one.\n";
    let answer = format!("That is done; {number} was all that it took.");
    match api {
        Api::OpenaiChat => vec![
            json!({"role": "user", "content": prompt}),
            json!({"role": "assistant", "content": null, "tool_calls": [
                {"id": id, "type": "function",
                    "function": {"name": "Read", "arguments": arguments.to_string()}}]}),
            json!({"role": "tool", "tool_call_id": id, "content": result}),
            json!({"role": "assistant", "content": answer}),
        ],
        Api::OpenaiResponses => vec![
            json!({"role": "user", "content": [{"type": "input_text", "text": prompt}]}),
            json!({"type": "function_call", "call_id": id, "name": "Read",
                "arguments": arguments.to_string()}),
            json!({"type": "function_call_output", "call_id": id, "output": result}),
            json!({"type": "message", "role": "assistant", "content": [
                {"type": "output_text", "text": answer, "annotations": []}]}),
        ],
        Api::AnthropicMessages => vec![
            json!({"role": "user", "content": [{"type": "text", "text": prompt}]}),
            json!({"role": "assistant", "content": [
                {"type": "tool_use", "id": id, "name": "Read", "input": arguments}]}),
            json!({"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": id, "content": result}]}),
            json!({"role": "assistant", "content": [{"type": "text", "text": answer}]}),
        ],
    }
}
