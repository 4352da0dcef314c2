import type { Query } from "@feather/sdk";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { feather } from "#/lib/feather.ts";
import { queries } from "#/lib/queries.ts";

/** Filters of the models list. */
export type ModelFilters = Query<"admin.models.list">;
/** Filters of the reviews list. */
export type ReviewFilters = Query<"admin.reviews.list">;

/** One page of the models. */
export const modelsQuery = (filters: ModelFilters) =>
  queryOptions({
    ...queries.admin.models.list.queryOptions(filters),
    placeholderData: keepPreviousData,
  });

/** One model. */
export const modelQuery = (id: string) => queryOptions({ ...queries.admin.models.get.queryOptions(id) });

/** All model classes. */
export const classesQuery = queryOptions({
  ...queries.models.classes.queryOptions(),
  staleTime: 300_000,
});

/** One page of the models that users have requested. */
export const modelRequestsQuery = (query: Query<"admin.models.requests">) =>
  queryOptions({
    ...queries.admin.models.requests.queryOptions(query),
    placeholderData: keepPreviousData,
  });

/** One page of the reviews. */
export const reviewsQuery = (filters: ReviewFilters) =>
  queryOptions({
    ...queries.admin.reviews.list.queryOptions(filters),
    placeholderData: keepPreviousData,
  });

/** How many reviews are searched for those of one model. */
const MAX_REVIEWS_READ = 500;

/** The reviews of one model, including hidden ones. */
export const reviewsOfModelQuery = (id: string) =>
  queryOptions({
    queryKey: [...queries.admin.reviews.list.key(), "of", id],
    queryFn: async () => {
      const all = await feather.admin.reviews
        .list({ status: "all", perPage: 100 })
        .toArray({ limit: MAX_REVIEWS_READ });
      return all.filter(({ model_id }) => model_id === id);
    },
  });

/** One page of a model's prices. */
export const pricesQuery = (model: string, page: number) =>
  queryOptions({
    ...queries.admin.prices.list.queryOptions({ model, page, perPage: 50 }),
    placeholderData: keepPreviousData,
  });
