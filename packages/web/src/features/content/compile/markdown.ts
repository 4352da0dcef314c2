import type { ElementContent, Root as HtmlRoot, RootContent } from "hast";
import type { RootContent as Block, Code, Root } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { toHast } from "mdast-util-to-hast";
import { toString as textOf } from "mdast-util-to-string";
import { gfm } from "micromark-extension-gfm";
import { tokensOf } from "../highlight.ts";
import type { ContentNode, Heading } from "../types.ts";
import { slugger } from "./slug.ts";

/** Allowed elements with their attributes. Of other elements only the text is kept. */
const KEPT: Readonly<Record<string, readonly string[]>> = {
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
const SAFE_PICTURE = /^\/(?![/\\])/;

/** A compiled page; `text` is its plain text for the search, `links` are all link targets. */
export type Compiled = { body: ContentNode[]; headings: Heading[]; text: string; links: string[] };

/** Compiles Markdown to a serializable tree. Raw HTML, scripts, unsafe URLs and external images are removed. */
export function compileMarkdown(source: string): Compiled {
  const tree = fromMarkdown(source, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  const headings = nameHeadings(tree);
  const links: string[] = [];
  const body = groupCode(tree.children).flatMap((part) =>
    Array.isArray(part) ? [codeNode(part)] : htmlOf(part, links),
  );
  return { body, headings, text: plainText(tree), links };
}

/** Assigns ids to the headings. Returns those listed in the table of contents. */
function nameHeadings(tree: Root): Heading[] {
  const slug = slugger();
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
function groupCode(blocks: readonly Block[]): (Block | Code[])[] {
  const groups: (Block | Code[])[] = [];
  for (const block of blocks) {
    const last = groups.at(-1);
    if (block.type !== "code") groups.push(block);
    else if (
      option(block, "tab") !== undefined &&
      Array.isArray(last) &&
      last[0] &&
      option(last[0], "tab") !== undefined
    )
      last.push(block);
    else groups.push([block]);
  }
  return groups;
}

function codeNode(blocks: readonly Code[]): ContentNode {
  const samples = blocks.map((block): ContentNode => {
    const name = option(block, "tab") ?? option(block, "title") ?? "";
    const literal = /\bliteral\b/.test(block.meta ?? "");
    const attributes = { lang: block.lang ?? "", name, ...(literal && { literal: "" }) };
    return ["sample", attributes, ...colouredCode(block.value, block.lang ?? "")];
  });
  return ["code-block", null, ...samples];
}

/** Highlights code at build time, so that readers do not load the highlighter. */
function colouredCode(code: string, language: string): ContentNode[] {
  return tokensOf(code, language).map(({ text, kind }) => (kind === null ? text : ["token", { kind }, text]));
}

/** Reads an option of a code block's info string, such as `title="config.yaml"`. */
function option({ meta }: Code, name: string): string | undefined {
  const found = new RegExp(`\\b${name}=(?:"([^"]*)"|(\\S+))`).exec(meta ?? "");
  return found?.[1] ?? found?.[2];
}

function htmlOf(block: Block, links: string[]): ContentNode[] {
  const html = toHast({ type: "root", children: [block] }) as HtmlRoot;
  return html.children.flatMap((node) => nodeOf(node, links));
}

function nodeOf(node: RootContent | ElementContent, links: string[]): ContentNode[] {
  if (node.type === "text") return node.value.trim() === "" && node.value.includes("\n") ? [] : [node.value];
  if (node.type !== "element") return [];
  const children = node.children.flatMap((child) => nodeOf(child, links));
  const { tagName } = node;
  if (tagName === "pre") return [["code-block", null, ["sample", { lang: "", name: "" }, children.join("")]]];
  const kept = Object.hasOwn(KEPT, tagName) ? KEPT[tagName] : undefined;
  if (kept === undefined) return children;
  const attributes = Object.fromEntries(
    kept.flatMap((name) => {
      const value = node.properties[name];
      return value === undefined || value === null || value === false ? [] : [[name, String(value)]];
    }),
  );
  if (tagName === "img" && !SAFE_PICTURE.test(attributes.src ?? "")) return [];
  if (tagName === "a" && !SAFE_LINK.test(attributes.href ?? "")) return children;
  if (attributes.href) links.push(attributes.href);
  return [[tagName, Object.keys(attributes).length > 0 ? attributes : null, ...children]];
}

/** Returns the text of a page without code, for the search. */
function plainText(tree: Root): string {
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
