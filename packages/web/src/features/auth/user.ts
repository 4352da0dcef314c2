import { isApiError, type Schemas } from "@feather/sdk";
import { type QueryClient, queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { createContext, useContext } from "react";
import { feather } from "#/lib/feather.ts";

export type User = Schemas["User"];

/** How long the answer to who is signed in counts. */
const FRESH = 60_000;

/** The signed-in user; null when there is none or they cannot be loaded. */
export const userQuery = queryOptions({
  queryKey: ["user"],
  queryFn: async ({ client }): Promise<User | null> => {
    try {
      return await feather.auth.me();
    } catch (error) {
      if (!isApiError(error)) throw error;
      // A server that stumbles later has signed nobody out.
      return error.status >= 500 ? (client.getQueryData<User | null>(["user"]) ?? null) : null;
    }
  },
  // Asking for nobody again and again would be refused each time; signing in tells of itself.
  staleTime: ({ state }) => (state.data === null ? Number.POSITIVE_INFINITY : FRESH),
  // Somebody may have signed in elsewhere meanwhile, or out.
  refetchOnWindowFocus: ({ state }) => (Date.now() - state.dataUpdatedAt > FRESH ? "always" : false),
});

/** Whose page stays in view although their session has ended, so that what they entered is not lost. */
export const HeldUser = createContext<User | null>(null);

export function useUser(): { user: User | null; loading: boolean } {
  const held = useContext(HeldUser);
  const { data, isPending } = useQuery(userQuery);
  return { user: data ?? held, loading: isPending };
}

const LEFT = ["session", "left"];

/** Takes everything of the user out of view, by their own wish. */
export function forgetUser(client: QueryClient): void {
  client.clear();
  client.setQueryData(LEFT, true);
  client.setQueryData(userQuery.queryKey, null);
}

/** Whether the user went by their own wish: nothing of theirs stays in view then. */
export const hasLeft = (client: QueryClient): boolean => client.getQueryData(LEFT) === true;

/** What signing in and out do to what the site knows. */
export function useSession() {
  const client = useQueryClient();
  return {
    signedIn(user: User): void {
      client.removeQueries({ predicate: (query) => query.queryKey[0] !== "user" });
      client.setQueryData(userQuery.queryKey, user);
    },
    /** The same user again, after their session had ended: their page stays as it is, and is read anew. */
    async signedInAgain(user: User): Promise<void> {
      client.setQueryData(userQuery.queryKey, user);
      await client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== "user" });
    },
    /** For those whose session has ended already. */
    leave: () => forgetUser(client),
    async logOut(): Promise<void> {
      await feather.auth.logout();
      forgetUser(client);
    },
  };
}
