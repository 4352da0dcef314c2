import { type DBSchema, deleteDB, type IDBPDatabase, openDB } from "idb";
import type { Conversation, Entry } from "../types.ts";
import { type ChatStore, createSearcher } from "./chat-store.ts";
import { readStoredConversation, readStoredEntry } from "./stored-records.ts";

interface HistorySchema extends DBSchema {
  conversations: { key: string; value: Conversation };
  entries: { key: string; value: Entry; indexes: { conversation: string } };
}

const TIMEOUT_MS = 5_000;
/** How many entries are read at once. */
const BATCH_SIZE = 250;

const databaseOf = (owner: string): string => `feather-chat-${owner}`;

/** Opens the IndexedDB store of one user. Rejects if the browser has no storage or does not allow it. */
export async function openBrowserStore(owner: string): Promise<ChatStore> {
  if (typeof indexedDB === "undefined") throw new Error("This browser keeps nothing.");
  const opening = openDB<HistorySchema>(databaseOf(owner), 1, {
    upgrade(db) {
      db.createObjectStore("conversations", { keyPath: "id" });
      db.createObjectStore("entries", { keyPath: "id" }).createIndex("conversation", "conversation");
    },
    blocking: (_current, _blocked, event) => (event.target as IDBDatabase | null)?.close(),
  });
  return createStore(await withTimeout(opening, TIMEOUT_MS));
}

/** Whether this browser stores chats of a user that they have not deleted; false where it stores nothing. */
export async function hasStoredChats(owner: string): Promise<boolean> {
  try {
    const store = await openBrowserStore(owner);
    const conversations = await store.list().finally(() => store.close());
    return conversations.some(({ deletedAt }) => deletedAt === null);
  } catch {
    return false;
  }
}

/** Deletes all chats of a user from this browser. Rejects if the browser does not do it. */
export async function deleteStoredChats(owner: string): Promise<void> {
  await withTimeout(deleteDB(databaseOf(owner)), TIMEOUT_MS);
}

/** Rejects after a timeout: some browsers neither open a database nor fail. */
async function withTimeout<T>(transaction: Promise<T>, milliseconds: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error("The browser's storage does not answer.")), milliseconds);
  });
  return Promise.race([transaction, timeout]).finally(() => clearTimeout(timer));
}

function createStore(db: IDBPDatabase<HistorySchema>): ChatStore {
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
      for (const entry of entries) ignoreRejection(transaction.objectStore("entries").put(entry));
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
