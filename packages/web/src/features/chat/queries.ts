import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { feather } from "#/lib/feather.ts";
import type { ChatHost } from "./host.ts";

const KEY = "chat-history";

/** The stored conversations, newest first. */
export const historyQuery = (host: ChatHost | null) =>
  queryOptions({
    queryKey: [KEY, host?.owner ?? null, "list"],
    queryFn: async () => {
      const all = (await host?.store.list()) ?? [];
      return all.filter(({ deletedAt }) => deletedAt === null).sort((a, b) => b.updatedAt - a.updatedAt);
    },
    enabled: host !== null,
    networkMode: "always",
  });

/** Conversations that contain a term of at least two characters. */
export const searchQuery = (host: ChatHost | null, words: string) =>
  queryOptions({
    queryKey: [KEY, host?.owner ?? null, "search", words],
    queryFn: async () => (await host?.store.search(words)) ?? [],
    enabled: host !== null && words.length > 1,
    placeholderData: keepPreviousData,
    networkMode: "always",
  });

/** Query key of a user's history, for invalidation. */
export const historyKey = (owner: string) => [KEY, owner];

/** The current state of a model, polled while it loads. */
export const modelNowQuery = (id: string) =>
  queryOptions({
    queryKey: ["model", id, "now"],
    queryFn: async () => feather.models.get(id),
    refetchInterval: 2_000,
    staleTime: 0,
  });
