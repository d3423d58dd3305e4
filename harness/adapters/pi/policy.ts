// An extension for pi that keeps the contract on pi's own engine: `pi -e policy.ts`. It runs on 0.83 and on 1.6.
//
// Every tool that an extension brings is deferred, unless it is named as core. What is active is decided in two
// places alone: before each prompt, from evidence in the effective context, and by a search.
import type { ContextEvent, ExtensionAPI, SessionEntry } from "@earendil-works/pi-coding-agent";
import { HEADING, LEGAL_NAME, SEARCH, catalog } from "./catalog.ts";
import { find } from "./search.ts";

type AgentMessage = ContextEvent["messages"][number];

export interface Options {
	/** Tools that are always active, by name. */
	core?: string[];
	/** The most tools that one search may activate. */
	most?: number;
}

export default function policy(pi: ExtensionAPI, { core = ["read", "bash", "edit", "write"], most = 4 }: Options = {}) {
	const isCore = (name: string) => core.includes(name);

	/** The deferred tools. A built-in that is off is the user's choice, and a name that no API takes cannot be sent. */
	const deferred = () =>
		pi.getAllTools().filter((tool) => {
			const brought = tool.sourceInfo.source !== "builtin" && tool.name !== SEARCH;
			return brought && !isCore(tool.name) && LEGAL_NAME.test(tool.name);
		});

	pi.on("session_start", () => pi.setActiveTools(core));

	pi.on("before_agent_start", (event, ctx) => {
		const tools = deferred();
		if (tools.length === 0) {
			pi.setActiveTools(core);
			return;
		}
		const names = new Set(tools.map((tool) => tool.name));
		const proven = evidence(ctx.sessionManager.buildContextEntries()).filter((name) => names.has(name));
		pi.setActiveTools([...core, SEARCH, ...new Set(proven)]);
		// A section of 1.6 that changes is told where the conversation stands; the whole text stands in front of it.
		return { systemPrompt: `${event.systemPrompt}\n\n${catalog(tools)}\n` };
	});

	// pi sends a result that answers no call, and a call by a name that no API has, as they stand in the session; no
	// provider takes them.
	pi.on("context", ({ messages }) => ({ messages: paired(messages).map(named) }));

	pi.registerTool({
		name: SEARCH,
		label: SEARCH,
		description: `Finds the tools listed under "${HEADING}" and loads them for your next step.`,
		parameters: {
			type: "object",
			properties: { query: { type: "string", description: "an exact name, or a few words on what is needed" } },
			required: ["query"],
		} as never,
		// Two searches at once would each be told what the other activated.
		executionMode: "sequential",
		// pi makes a text of whatever else it is given, and that text could match.
		prepareArguments: (given: unknown) => {
			const query = (given as { query?: unknown } | null)?.query;
			if (typeof query !== "string") throw new Error(`${SEARCH} takes a query, which is a text.`);
			return { query } as never;
		},
		async execute(_id, { query }: { query: string }) {
			const active = pi.getActiveTools();
			const inactive = new Set(deferred().map((tool) => tool.name).filter((name) => !active.includes(name)));
			const candidates = pi.getAllTools().filter(({ name }) => inactive.has(name) || active.includes(name));
			const found = find(query, candidates.filter(({ name }) => name !== SEARCH)).map((tool) => tool.name);
			const added = found.filter((name) => inactive.has(name)).slice(0, most);
			const already = found.filter((name) => !inactive.has(name)).slice(0, most);
			if (added.length > 0) pi.setActiveTools([...active, ...added]);
			const said = [];
			if (added.length > 0) said.push(`Loaded: ${added.join(", ")}. They can be called from your next step on.`);
			if (already.length > 0) said.push(`Active already: ${already.join(", ")}.`);
			const text = said.join(" ") || "Nothing matches. Try an exact name, or other words for what you need.";
			// The marker: 0.83 writes one of its own into the row when the active tools grow, 1.6 keeps details alone.
			return { content: [{ type: "text", text }], details: { addedToolNames: added } };
		},
	});
}

/** The tools that the effective context proves, in its order: those that a search's marker names, and those that worked. */
function evidence(entries: SessionEntry[]): string[] {
	const messages = entries.flatMap((entry) => (entry.type === "message" ? [entry.message] : []));
	return paired(messages).flatMap((message) => {
		if (message.role !== "toolResult" || message.isError) return [];
		return message.toolName === SEARCH ? marker(message) : [message.toolName];
	});
}

/** The messages without the results that answer no open call of their id and tool. */
function paired(messages: AgentMessage[]): AgentMessage[] {
	const open: { id: string; name: string }[] = [];
	return messages.filter((message) => {
		// pi does not send an answer that failed or was cut off.
		if (message.role === "assistant" && message.stopReason !== "error" && message.stopReason !== "aborted") {
			for (const block of message.content) if (block.type === "toolCall") open.push(block);
		}
		if (message.role !== "toolResult") return true;
		const call = open.findLastIndex(({ id, name }) => id === message.toolCallId && name === message.toolName);
		return call >= 0 && open.splice(call, 1).length > 0;
	});
}

/** A message whose calls have names that every API takes. No tool is active under another. */
function named(message: AgentMessage): AgentMessage {
	if (message.role !== "assistant") return message;
	const illegal = (name: string) => !LEGAL_NAME.test(name);
	const legal = (name: string) => name.replace(/[^a-zA-Z0-9_-]/gu, "_").slice(0, 64) || "_";
	const content = message.content.map((block) =>
		block.type === "toolCall" && illegal(block.name) ? { ...block, name: legal(block.name) } : block,
	);
	return { ...message, content };
}

/** What a search's row says that it activated. */
function marker(row: { addedToolNames?: unknown; details?: unknown }): string[] {
	const names = row.addedToolNames ?? (row.details as { addedToolNames?: unknown } | undefined)?.addedToolNames;
	return Array.isArray(names) ? names.filter((name) => typeof name === "string") : [];
}
