import type { Plan } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import type { Filter, FilterValues } from "#/components/list/list-params.ts";
import type { SortValue } from "#/components/list/list-table.tsx";
import type { SelectOption } from "#/components/ui/controls/select-props.ts";
import type { UserFilters } from "./queries.ts";

/** Users per page. */
export const PER_PAGE = 50;

const STATES: readonly SelectOption[] = [
  { value: "active", label: t`Active` },
  { value: "pending", label: t`Waits for approval` },
  { value: "unverified", label: t`E-mail not confirmed` },
  { value: "suspended", label: t`Suspended` },
];
const ROLES: readonly SelectOption[] = [
  { value: "true", label: t`Admins` },
  { value: "false", label: t`Others` },
];
const SORTS: readonly SelectOption[] = [
  { value: "-created_at", label: t`Newest` },
  { value: "created_at", label: t`Oldest` },
  { value: "-last_seen_at", label: t`Seen last` },
  { value: "-requests_30d", label: t`Most requests` },
  { value: "email", label: t`E-mail, A to Z` },
  { value: "-email", label: t`E-mail, Z to A` },
];

/** The values of the order that the head of each column sets. */
export const USER_SORTS = {
  email: [
    { value: "email", direction: "ascending" },
    { value: "-email", direction: "descending" },
  ],
  requests: [{ value: "-requests_30d", direction: "descending" }],
  seen: [{ value: "-last_seen_at", direction: "descending" }],
  joined: [
    { value: "-created_at", direction: "descending" },
    { value: "created_at", direction: "ascending" },
  ],
} as const satisfies Record<string, readonly SortValue[]>;

/** Returns the filters of the users list. */
export const createUserFilters = (plans: readonly Plan[]): readonly Filter[] => [
  { name: "search", label: t`Search`, kind: "search", placeholder: t`E-mail, username or name` },
  { name: "status", label: t`State`, kind: "choice", options: STATES },
  {
    name: "plan_id",
    label: t`Plan`,
    kind: "choice",
    options: plans.map(({ id, name }) => ({ value: id, label: name })),
  },
  { name: "is_admin", label: t`Role`, kind: "choice", options: ROLES },
  { name: "created_from_date", until: "created_to_date", label: t`Joined`, kind: "period" },
  { name: "sort", label: t`Order`, kind: "sort", options: SORTS, initial: "-created_at" },
];

/** Returns the query of the users list. Days stay strings, as the API expects. */
export function toUsersQuery({ is_admin, ...values }: FilterValues, page: number): UserFilters {
  return {
    perPage: PER_PAGE,
    ...(page > 1 && { page }),
    ...values,
    ...(is_admin !== undefined && { is_admin: is_admin === "true" }),
  } as UserFilters;
}
