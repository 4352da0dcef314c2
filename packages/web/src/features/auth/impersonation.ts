import { isApiError } from "@feather/sdk";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { forgetCookie, readCookie } from "#/lib/cookies.ts";
import { feather } from "#/lib/feather.ts";
import { userQuery } from "./user.ts";

const COOKIE = "impersonate_as";

/** Whether an admin acts as somebody else here. */
export const isImpersonating = (): boolean => readCookie(COOKIE) !== null;

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
      forgetCookie(COOKIE);
      client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== "user" });
      await client.fetchQuery({ ...userQuery, staleTime: 0 });
    },
    onSuccess: done,
  });
}
