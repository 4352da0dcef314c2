import type { KeyValueStore } from "#/lib/browser/storage.ts";
import { type DeploymentDraft, EMPTY_DRAFT } from "./draft.ts";

const STORAGE_KEY = "deployment-draft";

/** Reads the draft stored in this tab. Unknown or invalid fields, such as those of another version, get defaults. */
export function readDraft(store: KeyValueStore): DeploymentDraft {
  try {
    const stored = JSON.parse(store.get(STORAGE_KEY) ?? "null") as Partial<DeploymentDraft> | null;
    const validEntries = Object.entries(stored ?? {}).filter(
      ([name, value]) =>
        Object.hasOwn(EMPTY_DRAFT, name) && typeof value === typeof EMPTY_DRAFT[name as keyof DeploymentDraft],
    );
    return { ...EMPTY_DRAFT, ...Object.fromEntries(validEntries) };
  } catch {
    return EMPTY_DRAFT;
  }
}

/** Stores the draft in this tab. */
export const saveDraft = (store: KeyValueStore, draft: DeploymentDraft): void =>
  void store.set(STORAGE_KEY, JSON.stringify(draft));

/** Deletes the stored draft. */
export const clearDraft = (store: KeyValueStore): void => store.remove(STORAGE_KEY);
