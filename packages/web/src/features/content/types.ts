import type { ContentNode, Heading } from "@feather/markdown/content-node";

/** Front matter of a page of the docs. */
export type DocMeta = { title: string; description: string; section: string; order: number };
/** Front matter of a legal page. */
export type LegalMeta = { title: string; description: string; date: string };

/** A whole page. */
export type ContentPage<Meta> = {
  slug: string;
  meta: Meta;
  body: readonly ContentNode[];
  headings: readonly Heading[];
};
/** A page in a list. */
export type ContentEntry<Meta> = { slug: string; meta: Meta };
/** A page of the docs in a list. */
export type DocEntry = ContentEntry<Omit<DocMeta, "description">>;
/** A page in the search index. */
export type SearchPage = {
  slug: string;
  title: string;
  section: string;
  /** `searchWords` are searched but not shown. */
  headings: readonly (Heading & { searchWords?: string })[];
  text: string;
};
