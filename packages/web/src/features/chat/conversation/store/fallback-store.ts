import type { ChatStore } from "./chat-store.ts";
import { createMemoryStore } from "./memory-store.ts";

/** Why history cannot be stored: by the browser, for lack of room, or by the server. */
export type StorageProblem = "denied" | "full" | "refused" | "unreachable";
/** A store that falls back to memory and reports why. */
export type FallbackStore = ChatStore & { storageProblem(): StorageProblem | null };

/**
 * Opens the browser's storage, or memory if it is denied. If it is full or breaks later, new writes go to memory, which
 * overlays the stored data, and `onProblem` is called.
 */
export async function openFallbackStore(
  open: () => Promise<ChatStore>,
  onProblem: (problem: StorageProblem) => void,
): Promise<FallbackStore> {
  const memory = createMemoryStore();
  try {
    return createLayeredStore(await open(), memory, onProblem);
  } catch {
    onProblem("denied");
    return { ...memory, storageProblem: () => "denied" };
  }
}

function createLayeredStore(
  persistent: ChatStore,
  memory: ChatStore,
  onProblem: (problem: StorageProblem) => void,
): FallbackStore {
  let problem: StorageProblem | null = null;

  function reportProblem(error: unknown): void {
    const { name } = error as { name?: string };
    problem = name === "QuotaExceededError" ? "full" : (problem ?? "denied");
    onProblem(problem);
  }

  async function read<T>(readStore: (store: ChatStore) => Promise<T[]>, id: (item: T) => string): Promise<T[]> {
    const items = new Map<string, T>();
    try {
      for (const item of await readStore(persistent)) items.set(id(item), item);
    } catch (error) {
      reportProblem(error);
    }
    for (const item of await readStore(memory)) items.set(id(item), item);
    return [...items.values()];
  }

  return {
    storageProblem: () => problem,
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
    search: (term) =>
      read(
        (store) => store.search(term),
        ({ conversation }) => conversation,
      ),
    async write(id, change, entries) {
      try {
        await persistent.write(id, change, entries);
        // Memory overlays the stored data, so after the first failure it must receive every write too.
        if (problem !== null) await memory.write(id, change, entries);
      } catch (error) {
        reportProblem(error);
        const stored = (await persistent.list().catch(() => [])).find((one) => one.id === id);
        await memory.write(id, change && ((inMemory) => change(inMemory ?? stored)), entries);
      }
    },
    async remove(ids) {
      await memory.remove(ids);
      await persistent.remove(ids).catch(reportProblem);
    },
    close: () => persistent.close(),
  };
}
