import { createLoader } from "./create-loader.ts";
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

/** Sections of the docs, in reading order. */
export const SECTIONS = [
  "Start",
  "Call models",
  "Account",
  "Build on it",
  "Host models",
  "Run Feather",
  "How it works",
] as const;

const sectionIndex = ({ meta }: DocEntry) => (SECTIONS as readonly string[]).indexOf(meta.section);

/** All pages of the docs, in reading order. */
export const DOCS: readonly DocEntry[] = Object.values(entries).sort(
  (a, b) => sectionIndex(a) - sectionIndex(b) || a.meta.order - b.meta.order,
);

/** Loads a page of the docs; null if there is none with this slug. */
export const loadDoc = createLoader(pages, "docs");

/** Loads the search index of the docs. It is large, so only the first search loads it. */
export const loadSearchPages = async (): Promise<readonly SearchPage[]> =>
  (await import("./search-pages.ts")).SEARCH_PAGES;
