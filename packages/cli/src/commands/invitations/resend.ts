import type { Command } from "../../command.ts";
import { INVITATION_ARGUMENT, INVITATION_FIELDS, printSent, resolveInvitationId } from "./invitation.ts";

/** Sends an invitation again, with a new link. */
export const invitationsResend: Command<{ readonly addressOrId: string }> = {
  name: "invitations resend",
  summary: "Send an invitation to your organization again, with a new link",
  description: "The earlier link stops working. At most once a minute.",
  arguments: [INVITATION_ARGUMENT],
  prints: "one",
  fields: INVITATION_FIELDS,
  needs: "sign-in",
  examples: ["feather invitations resend joe@example.com"],
  options: ([addressOrId = ""]) => ({ addressOrId }),
  async run(context, { addressOrId }) {
    const { client, output, signal } = context;
    const id = await resolveInvitationId(context, addressOrId);
    printSent(output, await (await client()).organization.invitations.resend(id, { signal }));
  },
};
