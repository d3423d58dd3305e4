//! The body of a request, as it may come: forms that endpoints refuse are let through here as
//! long as they say what the model would see.
//!
//! Blocks are one record with the members of all their types: told apart before they are read,
//! each would have to be held twice.

use serde::Deserialize;
use serde_json::Value;

use crate::body::{Known, Schema};
use crate::content;

#[derive(Deserialize)]
#[serde(bound(deserialize = "S: Schema"))]
#[expect(dead_code, reason = "members that are known are not all read")]
pub(crate) struct Body<S> {
    pub(super) model: Option<Known>,
    pub(super) max_tokens: Option<Known>,
    pub(super) system: Option<Content<S>>,
    pub(super) messages: Vec<Message<S>>,
    pub(super) tools: Option<Vec<ToolEntry<S>>>,
    pub(super) tool_choice: Option<Known>,
    pub(super) stream: Option<bool>,
    pub(super) thread: Option<Thread>,
    pub(super) cache_control: Option<Known>,
    betas: Option<Known>,
    compaction: Option<Known>,
    container: Option<Known>,
    context_management: Option<Known>,
    diagnostics: Option<Known>,
    fallback_credit_token: Option<Known>,
    fallbacks: Option<Known>,
    inference_geo: Option<Known>,
    mcp_servers: Option<Known>,
    metadata: Option<Known>,
    output_config: Option<Known>,
    output_format: Option<Known>,
    service_tier: Option<Known>,
    speed: Option<Known>,
    stop_sequences: Option<Known>,
    temperature: Option<Known>,
    thinking: Option<Known>,
    top_k: Option<Known>,
    top_p: Option<Known>,
}

/// A conversation that the provider keeps.
#[derive(Deserialize)]
#[expect(dead_code, reason = "members that are known are not all read")]
pub(super) struct Thread {
    pub(super) r#type: Option<String>,
    previous_message_id: Option<Known>,
}

impl<S> Body<S> {
    /// Whether earlier messages are kept by the provider and not sent.
    pub(super) fn goes_on(&self) -> bool {
        self.thread.as_ref().is_some_and(|thread| thread.r#type.as_deref() == Some("continue"))
    }
}

#[derive(Deserialize)]
#[serde(bound(deserialize = "S: Schema"))]
#[expect(dead_code, reason = "members that are known are not all read")]
pub(super) struct Message<S> {
    pub(super) role: Role,
    pub(super) content: Option<Content<S>>,
    pub(super) output_config: Option<Known>,
    clear_at: Option<Known>,
}

#[derive(Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(super) enum Role {
    User,
    Assistant,
    System,
}

impl Role {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Assistant => "assistant",
            Self::System => "system",
        }
    }
}

/// The content of a message or of a block; an object is what some results of the provider's own
/// tools hold.
pub(super) type Content<S> = content::Content<Block<S>, Box<Block<S>>>;

/// The blocks of a content; none where it is a text.
pub(super) fn blocks<S>(content: Option<&Content<S>>) -> &[Block<S>] {
    match content {
        None | Some(Content::Text(_)) => &[],
        Some(Content::Blocks(blocks)) => blocks,
        Some(Content::Object(block)) => std::slice::from_ref(block),
    }
}

#[derive(Deserialize)]
#[serde(bound(deserialize = "S: Schema"))]
#[expect(dead_code, reason = "members that are known are not all read")]
pub(super) struct Block<S> {
    #[serde(default)]
    pub(super) r#type: String,
    pub(super) text: Option<String>,
    pub(super) id: Option<String>,
    pub(super) name: Option<String>,
    pub(super) input: Option<Value>,
    pub(super) tool_use_id: Option<String>,
    pub(super) content: Option<Content<S>>,
    pub(super) is_error: Option<bool>,
    pub(super) tool: Option<Box<Changed<S>>>,
    pub(super) tool_name: Option<String>,
    pub(super) tool_references: Option<Vec<Block<S>>>,
    pub(super) cache_control: Option<Known>,
    caller: Option<Known>,
    citations: Option<Known>,
    context: Option<Known>,
    data: Option<Known>,
    encrypted_content: Option<Known>,
    encrypted_index: Option<Known>,
    encrypted_stdout: Option<Known>,
    error_code: Option<Known>,
    error_message: Option<Known>,
    file_id: Option<Known>,
    file_type: Option<Known>,
    from: Option<Known>,
    is_file_update: Option<Known>,
    lines: Option<Known>,
    mcp_server_name: Option<Known>,
    new_lines: Option<Known>,
    new_start: Option<Known>,
    num_lines: Option<Known>,
    old_lines: Option<Known>,
    old_start: Option<Known>,
    page_age: Option<Known>,
    retrieved_at: Option<Known>,
    return_code: Option<Known>,
    server_name: Option<Known>,
    signature: Option<Known>,
    source: Option<Known>,
    start_line: Option<Known>,
    state_changes: Option<Known>,
    stderr: Option<Known>,
    stdout: Option<Known>,
    stop_reason: Option<Known>,
    tabs: Option<Known>,
    thinking: Option<Known>,
    title: Option<Known>,
    to: Option<Known>,
    tool_changes: Option<Known>,
    tools: Option<Known>,
    toolset_name: Option<Known>,
    total_lines: Option<Known>,
    transformations: Option<Known>,
    trigger: Option<Known>,
    url: Option<Known>,
}

