import { isApiError, type Schemas } from "@feather/sdk";
import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { feather } from "#/lib/feather.ts";

export type User = Schemas["User"];

/** The signed-in user; null when there is none or they cannot be loaded. */
export const userQuery = queryOptions({
  queryKey: ["user"],
  queryFn: async (): Promise<User | null> => {
    try {
      return await feather.auth.me();
    } catch (error) {
      if (isApiError(error)) return null;
      throw error;
    }
  },
  staleTime: 60_000,
});

export function useUser(): { user: User | null; loading: boolean } {
  const { data, isPending } = useQuery(userQuery);
  return { user: data ?? null, loading: isPending };
}

/** What signing in and out do to what the site knows. */
export function useSession() {
  const client = useQueryClient();
  return {
    signedIn(user: User): void {
      client.removeQueries({ predicate: (query) => query.queryKey[0] !== "user" });
      client.setQueryData(userQuery.queryKey, user);
    },
    async logOut(): Promise<void> {
      await feather.auth.logout();
      client.clear();
      client.setQueryData(userQuery.queryKey, null);
    },
  };
}
