import type { SearchPage } from "./types.ts";

const pages = import.meta.glob<SearchPage>("../../../content/docs/**/*.md", {
  query: "?search",
  import: "default",
  eager: true,
});

/** Every page of the docs with its words. */
export const SEARCH_PAGES: readonly SearchPage[] = Object.values(pages);
