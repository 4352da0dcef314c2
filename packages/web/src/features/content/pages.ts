import { createLoader } from "./create-loader.ts";
import { sortDocs } from "./sections.ts";
import type { ContentPage, DocEntry, DocMeta, SearchPage } from "./types.ts";

// Metadata is bundled; pages are loaded when they are opened.
const entries = import.meta.glob<DocEntry>("../../../content/docs/**/*.md", {
  query: "?meta",
  import: "default",
  eager: true,
});
const pages = import.meta.glob<ContentPage<DocMeta>>("../../../content/docs/**/*.md", {
  query: "?page",
  import: "default",
});

/** All pages of the docs, in reading order. */
export const DOCS: readonly DocEntry[] = sortDocs(Object.values(entries));

/** Loads a page of the docs; null if there is none with this slug. */
export const loadDoc = createLoader(pages, "docs");

/** Loads the search index of the docs. It is large, so only the first search loads it. */
export const loadSearchPages = async (): Promise<readonly SearchPage[]> =>
  (await import("./search-pages.ts")).SEARCH_PAGES;
