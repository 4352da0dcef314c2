import type { TextStore } from "#/lib/storage.ts";
import { type Draft, EMPTY_DRAFT } from "./settings.ts";

const KEY = "deployment-draft";

/** Reads the draft stored in this tab. Unknown or invalid fields, such as those of another version, get defaults. */
export function readDraft(store: TextStore): Draft {
  try {
    const kept = JSON.parse(store.get(KEY) ?? "null") as Partial<Draft> | null;
    const fitting = Object.entries(kept ?? {}).filter(
      ([name, value]) => Object.hasOwn(EMPTY_DRAFT, name) && typeof value === typeof EMPTY_DRAFT[name as keyof Draft],
    );
    return { ...EMPTY_DRAFT, ...Object.fromEntries(fitting) };
  } catch {
    return EMPTY_DRAFT;
  }
}

/** Stores the draft in this tab. */
export const keepDraft = (store: TextStore, draft: Draft): void => void store.set(KEY, JSON.stringify(draft));

/** Deletes the stored draft. */
export const forgetDraft = (store: TextStore): void => store.remove(KEY);
