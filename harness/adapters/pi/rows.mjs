// Rows of the adapter protocol as entries of pi's session file, and back.

/** What pi writes down of an answer beside its content; rows know nothing of it. */
const ANSWER = {
  usage: {
    input: 0, output: 0, cacheRead: 0, cacheWrite: 0, totalTokens: 0,
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
  },
};

const texts = (content) =>
  typeof content === "string" ? content : content.filter((block) => block.type === "text").map((block) => block.text).join("\n\n");

/**
 * The lines of a session file that holds these rows.
 *
 * @param {object} model the model that the answers are said to be of
 * @param {boolean} detailed whether a row's marker stands in its details: a row of pi 1.6 has no field for it
 */
export function toFile(rows, cwd, model, detailed) {
  const timestamp = new Date(0).toISOString();
  const entries = rows.map((row, index) => {
    const place = { id: `row-${index}`, parentId: index > 0 ? `row-${index - 1}` : null, timestamp };
    // Nothing before a checkpoint is kept: where it stood in the file says what followed.
    return row.type === "checkpoint"
      ? { type: "compaction", ...place, summary: row.summary, firstKeptEntryId: "", tokensBefore: 0 }
      : { type: "message", ...place, message: { ...toMessage(row, model, detailed), timestamp: 0 } };
  });
  const header = { type: "session", version: 3, id: "rows", timestamp, cwd };
  return [header, ...entries].map((entry) => `${JSON.stringify(entry)}\n`).join("");
}

function toMessage(row, model, detailed) {
  const said = row.text ? [{ type: "text", text: row.text }] : [];
  if (row.type === "user") return { role: "user", content: said };
  if (row.type === "assistant") {
    const calls = row.toolCalls.map((call) => ({ type: "toolCall", ...call }));
    const stopReason = calls.length > 0 ? "toolUse" : "stop";
    // Ids of two parts are those of an answer over Responses: pi writes them anew for any other API.
    const api = calls.some(({ id }) => id.includes("|")) ? "openai-responses" : model.api;
    return { role: "assistant", content: [...said, ...calls], ...model, api, ...ANSWER, stopReason };
  }
  const { callId: toolCallId, toolName, addedToolNames } = row;
  // pi tells a result that was cut off from one that failed by its text alone.
  const result = { role: "toolResult", toolCallId, toolName, content: said, isError: row.status !== "ok" };
  if (!addedToolNames) return result;
  return { ...result, ...(detailed ? { details: { addedToolNames } } : { addedToolNames }) };
}

/** The rows of a session's path from its first entry to where it stands now. */
export function toRows(path) {
  const last = path.findLast((entry) => entry.type === "compaction");
  // What a compaction keeps stands before it in the file and after it in the context.
  const kept = path.findIndex((entry) => last && entry.id === last.firstKeptEntryId);
  const ordered = path.filter((entry) => entry.type !== "compaction");
  if (last) {
    const at = ordered.indexOf(path.slice(kept < 0 ? path.indexOf(last) : kept).find((entry) => entry.type !== "compaction"));
    ordered.splice(at < 0 ? ordered.length : at, 0, last);
  }
  const rows = [];
  for (const entry of ordered) {
    if (entry.type === "compaction") rows.push({ type: "checkpoint", summary: entry.summary });
    if (entry.type === "message") rows.push(...fromMessage(entry.message, rows));
  }
  return rows;
}

function fromMessage(message, before) {
  if (message.role === "user") return [{ type: "user", text: texts(message.content) }];
  if (message.role === "assistant") {
    // pi shows an answer that failed or was cut off to the user, and never sends it again.
    if (message.stopReason === "error" || message.stopReason === "aborted") return [];
    const calls = message.content.filter((block) => block.type === "toolCall");
    const toolCalls = calls.map(({ id, name, arguments: given }) => ({ id, name, arguments: given }));
    const text = texts(message.content);
    return [{ type: "assistant", toolCalls, ...(text && { text }) }];
  }
  if (message.role === "toolResult") {
    const { toolCallId: callId, toolName, isError } = message;
    const addedToolNames = message.addedToolNames ?? message.details?.addedToolNames;
    const row = { type: "toolResult", callId, toolName, status: isError ? "error" : "ok", text: texts(message.content) };
    return [{ ...row, ...(addedToolNames && { addedToolNames }) }];
  }
  return [];
}
