import type { User } from "@feather/sdk";
import type { QueryClient } from "@tanstack/react-query";
import { userQuery } from "#/entities/session/user.ts";
import { UNAUTHENTICATED_EVENT } from "#/lib/feather.ts";

/**
 * Refetches the current user when a call of a signed-in user fails with 401. Returns a function that stops watching.
 */
export function watchSession(client: QueryClient, target: EventTarget = globalThis): () => void {
  const check = (): void => {
    if (!client.getQueryData<User | null>(userQuery.queryKey)) return;
    if (client.isFetching({ queryKey: userQuery.queryKey }) > 0) return; // already being fetched
    void client.invalidateQueries({ queryKey: userQuery.queryKey });
  };
  target.addEventListener(UNAUTHENTICATED_EVENT, check);
  return () => target.removeEventListener(UNAUTHENTICATED_EVENT, check);
}
