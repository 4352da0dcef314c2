import { common, createLowlight } from "lowlight";

const lowlight = createLowlight(common);
/** Longer code is not highlighted: it would block the page. */
const LONGEST = 40_000;

/** A piece of code with its highlight.js class (`string`, `comment` …), or null for plain text. */
export type Token = { text: string; kind: string | null };
type Nodes = ReturnType<typeof lowlight.highlight>["children"];

/** Splits code into highlighted tokens; one plain token if the language is unknown. */
export function tokensOf(code: string, language: string): Token[] {
  const name = language.toLowerCase();
  if (code.length > LONGEST || !lowlight.registered(name)) return [{ text: code, kind: null }];
  const tokens: Token[] = [];
  collect(lowlight.highlight(name, code).children, null, tokens);
  return tokens;
}

function collect(nodes: Nodes, kind: string | null, tokens: Token[]): void {
  for (const node of nodes) {
    if (node.type === "text") tokens.push({ text: node.value, kind });
    if (node.type !== "element") continue;
    const [first] = Array.isArray(node.properties.className) ? node.properties.className : [];
    collect(node.children, typeof first === "string" ? first.replace(/^hljs-/, "") : kind, tokens);
  }
}
