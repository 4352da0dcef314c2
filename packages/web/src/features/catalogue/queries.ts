import type { Query, Schemas } from "@feather/sdk";
import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { feather } from "#/lib/feather.ts";

export type Model = Schemas["Model"];
export type ModelFilters = Query<"models.list">;

export const modelsQuery = (filters: ModelFilters) =>
  queryOptions({
    queryKey: ["models", filters],
    queryFn: async () => feather.models.list(filters),
    placeholderData: keepPreviousData,
  });

export const modelQuery = (id: string) =>
  queryOptions({ queryKey: ["model", id], queryFn: async () => feather.models.get(id) });

export const statsQuery = queryOptions({ queryKey: ["stats"], queryFn: async () => feather.models.stats() });

/** What was called most in the last seven days, here. */
export const popularQuery = queryOptions({
  queryKey: ["popular"],
  queryFn: async () => (await feather.models.popular()).popular,
  staleTime: 60_000,
});

export const ratesQuery = queryOptions({ queryKey: ["error-rates"], queryFn: async () => feather.status.errorRates() });

/** The last 24 hours of a class; of all classes where none is named. */
export const hoursQuery = (modelClass?: string) =>
  queryOptions({
    queryKey: ["hours", modelClass ?? null],
    queryFn: async () => (await feather.status.history(modelClass ? { model_class: modelClass } : {})).items,
    staleTime: 60_000,
  });

export type ReviewSort = NonNullable<Query<"models.reviews.list">["sort"]>;
const REVIEWS_PER_PAGE = 20;

/** What users say of a model, page after page. */
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

/** The last day on which models came out, as the catalogue knows it. */
export const latestReleaseQuery = queryOptions({
  queryKey: ["latest-release"],
  queryFn: async () => (await feather.models.releases({ perPage: 1 })).items[0]?.date ?? null,
  staleTime: 300_000,
});
