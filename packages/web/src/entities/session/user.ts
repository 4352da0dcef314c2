import { isApiError, type User } from "@feather/sdk";
import { hashKey, type Query, type QueryClient, queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { createContext, useContext } from "react";
import { useIsHydrating } from "#/lib/browser/use-is-hydrating.ts";
import { feather } from "#/lib/feather.ts";
import { queries } from "#/lib/queries.ts";

/** How long the loaded user counts as fresh. */
const USER_STALE_TIME_MS = 60_000;

/** The signed-in user; null when there is none or they cannot be loaded. */
export const userQuery = queryOptions({
  queryKey: queries.auth.me.key(),
  queryFn: async ({ client }): Promise<User | null> => {
    try {
      return await feather.auth.me();
    } catch (error) {
      if (!isApiError(error)) throw error;
      // A server error does not mean that the user was signed out.
      return error.status >= 500 ? (client.getQueryData<User | null>(queries.auth.me.key()) ?? null) : null;
    }
  },
  // No user is not loaded again: each request would fail, and signing in updates this query itself.
  staleTime: ({ state }) => (state.data === null ? Number.POSITIVE_INFINITY : USER_STALE_TIME_MS),
  // The user may have signed in or out in another tab.
  refetchOnWindowFocus: ({ state }) => (Date.now() - state.dataUpdatedAt > USER_STALE_TIME_MS ? "always" : false),
});

/** The user of a private page, which stays visible after their session has expired, so that their input is not lost. */
export const LastUserContext = createContext<User | null>(null);

const NO_USER = { user: null, loading: false };

/** Returns the signed-in user, or the one whose session has just expired. */
export function useUser(): { user: User | null; loading: boolean } {
  const lastUser = useContext(LastUserContext);
  const { data, isPending } = useQuery(userQuery);
  if (useIsHydrating()) return NO_USER;
  return { user: data ?? lastUser, loading: isPending };
}

const LOGGED_OUT_KEY = ["session", "left"];

/** Clears all data of the user from the cache after they log out. */
export function clearUser(client: QueryClient): void {
  client.clear();
  client.setQueryData(LOGGED_OUT_KEY, true);
  client.setQueryData(userQuery.queryKey, null);
}

/** Returns whether the user logged out themselves, so that none of their data stays visible. */
export const hasLoggedOut = (client: QueryClient): boolean => client.getQueryData(LOGGED_OUT_KEY) === true;

/** Whether a query belongs to the session: all but the user, and those with the meta data `keepOnSignIn`. */
const isSessionData = ({ queryHash, meta }: Query): boolean =>
  queryHash !== hashKey(userQuery.queryKey) && meta?.keepOnSignIn !== true;

/** Removes everything from the cache that was loaded for the previous user, but not the user. */
export const evictSessionData = (client: QueryClient): void => client.removeQueries({ predicate: isSessionData });

/** Returns functions that update the query cache when a user signs in or out. */
export function useSession() {
  const client = useQueryClient();
  return {
    startSession(user: User): void {
      evictSessionData(client);
      client.setQueryData(userQuery.queryKey, user);
    },
    /** For the same user after their session expired: the page stays mounted and its queries are refetched. */
    async resumeSession(user: User): Promise<void> {
      client.setQueryData(userQuery.queryKey, user);
      await client.invalidateQueries({ predicate: isSessionData });
    },
    /** For a session that has ended already. */
    clearSession: () => clearUser(client),
  };
}
