import { createLoader } from "./create-loader.ts";
import type { ContentPage, LegalMeta } from "./types.ts";

const pages = import.meta.glob<ContentPage<LegalMeta>>("../../../content/legal/*.md", {
  query: "?page",
  import: "default",
});

/** Loads a legal page; null if there is none with this slug. */
export const loadLegal = createLoader(pages, "legal");
