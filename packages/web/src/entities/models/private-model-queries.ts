import type { Result, Schemas } from "@feather/sdk";
import { queryOptions } from "@tanstack/react-query";
import { queries } from "#/lib/queries.ts";
import { getRefetchIntervalMs } from "./private-model-states.ts";

/** A private model of the organization. */
export type PrivateModel = Schemas["PrivateModel"];
/** The result of a compatibility check. */
export type Compatibility = Result<"privateModels.compatibility">;

/** The organization's private models, refetched more often while one changes its state. */
export const privateModelsQuery = queryOptions({
  ...queries.privateModels.list.queryOptions(),
  select: (result) => result.items,
  refetchInterval: ({ state }) => (state.data ? getRefetchIntervalMs(state.data.items) : false),
});
