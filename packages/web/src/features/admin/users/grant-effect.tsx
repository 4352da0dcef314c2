import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { Skeleton } from "#/components/ui/bits.tsx";
import { ReadFault } from "#/components/ui/fault-notice.tsx";
import { EndedPlanNote } from "../plans/ended-plan-note.tsx";
import { type AdminUser, grantEffectQuery } from "./queries.ts";

/** Shows which plan ends if another one is granted. */
export function GrantEffect({ user }: { user: AdminUser }) {
  const { data, error, refetch } = useQuery(grantEffectQuery(user.id));
  if (error && !data) return <ReadFault what={t`What it ends`} error={error} again={() => void refetch()} />;
  if (!data) return <Skeleton height={48} />;
  if (data.ended_plan === null) return null;
  return <EndedPlanNote ended={data.ended_plan} />;
}
