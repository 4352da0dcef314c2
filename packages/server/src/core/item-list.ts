/** Items in no order, each of which is removed by the function that adding it returned. */
export type ItemList<T> = {
  /** Adds an item. Returns the function to call once to remove it. */
  add(item: T): () => void;
  count(): number;
  list(): T[];
};

type Entry<T> = { item: T; index: number };

/**
 * Creates an empty list for items that come and go at a high rate. A Set would do, but V8 links each of its outgrown tables
 * to the next one: as soon as one of them is old, the garbage collector keeps whatever was in the later ones, for as long
 * as it only collects what is young.
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

/** Removes an entry: the last one takes its place. */
function remove<T>(entries: Entry<T>[], { index }: Entry<T>): void {
  const last = entries.pop();
  if (last === undefined || last.index === index) return;
  last.index = index;
  entries[index] = last;
}
