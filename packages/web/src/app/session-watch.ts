import type { QueryClient } from "@tanstack/react-query";
import { type User, userQuery } from "#/features/auth/user.ts";
import { UNKNOWN_CALLER } from "#/lib/feather.ts";

/**
 * Refetches the current user when a call of a signed-in user fails with 401. Returns a function that stops watching.
 */
export function watchSession(client: QueryClient, target: EventTarget = globalThis): () => void {
  const check = (): void => {
    if (!client.getQueryData<User | null>(userQuery.queryKey)) return;
    if (client.isFetching({ queryKey: userQuery.queryKey }) > 0) return; // already being fetched
    void client.invalidateQueries({ queryKey: userQuery.queryKey });
  };
  target.addEventListener(UNKNOWN_CALLER, check);
  return () => target.removeEventListener(UNKNOWN_CALLER, check);
}
