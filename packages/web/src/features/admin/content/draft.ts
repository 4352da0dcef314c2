import type { ContentItem, ContentWrite } from "@feather/sdk";

/** What an admin writes, as the fields of the editor hold it. */
export type ContentDraft = {
  title: string;
  description: string;
  author: string;
  /** Separated by commas. */
  tags: string;
  state: ContentWrite["state"];
  /** Date and time in UTC as an input holds them, such as `2026-12-01T09:00`; empty for none. */
  publishedAt: string;
  text: string;
};

/** What the fields of the editor begin with. */
export const EMPTY_DRAFT: ContentDraft = {
  title: "",
  description: "",
  author: "",
  tags: "",
  state: "draft",
  publishedAt: "",
  text: "",
};

/** Returns what the fields of the editor hold for a post or page. */
export const toContentDraft = (item: ContentItem): ContentDraft => ({
  title: item.title,
  description: item.description,
  author: item.author ?? "",
  tags: item.tags.join(", "),
  state: item.state === "draft" ? "draft" : "published",
  publishedAt: item.published_at?.toISOString().slice(0, "2026-12-01T09:00".length) ?? "",
  text: item.text,
});

/** Returns what is sent for a draft. `before` is what is stored: its time is kept to the second if nobody has changed it. */
export function toContentWrite(draft: ContentDraft, before: ContentItem | null): ContentWrite {
  const { title, description, author, tags, state, publishedAt, text } = draft;
  const isSameTime = before !== null && toContentDraft(before).publishedAt === publishedAt;
  const time = publishedAt === "" ? null : new Date(`${publishedAt}Z`);
  return {
    version: before?.version ?? 0,
    title: title.trim(),
    description: description.trim(),
    author: author.trim() === "" ? null : author.trim(),
    tags: [...new Set(tags.split(",").map((tag) => tag.trim()))].filter((tag) => tag !== ""),
    state,
    published_at: isSameTime ? before.published_at : time,
    text,
  };
}

/** Whether two drafts are the same. */
export const isSameDraft = (a: ContentDraft, b: ContentDraft): boolean => JSON.stringify(a) === JSON.stringify(b);
