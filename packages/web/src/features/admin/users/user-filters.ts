import type { Schemas } from "@feather/sdk";
import type { Option } from "#/components/ui/field.tsx";
import type { Filter, FilterValues } from "../list/list-params.ts";
import type { UserFilters } from "./queries.ts";

export const PER_PAGE = 50;

const STATES: readonly Option[] = [
  { value: "active", label: "Active" },
  { value: "unverified", label: "E-mail not confirmed" },
  { value: "suspended", label: "Suspended" },
];
const ROLES: readonly Option[] = [
  { value: "true", label: "Admins" },
  { value: "false", label: "Others" },
];
const SORTS: readonly Option[] = [
  { value: "created_at", label: "Oldest" },
  { value: "-last_seen_at", label: "Seen last" },
  { value: "-requests_30d", label: "Most requests" },
  { value: "email", label: "E-mail, A to Z" },
  { value: "-email", label: "E-mail, Z to A" },
];

export const userFilters = (plans: readonly Schemas["Plan"][]): readonly Filter[] => [
  { name: "search", label: "Search", kind: "search", placeholder: "E-mail, username or name" },
  { name: "status", label: "State", kind: "choice", options: STATES },
  {
    name: "plan_id",
    label: "Plan",
    kind: "choice",
    options: plans.map(({ id, name }) => ({ value: id, label: name })),
  },
  { name: "is_admin", label: "Role", kind: "choice", options: ROLES },
  { name: "created_from_date", label: "Joined from", kind: "day" },
  { name: "created_to_date", label: "Joined until", kind: "day" },
  { name: "sort", label: "Order", kind: "choice", options: SORTS, none: "Newest" },
];

/** The query of the call for what stands in the address. Days stay texts, as the server reads them. */
export function usersQueryOf({ is_admin, ...values }: FilterValues, page: number): UserFilters {
  return {
    perPage: PER_PAGE,
    ...(page > 1 && { page }),
    ...values,
    ...(is_admin !== undefined && { is_admin: is_admin === "true" }),
  } as UserFilters;
}
