import { isApiError } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useQueryClient } from "@tanstack/react-query";
import { IMPERSONATION_COOKIE } from "#/entities/session/is-impersonating.ts";
import { evictSessionData, userQuery } from "#/entities/session/user.ts";
import { deleteCookie } from "#/lib/browser/cookies.ts";
import { feather } from "#/lib/feather.ts";
import { useAction } from "#/lib/use-action.ts";

/** Whether the session has expired or is not an impersonation, so that there is nothing to stop. */
const isNoImpersonation = (error: unknown): boolean =>
  isApiError(error) && (error.status === 409 || error.status === 401);

/** Returns the action that ends an impersonation and loads the admin's own account. */
export function useStopImpersonation(onStopped: () => unknown) {
  const client = useQueryClient();
  return useAction(
    async () => {
      try {
        await feather.admin.stopImpersonation();
      } catch (error) {
        if (!isNoImpersonation(error)) throw error;
      }
      deleteCookie(IMPERSONATION_COOKIE);
      evictSessionData(client);
      await client.fetchQuery({ ...userQuery, staleTime: 0 });
    },
    {
      onSuccess: onStopped,
      describeError: () => ({ title: t`You still act as this user.`, description: t`Try again.` }),
    },
  );
}
