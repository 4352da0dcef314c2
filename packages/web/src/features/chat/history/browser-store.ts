import { type DBSchema, type IDBPDatabase, openDB } from "idb";
import type { Conversation, Entry } from "../types.ts";
import { type ChatStore, createFinder } from "./chat-store.ts";
import { keptConversation, keptEntry } from "./kept-records.ts";

interface Schema extends DBSchema {
  conversations: { key: string; value: Conversation };
  entries: { key: string; value: Entry; indexes: { conversation: string } };
}

const OPENING_LIMIT = 5_000;
/** How many entries are read at once. */
const BATCH = 250;

/** Opens the IndexedDB store of one user. Rejects if the browser has no storage or does not allow it. */
export async function openBrowserStore(owner: string): Promise<ChatStore> {
  if (typeof indexedDB === "undefined") throw new Error("This browser keeps nothing.");
  const opening = openDB<Schema>(`feather-chat-${owner}`, 1, {
    upgrade(db) {
      db.createObjectStore("conversations", { keyPath: "id" });
      db.createObjectStore("entries", { keyPath: "id" }).createIndex("conversation", "conversation");
    },
    blocking: (_current, _blocked, event) => (event.target as IDBDatabase | null)?.close(),
  });
  return over(await within(opening, OPENING_LIMIT));
}

/** Rejects after a timeout: some browsers neither open the database nor fail. */
async function within<T>(work: Promise<T>, milliseconds: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error("The browser's storage does not answer.")), milliseconds);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}

function over(db: IDBPDatabase<Schema>): ChatStore {
  return {
    list: async () => (await db.getAll("conversations")).flatMap((one) => keptConversation(one) ?? []),
    async entries(id) {
      const { store } = db.transaction("entries");
      const keys = await store.index("conversation").getAllKeys(id);
      const entries: Entry[] = [];
      // Read in batches, so that thousands of entries do not block the page.
      for (let from = 0; from < keys.length; from += BATCH)
        for (const one of await Promise.all(keys.slice(from, from + BATCH).map((key) => store.get(key)))) {
          const entry = keptEntry(one);
          if (entry) entries.push(entry);
        }
      return entries;
    },
    async write(id, change, entries) {
      const work = db.transaction(["conversations", "entries"], "readwrite");
      // Every failure rejects `done`, so rejections of the single requests are ignored.
      const done = work.done;
      const quiet = (request: Promise<unknown>) => request.catch(() => {});
      done.catch(() => {});
      if (change) {
        const conversations = work.objectStore("conversations");
        const changed = change(keptConversation(await conversations.get(id)) ?? undefined);
        if (changed) quiet(conversations.put(changed));
      }
      for (const entry of entries) quiet(work.objectStore("entries").put(entry));
      await done;
    },
    async search(words) {
      const finder = createFinder(words);
      let cursor = await db.transaction("entries").store.openCursor();
      while (cursor) {
        const entry = keptEntry(cursor.value);
        if (entry && !finder.look(entry)) break;
        cursor = await cursor.continue();
      }
      return finder.found();
    },
    async remove(ids) {
      const work = db.transaction(["conversations", "entries"], "readwrite");
      for (const id of ids) {
        await work.objectStore("conversations").delete(id);
        const index = work.objectStore("entries").index("conversation");
        for (const key of await index.getAllKeys(id)) await work.objectStore("entries").delete(key);
      }
      await work.done;
    },
    close: () => db.close(),
  };
}
