import type { Query } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import type { Filter, ListValues } from "#/components/list/list-params.ts";
import type { SortValue } from "#/components/list/list-table.tsx";

const PER_PAGE = 25;

/** The values of the order that the head of each column sets. */
export const KEY_SORTS = {
  name: [
    { value: "name", direction: "ascending" },
    { value: "-name", direction: "descending" },
  ],
  used: [
    { value: "-last_used_at", direction: "descending" },
    { value: "last_used_at", direction: "ascending" },
  ],
  created: [
    { value: "-created_at", direction: "descending" },
    { value: "created_at", direction: "ascending" },
  ],
} as const satisfies Record<string, readonly SortValue[]>;

/** The filters of the keys. */
export const KEY_FILTERS: readonly Filter[] = [
  { name: "search", label: t`Search`, kind: "search", placeholder: t`Part of a name` },
  {
    name: "state",
    label: t`State`,
    kind: "choice",
    options: [
      { value: "active", label: t`on` },
      { value: "disabled", label: t`switched off` },
      { value: "expired", label: t`expired` },
      { value: "unused", label: t`not used for 90 days` },
    ],
  },
  {
    name: "sort",
    label: t`Order`,
    kind: "sort",
    initial: "-created_at",
    options: [
      { value: "-created_at", label: t`Newest` },
      { value: "created_at", label: t`Oldest` },
      { value: "name", label: t`Name, A to Z` },
      { value: "-name", label: t`Name, Z to A` },
      { value: "-last_used_at", label: t`Used last` },
      { value: "last_used_at", label: t`Not used for longest` },
    ],
  },
];

/** Returns the query of a page of keys. */
export const toKeysQuery = ({ values, page }: ListValues) =>
  ({ ...values, page, perPage: PER_PAGE }) as Query<"apiKeys.list">;
