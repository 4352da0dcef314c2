import type { QueryClient } from "@tanstack/react-query";
import { hasLeft, type User, userQuery } from "#/features/auth/user.ts";

const CHANNEL = "session";
type Channel = Pick<BroadcastChannel, "postMessage" | "addEventListener" | "close">;

/**
 * Tabs tell each other when somebody signs in or out, so that none shows what belongs to somebody else. A tab that hears
 * of it asks the server who it is now; what it knew of another user is dropped. Answers what ends it.
 */
export function syncSessions(client: QueryClient, channel: Channel | null = openChannel()): () => void {
  if (channel === null) return () => {};
  const idNow = (): string | null => client.getQueryData<User | null>(userQuery.queryKey)?.id ?? null;
  let known: string | null | undefined = client.getQueryData(userQuery.queryKey) === undefined ? undefined : idNow();

  const end = client.getQueryCache().subscribe(({ query, type }) => {
    if (type !== "updated" || query.queryHash !== JSON.stringify(userQuery.queryKey) || query.state.data === undefined)
      return;
    const id = idNow();
    if (id === known) return;
    const isFirst = known === undefined;
    known = id;
    // A session that ended by itself is found out by each tab, which keeps what was being entered in it.
    if (!isFirst && (id !== null || hasLeft(client))) channel.postMessage(id);
  });

  channel.addEventListener("message", ({ data }) => {
    if (data === known) return;
    known = data as string | null; // not told on: the others have heard it too
    client.removeQueries({ type: "inactive" });
    void client.resetQueries();
  });

  return () => {
    end();
    channel.close();
  };
}

function openChannel(): Channel | null {
  return typeof BroadcastChannel === "undefined" ? null : new BroadcastChannel(CHANNEL);
}
