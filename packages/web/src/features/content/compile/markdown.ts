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

/** Elements that a page may hold, each with the attributes it keeps. Everything else leaves only its text. */
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

export type Compiled = { body: ContentNode[]; headings: Heading[]; text: string; links: string[] };

/** Markdown as a tree of plain values. Raw HTML, scripts, addresses that run code and pictures of others stay out. */
export function compileMarkdown(source: string): Compiled {
  const tree = fromMarkdown(source, { extensions: [gfm()], mdastExtensions: [gfmFromMarkdown()] });
  const headings = nameHeadings(tree);
  const links: string[] = [];
  const body = groupCode(tree.children).flatMap((part) =>
    Array.isArray(part) ? [codeNode(part)] : htmlOf(part, links),
  );
  return { body, headings, text: plainText(tree), links };
}

/** Gives headings their ids, and answers those that the table of contents lists. */
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

/** Code blocks that name a tab and follow one another are one block with tabs. */
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

/** Code with its colours found when the site is built, so that no reader has to load what finds them. */
function colouredCode(code: string, language: string): ContentNode[] {
  return tokensOf(code, language).map(({ text, kind }) => (kind === null ? text : ["token", { kind }, text]));
}

/** `title="config.yaml"` of the words behind the language of a code block. */
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

/** The words of a page without its code, for the search. */
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
