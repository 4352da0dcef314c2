import type { AdminUser, Feather } from "@feather/sdk";
import { ResourceNotFoundError } from "../../../errors.ts";
import type { Style } from "../../../output/style.ts";

/** Fields that `--json` accepts. */
export const USER_FIELDS = [
  "id",
  "email",
  "username",
  "name",
  "is_admin",
  "email_verified",
  "suspended_at",
  "suspension_reason",
  "approval_requested_at",
  "has_second_factor",
  "organization_id",
  "organization_name",
  "plan_id",
  "last_seen_at",
  "requests_30d",
  "created_at",
] as const satisfies readonly (keyof AdminUser)[];

/** The argument that names a user. */
export const USER_ARGUMENT = { name: "<user>", summary: "e-mail, username or id" } as const;

/** Returns the state of an account. */
export function stateOf(user: AdminUser): "suspended" | "pending" | "active" | "unverified" {
  const { suspended_at, approval_requested_at, email_verified } = user;
  if (suspended_at !== null) return "suspended";
  if (approval_requested_at !== null && email_verified) return "pending";
  return email_verified ? "active" : "unverified";
}

/** Colours the state of an account. */
export function paintState(text: string, style: Style, user: AdminUser): string {
  const state = stateOf(user);
  if (state === "suspended") return style.red(text);
  return state === "active" ? style.green(text) : style.amber(text);
}

/** Returns the user with this id, e-mail or username. Throws `ResourceNotFoundError` when there is none. */
export async function findUser(client: Feather, who: string, signal: AbortSignal): Promise<AdminUser> {
  if (who.startsWith("usr_")) return client.admin.users.get(who, { signal });
  const { items } = await client.admin.users.list({ search: who, perPage: 100 }, { signal });
  const normalized = who.toLowerCase();
  const found = items.find(({ email, username }) => [email, username].some((one) => one.toLowerCase() === normalized));
  if (found === undefined)
    throw new ResourceNotFoundError(`there is no user ${who}`, `feather admin users list --search ${who}`);
  return found;
}

/** Returns the id of a user given by id, e-mail or username. Ids are not checked. */
export async function resolveUserId(client: Feather, who: string, signal: AbortSignal): Promise<string> {
  return who.startsWith("usr_") ? who : (await findUser(client, who, signal)).id;
}
