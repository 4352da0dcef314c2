import { queryOptions } from "@tanstack/react-query";
import { feather } from "#/lib/feather.ts";

export const plansQuery = queryOptions({
  queryKey: ["plans"],
  queryFn: async () => feather.subscription.plans(),
  staleTime: 300_000,
});
