import type { ContentNode } from "./content-node.ts";

const VOID_ELEMENTS = new Set(["br", "hr", "img"]);
const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

const escapeHtml = (text: string) => text.replaceAll(/[&<>"]/g, (character) => ENTITIES[character] ?? "");

/**
 * Returns a compiled page as HTML, for readers without scripts. Code samples follow one another, without highlighting.
 */
export function toHtml(nodes: readonly ContentNode[]): string {
  return nodes.map((node) => (typeof node === "string" ? escapeHtml(node) : elementToHtml(node))).join("");
}

function elementToHtml([tag, attributes, ...children]: Exclude<ContentNode, string>): string {
  if (tag === "code-block" || tag === "token") return toHtml(children);
  if (tag === "sample") return `<pre><code>${toHtml(children)}</code></pre>`;
  const attributeText = Object.entries(attributes ?? {})
    .map(([name, value]) => ` ${name}="${escapeHtml(value)}"`)
    .join("");
  return VOID_ELEMENTS.has(tag) ? `<${tag}${attributeText}>` : `<${tag}${attributeText}>${toHtml(children)}</${tag}>`;
}