impl<S> Block<S> {
    /// The blocks of its content.
    pub(super) fn inner(&self) -> &[Block<S>] {
        blocks(self.content.as_ref())
    }

    /// The names of the tools that it refers to, wherever that can be.
    pub(super) fn names(&self) -> impl Iterator<Item = &str> {
        let found = self.inner().iter().flat_map(|found| found.tool_references.iter().flatten());
        let inner = self.inner().iter().filter(|inner| inner.r#type == "tool_reference");
        let changed = self.tool.iter().filter(|tool| tool.is_reference());
        let referred = inner.chain(found).filter_map(|block| block.tool_name.as_deref());
        referred.chain(changed.filter_map(|tool| tool.name.as_deref()))
    }
}

/// The tool that a system message adds or takes back.
#[derive(Deserialize)]
#[serde(bound(deserialize = "S: Schema"))]
#[expect(dead_code, reason = "members that are known are not all read")]
pub(super) struct Changed<S> {
    #[serde(default)]
    pub(super) r#type: String,
    pub(super) name: Option<String>,
    pub(super) definition: Option<ToolEntry<S>>,
    server_name: Option<Known>,
}

impl<S> Changed<S> {
    /// Whether it names a tool of the request; sets of tools and tools of servers are named in
    /// other forms.
    pub(super) fn is_reference(&self) -> bool {
        self.r#type == "tool_reference"
    }
}

#[derive(Deserialize)]
#[serde(bound(deserialize = "S: Schema"))]
#[expect(dead_code, reason = "members that are known are not all read")]
pub(super) struct ToolEntry<S> {
    pub(super) r#type: Option<String>,
    #[serde(default)]
    pub(super) name: String,
    pub(super) description: Option<String>,
    pub(super) input_schema: Option<S>,
    pub(super) defer_loading: Option<bool>,
    pub(super) cache_control: Option<Known>,
    allowed_callers: Option<Known>,
    allowed_domains: Option<Known>,
    blocked_domains: Option<Known>,
    caching: Option<Known>,
    citations: Option<Known>,
    configs: Option<Known>,
    default_config: Option<Known>,
    display_height_px: Option<Known>,
    display_number: Option<Known>,
    display_width_px: Option<Known>,
    eager_input_streaming: Option<Known>,
    enable_zoom: Option<Known>,
    input_examples: Option<Known>,
    max_characters: Option<Known>,
    max_content_tokens: Option<Known>,
    max_tokens: Option<Known>,
    max_uses: Option<Known>,
    mcp_server_name: Option<Known>,
    model: Option<Known>,
    response_inclusion: Option<Known>,
    strict: Option<Known>,
    tools: Option<Known>,
    url_sources: Option<Known>,
    use_cache: Option<Known>,
    user_location: Option<Known>,
}

/// What a tool entry is.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A tool of the runtime's own, with a schema.
    Custom,
    /// A tool that the API defines and the runtime executes: its schema is not sent.
    Defined,
    /// The provider's own search of deferred tools.
    Search,
    /// Another tool that the provider executes, or a set of tools.
    Server,
    /// None that the API has.
    Unknown,
}

impl<S> ToolEntry<S> {
    pub(super) fn kind(&self) -> Kind {
        let Some(named) = self.r#type.as_deref() else { return Kind::Custom };
        let (undated, dated) = match named.rsplit_once('_') {
            Some((undated, date)) if date.len() == 8 && date.parse::<u32>().is_ok() => {
                (undated, true)
            }
            _ => (named, false),
        };
        match undated {
            "custom" if !dated => Kind::Custom,
            "bash" | "computer" | "memory" | "text_editor" if dated => Kind::Defined,
            _ if is_search(undated) => Kind::Search,
            "mcp_toolset" => Kind::Server,
            _ if dated => Kind::Server,
            _ => Kind::Unknown,
        }
    }

    pub(super) fn is_deferred(&self) -> bool {
        self.defer_loading == Some(true)
    }
}

/// Whether a name is that of one of the provider's own searches.
pub(super) fn is_search(name: &str) -> bool {
    matches!(name, "tool_search_tool_regex" | "tool_search_tool_bm25")
}
