import type { ShareCard } from "./share/share-card.ts";
import type { Breadcrumb, SchemaObject } from "./structured-data.ts";

/** The metadata of a page, and its content before scripts run. */
export type PageMetadata = {
  status: 200 | 404;
  /** The title without the product name. */
  title: string;
  description: string | null;
  /** The path of the canonical URL; null for pages that search engines should not index. */
  canonical: string | null;
  kind: "website" | "article";
  body: string;
  /** Whether `body` is exactly the first output of the site's scripts, so that they can take over this HTML. */
  isPrerendered: boolean;
  /** Where the page is served as Markdown; null if it is not. */
  markdownPath: string | null;
  /** Who is sent `body`: on some pages visitors and signed-in users see different things. */
  audience: "everybody" | "visitors" | "users";
  /** The card in the page's share image; null for the product's default image. */
  card: ShareCard | null;
  /** The pages above this one, and itself, as breadcrumbs for search engines. */
  breadcrumbs: readonly Breadcrumb[];
  /** The schema.org object that the page is about. */
  schemaObject: SchemaObject | null;
};

/** Metadata of a page that overrides the defaults of its route. */
export type PageMetadataOverrides = Partial<Omit<PageMetadata, "status" | "isPrerendered" | "audience">>;
