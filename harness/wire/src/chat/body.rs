//! The body of a request, as it may come: forms that endpoints refuse are let through here as
//! long as they say what the model would see.

use serde::Deserialize;
use serde_json::Value;

use crate::body::{Known, Schema};
use crate::content::Content;

#[derive(Deserialize)]
#[serde(bound(deserialize = "S: Schema"))]
#[expect(dead_code, reason = "members that are known are not all read")]
pub(crate) struct Body<S> {
    pub(super) model: Option<Known>,
    pub(super) messages: Vec<Message<S>>,
    pub(super) tools: Option<Vec<ToolEntry<S>>>,
    /// The older form of `tools`: what it holds, a model sees as well.
    pub(super) functions: Option<Vec<Function<S>>>,
    pub(super) tool_choice: Option<Known>,
    pub(super) stream: Option<bool>,
    audio: Option<Known>,
    frequency_penalty: Option<Known>,
    function_call: Option<Known>,
    logit_bias: Option<Known>,
    logprobs: Option<Known>,
    max_completion_tokens: Option<Known>,
    max_tokens: Option<Known>,
    metadata: Option<Known>,
    modalities: Option<Known>,
    moderation: Option<Known>,
    n: Option<Known>,
    parallel_tool_calls: Option<Known>,
    prediction: Option<Known>,
    presence_penalty: Option<Known>,
    prompt_cache_key: Option<Known>,
    prompt_cache_options: Option<Known>,
    prompt_cache_retention: Option<Known>,
    reasoning_effort: Option<Known>,
    response_format: Option<Known>,
    safety_identifier: Option<Known>,
    seed: Option<Known>,
    service_tier: Option<Known>,
    stop: Option<Known>,
    store: Option<Known>,
    stream_options: Option<Known>,
    temperature: Option<Known>,
    top_logprobs: Option<Known>,
    top_p: Option<Known>,
    user: Option<Known>,
    verbosity: Option<Known>,
    web_search_options: Option<Known>,
    // What endpoints of the same API are known to take beside it.
    cache_control: Option<Known>,
    chat_template_kwargs: Option<Known>,
    enable_search: Option<Known>,
    enable_thinking: Option<Known>,
    format: Option<Known>,
    ignore_eos: Option<Known>,
    include_reasoning: Option<Known>,
    keep_alive: Option<Known>,
    min_p: Option<Known>,
    min_tokens: Option<Known>,
    models: Option<Known>,
    options: Option<Known>,
    plugins: Option<Known>,
    preserve_thinking: Option<Known>,
    provider: Option<Known>,
    random_seed: Option<Known>,
    reasoning: Option<Known>,
    repetition_penalty: Option<Known>,
    route: Option<Known>,
    safe_prompt: Option<Known>,
    session_id: Option<Known>,
    stop_token_ids: Option<Known>,
    think: Option<Known>,
    thinking: Option<Known>,
    thinking_budget: Option<Known>,
    tool_stream: Option<Known>,
    top_k: Option<Known>,
    transforms: Option<Known>,
    usage: Option<Known>,
}

#[derive(Deserialize)]
#[serde(bound(deserialize = "S: Schema"))]
#[expect(dead_code, reason = "members that are known are not all read")]
pub(super) struct Message<S> {
    pub(super) role: Role,
    pub(super) content: Option<Content<Block>>,
    pub(super) tool_calls: Option<Vec<Call>>,
    pub(super) tool_call_id: Option<String>,
    pub(super) tools: Option<Vec<ToolEntry<S>>>,
    annotations: Option<Known>,
    audio: Option<Known>,
    function_call: Option<Known>,
    name: Option<Known>,
    refusal: Option<Known>,
    // What endpoints of the same API are known to take beside it.
    cache_control: Option<Known>,
    partial: Option<Known>,
    prefix: Option<Known>,
    reasoning: Option<Known>,
    reasoning_content: Option<Known>,
    reasoning_details: Option<Known>,
    reasoning_opaque: Option<Known>,
    reasoning_text: Option<Known>,
    thinking: Option<Known>,
}

#[derive(Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub(super) enum Role {
    #[serde(alias = "developer")]
    System,
    User,
    Assistant,
    Tool,
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "members that are known are not all read")]
pub(super) struct Block {
    pub(super) r#type: Option<String>,
    pub(super) text: Option<String>,
    pub(super) refusal: Option<String>,
    cache_control: Option<Known>,
    document_url: Option<Known>,
    file: Option<Known>,
    image_url: Option<Known>,
    input_audio: Option<Known>,
    prompt_cache_breakpoint: Option<Known>,
    signature: Option<Known>,
    thinking: Option<Known>,
    video_url: Option<Known>,
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "members that are known are not all read")]
pub(super) struct Call {
    #[serde(default)]
    pub(super) id: String,
    pub(super) r#type: Option<String>,
    pub(super) function: Option<Called>,
    pub(super) custom: Option<CalledCustom>,
    /// As a stream gave it.
    index: Option<Known>,
    /// Signatures of thoughts, which some endpoints ask for again.
    extra_content: Option<Known>,
}

#[derive(Deserialize)]
pub(super) struct Called {
    pub(super) name: String,
    #[serde(default)]
    pub(super) arguments: Value,
}

#[derive(Deserialize)]
pub(super) struct CalledCustom {
    pub(super) name: String,
    #[serde(default)]
    pub(super) input: Value,
}

#[derive(Deserialize)]
#[serde(bound(deserialize = "S: Schema"))]
#[expect(dead_code, reason = "members that are known are not all read")]
pub(super) struct ToolEntry<S> {
    pub(super) r#type: Option<String>,
    pub(super) function: Option<Function<S>>,
    pub(super) custom: Option<Function<S>>,
    cache_control: Option<Known>,
}

#[derive(Deserialize)]
#[serde(bound(deserialize = "S: Schema"))]
#[expect(dead_code, reason = "members that are known are not all read")]
pub(super) struct Function<S> {
    pub(super) name: String,
    pub(super) description: Option<String>,
    pub(super) parameters: Option<S>,
    strict: Option<Known>,
    /// That of a custom tool.
    format: Option<Known>,
}
