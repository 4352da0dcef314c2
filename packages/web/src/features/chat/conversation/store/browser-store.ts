import { type ChatDatabase, openChatDatabase } from "#/entities/session/chat-database.ts";
import type { Entry } from "../types.ts";
import { type ChatStore, createSearcher } from "./chat-store.ts";
import { readStoredConversation, readStoredEntry, toStoredEntry } from "./stored-records.ts";

/** How many entries are read at once. */
const BATCH_SIZE = 250;

/** Opens the IndexedDB store of one user. Rejects if the browser has no storage or does not allow it. */
export const openBrowserStore = async (owner: string): Promise<ChatStore> => createStore(await openChatDatabase(owner));

function createStore(db: ChatDatabase): ChatStore {
  return {
    list: async () => (await db.getAll("conversations")).flatMap((one) => readStoredConversation(one) ?? []),
    async entries(id) {
      const { store } = db.transaction("entries");
      const keys = await store.index("conversation").getAllKeys(id);
      const entries: Entry[] = [];
      // Read in batches, so that thousands of entries do not block the page.
      for (let from = 0; from < keys.length; from += BATCH_SIZE)
        for (const one of await Promise.all(keys.slice(from, from + BATCH_SIZE).map((key) => store.get(key)))) {
          const entry = readStoredEntry(one);
          if (entry) entries.push(entry);
        }
      return entries;
    },
    async write(id, change, entries) {
      const transaction = db.transaction(["conversations", "entries"], "readwrite");
      // Every failure rejects `done`, so rejections of the single requests are ignored.
      const done = transaction.done;
      const ignoreRejection = (request: Promise<unknown>) => request.catch(() => {});
      done.catch(() => {});
      if (change) {
        const conversations = transaction.objectStore("conversations");
        const changed = change(readStoredConversation(await conversations.get(id)) ?? undefined);
        if (changed) ignoreRejection(conversations.put(changed));
      }
      for (const entry of entries) ignoreRejection(transaction.objectStore("entries").put(toStoredEntry(entry)));
      await done;
    },
    async search(term) {
      const finder = createSearcher(term);
      let cursor = await db.transaction("entries").store.openCursor();
      while (cursor) {
        const entry = readStoredEntry(cursor.value);
        if (entry && !finder.add(entry)) break;
        cursor = await cursor.continue();
      }
      return finder.matches();
    },
    async remove(ids) {
      const transaction = db.transaction(["conversations", "entries"], "readwrite");
      for (const id of ids) {
        await transaction.objectStore("conversations").delete(id);
        const index = transaction.objectStore("entries").index("conversation");
        for (const key of await index.getAllKeys(id)) await transaction.objectStore("entries").delete(key);
      }
      await transaction.done;
    },
    close: () => db.close(),
  };
}
