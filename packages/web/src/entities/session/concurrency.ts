import { queryOptions } from "@tanstack/react-query";
import { feather } from "#/lib/feather.ts";

/** The requests of the organization that are running now, and the units they hold. */
export const concurrencyQuery = queryOptions({
  queryKey: ["concurrency"],
  queryFn: async () => feather.concurrency.get(),
  refetchInterval: 5_000,
});
