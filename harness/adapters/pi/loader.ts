// What a user of pi 0.83 writes who follows its example of a tool that loads others: the others are switched off when
// the session starts, and a search switches on what it finds. Nothing is listed, nothing reset, nothing restored.
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

export default function loader(pi: ExtensionAPI, { core = ["read", "bash", "edit", "write"], most = 4 } = {}) {
	pi.registerTool({
		name: "tool_search",
		label: "Tool Search",
		description: "Find and activate tools for a capability.",
		promptSnippet: "Search for further tools when the active ones cannot do the task",
		parameters: {
			type: "object",
			properties: { query: { type: "string", description: "Capability to search for" } },
			required: ["query"],
		} as never,
		async execute(_id, { query }: { query: string }) {
			const active = pi.getActiveTools();
			const words = query.toLowerCase().match(/[\p{L}\p{N}_-]+/gu) ?? [];
			const hits = (text: string) => words.filter((word) => text.toLowerCase().includes(word)).length;
			const matches = pi
				.getAllTools()
				.filter((tool) => tool.sourceInfo.source !== "builtin" && !active.includes(tool.name))
				.map((tool) => ({ name: tool.name, exact: tool.name === query, hits: hits(`${tool.name} ${tool.description}`) }))
				.filter(({ hits }) => hits > 0)
				.sort((a, b) => Number(b.exact) - Number(a.exact) || b.hits - a.hits)
				.slice(0, most)
				.map(({ name }) => name);
			if (matches.length > 0) pi.setActiveTools([...active, ...matches]);
			const text = matches.length > 0 ? `Activated: ${matches.join(", ")}` : "The relevant tools do not exist.";
			return { content: [{ type: "text", text }], details: { matches } };
		},
	});

	pi.on("session_start", () => pi.setActiveTools([...core, "tool_search"]));
}
