import { parseMarkdown } from "@feather/markdown/parse";
import type { Nodes } from "mdast";
import { EXAMPLE_ORIGIN } from "../example-origin.ts";
import { toMarkdownPath } from "../markdown-path.ts";

/** A page of the docs: its title and description, and its Markdown without front matter. */
export type PlainPage = { title: string; description: string; markdown: string };

/** `origin` is the address of the reader's server; `markdownPaths` are the pages that it also serves as Markdown. */
export type PlainOptions = { origin: string; markdownPaths: ReadonlySet<string> };

/** A part of a source, by its offsets, and the text that replaces it. */
type Edit = { start: number; end: number; text: string };

/**
 * Returns a page as Markdown for programs and language models: with its title and description, without raw HTML, with the
 * origin of the reader's server in examples, and with absolute links, which lead to the Markdown of other pages.
 */
export function toPlainMarkdown({ title, description, markdown }: PlainPage, options: PlainOptions): string {
  const tree = parseMarkdown(markdown);
  const edited = listEdits(tree, markdown, options).reduceRight(
    (text, { start, end, text: replacement }) => text.slice(0, start) + replacement + text.slice(end),
    markdown,
  );
  return `# ${title}\n\n> ${description}\n\n${edited.replace(/^\s+/, "").trimEnd()}\n`;
}

/** Returns what changes in a source, in the order of the source. */
function listEdits(node: Nodes, source: string, options: PlainOptions): Edit[] {
  const start = node.position?.start.offset ?? 0;
  const end = node.position?.end.offset ?? start;
  const replaceWith = (change: (text: string) => string): Edit[] => [
    { start, end, text: change(source.slice(start, end)) },
  ];
  if (node.type === "html") return replaceWith(() => "");
  if (node.type === "inlineCode") return replaceWith((text) => text.replaceAll(EXAMPLE_ORIGIN, options.origin));
  if (node.type === "code") {
    const isLiteral = /\bliteral\b/.test(node.meta ?? "");
    return replaceWith((text) =>
      isLiteral ? text.replace(/^(.*?) literal\b/, "$1") : text.replaceAll(EXAMPLE_ORIGIN, options.origin),
    );
  }
  const inner = "children" in node ? node.children.flatMap((child) => listEdits(child, source, options)) : [];
  const isLink = node.type === "link" || node.type === "image" || node.type === "definition";
  if (!isLink || !node.url.startsWith("/")) return inner;
  const at = source.lastIndexOf(node.url, end - node.url.length);
  if (at < start) return inner;
  return [...inner, { start: at, end: at + node.url.length, text: toAbsolute(node.url, options) }];
}

function toAbsolute(url: string, { origin, markdownPaths }: PlainOptions): string {
  const [path = "", hash] = url.split("#");
  const target = markdownPaths.has(path) ? toMarkdownPath(path) : path;
  return `${origin}${target}${hash === undefined ? "" : `#${hash}`}`;
}
