import { t } from "@lingui/core/macro";
import { feather } from "#/lib/feather.ts";
import { queries } from "#/lib/queries.ts";
import { useAction } from "#/lib/use-action.ts";
import { useSession } from "./user.ts";

/** The organizations that the user belongs to. */
export const organizationsQuery = queries.organization.list.queryOptions();

/** Returns the action that switches the session to another organization of the user, and confirms it. */
export function useSwitchOrganization() {
  const { startSession } = useSession();
  return useAction(({ id }: { id: string; name: string }) => feather.organization.switch({ organization_id: id }), {
    success: (_, { name }) => t`You act for ${name} now`,
    onSuccess: startSession,
  });
}
