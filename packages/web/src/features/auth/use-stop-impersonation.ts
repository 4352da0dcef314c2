import { isApiError } from "@feather/sdk";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { IMPERSONATION_COOKIE } from "#/entities/session/is-impersonating.ts";
import { userQuery } from "#/entities/session/user.ts";
import { deleteCookie } from "#/lib/cookies.ts";
import { feather } from "#/lib/feather.ts";

/** Whether the session has expired or is not an impersonation, so that there is nothing to stop. */
const isNoImpersonation = (error: unknown): boolean =>
  isApiError(error) && (error.status === 409 || error.status === 401);

/** Returns the mutation that ends an impersonation and loads the admin's own account. */
export function useStopImpersonation(onStopped: () => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async () => {
      try {
        await feather.admin.stopImpersonation();
      } catch (error) {
        if (!isNoImpersonation(error)) throw error;
      }
      deleteCookie(IMPERSONATION_COOKIE);
      client.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== "user" });
      await client.fetchQuery({ ...userQuery, staleTime: 0 });
    },
    onSuccess: onStopped,
  });
}
