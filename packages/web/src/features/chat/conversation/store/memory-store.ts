import type { Conversation, Entry } from "../types.ts";
import { type ChatStore, createSearcher } from "./chat-store.ts";

/** Stores conversations until the page is closed. */
export function createMemoryStore(): ChatStore {
  const conversations = new Map<string, Conversation>();
  const entries = new Map<string, Entry>();
  const entriesOf = (id: string) => [...entries.values()].filter(({ conversation }) => conversation === id);
  return {
    list: async () => [...conversations.values()],
    entries: async (id) => entriesOf(id),
    async write(id, change, added) {
      const changed = change?.(conversations.get(id));
      if (changed) conversations.set(id, changed);
      for (const entry of added) entries.set(entry.id, entry);
    },
    async search(term) {
      const searcher = createSearcher(term);
      for (const entry of entries.values()) if (!searcher.add(entry)) break;
      return searcher.matches();
    },
    async remove(ids) {
      for (const id of ids) {
        conversations.delete(id);
        for (const entry of entriesOf(id)) entries.delete(entry.id);
      }
    },
    close: () => {},
  };
}
