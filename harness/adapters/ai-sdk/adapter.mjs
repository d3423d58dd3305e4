// Vercel's AI SDK behind the stdio adapter protocol, version 1.
//
// The adapter translates and decides nothing: tools, rows and errors change their names on the way
// through. What is searched, found, shown, refused and forgotten is the SDK's own doing.

import { createRequire } from "node:module";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, isLoopFinished, jsonSchema, tool, toolSearch } from "ai";
import { Conversation } from "../node/conversation.mjs";
import { translation } from "../node/messages.mjs";
import { execute, serve } from "../node/serve.mjs";

// The key is the application's to choose; this is the one of the SDK's own examples.
const SEARCH = "search";
const { version } = createRequire(import.meta.url)("ai/package.json");
const HELLO = {
  runtime: { name: "ai-sdk", version, language: "javascript" },
  capabilities: {
    providerApis: ["openai-chat"], nativeDeferral: [], modes: ["agent"], coreTools: "given",
    transcript: true, abort: true, setTools: true,
    concurrent: false, activity: false, setMode: false, compact: false,
  },
  dialect: { searchTool: SEARCH, searchArguments: { query: "$QUERY" }, namePrefix: "" },
};

/** One conversation: its tools, and the messages so far. */
class Session extends Conversation {
  constructor(params) {
    super(params, translation(SEARCH, "tools"));
    const { baseUrl, apiKey, model } = params.provider;
    this.model = createOpenAICompatible({ name: "tacit", baseURL: baseUrl, apiKey }).chatModel(model);
    this.setTools(params.tools);
  }

  /**
   * The tools that the mode has, as the SDK takes them: an object by name. Of two with one name the
   * later stays, at the place of the first; the application's own are named again to be the later.
   */
  setTools(tools) {
    const { maxActivated } = this.params;
    const own = { [SEARCH]: toolSearch({ maxResults: maxActivated }), ...this.byName(tools, "core") };
    this.tools = { ...own, ...this.byName(tools, "deferred"), ...own };
  }

  tool({ name, description, inputSchema, modes }) {
    return tool({
      description,
      inputSchema: jsonSchema(inputSchema),
      deferLoading: modes[this.params.mode] === "deferred",
      execute: (args, { toolCallId, abortSignal }) => execute(this.params, toolCallId, name, args, abortSignal),
    });
  }

  async generate(abortSignal) {
    const { text } = await generateText({
      model: this.model,
      messages: this.messages,
      tools: this.tools,
      stopWhen: isLoopFinished(),
      toolCallConcurrency: 1,
      abortSignal,
      onStepEnd: (step) => { this.messages = [...this.messages, ...step.response.messages]; },
    });
    return { stop: "end", text };
  }
}

await serve(HELLO, (params) => new Session(params));
