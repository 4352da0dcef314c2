import type { KeyValueStore } from "#/lib/browser/storage.ts";

/** Which groups are folded, by their ids, and how one is folded or unfolded. */
export type Folds = { folded: readonly string[]; toggle(id: string): void };

const KEY = "nav-folded";

/** Returns the ids of the groups of links that the visitor has folded. None where nothing valid is saved. */
export function readFoldedGroups(store: KeyValueStore): readonly string[] {
  try {
    const saved: unknown = JSON.parse(store.get(KEY) ?? "[]");
    return Array.isArray(saved) ? saved.filter((id) => typeof id === "string") : [];
  } catch {
    return [];
  }
}

/** Folds a group, or unfolds it, and saves which are folded. Returns their ids. */
export function toggleFoldedGroup(store: KeyValueStore, id: string): readonly string[] {
  const folded = readFoldedGroups(store);
  const next = folded.includes(id) ? folded.filter((other) => other !== id) : [...folded, id];
  store.set(KEY, JSON.stringify(next));
  return next;
}
