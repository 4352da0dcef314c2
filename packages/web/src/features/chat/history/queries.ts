import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import type { ChatSession } from "../answering/chat-session.ts";
import { countBrowserChats } from "../conversation/move-chats.ts";

const HISTORY_KEY = "chat-history";

/** The stored conversations, newest first. */
export const historyQuery = (session: ChatSession | null) =>
  queryOptions({
    queryKey: [HISTORY_KEY, session?.owner ?? null, "list"],
    queryFn: async () => {
      const all = (await session?.store.list()) ?? [];
      return all.filter(({ deletedAt }) => deletedAt === null).sort((a, b) => b.updatedAt - a.updatedAt);
    },
    enabled: session !== null,
    networkMode: "always",
  });

const BROWSER_CHATS_KEY = "chats-of-this-browser";

/** How many chats this browser keeps of a user; 0 where it keeps none. */
export const browserChatsQuery = (userId: string) =>
  queryOptions({
    queryKey: [BROWSER_CHATS_KEY, userId],
    queryFn: () => countBrowserChats(userId),
    networkMode: "always",
  });

/** Conversations that contain a term of at least two characters. */
export const searchQuery = (session: ChatSession | null, term: string) =>
  queryOptions({
    queryKey: [HISTORY_KEY, session?.owner ?? null, "search", term],
    queryFn: async () => (await session?.store.search(term)) ?? [],
    enabled: session !== null && term.length > 1,
    placeholderData: keepPreviousData,
    networkMode: "always",
  });

/** Query key of a user's history, for invalidation. */
export const historyQueryKey = (owner: string) => [HISTORY_KEY, owner];
