import type { User } from "@feather/sdk";
import type { QueryClient } from "@tanstack/react-query";
import { hasLoggedOut, userQuery } from "#/entities/session/user.ts";

const CHANNEL = "session";
type Channel = Pick<BroadcastChannel, "postMessage" | "addEventListener" | "close">;

/**
 * Synchronizes sign-in and sign-out between tabs, so that no tab shows data of another user. A tab that receives a change
 * drops its cached data and refetches. Returns a function that stops it.
 */
export function syncSessions(client: QueryClient, channel: Channel | null = openChannel()): () => void {
  if (channel === null) return () => {};
  const readUserId = (): string | null => client.getQueryData<User | null>(userQuery.queryKey)?.id ?? null;
  let knownUserId: string | null | undefined =
    client.getQueryData(userQuery.queryKey) === undefined ? undefined : readUserId();

  const unsubscribe = client.getQueryCache().subscribe(({ query, type }) => {
    if (type !== "updated" || query.queryHash !== JSON.stringify(userQuery.queryKey) || query.state.data === undefined)
      return;
    const id = readUserId();
    if (id === knownUserId) return;
    const isFirst = knownUserId === undefined;
    knownUserId = id;
    // An expired session is not broadcast: each tab detects it itself and keeps unsaved input.
    if (!isFirst && (id !== null || hasLoggedOut(client))) channel.postMessage(id);
  });

  channel.addEventListener("message", ({ data }) => {
    if (data === knownUserId) return;
    knownUserId = data as string | null; // not broadcast again: the other tabs received it too
    client.removeQueries({ type: "inactive" });
    void client.resetQueries();
  });

  return () => {
    unsubscribe();
    channel.close();
  };
}

function openChannel(): Channel | null {
  return typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel(CHANNEL);
}
