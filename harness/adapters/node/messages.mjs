// The protocol's rows as AI SDK model messages, which several runtimes keep as they are, and back.

/**
 * The two translations for one runtime.
 *
 * @param {string} searchTool its search tool
 * @param {string} found the member of a search's result that lists the tools it found, by `name`
 */
export function translation(searchTool, found) {
  const toMessage = (row) => {
    if (row.type === "user") return { role: "user", content: row.text };
    if (row.type === "assistant") {
      const calls = row.toolCalls.map(({ id, name, arguments: input }) => (
        { type: "tool-call", toolCallId: id, toolName: name, input }));
      return { role: "assistant", content: [...(row.text ? [{ type: "text", text: row.text }] : []), ...calls] };
    }
    if (row.type !== "toolResult") throw new Error(`there is no message for a row of type ${row.type}`);
    const { callId: toolCallId, toolName } = row;
    return { role: "tool", content: [{ type: "tool-result", toolCallId, toolName, output: toOutput(row) }] };
  };

  // What did not succeed is a text to these runtimes: they never write one that lists tools.
  const toOutput = ({ toolName, status, text, addedToolNames: added }) => {
    if (status !== "ok") {
      if (added) throw new Error("there is no message for a search that failed and lists tools");
      return { type: "error-text", value: text };
    }
    if (!added && toolName !== searchTool) return { type: "text", value: text };
    const value = { [found]: (added ?? []).map((name) => ({ name })) };
    if (text !== JSON.stringify(value)) value.message = text;
    return { type: "json", value };
  };

  const toRows = ({ role, content }) => {
    const parts = typeof content === "string" ? [{ type: "text", text: content }] : content;
    const text = parts.filter((part) => part.type === "text").map((part) => part.text).join("\n\n");
    if (role === "user") return [{ type: "user", text }];
    if (role === "assistant") {
      const toolCalls = parts.filter((part) => part.type === "tool-call").map((part) => (
        { id: part.toolCallId, name: part.toolName, arguments: part.input }));
      return [{ type: "assistant", toolCalls, ...(text && { text }) }];
    }
    return parts.map(({ toolCallId: callId, toolName, output: { type, value } }) => {
      const status = /^error|denied/.test(type) || value?.error === true ? "error" : "ok";
      const row = { type: "toolResult", callId, toolName, status };
      if (typeof value === "string") return { ...row, text: value };
      const names = toolName === searchTool && value?.[found]?.map(({ name }) => name);
      return { ...row, text: value?.message ?? JSON.stringify(value), ...(names && { addedToolNames: names }) };
    });
  };

  return { toMessage, toRows };
}
