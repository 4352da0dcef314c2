/** An unordered list. Adding an item returns the function that removes it. */
export type ItemList<T> = {
  /** Adds an item. Returns the function to call once to remove it. */
  add(item: T): () => void;
  count(): number;
  list(): T[];
};

type Entry<T> = { item: T; index: number };

/**
 * Creates an empty list for items that are added and removed at a high rate. A Set would let the memory grow: V8 links each
 * outgrown table of a Set to the next one, and as soon as one of them is in the old generation, minor garbage collections
 * keep the items of all later ones.
 */
export function createItemList<T>(): ItemList<T> {
  const entries: Entry<T>[] = [];
  return {
    add(item) {
      const entry = { item, index: entries.length };
      entries.push(entry);
      return () => remove(entries, entry);
    },
    count: () => entries.length,
    list: () => entries.map(({ item }) => item),
  };
}

/** Removes an entry and moves the last one to its position. */
function remove<T>(entries: Entry<T>[], { index }: Entry<T>): void {
  const last = entries.pop();
  if (last === undefined || last.index === index) return;
  last.index = index;
  entries[index] = last;
}
