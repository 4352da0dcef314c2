import type { OrganizationMember } from "@feather/sdk";
import type { Context } from "../../context.ts";
import { findByName } from "../../find-by-name.ts";
import { pickItem } from "../../pick-item.ts";

/** Fields that `--json` accepts. */
export const MEMBER_FIELDS = [
  "user_id",
  "name",
  "email",
  "role",
  "joined_at",
] as const satisfies readonly (keyof OrganizationMember)[];

/** Roles of members, from the fewest permissions to the most. */
export const ROLES = [
  "viewer",
  "developer",
  "editor",
  "admin",
] as const satisfies readonly OrganizationMember["role"][];

/** The argument that names a member. */
export const MEMBER_ARGUMENT = {
  name: "[member]",
  summary: "e-mail address or id; you are asked at a terminal",
} as const;

/** Returns a role of `ROLES`; the parser has checked the word. */
export const toRole = (word: unknown): OrganizationMember["role"] => ROLES.find((role) => role === word) ?? "viewer";

/** Returns a member given by address or id, or lets the person pick one. Throws `UsageError` and `ResourceNotFoundError`. */
export async function resolveMember(context: Context, addressOrId: string): Promise<OrganizationMember> {
  const { client, signal } = context;
  const list = async () => (await (await client()).organization.members.list({ signal })).items;
  if (addressOrId === "")
    return pickItem(context, {
      label: "Member",
      alternative: "the member's e-mail address or id: feather members list",
      empty: ["there are no members", "feather invitations create <email>"],
      list,
      toChoice: (member) => ({ label: member.name, note: member.email, value: member }),
    });
  const named = (await list()).map((member) => ({ member, id: member.user_id, name: nameOf(member, addressOrId) }));
  return findByName(addressOrId, named, { noun: "member", list: "feather members list" }).member;
}

/** The name by which a word can mean a member: the id if it is one, else the address. */
const nameOf = ({ user_id, email }: OrganizationMember, word: string): string =>
  word.startsWith("usr_") ? user_id : email;
