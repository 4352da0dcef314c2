import { queryOptions } from "@tanstack/react-query";
import { feather } from "#/lib/feather.ts";
import { queries } from "#/lib/queries.ts";

/** All model families with their generations. */
export const familiesQuery = queryOptions({
  ...queries.models.families.queryOptions(),
  select: (result) => result.items,
  staleTime: 300_000,
});

/** All days with model releases, newest first. */
export const releaseDaysQuery = queryOptions({
  queryKey: [...queries.models.releases.key(), "all"],
  queryFn: async () => {
    const days: { date: string; model_count: number }[] = [];
    for await (const { date, model_count } of feather.models.releases({ perPage: 100 }))
      days.push({ date, model_count });
    return days;
  },
  staleTime: 300_000,
});
