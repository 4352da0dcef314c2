import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { compileMarkdown } from "@feather/markdown/compile";
import { splitFrontMatter } from "@feather/markdown/front-matter";
import { toHtml } from "@feather/markdown/to-html";
import type { Plugin } from "vite";
import { DESCRIPTIONS } from "../src/config/descriptions.ts";
import { ACCESS_BY_PREFIX, ROUTES } from "../src/config/routes.ts";
import { parseContentPath } from "../src/features/content/compile/content-module.ts";
import { type LlmsText, listLlmsLinks } from "../src/features/content/compile/llms-text.ts";
import { toPlainMarkdown } from "../src/features/content/compile/plain-markdown.ts";
import { toMarkdownPath } from "../src/features/content/markdown-path.ts";
import { type Contract, splitContract } from "../src/features/content/reference/split-contract.ts";
import { ORIGIN, PRODUCT, prerender } from "./prerender.ts";

const CONTRACT = fileURLToPath(new URL("../../../openapi/generated/openapi.json", import.meta.url));
const CONTENT = fileURLToPath(new URL("../content", import.meta.url));
const BASE_PATHS = { docs: "/docs/", blog: "/blog/", pages: "/", legal: "/" } as const;

/**
 * Vite plugin that writes what the server reads. `site.json`: routes and who may open them, content pages, their Markdown and
 * prerendered HTML. `content.json`: the posts that come with the product, and the names of the site's own addresses.
 */
export function manifestPlugin(): Plugin {
  return {
    name: "feather-manifest",
    apply: "build",
    async generateBundle() {
      const routes = ROUTES.map(({ path, title, access, layout }) => ({
        path,
        title,
        access,
        layout,
        description: DESCRIPTIONS[path] ?? null,
      }));
      const sources = readSources();
      const isPost = ({ kind }: Source) => kind === "blog";
      const pages = [...listTextPages(sources.filter((source) => !isPost(source))), ...listReferencePages()];
      const documents = await prerenderPages(pages.map(({ path }) => path));
      const source = JSON.stringify({
        routes,
        accessByPrefix: ACCESS_BY_PREFIX,
        pages,
        ...renderTexts(sources),
        ...documents,
      });
      this.emitFile({ type: "asset", fileName: "site.json", source });
      const content = JSON.stringify({ posts: sources.filter(isPost).map(toPost), names: listOwnNames() });
      this.emitFile({ type: "asset", fileName: "content.json", source: content });
    },
  };
}

/** Public pages that only work with scripts, that redirect, or that the server fills with what is published. */
const NOT_PRERENDERED = new Set(["/blog", "/login", "/register", "/reset-password", "/deployments/open"]);

/**
 * Returns the prerendered HTML of public pages, the top of pages behind the login, and the HTML of each layout for pages
 * the server fills in.
 */
async function prerenderPages(textPaths: readonly string[]) {
  const fixed = ROUTES.filter(({ path, access }) => access === "public" && !/[:*]/.test(path)).map(({ path }) => path);
  const paths = new Set([...fixed, ...textPaths].filter((path) => !NOT_PRERENDERED.has(path)));
  return prerender(async ({ renderPage, renderOutlines, renderLayouts }) => {
    const documents: Record<string, string> = {};
    for (const path of paths) documents[path] = await renderPage(path);
    const frames = Object.entries(await renderLayouts()).map(([layout, parts]) => [layout, parts.join(PAGE_MARKER)]);
    return { documents, outlines: await renderOutlines(), frames: Object.fromEntries(frames) };
  });
}

/** Marks where the server inserts a page into the HTML of a layout. */
const PAGE_MARKER = "<!--page-->";

/** The first page of the docs, which is also shown at `/docs`. */
const FIRST_DOC = "/docs/quickstart";

function listTextPages(sources: readonly Source[]) {
  const pages = sources.map(toTextPage);
  const first = pages.find(({ path }) => path === FIRST_DOC);
  return first ? [...pages, { ...first, path: "/docs" }] : pages;
}

/** Returns the parts of `/llms.txt`, and the Markdown of the docs by path. */
function renderTexts(sources: readonly Source[]): { llms: LlmsText; texts: Record<string, string> } {
  const docs = sources.flatMap(({ path, meta, markdown }) => ("section" in meta ? [{ path, meta, markdown }] : []));
  const options = { origin: ORIGIN, markdownPaths: new Set(docs.map(({ path }) => path)) };
  const texts = docs.map(({ path, meta, markdown }) => [
    toMarkdownPath(path),
    toPlainMarkdown({ ...meta, markdown }, options),
  ]);
  return { llms: listLlmsLinks(docs, { product: PRODUCT, origin: ORIGIN }), texts: Object.fromEntries(texts) };
}

/** Returns the pages of the API reference: an overview, and one page per group of calls. */
function listReferencePages() {
  const contract = JSON.parse(readFileSync(CONTRACT, "utf8")) as Contract;
  const toReferencePage = (path: string, title: string, description: string) => ({
    path,
    kind: "docs" as const,
    title,
    description,
    date: null,
    html: "",
    markdownPath: null,
  });
  return [
    toReferencePage("/docs/api", "API reference", "Every call of the platform, from the document that describes them."),
    ...splitContract(contract).tags.map(({ name, slug, description }) =>
      toReferencePage(`/docs/api/${slug}`, `${name} API`, description.replaceAll(/[`*]/g, "")),
    ),
  ];
}

/** A Markdown file of `content/`. */
type Source = ReturnType<typeof readSources>[number];

function readSources() {
  return readdirSync(CONTENT, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .sort()
    .map((name) => {
      const file = join(CONTENT, name);
      const { kind, slug } = parseContentPath(file);
      return { path: BASE_PATHS[kind] + slug, kind, ...splitFrontMatter(readFileSync(file, "utf8"), kind) };
    });
}

function toTextPage({ path, kind, meta, markdown }: Source) {
  return {
    path,
    kind,
    title: meta.title,
    description: meta.description,
    date: "date" in meta ? (meta.date ?? null) : null,
    html: toHtml(compileMarkdown(markdown).body),
    markdownPath: kind === "docs" ? toMarkdownPath(path) : null,
  };
}

/** Returns a post as the server reads it. */
function toPost({ path, meta, markdown }: Source) {
  const { title, description } = meta;
  return {
    slug: path.slice(BASE_PATHS.blog.length),
    ...{ title, description },
    author: "author" in meta ? (meta.author ?? null) : null,
    tags: "tags" in meta ? (meta.tags ?? []) : [],
    date: "date" in meta ? meta.date : null,
    text: markdown.trim(),
  };
}

/** Returns the first segments of the site's addresses, which no page of an operator can have. */
function listOwnNames(): string[] {
  const names = ROUTES.map(({ path }) => path.split("/")[1] ?? "").filter(
    (name) => name !== "" && !name.startsWith(":"),
  );
  return [...new Set(names)];
}
