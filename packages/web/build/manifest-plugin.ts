import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Plugin } from "vite";
import { DESCRIPTIONS } from "../src/config/descriptions.ts";
import { ROUTES } from "../src/config/routes.ts";
import { splitFrontMatter } from "../src/features/content/compile/front-matter.ts";
import { htmlOf } from "../src/features/content/compile/html.ts";
import { compileMarkdown } from "../src/features/content/compile/markdown.ts";
import { placeOf } from "../src/features/content/compile/module.ts";

const CONTENT = fileURLToPath(new URL("../content", import.meta.url));
const ADDRESS = { docs: "/docs/", blog: "/blog/", legal: "/" } as const;

/** Writes `site.json` beside the built site: what its server needs to fill in heads and to show texts without scripts. */
export function manifestPlugin(): Plugin {
  return {
    name: "feather-manifest",
    generateBundle() {
      const routes = ROUTES.map(({ path, title, access }) => ({
        path,
        title,
        access,
        description: DESCRIPTIONS[path] ?? null,
      }));
      const source = JSON.stringify({ routes, pages: textPages() });
      this.emitFile({ type: "asset", fileName: "site.json", source });
    },
  };
}

/** The docs begin with this page, and so does their own address. */
const FIRST_DOC = "/docs/quickstart";

function textPages() {
  const pages = writtenPages();
  const first = pages.find(({ path }) => path === FIRST_DOC);
  return first ? [...pages, { ...first, path: "/docs" }] : pages;
}

function writtenPages() {
  return readdirSync(CONTENT, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .sort()
    .map((name) => {
      const file = join(CONTENT, name);
      const { kind, slug } = placeOf(file);
      const { meta, markdown } = splitFrontMatter(readFileSync(file, "utf8"), kind);
      return {
        path: ADDRESS[kind] + slug,
        kind,
        title: meta.title,
        description: meta.description,
        date: "date" in meta ? meta.date : null,
        author: "author" in meta ? meta.author : null,
        html: htmlOf(compileMarkdown(markdown).body),
      };
    });
}
