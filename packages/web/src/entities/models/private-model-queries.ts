import { queryOptions } from "@tanstack/react-query";
import { queries } from "#/lib/queries.ts";
import { getRefetchIntervalMs } from "./private-model-states.ts";

/** The organization's private models, refetched more often while one changes its state. */
export const privateModelsQuery = queryOptions({
  ...queries.privateModels.list.queryOptions(),
  select: (result) => result.items,
  refetchInterval: ({ state }) => (state.data ? getRefetchIntervalMs(state.data.items) : false),
});
