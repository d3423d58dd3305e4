// Vercel's AI SDK behind the stdio adapter protocol, version 1.
//
// The adapter translates and decides nothing: tools, rows and errors change their names on the way
// through. What is searched, found, shown, refused and forgotten is the SDK's own doing.

import { createRequire } from "node:module";
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateText, isLoopFinished, jsonSchema, tool, toolSearch } from "ai";
import { translation } from "../node/messages.mjs";
import { execute, serve, unsupported, words } from "../node/serve.mjs";

// The key is the application's to choose; this is the one of the SDK's own examples.
const SEARCH = "search";
const { toMessage, toRows } = translation(SEARCH, "tools");
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
class Session {
  constructor(params) {
    const { api, baseUrl, apiKey, model, native } = params.provider;
    if (params.mode !== "agent" || api !== "openai-chat" || native) {
      throw unsupported(`mode ${params.mode} over ${api}, native deferral: ${native}`);
    }
    this.params = params;
    this.model = createOpenAICompatible({ name: "tacit", baseURL: baseUrl, apiKey }).chatModel(model);
    this.messages = params.state ?? params.transcript?.map(toMessage) ?? [];
    this.setTools(params.tools);
  }

  /**
   * The tools that the mode has, as the SDK takes them: an object by name. Of two with one name the
   * later stays, at the place of the first; the application's own are named again to be the later.
   */
  setTools(tools) {
    const { mode, maxActivated } = this.params;
    const byName = (kind) => Object.fromEntries(
      tools.filter((each) => each.modes[mode] === kind).map((each) => [each.name, this.tool(each)]));
    const own = { [SEARCH]: toolSearch({ maxResults: maxActivated }), ...byName("core") };
    this.tools = { ...own, ...byName("deferred"), ...own };
  }

  tool({ name, description, inputSchema, modes }) {
    return tool({
      description,
      inputSchema: jsonSchema(inputSchema),
      deferLoading: modes[this.params.mode] === "deferred",
      execute: (args, { toolCallId, abortSignal }) => execute(this.params, toolCallId, name, args, abortSignal),
    });
  }

  /** One generation; the messages of each finished step are kept, however it ends. */
  async prompt(text) {
    this.running = new AbortController();
    this.messages = [...this.messages, { role: "user", content: text }];
    try {
      const { text } = await generateText({
        model: this.model,
        messages: this.messages,
        tools: this.tools,
        stopWhen: isLoopFinished(),
        toolCallConcurrency: 1,
        abortSignal: this.running.signal,
        onStepEnd: (step) => { this.messages = [...this.messages, ...step.response.messages]; },
      });
      return { stop: "end", text };
    } catch (error) {
      if (this.running.signal.aborted) return { stop: "aborted" };
      return { stop: "error", error: words(error) };
    } finally {
      this.running = undefined;
    }
  }

  abort() {
    this.running?.abort();
  }

  save() {
    return this.messages;
  }

  transcript() {
    return this.messages.flatMap(toRows);
  }
}

await serve(HELLO, (params) => new Session(params));
