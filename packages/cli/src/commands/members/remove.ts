import type { Command } from "../../command.ts";
import { MEMBER_ARGUMENT, resolveMember } from "./member.ts";

/** Removes a member from the organization, after confirmation. */
export const membersRemove: Command<{ readonly addressOrId: string }> = {
  name: "members remove",
  summary: "Remove a member from your organization",
  description: "Keys that the member made in the organization end. To leave, name yourself.",
  arguments: [MEMBER_ARGUMENT],
  confirms: true,
  needs: "sign-in",
  examples: ["feather members remove joe@example.com --yes"],
  options: ([addressOrId = ""]) => ({ addressOrId }),
  async run(context, { addressOrId }) {
    const { client, confirm, output, signal } = context;
    const { user_id: id, name, email } = await resolveMember(context, addressOrId);
    await confirm(`Remove ${name} (${email})? The keys that they made in the organization stop working at once.`);
    await (await client()).organization.members.delete(id, { signal });
    output.info(`Removed ${email}.`);
  },
};
