import type { Schemas } from "@feather/sdk";
import { queryOptions } from "@tanstack/react-query";
import { feather } from "#/lib/feather.ts";

export type ApiKey = Schemas["ApiKey"];
export const keysQuery = queryOptions({
  queryKey: ["api-keys"],
  queryFn: async () => feather.apiKeys.list({ perPage: 100 }),
});
