import type { Command } from "../../command.ts";
import { INVITATION_ARGUMENT, resolveInvitationId } from "./invitation.ts";

/** Withdraws an invitation, after confirmation. */
export const invitationsWithdraw: Command<{ readonly addressOrId: string }> = {
  name: "invitations withdraw",
  summary: "Withdraw an invitation to your organization",
  description: "Its link stops working.",
  arguments: [INVITATION_ARGUMENT],
  confirms: true,
  needs: "sign-in",
  examples: ["feather invitations withdraw joe@example.com --yes"],
  options: ([addressOrId = ""]) => ({ addressOrId }),
  async run(context, { addressOrId }) {
    const { client, confirm, output, signal } = context;
    const id = await resolveInvitationId(context, addressOrId);
    await confirm(`Withdraw the invitation of ${addressOrId === "" ? id : addressOrId}? Its link stops working.`);
    await (await client()).organization.invitations.delete(id, { signal });
    output.info("Withdrew the invitation.");
  },
};
