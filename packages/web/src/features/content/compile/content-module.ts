import { compileMarkdown } from "@feather/markdown/compile";
import { type ContentKind, FRONT_MATTER, splitFrontMatter } from "@feather/markdown/front-matter";

/** What a module contains: the whole page, its metadata for lists, or its text for the search. */
export type ModulePart = "page" | "meta" | "search";

const isContentKind = (name: string): name is ContentKind => Object.hasOwn(FRONT_MATTER, name);

/** Returns kind and slug of a file: `content/docs/a/b.md` is the page `a/b` of the docs. Throws for other paths. */
export function parseContentPath(path: string): { kind: ContentKind; slug: string } {
  const [, kind = "", slug = ""] = /^.*\/content\/([^/]+)\/(.+)\.md$/.exec(path) ?? [];
  if (!isContentKind(kind))
    throw new Error(`${path} is in no folder of content: ${Object.keys(FRONT_MATTER).join(", ")}.`);
  return { kind, slug };
}

/** Returns the module of a page. */
export function createModule(path: string, source: string, part: ModulePart): unknown {
  const { kind, slug } = parseContentPath(path);
  const { meta, markdown } = splitFrontMatter(source, kind);
  // Lists of docs show titles only, so descriptions are left out.
  if (part === "meta") return { slug, meta: kind === "docs" ? { ...meta, description: undefined } : meta };
  const { body, headings, text } = compileMarkdown(markdown);
  if (part === "search")
    return { slug, title: meta.title, section: "section" in meta ? meta.section : "", headings, text };
  return { slug, meta, body, headings };
}
