import type { Query, Schemas } from "@feather/sdk";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { feather } from "#/lib/feather.ts";

export type AdminUser = Schemas["AdminUser"];
export type UserFilters = Query<"admin.users.list">;

export const usersQuery = (filters: UserFilters) =>
  queryOptions({
    queryKey: ["admin", "users", filters],
    queryFn: async () => feather.admin.users.list(filters),
    placeholderData: keepPreviousData,
  });

export const userByIdQuery = (id: string) =>
  queryOptions({ queryKey: ["admin", "users", "one", id], queryFn: async () => feather.admin.users.get(id) });

/** What granting the user another plan ends, and gives back. */
export const grantEffectQuery = (id: string) =>
  queryOptions({
    queryKey: ["admin", "users", "one", id, "plan-grant"],
    queryFn: async () => feather.admin.users.previewGrant(id),
  });

export const plansQuery = queryOptions({
  queryKey: ["admin", "plans"],
  queryFn: async () => feather.admin.plans.list(),
});
