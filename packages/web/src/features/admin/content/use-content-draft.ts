import type { ContentItem } from "@feather/sdk";
import { useState } from "react";
import { type ContentDraft, EMPTY_DRAFT, isSameDraft, toContentDraft } from "./draft.ts";

type DraftState = {
  draft: ContentDraft;
  /** What is stored and the draft began with; null for what is new. */
  base: ContentItem | null;
  /** Whether the draft differs from what it began with. */
  isChanged: boolean;
  /** Whether it was changed elsewhere since the draft was begun. */
  isOutdated: boolean;
  change(fields: Partial<ContentDraft>): void;
  /** Drops the draft and begins with what is stored. */
  begin(item: ContentItem | null): void;
  /** Keeps the fields of the draft, to be saved over what is stored. */
  rebase(item: ContentItem): void;
  /** Goes on from what was saved. What was typed since it was sent stays. */
  settle(sent: ContentDraft, saved: ContentItem): void;
};

const toDraft = (item: ContentItem | null) => (item === null ? EMPTY_DRAFT : toContentDraft(item));

/** Holds what an admin writes. What is loaded again replaces a draft without changes, and no other. */
export function useContentDraft(item: ContentItem | null): DraftState {
  const [base, setBase] = useState(item);
  const [draft, setDraft] = useState(() => toDraft(item));
  const isChanged = !isSameDraft(draft, toDraft(base));
  const isOutdated = item !== null && item.version !== (base?.version ?? 0);
  function begin(from: ContentItem | null): void {
    setBase(from);
    setDraft(toDraft(from));
  }
  if (isOutdated && !isChanged) begin(item);
  return {
    draft,
    base,
    isChanged,
    isOutdated: isOutdated && isChanged,
    change: (fields) => setDraft((current) => ({ ...current, ...fields })),
    begin,
    rebase: setBase,
    settle(sent, saved) {
      setBase(saved);
      setDraft((current) => (isSameDraft(current, sent) ? toDraft(saved) : current));
    },
  };
}
