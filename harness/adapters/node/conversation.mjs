// What a session is to runtimes that keep AI SDK model messages and hold no state beside them.

import { unsupported, words } from "./serve.mjs";

/**
 * One conversation: the messages so far. What extends it has the methods `setTools`, `tool`, which
 * makes a tool as the runtime takes it, and `generate`, which runs one prompt on the messages and
 * gives its end.
 */
export class Conversation {
  constructor(params, { toMessage, toRows }) {
    const { api, native } = params.provider;
    if (params.mode !== "agent" || api !== "openai-chat" || native) {
      throw unsupported(`mode ${params.mode} over ${api}, native deferral: ${native}`);
    }
    this.params = params;
    this.toRows = toRows;
    this.messages = params.state ?? params.transcript?.map(toMessage) ?? [];
  }

  /** The tools that are of a kind in the mode, `core` or `deferred`: an object by name. */
  byName(tools, kind) {
    const { mode } = this.params;
    return Object.fromEntries(
      tools.filter((each) => each.modes[mode] === kind).map((each) => [each.name, this.tool(each)]));
  }

  /** One generation; the messages of each finished step are kept, however it ends. */
  async prompt(text) {
    this.running = new AbortController();
    this.messages = [...this.messages, { role: "user", content: text }];
    try {
      return await this.generate(this.running.signal);
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
    return this.messages.flatMap(this.toRows);
  }
}
