import type { QueryClient } from "@tanstack/react-query";
import { type User, userQuery } from "#/features/auth/user.ts";
import { UNKNOWN_CALLER } from "#/lib/feather.ts";

/** Asks the server who is signed in as soon as it refuses a call of somebody who was. Answers what ends it. */
export function watchSession(client: QueryClient, target: EventTarget = globalThis): () => void {
  const check = (): void => {
    if (!client.getQueryData<User | null>(userQuery.queryKey)) return;
    if (client.isFetching({ queryKey: userQuery.queryKey }) > 0) return; // it is being asked already
    void client.invalidateQueries({ queryKey: userQuery.queryKey });
  };
  target.addEventListener(UNKNOWN_CALLER, check);
  return () => target.removeEventListener(UNKNOWN_CALLER, check);
}
