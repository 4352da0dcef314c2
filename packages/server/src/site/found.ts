import type { ShareCard } from "./share/share-card.ts";
import type { Crumb, Thing } from "./structured-data.ts";

/** What the head of a page says, and what stands in it before its script runs. */
export type PageFacts = {
  status: 200 | 404;
  /** Without the name of the product. */
  title: string;
  description: string | null;
  /** The one address of the page; null where search engines have nothing to look for. */
  canonical: string | null;
  kind: "website" | "article";
  body: string;
  /** The picture with which the page is shared; null for the product's own. */
  card: ShareCard | null;
  /** The pages above this one, and itself, for search engines. */
  crumbs: readonly Crumb[];
  /** What the page is about, for search engines. */
  thing: Thing | null;
};

/** What a page says of itself beside what its route does. */
export type Found = Partial<Omit<PageFacts, "status">>;
