import { t } from "@lingui/core/macro";
import { useQuery } from "@tanstack/react-query";
import { plansQuery } from "../users/queries.ts";

/** A hint that lists the ids of all plans. */
export function usePlanHint(): string {
  const plans = useQuery(plansQuery).data?.items;
  if (!plans) return t`Ids between commas; empty: all.`;
  const ids = plans.map(({ id }) => id).join(", ");
  return t`Ids between commas; empty: all. There are ${ids}.`;
}
