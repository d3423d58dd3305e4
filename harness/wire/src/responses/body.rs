//! The body of a request, as it may come: forms that endpoints refuse are let through here as
//! long as they say what the model would see.
//!
//! Items and tools come in many types. Each has a structure for all of its types: what a type
//! does not have is simply not there.

use std::fmt;

use serde::de::value::SeqAccessDeserializer;
use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::body::{Known, Schema};
use crate::content::Content;

#[derive(Deserialize)]
#[serde(bound(deserialize = "S: Schema"))]
#[expect(dead_code, reason = "members that are known are not all read")]
pub(crate) struct Body<S> {
    pub(super) model: Option<Known>,
    pub(super) instructions: Option<String>,
    pub(super) input: Option<Input<S>>,
    pub(super) tools: Option<Vec<Tool<S>>>,
    pub(super) tool_choice: Option<Value>,
    pub(super) stream: Option<bool>,
    pub(super) previous_response_id: Option<Known>,
    pub(super) conversation: Option<Known>,
    pub(super) prompt: Option<Known>,
    access_programs: Option<Known>,
    background: Option<Known>,
    background_options: Option<Known>,
    context_management: Option<Known>,
    image: Option<Known>,
    include: Option<Known>,
    max_output_tokens: Option<Known>,
    max_tool_calls: Option<Known>,
    metadata: Option<Known>,
    moderation: Option<Known>,
    parallel_tool_calls: Option<Known>,
    prompt_cache_key: Option<Known>,
    prompt_cache_options: Option<Known>,
    prompt_cache_retention: Option<Known>,
    reasoning: Option<Known>,
    safety_identifier: Option<Known>,
    service_tier: Option<Known>,
    store: Option<Known>,
    stream_options: Option<Known>,
    temperature: Option<Known>,
    text: Option<Known>,
    top_logprobs: Option<Known>,
    top_p: Option<Known>,
    truncation: Option<Known>,
    user: Option<Known>,
    // What endpoints of the same API are known to take beside it.
    chat_template_kwargs: Option<Known>,
    client_metadata: Option<Known>,
    enable_thinking: Option<Known>,
    min_p: Option<Known>,
    models: Option<Known>,
    plugins: Option<Known>,
    provider: Option<Known>,
    repetition_penalty: Option<Known>,
    session_id: Option<Known>,
    thinking: Option<Known>,
    top_k: Option<Known>,
}

/// What the conversation is: one text of the user, or items.
pub(super) enum Input<S> {
    Text(String),
    Items(Vec<Item<S>>),
}

#[derive(Deserialize)]
#[serde(bound(deserialize = "S: Schema"))]
#[expect(dead_code, reason = "members that are known are not all read")]
pub(super) struct Item<S> {
    pub(super) r#type: Option<String>,
    pub(super) role: Option<Role>,
    pub(super) content: Option<Content<Block>>,
    pub(super) id: Option<String>,
    pub(super) call_id: Option<String>,
    pub(super) name: Option<String>,
    pub(super) namespace: Option<String>,
    pub(super) arguments: Option<Value>,
    /// The arguments of a custom tool.
    pub(super) input: Option<Value>,
    pub(super) output: Option<Content<Block>>,
    pub(super) execution: Option<String>,
    pub(super) tools: Option<Vec<Tool<S>>>,
    acknowledged_safety_checks: Option<Known>,
    action: Option<Known>,
    actions: Option<Known>,
    approval_request_id: Option<Known>,
    approve: Option<Known>,
    r#async: Option<Known>,
    background: Option<Known>,
    caller: Option<Known>,
    code: Option<Known>,
    container_id: Option<Known>,
    created_by: Option<Known>,
    encrypted_content: Option<Known>,
    environment: Option<Known>,
    error: Option<Known>,
    fingerprint: Option<Known>,
    max_output_length: Option<Known>,
    operation: Option<Known>,
    output_format: Option<Known>,
    outputs: Option<Known>,
    pending_safety_checks: Option<Known>,
    phase: Option<Known>,
    quality: Option<Known>,
    queries: Option<Known>,
    reason: Option<Known>,
    reasoning: Option<Known>,
    result: Option<Known>,
    results: Option<Known>,
    revised_prompt: Option<Known>,
    server_label: Option<Known>,
    size: Option<Known>,
    status: Option<Known>,
    summary: Option<Known>,
    svg_usage: Option<Known>,
    text: Option<Known>,
}

