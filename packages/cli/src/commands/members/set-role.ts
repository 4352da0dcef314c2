import type { OrganizationMember } from "@feather/sdk";
import type { Command } from "../../command.ts";
import { MEMBER_FIELDS, ROLES, resolveMember, toRole } from "./member.ts";

type SetRoleOptions = { readonly addressOrId: string; readonly role: OrganizationMember["role"] };

/** Changes what a member may do. */
export const membersSetRole: Command<SetRoleOptions> = {
  name: "members set-role",
  summary: "Change the role of a member",
  description: "It takes effect at once, also for sessions and keys of the member. The last admin stays one.",
  arguments: [
    { name: "<member>", summary: "e-mail address or id" },
    { name: "<role>", summary: "new role", choices: ROLES },
  ],
  prints: "one",
  fields: MEMBER_FIELDS,
  needs: "sign-in",
  examples: ["feather members set-role maria@example.com editor"],
  options: ([addressOrId = "", role]) => ({ addressOrId, role: toRole(role) }),
  async run(context, { addressOrId, role }) {
    const { client, output, signal } = context;
    const { user_id: id } = await resolveMember(context, addressOrId);
    const member = await (await client()).organization.members.update(id, { role }, { signal });
    output.printChange({ value: member, id, message: `${member.name} is ${describeRole(role)} now.` });
  },
};

const describeRole = (role: OrganizationMember["role"]): string =>
  `${role === "admin" || role === "editor" ? "an" : "a"} ${role}`;
