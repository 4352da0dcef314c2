import { createUuid } from "@feather/sdk";
import { openBrowserStore } from "./store/browser-store.ts";
import type { ChatStore } from "./store/chat-store.ts";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Returns how many chats this browser keeps of a user; 0 where it keeps none. */
export async function countBrowserChats(userId: string): Promise<number> {
  const store = await openBrowserStore(userId).catch(() => null);
  const all = (await store?.list().catch(() => [])) ?? [];
  store?.close();
  return all.filter(({ deletedAt }) => deletedAt === null).length;
}

/**
 * Moves the chats that this browser keeps of a user to another store. Each is deleted here once the other has it, so that a move
 * that was interrupted can go on. Returns how many were moved.
 */
export async function moveBrowserChats(userId: string, target: ChatStore): Promise<number> {
  const source = await openBrowserStore(userId);
  try {
    const kept = (await source.list()).filter(({ deletedAt }) => deletedAt === null);
    for (const conversation of kept) {
      const entries = await source.entries(conversation.id);
      const id = UUID.test(conversation.id) ? conversation.id : createUuid();
      const moved = { ...conversation, id };
      await target.write(
        id,
        (stored) => stored ?? moved,
        entries.map((entry) => ({ ...entry, conversation: id })),
      );
      await source.remove([conversation.id]);
    }
    return kept.length;
  } finally {
    source.close();
  }
}