#[derive(Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(super) enum Role {
    #[serde(alias = "developer")]
    System,
    User,
    Assistant,
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "members that are known are not all read")]
pub(super) struct Block {
    pub(super) r#type: Option<String>,
    pub(super) text: Option<String>,
    pub(super) refusal: Option<String>,
    annotations: Option<Known>,
    detail: Option<Known>,
    file_data: Option<Known>,
    file_id: Option<Known>,
    file_url: Option<Known>,
    filename: Option<Known>,
    image_url: Option<Known>,
    input_audio: Option<Known>,
    logprobs: Option<Known>,
    prompt_cache_breakpoint: Option<Known>,
    outcome: Option<Known>,
    stderr: Option<Known>,
    stdout: Option<Known>,
}

#[derive(Deserialize)]
#[serde(bound(deserialize = "S: Schema"))]
#[expect(dead_code, reason = "members that are known are not all read")]
pub(super) struct Tool<S> {
    pub(super) r#type: Option<String>,
    pub(super) name: Option<String>,
    pub(super) description: Option<String>,
    pub(super) parameters: Option<S>,
    pub(super) defer_loading: Option<bool>,
    pub(super) execution: Option<String>,
    /// The members of a namespace.
    pub(super) tools: Option<Vec<Tool<S>>>,
    action: Option<Known>,
    allowed_callers: Option<Known>,
    allowed_tools: Option<Known>,
    annotations: Option<Known>,
    r#async: Option<Known>,
    authorization: Option<Known>,
    background: Option<Known>,
    complexity: Option<Known>,
    connector_id: Option<Known>,
    container: Option<Known>,
    display_height: Option<Known>,
    display_width: Option<Known>,
    environment: Option<Known>,
    external_web_access: Option<Known>,
    filters: Option<Known>,
    format: Option<Known>,
    frame_count: Option<Known>,
    frame_duration_ms: Option<Known>,
    headers: Option<Known>,
    input_fidelity: Option<Known>,
    input_image_mask: Option<Known>,
    input_schema: Option<Known>,
    max_num_results: Option<Known>,
    max_uses: Option<Known>,
    model: Option<Known>,
    moderation: Option<Known>,
    output_compression: Option<Known>,
    output_format: Option<Known>,
    output_schema: Option<Known>,
    partial_images: Option<Known>,
    quality: Option<Known>,
    ranking_options: Option<Known>,
    require_approval: Option<Known>,
    search_content_types: Option<Known>,
    search_context_size: Option<Known>,
    server_description: Option<Known>,
    server_label: Option<Known>,
    server_url: Option<Known>,
    size: Option<Known>,
    strict: Option<Known>,
    svg: Option<Known>,
    tunnel_id: Option<Known>,
    user_location: Option<Known>,
    vector_store_ids: Option<Known>,
}

impl<S> Tool<S> {
    /// Whether it is hidden until something loads it.
    pub(super) fn is_deferred(&self) -> bool {
        self.defer_loading == Some(true)
    }

    /// Whether it is the search of the API that the runtime answers itself.
    pub(super) fn is_client_search(&self) -> bool {
        self.r#type.as_deref() == Some("tool_search") && self.execution.as_deref() == Some("client")
    }
}

impl<'de, S: Schema> Deserialize<'de> for Input<S> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TextOrItems<S>(std::marker::PhantomData<S>);
        impl<'de, S: Schema> Visitor<'de> for TextOrItems<S> {
            type Value = Input<S>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a text or a list of items")
            }

            fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<Input<S>, E> {
                Ok(Input::Text(text.to_owned()))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<Input<S>, A::Error> {
                Vec::deserialize(SeqAccessDeserializer::new(items)).map(Input::Items)
            }
        }
        deserializer.deserialize_any(TextOrItems(std::marker::PhantomData))
    }
}
