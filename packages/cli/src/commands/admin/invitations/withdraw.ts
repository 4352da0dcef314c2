import type { Command } from "../../../command.ts";

/** Withdraws an invitation; asks first. */
export const invitationsWithdraw: Command<{ readonly id: string }> = {
  name: "admin invitations withdraw",
  summary: "Withdraw an invitation to the platform",
  description: "Its link stops working.",
  arguments: [{ name: "<id>", summary: "invitation" }],
  confirms: true,
  needs: "admin",
  examples: ["feather admin invitations withdraw invite_4fJqM1t9ZkX2vLr8NwB6yH --yes"],
  options: ([id = ""]) => ({ id }),
  async run({ client, confirm, output, signal }, { id }) {
    await confirm(`Withdraw the invitation ${id}? Its link stops working.`);
    const { admin } = await client();
    await admin.invitations.delete(id, { signal });
    output.info(`Withdrew ${id}.`);
  },
};
