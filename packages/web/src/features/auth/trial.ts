import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { feather } from "#/lib/feather.ts";
import { type User, useUser } from "./user.ts";

const KEY = "trial-eligibility";
const NOBODY = { id: null, plan: null };

/** Whether a user may try a plan; null when that cannot be told. Asked anew for another user, and after a change of plan. */
export const trialQuery = (user: User | null) => {
  const { id, plan } = user ? { id: user.id, plan: user.organization.current_subscription?.plan.id ?? null } : NOBODY;
  return queryOptions({
    queryKey: [KEY, id, plan],
    queryFn: async (): Promise<boolean | null> => {
      try {
        return (await feather.auth.trialEligibility()).trial_eligible;
      } catch {
        return null;
      }
    },
    enabled: id !== null,
  });
};

/** Whether the signed-in user may try a plan; null for nobody, and as long as it is not known. */
export function useTrialEligible(): boolean | null {
  const { user } = useUser();
  const client = useQueryClient();
  const signedOut = user === null;
  useEffect(() => {
    if (signedOut) client.removeQueries({ queryKey: [KEY] });
  }, [signedOut, client]);
  return useQuery(trialQuery(user)).data ?? null;
}
