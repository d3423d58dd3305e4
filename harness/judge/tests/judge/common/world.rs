//! One prompt in a registry of its own: a search and what came of it, or a request with a base
//! prompt that is written out.

use serde_json::{Value, json};
use tacit_contract::protocol::Api;
use tacit_contract::trace::{Answered, Issued};
use tacit_contract::{
    Call, CallId, Judgement, Mode, Origin, Query, Status, Tool, ToolName, ToolSpec,
};

use super::{ALWAYS, Story, asked, calls};

/// The id of the one search, or of the one call.
pub const ID: &str = "call-1";

/// A registry of plugin tools: names and descriptions. The plugin is what stands before the first
/// `_` of a name.
pub fn registry(tools: &[(&str, &str)]) -> Vec<Tool> {
    let spec = |(name, description): &(&str, &str)| {
        let plugin = name.split('_').next().unwrap_or(name);
        ToolSpec::deferred(*name, *description, Origin::plugin(plugin), &Mode::ALL).tool(1)
    };
    tools.iter().map(spec).collect()
}

/// One search and what came of it.
#[derive(Clone)]
pub struct Searched<'a> {
    /// The registry.
    pub tools: &'a [(&'a str, &'a str)],
    /// What is searched for.
    pub query: Query,
    /// The deferred tools that the request shows in which the model decides to search.
    pub before: &'a [&'a str],
    /// The names in the marker.
    pub marker: &'a [&'a str],
    /// How the search ended.
    pub status: Status,
    /// What the model reads.
    pub result: &'a str,
    /// The deferred tools that the next request shows.
    pub after: &'a [&'a str],
}

impl Default for Searched<'_> {
    fn default() -> Self {
        Self {
            tools: &[],
            query: Query::Missing,
            before: &[],
            marker: &[],
            status: Status::Ok,
            result: "done",
            after: &[],
        }
    }
}

impl Searched<'_> {
    pub fn judged(&self) -> Judgement {
        self.story().judged()
    }

    pub fn story(&self) -> Story {
        let tools = registry(self.tools);
        let mut story = Story::having(tools.clone());
        story.prompt();
        let first = body(&tools, &catalog(&tools), self.before, Vec::new());
        story.request(Api::OpenaiChat, &first, calls(vec![self.issued()]));
        let marker = self.marker.iter().copied().map(ToolName::from).collect();
        story.recorded(ID, "ToolSearch", self.status, Some(marker));
        let rest = answered("ToolSearch", self.result);
        let second = body(&tools, &catalog(&tools), self.after, rest);
        story.request(Api::OpenaiChat, &second, Answered::Text);
        story.end();
        story
    }

    pub fn issued(&self) -> Issued {
        Issued {
            id: CallId::from(ID),
            tool: "ToolSearch".into(),
            arguments: json!({"query": self.query.as_text()}),
            call: Call::Search { query: self.query.clone() },
        }
    }
}

/// A catalog of all tools, with an instruction.
pub fn catalog(tools: &[Tool]) -> String {
    let lines: Vec<String> =
        tools.iter().map(|tool| format!("- {}: {}", tool.name, tool.description)).collect();
    format!("# On-demand tools\nCall ToolSearch first.\n{}\n", lines.join("\n"))
}

/// What is found of one prompt with one request, whose base prompt is this.
pub fn with_base(tools: &[(&str, &str)], base: &str, shown: &[&str]) -> Judgement {
    based(tools, base, shown).judged()
}

/// One prompt with one request, whose base prompt is this.
pub fn based(tools: &[(&str, &str)], base: &str, shown: &[&str]) -> Story {
    let tools = registry(tools);
    let mut story = Story::having(tools.clone());
    story.prompt();
    story.request(Api::OpenaiChat, &body(&tools, base, shown, Vec::new()), Answered::Text);
    story.end();
    story
}

/// A call of the one id and its result.
pub fn answered(tool: &str, result: &str) -> Vec<Value> {
    vec![
        json!({"role": "assistant", "content": null, "tool_calls": [
            {"id": ID, "type": "function", "function": {"name": tool, "arguments": "{}"}},
        ]}),
        json!({"role": "tool", "tool_call_id": ID, "content": result}),
    ]
}

/// A request of the first prompt: base prompt, prompt, and what came after it.
pub fn body(tools: &[Tool], base: &str, shown: &[&str], rest: Vec<Value>) -> Value {
    let listed = ALWAYS.iter().chain(shown).map(|name| definition(tools, name));
    let mut messages = vec![
        json!({"role": "system", "content": base}),
        json!({"role": "user", "content": asked(1)}),
    ];
    messages.extend(rest);
    json!({"model": "scripted", "messages": messages, "tools": listed.collect::<Value>()})
}

fn definition(tools: &[Tool], name: &str) -> Value {
    let given = tools.iter().find(|tool| tool.name == *name);
    let schema = given.map_or_else(|| json!({"type": "object"}), |tool| tool.input_schema.clone());
    let says = given.map_or("what it is for", |tool| &tool.description);
    json!({"type": "function", "function": {
        "name": name, "description": says, "parameters": schema,
    }})
}
