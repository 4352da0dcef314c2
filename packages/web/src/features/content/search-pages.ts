import { tags } from "virtual:contract/calls";
import type { SearchPage } from "./types.ts";

const pages = import.meta.glob<SearchPage>("../../../content/docs/**/*.md", {
  query: "?search",
  import: "default",
  eager: true,
});

/** Operations of the API reference, found by summary, path and SDK name. */
const referencePages = tags.map(
  ({ name, slug, description, operations }): SearchPage => ({
    slug: `api/${slug}`,
    title: `${name} API`,
    section: "API reference",
    headings: operations.map(({ id, method, path, summary }) => ({
      id,
      text: summary,
      level: 2,
      searchWords: `${method} ${path} ${path.replaceAll("/", " ")} ${id} ${id.replaceAll(".", " ")}`,
    })),
    text: description,
  }),
);

/** The search index: all pages of the docs and the API reference. */
export const SEARCH_PAGES: readonly SearchPage[] = [...Object.values(pages), ...referencePages];
