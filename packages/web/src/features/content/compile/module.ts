import { type ContentKind, FRONT_MATTER, splitFrontMatter } from "./front-matter.ts";
import { compileMarkdown } from "./markdown.ts";

/** How much of a page a module holds: all of it, what lists need, or what the search reads. */
export type Part = "page" | "meta" | "search";

const isKind = (name: string): name is ContentKind => Object.hasOwn(FRONT_MATTER, name);

/** Where a file stands: `content/docs/a/b.md` is the page `a/b` of the docs. */
export function placeOf(path: string): { kind: ContentKind; slug: string } {
  const [, kind = "", slug = ""] = /\/content\/([^/]+)\/(.+)\.md$/.exec(path) ?? [];
  if (!isKind(kind)) throw new Error(`${path} is in no folder of content: ${Object.keys(FRONT_MATTER).join(", ")}.`);
  return { kind, slug };
}

/** What a page gives to whoever imports it. */
export function contentOf(path: string, source: string, part: Part): unknown {
  const { kind, slug } = placeOf(path);
  const { meta, markdown } = splitFrontMatter(source, kind);
  // Lists of docs name their pages only; what they are about comes with each.
  if (part === "meta") return { slug, meta: kind === "docs" ? { ...meta, description: undefined } : meta };
  const { body, headings, text } = compileMarkdown(markdown);
  if (part === "search")
    return { slug, title: meta.title, section: "section" in meta ? meta.section : "", headings, text };
  return { slug, meta, body, headings };
}
