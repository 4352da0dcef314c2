import type { Query, Schemas } from "@feather/sdk";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { feather } from "#/lib/feather.ts";

export type Member = Schemas["OrganizationMember"];
export type Invitation = Schemas["Invitation"];
export type Role = Member["role"];

export const membersQuery = queryOptions({
  queryKey: ["organization", "members"],
  queryFn: async () => feather.organization.members.list(),
});
export const invitationsQuery = queryOptions({
  queryKey: ["organization", "invitations"],
  queryFn: async () => feather.organization.invitations.list(),
});
export const organizationsQuery = queryOptions({
  queryKey: ["organization", "all"],
  queryFn: async () => feather.organization.list(),
});
export const rolesQuery = queryOptions({
  queryKey: ["organization", "roles"],
  queryFn: async () => feather.organization.roles(),
});
export const auditQuery = (query: Query<"organization.audit">) =>
  queryOptions({
    queryKey: ["organization", "audit", query],
    queryFn: async () => feather.organization.audit(query),
    placeholderData: keepPreviousData,
  });
