import type { ContentEntry, ContentPage, DocMeta, LegalMeta, PostMeta, SearchPage } from "./types.ts";

// What stands on top of the pages is here at once; their text is loaded when one is opened.
const docEntries = import.meta.glob<ContentEntry<DocMeta>>("../../../content/docs/**/*.md", {
  query: "?meta",
  import: "default",
  eager: true,
});
const docPages = import.meta.glob<ContentPage<DocMeta>>("../../../content/docs/**/*.md", {
  query: "?page",
  import: "default",
});

/** The parts of the docs, in reading order. */
export const SECTIONS = ["Start", "Call models", "Account", "Build on it", "Host models", "Run Feather"] as const;

const bySection = ({ meta }: ContentEntry<DocMeta>) => (SECTIONS as readonly string[]).indexOf(meta.section);

/** Every page of the docs, in reading order. */
export const DOCS: readonly ContentEntry<DocMeta>[] = Object.values(docEntries).sort(
  (a, b) => bySection(a) - bySection(b) || a.meta.order - b.meta.order,
);

const loader = <Meta>(pages: Record<string, () => Promise<ContentPage<Meta>>>, kind: string) => {
  const bySlug = new Map(
    Object.entries(pages).map(([path, load]) => [
      path.replace(`../../../content/${kind}/`, "").replace(/\.md$/, ""),
      load,
    ]),
  );
  return (slug: string): Promise<ContentPage<Meta>> | null => bySlug.get(slug)?.() ?? null;
};

export const loadDoc = loader(docPages, "docs");

/** Pages of the docs as the search reads them. Large, so it is loaded by the first search. */
export const loadSearchPages = async (): Promise<readonly SearchPage[]> =>
  (await import("./search-pages.ts")).SEARCH_PAGES;

const legalPages = import.meta.glob<ContentPage<LegalMeta>>("../../../content/legal/*.md", {
  query: "?page",
  import: "default",
});
export const loadLegal = loader(legalPages, "legal");

const postEntries = import.meta.glob<ContentEntry<PostMeta>>("../../../content/blog/*.md", {
  query: "?meta",
  import: "default",
  eager: true,
});
const postPages = import.meta.glob<ContentPage<PostMeta>>("../../../content/blog/*.md", {
  query: "?page",
  import: "default",
});

/** Every post, the newest first. */
export const POSTS: readonly ContentEntry<PostMeta>[] = Object.values(postEntries).sort((a, b) =>
  b.meta.date.localeCompare(a.meta.date),
);
export const loadPost = loader(postPages, "blog");
