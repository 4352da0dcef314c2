/** A post of the blog, or a page of the operator. */
export type ContentKind = "post" | "page";
/** Where posts and pages come from: admins, files of the data folder, and the product itself. */
export type ContentSource = "editor" | "folder" | "built_in";

/** A post or page without its text. */
export type ContentMeta = {
  readonly kind: ContentKind;
  /** The last part of its address: small letters and digits, with single hyphens between them. */
  readonly slug: string;
  readonly title: string;
  readonly description: string;
  readonly author: string | null;
  readonly tags: readonly string[];
  readonly isDraft: boolean;
  /** When it was published, or will be; null for a draft without a time. */
  readonly publishedAt: Date | null;
};

/** A post or page that is no row of the database, with its text as Markdown. */
export type ContentFile = ContentMeta & { readonly text: string };

/** What the slug of a post or page looks like. */
export const SLUG_PATTERN = /^[a-z0-9]+(-[a-z0-9]+)*$/;
/** The longest slug, in characters. */
export const MAX_SLUG_LENGTH = 100;

/** The path of a post or page on the site. */
export const pathOf = ({ kind, slug }: Pick<ContentMeta, "kind" | "slug">): string =>
  kind === "post" ? `/blog/${slug}` : `/${slug}`;

/** Whether a post or page is hidden, will be shown later, or is shown. */
export function stateOf({ isDraft, publishedAt }: ContentMeta, now: Date): "draft" | "scheduled" | "published" {
  if (isDraft || publishedAt === null) return "draft";
  return publishedAt > now ? "scheduled" : "published";
}
