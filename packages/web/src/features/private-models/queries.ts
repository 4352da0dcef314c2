import type { Result, Schemas } from "@feather/sdk";
import { queryOptions } from "@tanstack/react-query";
import { feather } from "#/lib/feather.ts";
import { askAgainAfter } from "./states.ts";

export type PrivateModel = Schemas["PrivateModel"];
export type Compatibility = Result<"privateModels.compatibility">;

export const privateModelsQuery = queryOptions({
  queryKey: ["private-models"],
  queryFn: async () => (await feather.privateModels.list()).items,
  refetchInterval: ({ state }) => (state.data ? askAgainAfter(state.data) : false),
});
