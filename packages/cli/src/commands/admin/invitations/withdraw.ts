import type { Feather } from "@feather/sdk";
import type { Command } from "../../../command.ts";
import type { Context } from "../../../context.ts";
import { formatAgo } from "../../../output/time.ts";
import { pickItem } from "../../../pick-item.ts";

/** How many invitations are offered; typing finds one of them. */
const CHOICES = 100;

/** Withdraws an invitation; asks first. */
export const invitationsWithdraw: Command<{ readonly id: string }> = {
  name: "admin invitations withdraw",
  summary: "Withdraw an invitation to the platform",
  description: "Its link stops working.",
  arguments: [
    {
      name: "[id]",
      summary: "id of the invitation: feather admin invitations list; you are asked at a terminal",
    },
  ],
  confirms: true,
  needs: "admin",
  examples: ["feather admin invitations withdraw invite_4fJqM1t9ZkX2vLr8NwB6yH --yes"],
  options: ([id = ""]) => ({ id }),
  async run(context, { id: given }) {
    const { client, confirm, output, signal } = context;
    const feather = await client();
    const id = given === "" ? await pickInvitation(context, feather) : given;
    await confirm(`Withdraw the invitation ${id}? Its link stops working.`);
    await feather.admin.invitations.delete(id, { signal });
    output.info(`Withdrew ${id}.`);
  },
};

/** Lets the person choose one of the latest invitations, and returns its id. */
function pickInvitation(context: Context, { admin }: Feather): Promise<string> {
  const { now, signal } = context;
  return pickItem(context, {
    label: "Invitation",
    alternative: "the invitation's id: feather admin invitations list",
    empty: ["nobody is invited", "feather admin invitations create <email>"],
    list: async () => (await admin.invitations.list({ perPage: CHOICES }, { signal })).items,
    toChoice: ({ id, email, created_at }) => ({ label: email, note: formatAgo(created_at, now()), value: id }),
  });
}
