// Which tools a query means, best first: by name, else by the words of name and description.

export interface Described {
	name: string;
	description: string;
}

const FILLERS = new Set("a an and at by can for from i in is it me my need of on or please that the to want with".split(" "));

/** Scripts that set no spaces between words, or glue particles to them: there a word stands where its letters do. */
const UNSPACED =
	/[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/u;

export function find<Tool extends Described>(query: string, tools: Tool[]): Tool[] {
	const exact = tools.filter(({ name }) => name === query.trim());
	if (exact.length > 0) return exact;
	const named = byName(query, tools);
	return named.length > 0 ? named : byWords(query, tools);
}

/** The tools that a query names. In a sentence a plain word such as `read` names none, unless it is spelt like a name. */
function byName<Tool extends Described>(query: string, tools: Tool[]): Tool[] {
	const tokens = query.split(/[^\p{L}\p{M}\p{N}_-]+/u).filter(Boolean);
	const called = (token: string) => {
		const alike = tools.filter(({ name }) => fold(name) === fold(token));
		const same = alike.filter(({ name }) => name === token);
		return same.length > 0 ? same : alike;
	};
	if (tokens.length === 1) {
		const whole = called(tokens[0]);
		const ends = whole.length > 0 ? [] : tools.filter(({ name }) => new RegExp(`[_-]${fold(tokens[0])}$`).test(fold(name)));
		// Without its plugin's name a tool is named only where no other ends so.
		return ends.length === 1 ? ends : whole;
	}
	const meant = tokens.map(called);
	if (meant.every((some) => some.length > 0)) return [...new Set(meant.flat())];
	return [...new Set(meant.flat())].filter(({ name }) => /[^a-zA-Z]/.test(name) || /.[A-Z]/.test(name));
}

/** The tools that hold words of a query: all of them before some, then by how rare a word is and where it stands. */
function byWords<Tool extends Described>(query: string, tools: Tool[]): Tool[] {
	const all = [...new Set(words(query))];
	const telling = all.filter((word) => !FILLERS.has(word));
	const asked = telling.length > 0 ? telling : all;
	const holders = new Map(asked.map((word) => [word, 0]));
	const held = tools.map((tool) => {
		const name = new Set([...words(tool.name), ...words(divided(tool.name)), ...words(tool.name.replace(/[_-]/g, " "))]);
		const text = words(tool.description);
		const set = new Set(text);
		const folded = fold(tool.description);
		const here = asked.map((word) => {
			const inText = set.has(word) || (UNSPACED.test(word) && folded.includes(word));
			return { word, weight: name.has(word) ? 3 : inText ? 1 / (1 + text.length / 50) : 0 };
		});
		for (const { word, weight } of here) if (weight > 0) holders.set(word, (holders.get(word) ?? 0) + 1);
		return { tool, here };
	});
	const rarity = (word: string) => Math.log(1 + tools.length / Math.max(1, holders.get(word) ?? 0));
	return held
		.map(({ tool, here }) => {
			const complete = here.every(({ weight }) => weight > 0);
			return { tool, complete, score: here.reduce((sum, { word, weight }) => sum + weight * rarity(word), 0) };
		})
		.filter(({ score }) => score > 0)
		.sort((a, b) => Number(b.complete) - Number(a.complete) || b.score - a.score)
		.map(({ tool }) => tool);
}

/** The whole words of a text. */
function words(text: string): string[] {
	return fold(text).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

/** A name with its parts apart: `BrowserPreview` is browser and preview. */
function divided(name: string): string {
	return name.replace(/(\p{Ll}|\p{N})(\p{Lu})/gu, "$1 $2").replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, "$1 $2");
}

function fold(text: string): string {
	return text.toLowerCase().replace(/\p{Default_Ignorable_Code_Point}/gu, "").replaceAll("ς", "σ");
}
