// Mastra behind the stdio adapter protocol, version 1. The argument is where its tool search keeps
// what is loaded: `context`, or `in-memory`, which is Mastra's own choice if none is made.
//
// The adapter translates and decides nothing: tools, rows and errors change their names on the way
// through. What is listed, searched, found, shown, refused and restored is Mastra's own doing.

import { createRequire } from "node:module";
import { Agent } from "@mastra/core/agent";
import { ToolSearchProcessor } from "@mastra/core/processors";
import { createTool } from "@mastra/core/tools";
import { translation } from "../node/messages.mjs";
import { execute, serve, unsupported, words } from "../node/serve.mjs";

process.env.MASTRA_TELEMETRY_DISABLED = "1";

const storage = process.argv[2] ?? "context";
const { toMessage, toRows } = translation("search_tools", "results");
const { version } = createRequire(import.meta.url)("@mastra/core/package.json");
const HELLO = {
  runtime: { name: "mastra", version, language: "javascript" },
  capabilities: {
    providerApis: ["openai-chat"], nativeDeferral: [], modes: ["agent"], coreTools: "given",
    // What is loaded in memory is the agent's own, and other tools need another agent.
    transcript: true, abort: true, setTools: storage === "context",
    concurrent: false, activity: false, setMode: false, compact: false,
  },
  dialect: { searchTool: "search_tools", searchArguments: { query: "$QUERY" }, namePrefix: "" },
};

/** One conversation: an agent, and the messages so far. */
class Session {
  constructor(params) {
    const { api, native } = params.provider;
    if (params.mode !== "agent" || api !== "openai-chat" || native) {
      throw unsupported(`mode ${params.mode} over ${api}, native deferral: ${native}`);
    }
    this.params = params;
    this.messages = params.state ?? params.transcript?.map(toMessage) ?? [];
    this.setTools(params.tools);
  }

  /** Makes the agent, over the tools that the mode has: objects by name. */
  setTools(tools) {
    const { mode, maxActivated, provider } = this.params;
    const byName = (kind) => Object.fromEntries(
      tools.filter((each) => each.modes[mode] === kind).map((each) => [each.name, this.tool(each)]));
    this.agent = new Agent({
      id: "tacit",
      name: "tacit",
      instructions: "You are a helpful assistant.",
      model: { id: `tacit/${provider.model}`, url: provider.baseUrl, apiKey: provider.apiKey },
      maxRetries: 2, // As the AI SDK beneath it has it; by itself an agent retries nothing.
      tools: byName("core"),
      inputProcessors: [new ToolSearchProcessor({
        tools: byName("deferred"), storage, injectCatalog: true, search: { topK: maxActivated, autoLoad: true },
      })],
    });
  }

  tool({ name, description, inputSchema }) {
    return createTool({
      id: name,
      description,
      inputSchema,
      execute: (args, { agent, abortSignal }) => execute(this.params, agent.toolCallId, name, args, abortSignal),
    });
  }

  /** One generation; the messages of each finished step are kept, however it ends. */
  async prompt(text) {
    this.running = new AbortController();
    const before = [...this.messages, { role: "user", content: text }];
    const keep = ({ response }) => { this.messages = [...before, ...structuredClone(response.messages)]; };
    this.messages = before;
    try {
      const answer = await this.agent.generate(before, {
        maxSteps: Number.MAX_SAFE_INTEGER,
        toolCallConcurrency: 1,
        abortSignal: this.running.signal,
        onStepFinish: keep,
      });
      keep(answer);
      if (this.running.signal.aborted) return { stop: "aborted" };
      return { stop: "end", text: answer.text };
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
