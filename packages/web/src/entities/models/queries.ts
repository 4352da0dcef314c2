import type { Query, Schemas } from "@feather/sdk";
import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { feather } from "#/lib/feather.ts";

/** A model of the catalogue. */
export type Model = Schemas["Model"];
/** Query parameters of the list of models. */
export type ModelFilters = Query<"models.list">;

/** One page of the catalogue. */
export const modelsQuery = (filters: ModelFilters) =>
  queryOptions({
    queryKey: ["models", filters],
    queryFn: async () => feather.models.list(filters),
    placeholderData: keepPreviousData,
  });

/** One model by its id. */
export const modelQuery = (id: string) =>
  queryOptions({ queryKey: ["model", id], queryFn: async () => feather.models.get(id) });

/** The number of models and families. */
export const statsQuery = queryOptions({ queryKey: ["stats"], queryFn: async () => feather.models.stats() });

/** The models called most on this server in the last seven days. */
export const popularQuery = queryOptions({
  queryKey: ["popular"],
  queryFn: async () => (await feather.models.popular()).popular,
  staleTime: 60_000,
});

/** Speed and error rates of the last hour, by model class. */
export const ratesQuery = queryOptions({ queryKey: ["error-rates"], queryFn: async () => feather.status.errorRates() });

/** The last 24 hours of a model class; of all classes where none is given. */
export const hoursQuery = (modelClass?: string) =>
  queryOptions({
    queryKey: ["hours", modelClass ?? null],
    queryFn: async () => (await feather.status.history(modelClass ? { model_class: modelClass } : {})).items,
    staleTime: 60_000,
  });

/** The order of a list of reviews. */
export type ReviewSort = NonNullable<Query<"models.reviews.list">["sort"]>;
const REVIEWS_PER_PAGE = 20;

/** The reviews of a model, loaded page by page. */
export const reviewsQuery = (id: string, sort: ReviewSort) =>
  infiniteQueryOptions({
    queryKey: ["reviews", id, sort],
    queryFn: async ({ pageParam: page }) => feather.models.reviews.list(id, { sort, page, perPage: REVIEWS_PER_PAGE }),
    initialPageParam: 1,
    getNextPageParam: ({ pagination: { current_page, total_pages } }) =>
      current_page < total_pages ? current_page + 1 : undefined,
  });

/** The tags that reviews may have, in the operator's order. */
export const reviewTagsQuery = queryOptions({
  queryKey: ["review-tags"],
  queryFn: async () => (await feather.models.reviews.tags()).items,
  staleTime: 300_000,
});

/** The date of the latest model release; null when there is none. */
export const latestReleaseQuery = queryOptions({
  queryKey: ["latest-release"],
  queryFn: async () => (await feather.models.releases({ perPage: 1 })).items[0]?.date ?? null,
  staleTime: 300_000,
});
