import { loader } from "./loader.ts";
import type { ContentPage, DocEntry, DocMeta, SearchPage } from "./types.ts";

// What stands on top of the pages is here at once; their text is loaded when one is opened.
const entries = import.meta.glob<DocEntry>("../../../content/docs/**/*.md", {
  query: "?meta",
  import: "default",
  eager: true,
});
const pages = import.meta.glob<ContentPage<DocMeta>>("../../../content/docs/**/*.md", {
  query: "?page",
  import: "default",
});

/** The parts of the docs, in reading order. */
export const SECTIONS = [
  "Start",
  "Call models",
  "Account",
  "Build on it",
  "Host models",
  "Run Feather",
  "How it works",
] as const;

const bySection = ({ meta }: DocEntry) => (SECTIONS as readonly string[]).indexOf(meta.section);

/** Every page of the docs, in reading order. */
export const DOCS: readonly DocEntry[] = Object.values(entries).sort(
  (a, b) => bySection(a) - bySection(b) || a.meta.order - b.meta.order,
);

export const loadDoc = loader(pages, "docs");

/** Pages of the docs as the search reads them. Large, so it is loaded by the first search. */
export const loadSearchPages = async (): Promise<readonly SearchPage[]> =>
  (await import("./search-pages.ts")).SEARCH_PAGES;
