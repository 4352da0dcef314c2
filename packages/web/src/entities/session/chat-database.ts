import { type DBSchema, deleteDB, type IDBPDatabase, openDB } from "idb";

/** The stores of chats in a browser. Their values may come from any version, so readers check them. */
interface ChatSchema extends DBSchema {
  conversations: { key: string; value: unknown };
  entries: { key: string; value: unknown; indexes: { conversation: string } };
}

/** The database of a user's chats in this browser. */
export type ChatDatabase = IDBPDatabase<ChatSchema>;

const TIMEOUT_MS = 5_000;

const nameOf = (owner: string): string => `feather-chat-${owner}`;

/** Opens the database of a user's chats. Rejects if the browser has no storage or does not allow it. */
export async function openChatDatabase(owner: string): Promise<ChatDatabase> {
  if (typeof indexedDB === "undefined") throw new Error("This browser keeps nothing.");
  const opening = openDB<ChatSchema>(nameOf(owner), 1, {
    upgrade(db) {
      db.createObjectStore("conversations", { keyPath: "id" });
      db.createObjectStore("entries", { keyPath: "id" }).createIndex("conversation", "conversation");
    },
    blocking: (_current, _blocked, event) => (event.target as IDBDatabase | null)?.close(),
  });
  return withTimeout(opening, TIMEOUT_MS);
}

/** Whether this browser stores chats of a user that they have not deleted; false where it stores nothing. */
export async function hasStoredChats(owner: string): Promise<boolean> {
  try {
    const db = await openChatDatabase(owner);
    const conversations = await db.getAll("conversations").finally(() => db.close());
    return conversations.some((one) => !isDeleted(one));
  } catch {
    return false;
  }
}

const isDeleted = (conversation: unknown): boolean =>
  typeof (conversation as { deletedAt?: unknown } | null)?.deletedAt === "number";

/** Deletes all chats of a user from this browser. Rejects if the browser does not do it. */
export async function deleteStoredChats(owner: string): Promise<void> {
  await withTimeout(deleteDB(nameOf(owner)), TIMEOUT_MS);
}

/** Rejects after a timeout: some browsers neither open a database nor fail. */
async function withTimeout<T>(transaction: Promise<T>, milliseconds: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error("The browser's storage does not answer.")), milliseconds);
  });
  return Promise.race([transaction, timeout]).finally(() => clearTimeout(timer));
}
