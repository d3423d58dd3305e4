// Mastra behind the stdio adapter protocol, version 1. The argument is where its tool search keeps
// what is loaded: `context`, or `in-memory`, which is Mastra's own choice if none is made.
//
// The adapter translates and decides nothing: tools, rows and errors change their names on the way
// through. What is listed, searched, found, shown, refused and restored is Mastra's own doing.

import { createRequire } from "node:module";
import { Agent } from "@mastra/core/agent";
import { ToolSearchProcessor } from "@mastra/core/processors";
import { createTool } from "@mastra/core/tools";
import { Conversation } from "../node/conversation.mjs";
import { translation } from "../node/messages.mjs";
import { execute, serve } from "../node/serve.mjs";

process.env.MASTRA_TELEMETRY_DISABLED = "1";

const storage = process.argv[2] ?? "context";
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
class Session extends Conversation {
  constructor(params) {
    super(params, translation("search_tools", "results"));
    this.setTools(params.tools);
  }

  /** Makes the agent, over the tools that the mode has: objects by name. */
  setTools(tools) {
    const { maxActivated, provider } = this.params;
    this.agent = new Agent({
      id: "tacit",
      name: "tacit",
      instructions: "You are a helpful assistant.",
      model: { id: `tacit/${provider.model}`, url: provider.baseUrl, apiKey: provider.apiKey },
      maxRetries: 2, // As the AI SDK beneath it has it; by itself an agent retries nothing.
      tools: this.byName(tools, "core"),
      inputProcessors: [new ToolSearchProcessor({
        tools: this.byName(tools, "deferred"),
        storage,
        injectCatalog: true,
        search: { topK: maxActivated, autoLoad: true },
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

  async generate(abortSignal) {
    const before = this.messages;
    const keep = ({ response }) => { this.messages = [...before, ...structuredClone(response.messages)]; };
    const answer = await this.agent.generate(before, {
      maxSteps: Number.MAX_SAFE_INTEGER,
      toolCallConcurrency: 1,
      abortSignal,
      onStepFinish: keep,
    });
    keep(answer);
    // It does not throw where it was stopped.
    return abortSignal.aborted ? { stop: "aborted" } : { stop: "end", text: answer.text };
  }
}

await serve(HELLO, (params) => new Session(params));
