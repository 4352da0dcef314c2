/** XML text. */
export type Xml = { readonly xml: string };

type Content = string | Xml | null | readonly (Xml | null)[];

/** Returns an element. Texts are escaped, and null content leaves the element out. */
export function element(name: string, content: Content, attributes: Readonly<Record<string, string>> = {}): Xml | null {
  if (content === null) return null;
  const start = [name, ...Object.entries(attributes).map(([key, value]) => `${key}="${escapeXml(value)}"`)].join(" ");
  return { xml: `<${start}>${renderContent(content)}</${name}>` };
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
