import type { Query, Schemas } from "@feather/sdk";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { feather } from "#/lib/feather.ts";

/** A member of the organization. */
export type Member = Schemas["OrganizationMember"];
/** An open invitation. */
export type Invitation = Schemas["Invitation"];
/** The role of a member. */
export type Role = Member["role"];

/** The members of the organization. */
export const membersQuery = queryOptions({
  queryKey: ["organization", "members"],
  queryFn: async () => feather.organization.members.list(),
});
/** The open invitations. */
export const invitationsQuery = queryOptions({
  queryKey: ["organization", "invitations"],
  queryFn: async () => feather.organization.invitations.list(),
});
/** The roles and their permissions. */
export const rolesQuery = queryOptions({
  queryKey: ["organization", "roles"],
  queryFn: async () => feather.organization.roles(),
});
/** One page of the audit log. */
export const auditQuery = (query: Query<"organization.audit">) =>
  queryOptions({
    queryKey: ["organization", "audit", query],
    queryFn: async () => feather.organization.audit(query),
    placeholderData: keepPreviousData,
  });
