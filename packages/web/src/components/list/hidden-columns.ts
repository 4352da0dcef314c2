import type { KeyValueStore } from "#/lib/browser/storage.ts";

const COLUMNS_KEY = "list-columns";

/** Reads which columns a visitor has hidden, by the name of the list. Nothing where nothing valid is saved. */
function readAll(store: KeyValueStore): Map<string, readonly string[]> {
  try {
    const saved: unknown = JSON.parse(store.get(COLUMNS_KEY) ?? "{}");
    return new Map(Object.entries(saved ?? {}).filter((entry): entry is [string, string[]] => isListOfTexts(entry[1])));
  } catch {
    return new Map();
  }
}

const isListOfTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === "string");

/** Returns the ids of the hidden columns of a list; `initial` until the visitor has chosen. */
export const readHiddenColumns = (store: KeyValueStore, list: string, initial: readonly string[]): readonly string[] =>
  readAll(store).get(list) ?? initial;

/** Saves the ids of the hidden columns of a list. */
export function saveHiddenColumns(store: KeyValueStore, list: string, hidden: readonly string[]): void {
  store.set(COLUMNS_KEY, JSON.stringify(Object.fromEntries(readAll(store).set(list, hidden))));
}
