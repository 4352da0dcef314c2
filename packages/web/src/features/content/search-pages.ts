import { tags } from "virtual:contract/calls";
import type { SearchPage } from "./types.ts";

const pages = import.meta.glob<SearchPage>("../../../content/docs/**/*.md", {
  query: "?search",
  import: "default",
  eager: true,
});

/** The calls of the reference, found by what they do, their paths and their names in the SDK. */
const reference = tags.map(
  ({ name, slug, description, operations }): SearchPage => ({
    slug: `api/${slug}`,
    title: `${name} API`,
    section: "API reference",
    headings: operations.map(({ id, method, path, summary }) => ({
      id,
      text: summary,
      level: 2,
      words: `${method} ${path} ${path.replaceAll("/", " ")} ${id} ${id.replaceAll(".", " ")}`,
    })),
    text: description,
  }),
);

/** Every page of the docs with its words. */
export const SEARCH_PAGES: readonly SearchPage[] = [...Object.values(pages), ...reference];
