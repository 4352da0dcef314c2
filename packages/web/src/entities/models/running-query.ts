import { queryOptions } from "@tanstack/react-query";
import { isBuiltIn } from "./default-model.ts";
import { isLoading, LIST_POLL_MS, modelsQuery } from "./queries.ts";

const MAX_RUNNING_MODELS = 8;

/**
 * The models that answer now, and those that are being downloaded or loaded. It is also read again while there are only
 * those that come with the platform: a first model may be on its way.
 */
export const runningModelsQuery = queryOptions({
  ...modelsQuery({ availability: "warm,loading", perPage: MAX_RUNNING_MODELS }),
  refetchInterval: ({ state }) =>
    state.data?.items.every((model) => isLoading(model) || isBuiltIn(model)) ? LIST_POLL_MS : false,
});
