import type { Organization } from "@feather/sdk";

/** Fields that `--json` accepts. */
export const ORGANIZATION_FIELDS = [
  "id",
  "name",
  "role",
  "calls_elsewhere",
  "created_at",
] as const satisfies readonly (keyof Organization)[];

/** Says whether calls of the organization may leave the server. */
export const describeCalls = ({ calls_elsewhere: isAllowed }: Pick<Organization, "calls_elsewhere">): string =>
  isAllowed ? "may leave this server" : "stay at this server and in its private networks";
