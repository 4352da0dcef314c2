import type { MailTemplate } from "@feather/sdk";
import { useState } from "react";
import { type Draft, hasSameWords, toDraft } from "./draft.ts";

type DraftState = {
  draft: Draft;
  /** Whether the draft differs from the words it began with. */
  isChanged: boolean;
  /** Whether the template was changed elsewhere since the draft was begun. */
  isOutdated: boolean;
  change(words: Partial<Omit<Draft, "version">>): void;
  /** Drops the draft and begins with the words of a template. */
  begin(template: MailTemplate): void;
  /** Keeps the words of the draft, to be saved over those of the template. */
  rebase(template: MailTemplate): void;
};

/** Holds what an admin writes. A template that is loaded again replaces a draft without changes, and no other. */
export function useDraft(template: MailTemplate): DraftState {
  const [base, setBase] = useState(() => toDraft(template));
  const [draft, setDraft] = useState(base);
  const isChanged = !hasSameWords(draft, base);
  const isOutdated = template.version !== base.version;
  function begin(from: MailTemplate): void {
    setBase(toDraft(from));
    setDraft(toDraft(from));
  }
  if (isOutdated && !isChanged) begin(template);
  return {
    draft,
    isChanged,
    isOutdated: isOutdated && isChanged,
    change: (words) => setDraft((current) => ({ ...current, ...words })),
    begin,
    rebase(onto) {
      setBase(toDraft(onto));
      setDraft((current) => ({ ...current, version: onto.version }));
    },
  };
}
