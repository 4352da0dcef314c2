import type { ContentItem } from "@feather/sdk";
import { expect, test } from "vitest";
import { EMPTY_DRAFT, isSameDraft, toContentDraft, toContentWrite } from "./draft.ts";

const ITEM: ContentItem = {
  kind: "post",
  slug: "launch",
  title: "Launch",
  description: "It is there.",
  author: null,
  tags: ["news", "site"],
  source: "editor",
  replaces: null,
  state: "scheduled",
  published_at: new Date("2026-12-05T09:00:30.000Z"),
  version: 3,
  edited_by: "Ada",
  edited_at: new Date("2026-12-01T08:00:00.000Z"),
  text: "Words.",
};

test("the fields of a post hold its tags with commas and its time in UTC to the minute", () => {
  expect(toContentDraft(ITEM)).toEqual({
    title: "Launch",
    description: "It is there.",
    author: "",
    tags: "news, site",
    state: "published",
    publishedAt: "2026-12-05T09:00",
    text: "Words.",
  });
});

test("a time that nobody changed is kept to the second, and a new one is in UTC", () => {
  const draft = toContentDraft(ITEM);
  expect(toContentWrite(draft, ITEM)).toMatchObject({ version: 3, published_at: ITEM.published_at });
  expect(toContentWrite({ ...draft, publishedAt: "2026-12-06T10:30" }, ITEM).published_at).toEqual(
    new Date("2026-12-06T10:30:00Z"),
  );
  expect(toContentWrite({ ...draft, publishedAt: "" }, ITEM).published_at).toBeNull();
});

test("what is new has version 0, no empty or repeated tags, and no author where none is named", () => {
  const draft = { ...EMPTY_DRAFT, title: " A ", description: "B", tags: "a, ,b,a", author: " ", text: "C" };
  expect(toContentWrite(draft, null)).toEqual({
    version: 0,
    title: "A",
    description: "B",
    author: null,
    tags: ["a", "b"],
    state: "draft",
    published_at: null,
    text: "C",
  });
});

test("drafts are the same if all their fields are", () => {
  const draft = toContentDraft(ITEM);
  expect(isSameDraft(draft, { ...draft })).toBe(true);
  expect(isSameDraft(draft, { ...draft, tags: "news" })).toBe(false);
});
