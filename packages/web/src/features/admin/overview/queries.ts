import { queryOptions } from "@tanstack/react-query";
import { queries } from "#/lib/queries.ts";
import { toUsersQuery } from "../users/user-filters.ts";

/** Totals, read from the pagination of pages with a single item. */
export const totalQueries = {
  users: queryOptions({
    ...queries.admin.users.list.queryOptions({ perPage: 1 }),
    select: (result) => result.pagination.total_items,
  }),
  newUsers: (from: string) =>
    queryOptions({
      ...queries.admin.users.list.queryOptions({ ...toUsersQuery({ created_from_date: from }, 1), perPage: 1 }),
      select: (result) => result.pagination.total_items,
    }),
  waiting: queryOptions({
    ...queries.admin.outbox.queryOptions({ perPage: 1, state: "waiting" }),
    select: (result) => result.pagination.total_items,
  }),
  failed: queryOptions({
    ...queries.admin.outbox.queryOptions({ perPage: 1, state: "failed" }),
    select: (result) => result.pagination.total_items,
  }),
  reviews: queryOptions({
    ...queries.admin.reviews.list.queryOptions({ perPage: 1 }),
    select: (result) => result.pagination.total_items,
  }),
  applications: queryOptions({
    ...queries.admin.applications.queryOptions({ perPage: 1, status: "pending" }),
    select: (result) => result.pagination.total_items,
  }),
  suspended: queryOptions({
    ...queries.admin.users.list.queryOptions({ perPage: 1, status: "suspended" }),
    select: (result) => result.pagination.total_items,
  }),
};
