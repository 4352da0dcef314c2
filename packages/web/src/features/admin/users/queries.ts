import type { Query, Schemas } from "@feather/sdk";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { feather } from "#/lib/feather.ts";

/** A user as an admin sees them. */
export type AdminUser = Schemas["AdminUser"];
/** Filters of the users list. */
export type UserFilters = Query<"admin.users.list">;

/** One page of the users. */
export const usersQuery = (filters: UserFilters) =>
  queryOptions({
    queryKey: ["admin", "users", filters],
    queryFn: async () => feather.admin.users.list(filters),
    placeholderData: keepPreviousData,
  });

/** One user. */
export const userByIdQuery = (id: string) =>
  queryOptions({ queryKey: ["admin", "users", "one", id], queryFn: async () => feather.admin.users.get(id) });

/** Which plan ends if the user is granted another one, and what is credited. */
export const grantEffectQuery = (id: string) =>
  queryOptions({
    queryKey: ["admin", "users", "one", id, "plan-grant"],
    queryFn: async () => feather.admin.users.previewGrant(id),
  });

/** All plans. */
export const plansQuery = queryOptions({
  queryKey: ["admin", "plans"],
  queryFn: async () => feather.admin.plans.list(),
});
