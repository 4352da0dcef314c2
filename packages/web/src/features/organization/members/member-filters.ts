import type { OrganizationMember } from "@feather/sdk";
import { t } from "@lingui/core/macro";
import type { Filter, FilterValues } from "#/components/list/list-params.ts";
import { containsText } from "#/components/list/take-page.ts";
import { ROLE_OPTIONS } from "../roles.ts";

/** The values of the order that the head of each column sets. */
export const MEMBER_SORTS = {
  name: [
    { value: "name", direction: "ascending" },
    { value: "-name", direction: "descending" },
  ],
  joined: [
    { value: "joined_at", direction: "ascending" },
    { value: "-joined_at", direction: "descending" },
  ],
} as const;

/** The filters of the members. */
export const MEMBER_FILTERS: readonly Filter[] = [
  { name: "search", label: t`Search`, kind: "search", placeholder: t`Name or e-mail` },
  { name: "role", label: t`Role`, kind: "choice", options: ROLE_OPTIONS },
  {
    name: "sort",
    label: t`Order`,
    kind: "sort",
    initial: "joined_at",
    options: [
      { value: "joined_at", label: t`Joined first` },
      { value: "-joined_at", label: t`Joined last` },
      { value: "name", label: t`Name, A to Z` },
      { value: "-name", label: t`Name, Z to A` },
    ],
  },
];

/** Returns the members that fit the filters, in the order of the list. */
export function arrangeMembers(members: readonly OrganizationMember[], values: FilterValues): OrganizationMember[] {
  const { search, role, sort = "joined_at" } = values;
  const compare = sort.endsWith("name")
    ? (a: OrganizationMember, b: OrganizationMember) => a.name.localeCompare(b.name)
    : (a: OrganizationMember, b: OrganizationMember) => a.joined_at.getTime() - b.joined_at.getTime();
  const direction = sort.startsWith("-") ? -1 : 1;
  return members
    .filter(
      (member) => containsText([member.name, member.email], search) && (role === undefined || member.role === role),
    )
    .sort((a, b) => direction * compare(a, b));
}
