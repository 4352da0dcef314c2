import type { Query, Schemas } from "@feather/sdk";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { feather } from "#/lib/feather.ts";

export type AdminModel = Schemas["AdminModel"];
export type ModelFilters = Query<"admin.models.list">;
export type ReviewFilters = Query<"admin.reviews.list">;

export const modelsQuery = (filters: ModelFilters) =>
  queryOptions({
    queryKey: ["admin", "models", filters],
    queryFn: async () => feather.admin.models.list(filters),
    placeholderData: keepPreviousData,
  });

export const modelQuery = (id: string) =>
  queryOptions({ queryKey: ["admin", "model", id], queryFn: async () => feather.admin.models.get(id) });

export const classesQuery = queryOptions({
  queryKey: ["classes"],
  queryFn: async () => feather.models.classes(),
  staleTime: 300_000,
});

export const modelRequestsQuery = (query: Query<"admin.models.requests">) =>
  queryOptions({
    queryKey: ["admin", "model-requests", query],
    queryFn: async () => feather.admin.models.requests(query),
    placeholderData: keepPreviousData,
  });

export const reviewsQuery = (filters: ReviewFilters) =>
  queryOptions({
    queryKey: ["admin", "reviews", filters],
    queryFn: async () => feather.admin.reviews.list(filters),
    placeholderData: keepPreviousData,
  });

/** How many reviews are looked through for those of one model. */
const MOST_REVIEWS = 500;

/** What was written about one model, hidden or not. */
export const reviewsOfQuery = (id: string) =>
  queryOptions({
    queryKey: ["admin", "reviews-of", id],
    queryFn: async () => {
      const all = await feather.admin.reviews.list({ status: "all", perPage: 100 }).toArray({ limit: MOST_REVIEWS });
      return all.filter(({ model_id }) => model_id === id);
    },
  });

export const pricesQuery = (model: string, page: number) =>
  queryOptions({
    queryKey: ["admin", "prices", model, page],
    queryFn: async () => feather.admin.prices.list({ model, page, perPage: 50 }),
    placeholderData: keepPreviousData,
  });

export const pullsQuery = queryOptions({
  queryKey: ["admin", "pulls"],
  queryFn: async () => feather.admin.store.pulls.list(),
  refetchInterval: 3_000,
});
