import type { Budget } from "@feather/sdk";
import type { Flag } from "../../command-line.ts";
import type { Context } from "../../context.ts";
import { ResourceNotFoundError } from "../../errors.ts";

/** The fields of a budget that `--json` takes. */
export const BUDGET_FIELDS = [
  "scope",
  "user_id",
  "user_name",
  "amount_nano_usd",
  "period",
  "hard",
  "warning_percent",
  "spent_nano_usd",
  "reserved_nano_usd",
  "resets_at",
  "created_at",
  "updated_at",
] as const satisfies readonly (keyof Budget)[];

/** The flag that selects a member's budget instead of the organization's. */
export const MEMBER_FLAG: Flag = {
  name: "--member <user>",
  summary: "the budget of this member, by e-mail or id, instead of the organization's",
};

/**
 * Returns the id of a member that is given by e-mail or id. Throws `ResourceNotFoundError` when nobody in the organization
 * has the e-mail.
 */
export async function resolveMemberId({ client, signal }: Context, given: string): Promise<string> {
  if (!given.includes("@")) return given;
  const { items } = await (await client()).organization.members.list({ signal });
  const member = items.find(({ email }) => email.toLowerCase() === given.toLowerCase());
  if (member) return member.user_id;
  throw new ResourceNotFoundError(`${given} is not a member`, "feather api GET /organization/members");
}

/** Returns whose budget it is: the organization's, or the name of the member. */
export const describeOwner = ({ user_id, user_name }: Budget): string => user_name ?? user_id ?? "organization";

/** Returns the id of the member, or `organization`. */
export const toOwnerId = ({ user_id }: Budget): string => user_id ?? "organization";
