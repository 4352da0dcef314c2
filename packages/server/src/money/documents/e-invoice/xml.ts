import { decimalsOf } from "../../currencies/index.ts";
/** XML text. */
export type Xml = { readonly xml: string };

type Content = string | Xml | null | readonly (Xml | null)[];

/** Returns an element. Texts are escaped, and null content leaves the element out. */
export function element(name: string, content: Content, attributes: Readonly<Record<string, string>> = {}): Xml | null {
  if (content === null) return null;
  const start = [name, ...Object.entries(attributes).map(([key, value]) => `${key}="${escapeXml(value)}"`)].join(" ");
  return { xml: `<${start}>${renderContent(content)}</${name}>` };
}

/** Returns an element as a document. */
export function toDocument(root: Xml | null): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${root?.xml}\n`;
}

/** Returns minor units as a decimal with at most two places, which the standard allows: of a third one, the last is always 0. */
export function formatAmount(minor: number, currency: string): string {
  const decimals = decimalsOf(currency);
  return (minor / 10 ** decimals).toFixed(Math.min(decimals, 2));
}

function renderContent(content: Exclude<Content, null>): string {
  if (typeof content === "string") return escapeXml(content);
  if ("xml" in content) return content.xml;
  return content.map((child) => child?.xml ?? "").join("");
}

/** Escapes a text, and removes the characters that XML cannot hold. */
function escapeXml(text: string): string {
  return text
    .replaceAll(/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu, "")
    .replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}
