/** A page as it is compiled: texts, and elements as `[tag, attributes, ...children]`. */
export type ContentNode = string | readonly [tag: string, attributes: Attributes | null, ...children: ContentNode[]];
export type Attributes = Readonly<Record<string, string>>;
export type Heading = { id: string; text: string; level: 2 | 3 };

export type DocMeta = { title: string; description: string; section: string; order: number };
export type PostMeta = { title: string; description: string; date: string; author: string };
export type LegalMeta = { title: string; description: string; date: string };

export type ContentPage<Meta> = {
  slug: string;
  meta: Meta;
  body: readonly ContentNode[];
  headings: readonly Heading[];
};
export type ContentEntry<Meta> = { slug: string; meta: Meta };
/** A page of the docs where it is listed. */
export type DocEntry = ContentEntry<Omit<DocMeta, "description">>;
/** What the search reads of a page. */
export type SearchPage = {
  slug: string;
  title: string;
  section: string;
  /** `words` are found too, and not shown. */
  headings: readonly (Heading & { words?: string })[];
  text: string;
};
