import type { components } from "@feather/openapi/schema";
import type { ContentWithText } from "./content.usecases.ts";
import type { ListedContent } from "./content-catalogue.ts";
import { stateOf } from "./content-entry.ts";

type Schemas = components["schemas"];

/** Describes a published post or page for everybody, without its text. */
export function toPostSummaryDto(entry: ListedContent): Schemas["PostSummary"] {
  const { slug, title, description, author, tags, publishedAt } = entry;
  return {
    ...{ slug, title, description, author, tags: [...tags] },
    published_at: (publishedAt ?? new Date(0)).toISOString(),
  };
}

/** Describes a published post or page for everybody. */
export const toPostDto = ({ entry, text }: ContentWithText): Schemas["Post"] => ({ ...toPostSummaryDto(entry), text });

/** Describes a post or page for admins, without its text. */
export function toContentSummaryDto(entry: ListedContent, now: Date): Schemas["ContentSummary"] {
  const { kind, slug, title, description, author, tags, source, replaces, publishedAt, stored } = entry;
  return {
    ...{ kind, slug, title, description, author, tags: [...tags], source, replaces },
    state: stateOf(entry, now),
    published_at: publishedAt?.toISOString() ?? null,
    version: stored?.version ?? 0,
    edited_by: stored?.editor ?? null,
    edited_at: stored?.editedAt.toISOString() ?? null,
  };
}

/** Describes a post or page for admins. */
export const toContentItemDto = ({ entry, text }: ContentWithText, now: Date): Schemas["ContentItem"] => ({
  ...toContentSummaryDto(entry, now),
  text,
});
