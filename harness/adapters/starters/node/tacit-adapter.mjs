// my-agent behind the adapter protocol of tacit, version 1: a start to replace piece by piece.
//
// What stands here is a runtime of its own, as plain as there can be: it sends every tool with every
// request. It works, and it does not keep the contract. Put your runtime in the place of `Session`; the
// rest of the file is the protocol. Print for yourself on standard error only.

import { createInterface } from "node:readline";

const HELLO = {
  protocolVersion: 1,
  runtime: { name: "my-agent", version: "0.1.0", language: "javascript" },
  // What your runtime does not have is not applicable, which is no shame: claim only what is there.
  capabilities: { providerApis: ["openai-chat"], modes: ["agent"], coreTools: "given" },
};
const STEPS = 50; // requests in one prompt, so that a runtime gone astray ends

async function post(url, body, key) {
  const headers = { "content-type": "application/json", authorization: `Bearer ${key}` };
  const answer = await fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${answer.status}: ${await answer.text()}`);
  return answer.json();
}

// One conversation. This is the part to replace: open your runtime here, and prompt it.
class Session {
  constructor({ sessionId, provider, host, tools, state }) {
    Object.assign(this, { id: sessionId, provider, host });
    this.tools = new Map(tools.map((tool) => [tool.name, tool]));
    this.messages = state ?? [{ role: "system", content: "You are my-agent." }];
  }

  async prompt(text) {
    this.messages.push({ role: "user", content: text });
    for (let step = 0; step < STEPS; step++) {
      const message = await this.ask();
      this.messages.push(message);
      if (!message.tool_calls?.length) return message.content;
      for (const call of message.tool_calls) {
        this.messages.push({ role: "tool", tool_call_id: call.id, content: await this.run(call) });
      }
    }
    throw new Error(`no end after ${STEPS} requests`);
  }

  async ask() {
    // The contract would have the core tools and a search tool here, a catalog in the system
    // message, and further tools only once a search has activated them.
    const tools = [...this.tools.values()].map(({ name, description, inputSchema }) => ({
      type: "function",
      function: { name, description, parameters: inputSchema },
    }));
    const body = { model: this.provider.model, messages: this.messages, tools };
    const answer = await post(`${this.provider.baseUrl}/chat/completions`, body, this.provider.apiKey);
    return answer.choices[0].message;
  }

  async run(call) {
    const { name } = call.function;
    if (!this.tools.has(name)) return `error: there is no tool ${name}`;
    const answer = await post(this.host.url, {
      sessionId: this.id, method: "tool.execute", callId: call.id, toolName: name,
      arguments: JSON.parse(call.function.arguments),
    });
    return answer.status === "ok" ? answer.text : `error: ${answer.text}`;
  }
}

const sessions = new Map();

const METHODS = {
  initialize: () => HELLO,
  "session/open": (params) => {
    sessions.set(params.sessionId, new Session(params));
    return {};
  },
  "session/prompt": async ({ sessionId, text }) => {
    try {
      return { stop: "end", text: await sessions.get(sessionId).prompt(text) };
    } catch (error) { // whatever ends a prompt is told in the runtime's own words
      return { stop: "error", error: String(error) };
    }
  },
  // All that a restart needs.
  "session/save": ({ sessionId }) => ({ state: sessions.get(sessionId).messages }),
  "session/close": ({ sessionId }) => {
    sessions.delete(sessionId);
    return {};
  },
  shutdown: () => ({}),
};

console.log = console.error; // a stray line is no message

for await (const line of createInterface({ input: process.stdin, crlfDelay: Infinity })) {
  const { id, method, params } = JSON.parse(line);
  const reply = METHODS[method]
    ? { result: await METHODS[method](params ?? {}) }
    : { error: { code: -32601, message: `unknown method ${method}` } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...reply })}\n`);
  if (method === "shutdown") break;
}
