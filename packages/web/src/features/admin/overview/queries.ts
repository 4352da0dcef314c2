import { queryOptions } from "@tanstack/react-query";
import { feather } from "#/lib/feather.ts";
import { toUsersQuery } from "../users/user-filters.ts";

/** Totals, read from the pagination of pages with a single item. */
export const totalQueries = {
  users: queryOptions({
    queryKey: ["admin", "total", "users"],
    queryFn: async () => (await feather.admin.users.list({ perPage: 1 })).pagination.total_items,
  }),
  newUsers: (from: string) =>
    queryOptions({
      queryKey: ["admin", "total", "new-users", from],
      queryFn: async () =>
        (await feather.admin.users.list({ ...toUsersQuery({ created_from_date: from }, 1), perPage: 1 })).pagination
          .total_items,
    }),
  waiting: queryOptions({
    queryKey: ["admin", "total", "outbox", "waiting"],
    queryFn: async () => (await feather.admin.outbox({ perPage: 1, state: "waiting" })).pagination.total_items,
  }),
  failed: queryOptions({
    queryKey: ["admin", "total", "outbox", "failed"],
    queryFn: async () => (await feather.admin.outbox({ perPage: 1, state: "failed" })).pagination.total_items,
  }),
  reviews: queryOptions({
    queryKey: ["admin", "total", "reviews"],
    queryFn: async () => (await feather.admin.reviews.list({ perPage: 1 })).pagination.total_items,
  }),
  applications: queryOptions({
    queryKey: ["admin", "total", "applications"],
    queryFn: async () => (await feather.admin.applications({ perPage: 1, status: "pending" })).pagination.total_items,
  }),
  suspended: queryOptions({
    queryKey: ["admin", "total", "suspended"],
    queryFn: async () => (await feather.admin.users.list({ perPage: 1, status: "suspended" })).pagination.total_items,
  }),
};
