import { common, createLowlight } from "lowlight";

const lowlight = createLowlight(common);
/** Longer code is shown without colours: they would hold up the page. */
const LONGEST = 40_000;

/** A piece of code: its text, and what it is (`string`, `comment` …), or null. */
export type Token = { text: string; kind: string | null };
type Nodes = ReturnType<typeof lowlight.highlight>["children"];

/** Code in pieces; one piece where the language is not known. */
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
