import type { ChatStore } from "./chat-store.ts";
import { createMemoryStore } from "./memory-store.ts";

/** Why history cannot be stored. */
export type NotKept = "denied" | "full";
/** A store that falls back to memory and reports why. */
export type LastingStore = ChatStore & { notKept(): NotKept | null };

/**
 * Opens the browser's storage, or memory if it is denied. If it is full or breaks later, new writes go to memory, which
 * overlays the stored data, and `onProblem` is called.
 */
export async function openLastingStore(
  open: () => Promise<ChatStore>,
  failed: (why: NotKept) => void,
): Promise<LastingStore> {
  const memory = createMemoryStore();
  try {
    return layered(await open(), memory, failed);
  } catch {
    failed("denied");
    return { ...memory, notKept: () => "denied" };
  }
}

function layered(kept: ChatStore, memory: ChatStore, failed: (why: NotKept) => void): LastingStore {
  let why: NotKept | null = null;

  function fail(error: unknown): void {
    const { name } = error as { name?: string };
    why = name === "QuotaExceededError" ? "full" : (why ?? "denied");
    failed(why);
  }

  async function read<T>(from: (store: ChatStore) => Promise<T[]>, id: (item: T) => string): Promise<T[]> {
    const items = new Map<string, T>();
    try {
      for (const item of await from(kept)) items.set(id(item), item);
    } catch (error) {
      fail(error);
    }
    for (const item of await from(memory)) items.set(id(item), item);
    return [...items.values()];
  }

  return {
    notKept: () => why,
    list: () =>
      read(
        (store) => store.list(),
        ({ id }) => id,
      ),
    entries: (conversation) =>
      read(
        (store) => store.entries(conversation),
        ({ id }) => id,
      ),
    search: (words) =>
      read(
        (store) => store.search(words),
        ({ conversation }) => conversation,
      ),
    async write(id, change, entries) {
      try {
        await kept.write(id, change, entries);
        // Memory overlays the stored data, so after the first failure it must receive every write too.
        if (why !== null) await memory.write(id, change, entries);
      } catch (error) {
        fail(error);
        const known = (await kept.list().catch(() => [])).find((one) => one.id === id);
        await memory.write(id, change && ((held) => change(held ?? known)), entries);
      }
    },
    async remove(ids) {
      await memory.remove(ids);
      await kept.remove(ids).catch(fail);
    },
    close: () => kept.close(),
  };
}
