import type { ContentItem } from "@feather/sdk";
import { act, cleanup, renderHook } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import { useContentDraft } from "./use-content-draft.ts";

afterEach(cleanup);

const item = (version: number, text: string) =>
  ({
    kind: "post",
    slug: "launch",
    version,
    title: "Launch",
    description: "",
    author: null,
    tags: [],
    text,
  }) as never as ContentItem;

test("what is typed while a draft is being saved stays, and is to be saved over what was stored", () => {
  const { result } = renderHook(() => useContentDraft(item(1, "First.")));
  act(() => result.current.change({ text: "First. Second." }));
  const sent = result.current.draft;
  act(() => result.current.change({ text: "First. Second. Third." }));
  act(() => result.current.settle(sent, item(2, "First. Second.")));
  expect(result.current.draft.text).toBe("First. Second. Third.");
  expect([result.current.isChanged, result.current.base?.version]).toEqual([true, 2]);
});

test("a draft that was saved as it is has no changes any more", () => {
  const { result, rerender } = renderHook(({ stored }) => useContentDraft(stored), {
    initialProps: { stored: item(1, "First.") },
  });
  act(() => result.current.change({ text: "First. Second." }));
  const sent = result.current.draft;
  const saved = item(2, "First. Second.");
  act(() => result.current.settle(sent, saved));
  rerender({ stored: saved });
  expect([result.current.isChanged, result.current.isOutdated, result.current.draft.text]).toEqual([
    false,
    false,
    "First. Second.",
  ]);
});
