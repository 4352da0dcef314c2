import type { AdminUser } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { LoadError } from "#/components/ui/feedback/load-error.tsx";
import { Skeleton } from "#/components/ui/loading/skeleton.tsx";
import { EndedPlanNote } from "./ended-plan-note.tsx";
import { grantEffectQuery } from "./queries.ts";

/** Shows which plan ends if another one is granted. */
export function GrantEffect({ user }: { user: AdminUser }) {
  const { data, error, refetch } = useQuery(grantEffectQuery(user.id));
  if (error && !data) return <LoadError subject={t`What it ends`} error={error} retry={() => void refetch()} />;
  if (!data) return <Skeleton height={48} />;
  if (data.ended_plan === null) return null;
  return <EndedPlanNote ended={data.ended_plan} />;
}
