import type { Model, Query } from "@feather/sdk";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { queries } from "#/lib/queries.ts";

/** How often models that are being downloaded or loaded are read again. */
const MODEL_POLL_MS = 2_000;
/** How often lists with such models are read again. */
export const LIST_POLL_MS = 10_000;

/** Query parameters of the list of models. */
export type ModelFilters = Query<"models.list">;

/** One page of the catalogue. It is read again while a model on it is downloaded or loaded. */
export const modelsQuery = (filters: ModelFilters) =>
  queryOptions({
    ...queries.models.list.queryOptions(filters),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => (state.data?.items.some(isLoading) ? LIST_POLL_MS : false),
  });

/** Returns whether a model is being downloaded or loaded. */
export const isLoading = ({ availability }: Pick<Model, "availability">): boolean => availability.tier === "loading";

/** One model by its id. It is read again while it is downloaded or loaded. */
export const modelQuery = (id: string) =>
  queryOptions({
    ...queries.models.get.queryOptions(id),
    refetchInterval: ({ state }) => (state.data && isLoading(state.data) ? MODEL_POLL_MS : false),
  });

/** The number of models and families. */
export const statsQuery = queryOptions({ ...queries.models.stats.queryOptions() });

/** The models called most on this server in the last seven days. */
export const popularQuery = queryOptions({
  ...queries.models.popular.queryOptions(),
  select: (result) => result.popular,
  staleTime: 60_000,
});

/** Speed and error rates of the last hour, by model class. */
export const ratesQuery = queryOptions({ ...queries.status.errorRates.queryOptions() });

/** The last 24 hours of a model class; of all classes where none is given. */
export const hoursQuery = (modelClass?: string) =>
  queryOptions({
    ...queries.status.history.queryOptions(modelClass ? { model_class: modelClass } : {}),
    select: (result) => result.items,
    staleTime: 60_000,
  });

/** The tags that reviews may have, in the operator's order. */
export const reviewTagsQuery = queryOptions({
  ...queries.models.reviews.tags.queryOptions(),
  select: (result) => result.items,
  staleTime: 300_000,
});

/** The date of the latest model release; null when there is none. */
export const latestReleaseQuery = queryOptions({
  ...queries.models.releases.queryOptions({ perPage: 1 }),
  select: (result) => result.items[0]?.date ?? null,
  staleTime: 300_000,
});

/** The current state of a model, polled while it loads. */
export const liveModelQuery = (id: string) =>
  queryOptions({
    ...queries.models.get.queryOptions(id),
    refetchInterval: MODEL_POLL_MS,
    staleTime: 0,
  });
