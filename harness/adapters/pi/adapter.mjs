// pi behind the stdio adapter protocol, version 1: `adapter.mjs FOLDER [EXTENSION]`.
//
// FOLDER stands beside this one and pins pi's version. EXTENSION is a file of this folder that says which tools are
// active; without one, pi's own search does. The adapter translates and decides nothing.
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { enableCompileCache } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { execute, serve, unsupported } from "../node/serve.mjs";
import { toFile, toRows } from "./rows.mjs";

const [folder, file] = process.argv.slice(2);
Object.assign(process.env, { PI_OFFLINE: "1", PI_TELEMETRY: "0", PI_SKIP_VERSION_CHECK: "1" });
const packages = fileURLToPath(new URL(`../${folder}/node_modules/`, import.meta.url));
// Half of a start goes into compiling pi.
enableCompileCache(join(packages, ".cache"));
const built = join(packages, "@earendil-works/pi-coding-agent/dist");
// Where there is a bundle, it is what the command line runs.
const bundle = join(built, "bundle/index.js");
const pi = await import(existsSync(bundle) ? bundle : join(built, "index.js"));
const rules = file ? (await import(`./${file}`)).default : pi.createToolSearchExtension();

const older = pi.VERSION.startsWith("0.");
// pi's name of each API, and what tells it that a model's provider takes tools in the middle of a conversation.
const APIS = {
  "openai-chat": ["openai-completions", older ? { deferredToolsMode: "kimi" } : { supportsMidConvoToolAdditions: true }],
  "openai-responses": ["openai-responses", older ? { supportsToolSearch: true } : { supportsAdditionalTools: true }],
  "anthropic-messages": ["anthropic-messages", older ? { supportsToolReferences: true } : { supportsMidConvoToolChanges: true }],
};
// pi 1.6 by itself records what is loaded apart from its rows, in a form that rows have no place for.
const transcript = older || file !== undefined;
const SETTINGS = {
  // Compacts when it is told to, and then all that it may.
  compaction: { enabled: false, keepRecentTokens: 1 },
  // Of pi's own tools the harness has others by the same names; 0.83 is told so otherwise.
  defaultTools: file ? [] : ["tool_search"],
  // As often as pi tries again, without the waiting.
  retry: { baseDelayMs: 1, provider: { maxRetryDelayMs: 1 } },
};

/** A tool of the harness as an extension registers it; all that it does is one call to the host. */
function tool(params, { name, description, inputSchema }, deferred) {
  return {
    name, description, label: name, parameters: inputSchema,
    ...(deferred && { exposure: "deferred", defaultActive: false }),
    execute: async (id, given, signal) => ({
      content: [{ type: "text", text: await execute(params, id, name, given, signal) }],
      details: {},
    }),
  };
}

/** The extensions of a session: what decides, the core tools, and one for each of the others' origins. */
function extensions(params, tools) {
  const there = tools.filter(({ modes }) => params.mode in modes);
  const core = there.filter(({ modes }) => modes[params.mode] === "core").map(({ name }) => name);
  const origins = Map.groupBy(there, ({ modes, origin }) => (modes[params.mode] === "core" ? "core" : `${origin.kind}-${origin.id ?? ""}`));
  const register = (some, deferred) => (api) => some.forEach((one) => api.registerTool(tool(params, one, deferred)));
  const others = [...origins].filter(([origin]) => origin !== "core");
  return [
    { name: "rules", factory: (api) => rules(api, { core, most: params.maxActivated }) },
    { name: "core", factory: register(origins.get("core") ?? [], false) },
    ...others.map(([name, some]) => ({ name, factory: register(some, true) })),
  ];
}

async function open(params) {
  const { provider: { api, baseUrl, apiKey, model: id, native }, workspace, stateDir } = params;
  if (params.mode !== "agent" || !(api in APIS)) throw unsupported(`mode ${params.mode} over ${api}`);

  const agentDir = join(stateDir, "pi");
  mkdirSync(agentDir, { recursive: true });
  const [name, flag] = APIS[api];
  const compat = native ? { ...flag, ...(!older && { supportsMidConvoSystemMessages: true }) } : {};
  const limits = { contextWindow: 1e9, maxTokens: 4096, reasoning: false, input: ["text"], cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } };
  const models = [{ id, name: id, ...limits, compat }];
  writeFileSync(join(agentDir, "models.json"), JSON.stringify({ providers: { tacit: { api: name, baseUrl, apiKey, models } } }));
  const modelRuntime = await pi.ModelRuntime.create({ authPath: join(agentDir, "auth.json"), modelsPath: join(agentDir, "models.json") });

  const model = { api: name, provider: "tacit", model: id };
  const saved = params.transcript ? toFile(params.transcript, workspace, model, !older) : params.state;
  const path = join(agentDir, `${randomUUID()}.jsonl`);
  if (saved) writeFileSync(path, saved);

  const settingsManager = pi.SettingsManager.inMemory(SETTINGS);
  const none = { noExtensions: true, noSkills: true, noPromptTemplates: true, noThemes: true, noContextFiles: true };
  const resourceLoader = new pi.DefaultResourceLoader({ cwd: workspace, agentDir, settingsManager, extensionFactories: extensions(params, params.tools), ...none });
  await resourceLoader.reload();
  const { session } = await pi.createAgentSession({
    cwd: workspace, agentDir, modelRuntime, settingsManager, resourceLoader,
    model: modelRuntime.getModel("tacit", id), thinkingLevel: "off",
    ...(older && { noTools: "builtin" }),
    sessionManager: pi.SessionManager.open(path, agentDir, workspace),
  });
  await session.bindExtensions({ onError: (error) => console.error(error) });

  let activity = [];
  session.subscribe((event) => {
    if (event.type !== "tool_execution_end") return;
    activity.push({ callId: event.toolCallId, toolName: event.toolName, status: event.isError ? "error" : "ok" });
  });
  return {
    async prompt(text) {
      activity = [];
      try {
        await session.prompt(text, { expandPromptTemplates: false });
      } catch (error) {
        return { stop: "error", error: String(error), activity };
      }
      const last = session.messages.findLast(({ role }) => role === "assistant");
      const stop = { error: "error", aborted: "aborted" }[last.stopReason] ?? "end";
      const said = last.content.filter(({ type }) => type === "text").map((block) => block.text).join("\n\n");
      return { stop, text: said, activity, ...(stop === "error" && { error: last.errorMessage }) };
    },
    save: () => (existsSync(path) ? readFileSync(path, "utf8") : ""),
    transcript: () => toRows(session.sessionManager.getBranch()),
    abort: () => session.abort(),
    compact: () => session.compact(),
    async setTools(tools) {
      // What a user does who installs or removes a plugin and reloads; pi keeps its list of them to itself.
      resourceLoader.extensionFactories = extensions(params, tools);
      await session.reload();
    },
    close: () => session.dispose(),
  };
}

await serve({
  runtime: { name: folder, version: pi.VERSION, language: "javascript", url: "https://pi.dev" },
  capabilities: {
    providerApis: Object.keys(APIS), nativeDeferral: Object.keys(APIS), modes: ["agent"], coreTools: "given",
    concurrent: true, activity: true, transcript, abort: true, setTools: true, compact: true, setMode: false,
  },
  dialect: { searchTool: file === "policy.ts" ? "ToolSearch" : "tool_search", searchArguments: { query: "$QUERY" }, namePrefix: "" },
}, open);
