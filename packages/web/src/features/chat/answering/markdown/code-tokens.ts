import { common, createLowlight } from "lowlight";

const lowlight = createLowlight(common);
/** Longer code is not highlighted: it would block the page. */
const MAX_HIGHLIGHTED_LENGTH = 40_000;

/** A piece of code with its highlight.js class (`string`, `comment` …), or null for plain text. */
export type Token = { text: string; kind: string | null };
type HighlightNodes = ReturnType<typeof lowlight.highlight>["children"];

/** Splits code into highlighted tokens; one plain token if the language is unknown. */
export function highlightCode(code: string, language: string): Token[] {
  const name = language.toLowerCase();
  if (code.length > MAX_HIGHLIGHTED_LENGTH || !lowlight.registered(name)) return [{ text: code, kind: null }];
  const tokens: Token[] = [];
  collectTokens(lowlight.highlight(name, code).children, null, tokens);
  return tokens;
}

function collectTokens(nodes: HighlightNodes, kind: string | null, tokens: Token[]): void {
  for (const node of nodes) {
    if (node.type === "text") tokens.push({ text: node.value, kind });
    if (node.type !== "element") continue;
    const [first] = Array.isArray(node.properties.className) ? node.properties.className : [];
    collectTokens(node.children, typeof first === "string" ? first.replace(/^hljs-/, "") : kind, tokens);
  }
}
