import { t } from "@lingui/core/macro";
import { useToast } from "#/components/ui/toast.tsx";
import { errorMessage } from "#/lib/error-message.ts";
import { feather } from "#/lib/feather.ts";
import { queries } from "#/lib/queries.ts";
import { useSession } from "./user.ts";

/** The organizations that the user belongs to. */
export const organizationsQuery = queries.organization.list.queryOptions();

/** Returns a function that makes the session act for another organization of the user, and says so. */
export function useSwitchOrganization(): (id: string, name: string) => Promise<void> {
  const { startSession } = useSession();
  const toast = useToast();
  return async (organization_id, name) => {
    try {
      startSession(await feather.organization.switch({ organization_id }));
      toast({ title: t`You act for ${name} now` });
    } catch (error) {
      toast({ title: errorMessage(error), variant: "destructive" });
    }
  };
}
