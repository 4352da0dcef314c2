import type { Query } from "@feather/sdk";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { queries } from "#/lib/queries.ts";

/** Filters of the users list. */
export type UserFilters = Query<"admin.users.list">;

/** One page of the users. */
export const usersQuery = (filters: UserFilters) =>
  queryOptions({
    ...queries.admin.users.list.queryOptions(filters),
    placeholderData: keepPreviousData,
  });

/** One user. */
export const userByIdQuery = (id: string) => queryOptions({ ...queries.admin.users.get.queryOptions(id) });

/** The plan that ends if the user is granted another one, and the credited amount. */
export const grantEffectQuery = (id: string) =>
  queryOptions({
    ...queries.admin.users.previewGrant.queryOptions(id),
  });

/** The time of the user's organization in billing. */
export const testClockQuery = (id: string) => queryOptions({ ...queries.admin.users.testClock.queryOptions(id) });

/** All plans. */
export const plansQuery = queryOptions({
  ...queries.admin.plans.list.queryOptions(),
});
