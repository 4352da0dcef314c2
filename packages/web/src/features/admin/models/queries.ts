import type { Query, Schemas } from "@feather/sdk";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { feather } from "#/lib/feather.ts";

/** A model as an admin sees it. */
export type AdminModel = Schemas["AdminModel"];
/** Filters of the models list. */
export type ModelFilters = Query<"admin.models.list">;
/** Filters of the reviews list. */
export type ReviewFilters = Query<"admin.reviews.list">;

/** One page of the models. */
export const modelsQuery = (filters: ModelFilters) =>
  queryOptions({
    queryKey: ["admin", "models", filters],
    queryFn: async () => feather.admin.models.list(filters),
    placeholderData: keepPreviousData,
  });

/** One model. */
export const modelQuery = (id: string) =>
  queryOptions({ queryKey: ["admin", "model", id], queryFn: async () => feather.admin.models.get(id) });

/** All model classes. */
export const classesQuery = queryOptions({
  queryKey: ["classes"],
  queryFn: async () => feather.models.classes(),
  staleTime: 300_000,
});

/** One page of the models that users have requested. */
export const modelRequestsQuery = (query: Query<"admin.models.requests">) =>
  queryOptions({
    queryKey: ["admin", "model-requests", query],
    queryFn: async () => feather.admin.models.requests(query),
    placeholderData: keepPreviousData,
  });

/** One page of the reviews. */
export const reviewsQuery = (filters: ReviewFilters) =>
  queryOptions({
    queryKey: ["admin", "reviews", filters],
    queryFn: async () => feather.admin.reviews.list(filters),
    placeholderData: keepPreviousData,
  });

/** How many reviews are searched for those of one model. */
const MAX_REVIEWS_READ = 500;

/** The reviews of one model, including hidden ones. */
export const reviewsOfModelQuery = (id: string) =>
  queryOptions({
    queryKey: ["admin", "reviews-of", id],
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
    queryKey: ["admin", "prices", model, page],
    queryFn: async () => feather.admin.prices.list({ model, page, perPage: 50 }),
    placeholderData: keepPreviousData,
  });

/** The model downloads, refreshed every 3 seconds. */
export const pullsQuery = queryOptions({
  queryKey: ["admin", "pulls"],
  queryFn: async () => feather.admin.store.pulls.list(),
  refetchInterval: 3_000,
});
