import type { User } from "@feather/sdk";
import { queryOptions, useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { useUser } from "#/entities/session/user.ts";
import { feather } from "#/lib/feather.ts";
import { queries } from "#/lib/queries.ts";

const NOBODY = { id: null, plan: null };

/**
 * Whether a user may start a trial; null when unknown. Keyed by user and plan, so that a change of either loads it
 * again.
 */
export const trialQuery = (user: User | null) => {
  const { id, plan } = user ? { id: user.id, plan: user.organization.current_subscription?.plan.id ?? null } : NOBODY;
  return queryOptions({
    queryKey: [...queries.auth.trialEligibility.key(), id, plan],
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

/** Returns whether the signed-in user may start a trial; null while that is loading, and for visitors. */
export function useTrialEligible(): boolean | null {
  const { user } = useUser();
  const client = useQueryClient();
  const signedOut = user === null;
  useEffect(() => {
    if (signedOut) client.removeQueries({ queryKey: queries.auth.trialEligibility.key() });
  }, [signedOut, client]);
  return useQuery(trialQuery(user)).data ?? null;
}
