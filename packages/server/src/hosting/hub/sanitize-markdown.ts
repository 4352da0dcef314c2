import { parseMarkdown } from "@feather/markdown/parse";
import type { Definition, Html, Image, ImageReference, Link, PhrasingContent, Root } from "mdast";
import { gfmToMarkdown } from "mdast-util-gfm";
import { toMarkdown } from "mdast-util-to-markdown";
import { SKIP, visit } from "unist-util-visit";

const MAX_LENGTH = 65_536;
/** Matches quotes and lists that are nested so deeply that recursive renderers could overflow. */
const DEEP_NESTING = /^[ \t]*(?:(?:>|[-+*]|\d+[.)])[ \t]*){50,}/m;
/** Limits for characters that open a construct: parsing takes very long with too many of them. */
const MAX_MARKS: Record<string, number> = { "[": 3_000, "~": 1_500, "*": 8_000, _: 8_000, "<": 4_000, "|": 20_000 };
/** The base of relative links without a given one. With it, they become text. */
const NO_BASE_URL = "about:blank";
const ALLOWED_SCHEMES = ["http:", "https:", "mailto:"];
/** Matches Unicode marks that override the direction of text, so that it reads differently. */
const DIRECTION_MARKS = /[\u202A-\u202E\u2066-\u2069\0]/g;

/**
 * Sanitizes untrusted Markdown: no raw HTML, only links to http, https and mailto, and links instead of images, so that
 * nothing is loaded from a third party before a click. Returns null if it is too complex to parse. `base` is the base URL
 * of relative links. The time can grow much faster than the text, so it runs only in worker threads (`card-parser.ts`).
 */
export function sanitizeMarkdown(text: string, base: string = NO_BASE_URL): string | null {
  const truncated = text.slice(0, MAX_LENGTH).replaceAll(DIRECTION_MARKS, "").toWellFormed();
  if (DEEP_NESTING.test(truncated) || hasTooManyMarks(truncated)) return null;
  try {
    const tree = parseMarkdown(truncated);
    sanitizeTree(tree, base);
    return toMarkdown(tree, { extensions: [gfmToMarkdown()] }).slice(0, MAX_LENGTH);
  } catch (error) {
    if (error instanceof RangeError) return null; // nested too deeply
    throw error;
  }
}

function hasTooManyMarks(text: string): boolean {
  const counts: Record<string, number> = {};
  for (const mark of text) if (mark in MAX_MARKS) counts[mark] = (counts[mark] ?? 0) + 1;
  return Object.entries(MAX_MARKS).some(([mark, max]) => (counts[mark] ?? 0) > max);
}

function sanitizeTree(tree: Root, base: string): void {
  const definitions = new Map<string, string | null>();
  visit(tree, "definition", (node: Definition) => {
    const key = node.identifier.toLowerCase();
    if (!definitions.has(key)) definitions.set(key, toSafeUrl(node.url, base));
  });
  visit(tree, (node, index, parent) => {
    if (parent === undefined || index === undefined) return;
    const children = parent.children as unknown[];
    const replaceNode = (...nodes: unknown[]) => {
      children.splice(index, 1, ...nodes);
      return [SKIP, index + nodes.length] as [typeof SKIP, number];
    };
    switch (node.type) {
      case "html":
        return replaceNode(...htmlToText(node, parent.type));
      case "image":
        return replaceNode(toImageLink(node, toSafeUrl(node.url, base)));
      case "imageReference":
        return replaceNode(toImageLink(node, definitions.get(node.identifier.toLowerCase()) ?? null));
      case "link": {
        const url = toSafeUrl(node.url, base);
        replaceImagesWithText(node);
        if (url === null) {
          children.splice(index, 1, ...node.children);
          return [SKIP, index] as [typeof SKIP, number];
        }
        node.url = url;
        return;
      }
      case "linkReference":
        // As `[x]`, it would become a definition if a colon and an address follow: `[x]:<a@b.example>`.
        if (node.referenceType === "shortcut") node.referenceType = "collapsed";
        return;
      case "definition": {
        const url = toSafeUrl(node.url, base);
        if (url === null) return replaceNode();
        node.url = url;
        return;
      }
    }
  });
}

/** Replaces images inside a link by their alternative text, since a link cannot contain another. */
function replaceImagesWithText(link: Link): void {
  visit(link, (node, index, parent) => {
    if (parent === undefined || index === undefined || (node.type !== "image" && node.type !== "imageReference"))
      return;
    (parent.children as unknown[])[index] = { type: "text", value: node.alt?.trim() || "Picture" };
  });
}

/** Returns the text of HTML without tags, as a paragraph if it is between blocks. */
function htmlToText({ value }: Html, parent: string): object[] {
  const text = value
    .replaceAll(/<(script|style|template|iframe|object|svg|math)\b[\s\S]*?(<\/\1\s*>|$)/gi, "")
    .replaceAll(/<!--[\s\S]*?(-->|$)/g, "")
    .replaceAll(/<[^>]*>?/g, " ")
    .replaceAll(/\s+/g, " ")
    .trim();
  if (text === "") return [];
  const node = { type: "text", value: text };
  const phrasing = ["paragraph", "heading", "emphasis", "strong", "delete", "link", "linkReference", "tableCell"];
  return [phrasing.includes(parent) ? node : { type: "paragraph", children: [node] }];
}

function toImageLink({ alt }: Image | ImageReference, url: string | null): Link | PhrasingContent {
  const text = { type: "text" as const, value: alt?.trim() || "Picture" };
  return url === null ? text : { type: "link", url, children: [text] };
}

function toSafeUrl(url: string, base: string): string | null {
  const text = url.replaceAll(/[\s\p{Cc}]/gu, "");
  if (text.startsWith("#")) return text;
  if (!URL.canParse(text, base)) return null;
  const parsed = new URL(text, base);
  return ALLOWED_SCHEMES.includes(parsed.protocol) && parsed.username === "" && parsed.password === ""
    ? parsed.href
    : null;
}

const MAX_SUMMARY_LENGTH = 300;
const SENTENCE_ENDS = [".", "!", ":"];

/** Returns whether a text has two letters before the end of a sentence. */
function isSentence(text: string): boolean {
  const end = Math.max(...SENTENCE_ENDS.map((mark) => text.lastIndexOf(mark)));
  return (text.slice(0, Math.max(end, 0)).match(/\p{L}/gu) ?? []).length >= 2;
}

/**
 * Returns the first paragraph that contains a sentence as plain text of at most 300 characters; empty if there is none.
 */
export function extractSummary(markdown: string): string {
  const tree = parseMarkdown(markdown);
  for (const node of tree.children) {
    if (node.type !== "paragraph") continue;
    let text = "";
    visit(node, (part) => {
      if (part.type === "text" || part.type === "inlineCode") text += part.value;
      if (part.type === "break") text += " ";
    });
    const plain = text.replaceAll(/\s+/g, " ").trim();
    if (isSentence(plain) && plain.length > 20)
      return plain.length <= MAX_SUMMARY_LENGTH ? plain : `${plain.slice(0, MAX_SUMMARY_LENGTH - 1)}…`;
  }
  return "";
}
