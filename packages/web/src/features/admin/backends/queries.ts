import type { Result, Schemas } from "@feather/sdk";
import { queryOptions } from "@tanstack/react-query";
import { feather } from "#/lib/feather.ts";

export type Backend = Schemas["Backend"];
export type BackendTest = Result<"admin.backends.test">;

export const backendsQuery = queryOptions({
  queryKey: ["admin", "backends"],
  queryFn: async () => feather.admin.backends.list(),
  refetchInterval: 15_000,
});
