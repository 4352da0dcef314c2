import type { OrganizationMember, Query } from "@feather/sdk";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { queries } from "#/lib/queries.ts";

/** The role of a member. */
export type Role = OrganizationMember["role"];

/** The members of the organization. */
export const membersQuery = queryOptions({
  ...queries.organization.members.list.queryOptions(),
});
/** The open invitations. */
export const invitationsQuery = queryOptions({
  ...queries.organization.invitations.list.queryOptions(),
});
/** The budgets that the user may see. */
export const budgetsQuery = queryOptions({
  ...queries.budgets.list.queryOptions(),
});
/** The roles and their permissions. */
export const rolesQuery = queryOptions({
  ...queries.organization.roles.queryOptions(),
});
/** One page of the audit log. */
export const auditQuery = (query: Query<"organization.audit">) =>
  queryOptions({
    ...queries.organization.audit.queryOptions(query),
    placeholderData: keepPreviousData,
  });
