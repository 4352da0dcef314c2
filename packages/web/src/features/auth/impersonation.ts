import { isApiError } from "@feather/sdk";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { forgetCookie } from "#/lib/cookies.ts";
import { feather } from "#/lib/feather.ts";
import { IMPERSONATION_COOKIE } from "./impersonating.ts";
import { userQuery } from "./user.ts";

/** The session has ended by itself, or never was one of another user: then there is nothing to stop. */
const isOver = (error: unknown): boolean => isApiError(error) && (error.status === 409 || error.status === 401);

/** The way back to one's own account. */
export function useStopImpersonation(done: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      try {
        await feather.admin.stopImpersonation();
      } catch (error) {
        if (!isOver(error)) throw error;
      }
      forgetCookie(IMPERSONATION_COOKIE);
      client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== "user" });
      await client.fetchQuery({ ...userQuery, staleTime: 0 });
    },
    onSuccess: done,
  });
}
