import type { Result } from "@feather/sdk";
import type { User } from "./user.ts";

/** What a role of an organization may allow. */
export type Permission = Result<"organization.roles">["items"][number]["permissions"][number];

/** Whether the user's role in their organization allows something. The server decides; this says what to offer. */
export const can = (user: User, permission: Permission): boolean => user.permissions.includes(permission);
