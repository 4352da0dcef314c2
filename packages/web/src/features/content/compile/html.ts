import type { ContentNode } from "../types.ts";

const VOID = new Set(["br", "hr", "img"]);
const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

const escaped = (text: string) => text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? "");

/**
 * Returns a compiled page as HTML, for readers without scripts. Code samples follow one another, without highlighting.
 */
export function htmlOf(nodes: readonly ContentNode[]): string {
  return nodes.map((node) => (typeof node === "string" ? escaped(node) : elementOf(node))).join("");
}

function elementOf([tag, attributes, ...children]: Exclude<ContentNode, string>): string {
  if (tag === "code-block" || tag === "token") return htmlOf(children);
  if (tag === "sample") return `<pre><code>${htmlOf(children)}</code></pre>`;
  const written = Object.entries(attributes ?? {})
    .map(([name, value]) => ` ${name}="${escaped(value)}"`)
    .join("");
  return VOID.has(tag) ? `<${tag}${written}>` : `<${tag}${written}>${htmlOf(children)}</${tag}>`;
}
