import { FRONT_MATTER, readFrontMatter } from "@feather/markdown/front-matter";
import { isNestedTooDeep, NESTED_TOO_DEEP } from "@feather/markdown/nesting";
import { type ContentFile, type ContentKind, MAX_SLUG_LENGTH, SLUG_PATTERN } from "./content-entry.ts";

/** The largest text of a post or page, in characters. */
export const MAX_TEXT_LENGTH = 100_000;

/**
 * Returns the post or page of a Markdown file with front matter. `name` is the file's name, and `changedAt` the date of a page
 * that has none. Throws an error that says what is wrong with the file.
 */
export function parseContentFile(kind: ContentKind, name: string, source: string, changedAt: Date): ContentFile {
  const slug = name.replace(/\.md$/, "");
  if (!SLUG_PATTERN.test(slug) || slug.length > MAX_SLUG_LENGTH)
    throw new Error("Its name is no address: small letters and digits, with single hyphens between them.");
  const { meta, markdown } =
    kind === "post" ? readFrontMatter(source, FRONT_MATTER.blog) : readFrontMatter(source, FRONT_MATTER.pages);
  const text = markdown.trim();
  if (text === "") throw new Error("It has no text.");
  if (text.length > MAX_TEXT_LENGTH) throw new Error("Its text is longer than 100,000 characters.");
  if (isNestedTooDeep(text)) throw new Error(NESTED_TOO_DEEP);
  const { title, description, author = null, tags = [], draft = false, date } = meta;
  const publishedAt = date === undefined ? changedAt : new Date(date);
  return { kind, slug, title, description, author, tags, isDraft: draft, publishedAt, text };
}
