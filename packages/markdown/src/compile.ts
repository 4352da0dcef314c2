import type { Element, ElementContent, Root as HtmlRoot, RootContent } from "hast";
import type { RootContent as Block, Code, Root } from "mdast";
import { toHast } from "mdast-util-to-hast";
import { toString as textOf } from "mdast-util-to-string";
import type { ContentNode, Heading } from "./content-node.ts";
import { highlightCode } from "./highlight.ts";
import { isNestedTooDeep, NESTED_TOO_DEEP } from "./nesting.ts";
import { parseMarkdown } from "./parse.ts";
import { createSlugger } from "./slugger.ts";

/** Allowed elements with their attributes. Of other elements only the text is kept. */
const ALLOWED_ATTRIBUTES: Readonly<Record<string, readonly string[]>> = {
  a: ["href", "title"],
  blockquote: [],
  br: [],
  code: [],
  del: [],
  em: [],
  h2: ["id"],
  h3: ["id"],
  h4: ["id"],
  hr: [],
  img: ["src", "alt", "title"],
  li: [],
  ol: ["start"],
  p: [],
  strong: [],
  table: [],
  tbody: [],
  td: ["align"],
  th: ["align"],
  thead: [],
  tr: [],
  ul: [],
};
const SAFE_LINK = /^(https?:\/\/|mailto:|#|\/(?![/\\]))/i;
const SAFE_IMAGE = /^\/(?![/\\])/;

/** A compiled page; `text` is its plain text for the search, `links` are all link targets. */
export type CompiledPage = { body: ContentNode[]; headings: Heading[]; text: string; links: string[] };

/**
 * Compiles Markdown to a serializable tree. Raw HTML, scripts, unsafe URLs and external images are removed. Throws a RangeError for a
 * text that is nested too deep.
 */
export function compileMarkdown(source: string): CompiledPage {
  if (isNestedTooDeep(source)) throw new RangeError(NESTED_TOO_DEEP);
  const tree = parseMarkdown(source);
  const headings = assignHeadingIds(tree);
  const links: string[] = [];
  const body = groupCodeTabs(tree.children).flatMap((blockOrGroup) =>
    Array.isArray(blockOrGroup) ? [toCodeNode(blockOrGroup)] : toContentNodes(blockOrGroup, links),
  );
  return { body, headings, text: toSearchText(tree), links };
}

/** Assigns ids to the headings. Returns those listed in the table of contents. */
function assignHeadingIds(tree: Root): Heading[] {
  const slug = createSlugger();
  const headings: Heading[] = [];
  for (const node of tree.children) {
    if (node.type !== "heading") continue;
    const text = textOf(node);
    const id = slug(text);
    node.data = { hProperties: { id } };
    if (node.depth === 2 || node.depth === 3) headings.push({ id, text, level: node.depth });
  }
  return headings;
}

/** Groups consecutive code blocks with a tab name. */
function groupCodeTabs(blocks: readonly Block[]): (Block | Code[])[] {
  const groups: (Block | Code[])[] = [];
  for (const block of blocks) {
    const last = groups.at(-1);
    if (block.type !== "code") groups.push(block);
    else if (
      readOption(block, "tab") !== undefined &&
      Array.isArray(last) &&
      last[0] &&
      readOption(last[0], "tab") !== undefined
    )
      last.push(block);
    else groups.push([block]);
  }
  return groups;
}

function toCodeNode(blocks: readonly Code[]): ContentNode {
  const samples = blocks.map((block): ContentNode => {
    const name = readOption(block, "tab") ?? readOption(block, "title") ?? "";
    const literal = /\bliteral\b/.test(block.meta ?? "");
    const attributes = { lang: block.lang ?? "", name, ...(literal && { literal: "" }) };
    return ["sample", attributes, ...highlightNodes(block.value, block.lang ?? "")];
  });
  return ["code-block", null, ...samples];
}

/** Highlights code at build time, so that readers do not load the highlighter. */
function highlightNodes(code: string, language: string): ContentNode[] {
  return highlightCode(code, language).map(({ text, kind }) => (kind === null ? text : ["token", { kind }, text]));
}

/** Reads an option of a code block's info string, such as `title="config.yaml"`. */
function readOption({ meta }: Code, name: string): string | undefined {
  const found = new RegExp(`\\b${name}=(?:"([^"]*)"|(\\S+))`).exec(meta ?? "");
  return found?.[1] ?? found?.[2];
}

function toContentNodes(block: Block, links: string[]): ContentNode[] {
  const html = toHast({ type: "root", children: [block] }) as HtmlRoot;
  return html.children.flatMap((node) => convertNode(node, links));
}

function convertNode(node: RootContent | ElementContent, links: string[]): ContentNode[] {
  if (node.type === "text") return node.value.trim() === "" && node.value.includes("\n") ? [] : [node.value];
  if (node.type !== "element") return [];
  const { tagName } = node;
  if (tagName === "pre")
    return node.children.flatMap((child) => (child.type === "element" ? [toNestedCode(child)] : []));
  const children = node.children.flatMap((child) => convertNode(child, links));
  const allowed = Object.hasOwn(ALLOWED_ATTRIBUTES, tagName) ? ALLOWED_ATTRIBUTES[tagName] : undefined;
  if (allowed === undefined) return children;
  const attributes = Object.fromEntries(
    allowed.flatMap((name) => {
      const value = node.properties[name];
      return value === undefined || value === null || value === false ? [] : [[name, String(value)]];
    }),
  );
  if (tagName === "img" && !SAFE_IMAGE.test(attributes.src ?? "")) return [];
  if (tagName === "a" && !SAFE_LINK.test(attributes.href ?? "")) return children;
  if (attributes.href) links.push(attributes.href);
  return [[tagName, Object.keys(attributes).length > 0 ? attributes : null, ...children]];
}

/** Converts a code block within another block, such as a list. */
function toNestedCode({ properties: { className }, data, children }: Element): ContentNode {
  const [language] = Array.isArray(className) ? className : [];
  const value = children.map((child) => (child.type === "text" ? child.value : "")).join("");
  const lang = String(language ?? "").replace(/^language-/, "");
  return toCodeNode([{ type: "code", lang, meta: data?.meta ?? null, value: value.replace(/\n$/, "") }]);
}

/** Returns the text of a page without code, for the search. */
function toSearchText(tree: Root): string {
  return tree.children
    .filter(({ type }) => type !== "code" && type !== "html")
    .map((node) =>
      node.type === "table"
        ? node.children.map((row) => row.children.map((cell) => textOf(cell)).join(" ")).join(" ")
        : textOf(node),
    )
    .join(" ")
    .replace(/\s+/g, " ")
    .trim();
}
