import { loader } from "./loader.ts";
import type { ContentPage, LegalMeta } from "./types.ts";

const pages = import.meta.glob<ContentPage<LegalMeta>>("../../../content/legal/*.md", {
  query: "?page",
  import: "default",
});

export const loadLegal = loader(pages, "legal");
