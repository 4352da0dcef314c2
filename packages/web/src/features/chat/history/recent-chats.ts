import { feather } from "#/lib/feather.ts";
import type { ChatStorage } from "../conversation/chat-owner.ts";
import { openBrowserStore } from "../conversation/store/browser-store.ts";

/** A conversation in a list. `title` is empty for one without a question; `updatedAt` in milliseconds since 1970. */
export type RecentChat = { id: string; title: string; updatedAt: number };

/** The most conversations that the server sends at once. */
const MAX_PER_PAGE = 100;

/**
 * Returns the latest conversations of a user, newest first: at most `limit` of those that the server keeps or of those of this
 * browser; none if it stores nothing. Rejects if the server cannot be read.
 */
export async function listRecentChats(userId: string, storage: ChatStorage, limit: number): Promise<RecentChat[]> {
  if (storage === "server") return listServerChats(limit);
  const store = storage === "browser" ? await openBrowserStore(userId).catch(() => null) : null;
  const all = (await store?.list()) ?? [];
  store?.close();
  return all
    .filter(({ deletedAt }) => deletedAt === null)
    .sort((a, b) => b.updatedAt - a.updatedAt)
    .slice(0, limit);
}

async function listServerChats(limit: number): Promise<RecentChat[]> {
  const chats: RecentChat[] = [];
  for await (const one of feather.conversations.list({ perPage: Math.min(limit, MAX_PER_PAGE) })) {
    chats.push({ id: one.id, title: one.title, updatedAt: one.updated_at.getTime() });
    if (chats.length >= limit) break;
  }
  return chats;
}
