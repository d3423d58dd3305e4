// What the adapters in Node share: adapter protocol 1 over standard input and output, and the call
// to the host. An adapter gives what it says of itself, and a function that opens a session.

/** An error answer: its code, its message, its data. */
export class Failure extends Error {
  constructor(code, message, data) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** What a runtime does not have: reported as not applicable. */
export const unsupported = (what) => new Failure(1, "unsupported", { what });

/** An error in the runtime's own words. */
export const words = (error) => (error instanceof Error ? `${error.name}: ${error.message}` : String(error));

// What a session's method is given of the parameters, and what its answer becomes.
const METHODS = {
  prompt: [(params) => params.text, (answer) => answer],
  save: [() => undefined, (state) => ({ state })],
  transcript: [() => undefined, (rows) => ({ rows })],
  abort: [() => undefined, () => ({})],
  setMode: [(params) => params.mode, () => ({})],
  setTools: [(params) => params.tools, () => ({})],
  compact: [() => undefined, () => ({})],
  close: [() => undefined, () => ({})],
};

// Whatever else prints, prints to the log.
const print = process.stdout.write.bind(process.stdout);
process.stdout.write = process.stderr.write.bind(process.stderr);

/**
 * Has the host run a tool, and gives its text; an error or a denial is thrown.
 *
 * @param {object} session the parameters of the `session/open` that the call belongs to
 */
export async function execute(session, callId, toolName, args, signal) {
  const call = { sessionId: session.sessionId, method: "tool.execute", callId, toolName, arguments: args };
  const headers = { "content-type": "application/json" };
  const answer = await fetch(session.host.url, { method: "POST", headers, body: JSON.stringify(call), signal });
  if (!answer.ok) throw new Error(`the host answered ${answer.status}`);
  const { status, text } = await answer.json();
  if (status !== "ok") throw new Error(text);
  return text;
}

/**
 * Answers requests until `shutdown` or the end of the input. An abort does not wait for the prompt.
 *
 * @param {object} hello the answer to `initialize`, less the version of the protocol
 * @param {(params: object) => object} open makes a session: an object with the methods `prompt`
 *   and `save`, and, where the runtime has them, `transcript`, `abort`, `setMode`, `setTools`,
 *   `compact` and `close`. What the runtime throws becomes its refusal.
 */
export async function serve(hello, open) {
  const sessions = new Map();

  const perform = async (method, params) => {
    if (method === "initialize") return { protocolVersion: 1, ...hello };
    if (method === "shutdown") return {};
    const id = params.sessionId;
    if (method === "session/open") {
      sessions.set(id, await open(params));
      return {};
    }
    const name = method.startsWith("session/") ? method.slice("session/".length) : "";
    if (!Object.hasOwn(METHODS, name)) throw new Failure(-32601, "unknown method", { method });
    const session = sessions.get(id);
    if (!session) throw new Failure(4, "unknown session", { sessionId: id });
    if (name === "close") sessions.delete(id);
    else if (!session[name]) throw new Failure(-32601, "unknown method", { method });
    const [given, answer] = METHODS[name];
    return answer(await session[name]?.(given(params)));
  };

  const answer = async ({ id, method, params }) => {
    const reply = { jsonrpc: "2.0", id };
    try {
      reply.result = await perform(method, params ?? {});
    } catch (error) {
      reply.error = toError(error);
    }
    await new Promise((done) => print(`${JSON.stringify(reply)}\n`, done));
    if (method === "shutdown") process.exit(0);
  };

  for await (const line of lines(process.stdin)) answer(JSON.parse(line));
  process.exit(0);
}

function toError(error) {
  if (error instanceof Failure) return { code: error.code, message: error.message, data: error.data };
  // A slip of the adapter is not taken for a refusal of the runtime.
  const slip = error instanceof TypeError || error instanceof ReferenceError;
  if (slip) return { code: -32603, message: words(error) };
  return { code: 2, message: "refused by the runtime", data: { reason: words(error) } };
}

// `node:readline` also ends a line at U+2028 and U+2029, which JSON may hold as they are.
async function* lines(input) {
  let held = [];
  for await (const chunk of input.setEncoding("utf8")) {
    const [first, ...more] = chunk.split("\n");
    held.push(first);
    for (const next of more) {
      yield held.join("");
      held = [next];
    }
  }
}
