// The list of deferred tools in the base prompt: bounded, one line a tool, nothing of their schemas.

export const SEARCH = "ToolSearch";
export const HEADING = "# On-demand tools";

/** The names that every provider's API takes. */
export const LEGAL_NAME = /^[a-zA-Z0-9_-]{1,64}$/;

const ENTRIES = 64;
const DESCRIPTION = 120;
const BYTES = 12_000;

const HOW = `Call ${SEARCH} with an exact name or a few words on what you need: what matches can be called from your next step on.`;

/** The section. Work ends at the bound, and the order of the registry decides what is listed. */
export function catalog(tools: { name: string; description: string }[]): string {
	const rest = (count: number) => `- and ${count} more`;
	const lines = [HEADING, HOW];
	let room = BYTES - Buffer.byteLength([...lines, rest(tools.length)].join("\n"));
	let listed = 0;
	for (const { name, description } of tools.slice(0, ENTRIES)) {
		const line = `- ${name}: ${oneLine(description) || "(no description)"}`;
		room -= Buffer.byteLength(line) + 1;
		if (room < 0) break;
		lines.push(line);
		listed += 1;
	}
	if (listed < tools.length) lines.push(rest(tools.length - listed));
	return lines.join("\n");
}

/** A text on one line, without what has no shape of its own, cut to its bound in characters. */
function oneLine(text: string): string {
	const line = text
		.replace(/[\s\u0085]+/gu, " ")
		.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu, "")
		.trim();
	// A description may hold a hundred thousand characters: its beginning is enough to know that it is too long.
	const symbols = [...line.slice(0, 2 * DESCRIPTION + 2)];
	return symbols.length > DESCRIPTION ? `${symbols.slice(0, DESCRIPTION - 1).join("")}…` : line;
}
