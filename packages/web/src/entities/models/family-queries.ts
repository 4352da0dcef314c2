import { queryOptions } from "@tanstack/react-query";
import { feather } from "#/lib/feather.ts";

/** All model families with their generations. */
export const familiesQuery = queryOptions({
  queryKey: ["families"],
  queryFn: async () => (await feather.models.families()).items,
  staleTime: 300_000,
});

/** All days with model releases, newest first. */
export const releaseDaysQuery = queryOptions({
  queryKey: ["release-days"],
  queryFn: async () => {
    const days: { date: string; model_count: number }[] = [];
    for await (const { date, model_count } of feather.models.releases({ perPage: 100 }))
      days.push({ date, model_count });
    return days;
  },
  staleTime: 300_000,
});
