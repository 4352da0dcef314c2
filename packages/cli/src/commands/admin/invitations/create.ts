import type { Command } from "../../../command.ts";

/** Invites an address. Only the link goes to stdout, so that it can be piped; it is shown once. */
export const invitationsCreate: Command<{ readonly email: string }> = {
  name: "admin invitations create",
  summary: "Invite an address to make an account, and print the link",
  description: "The link also goes there by mail where a mail server is set up. It works once, within seven days.",
  arguments: [{ name: "<email>", summary: "who is invited" }],
  prints: "secret",
  needs: "admin",
  examples: ["feather admin invitations create joe@example.com"],
  options: ([email = ""]) => ({ email }),
  async run({ client, output, signal }, { email }) {
    const { admin } = await client();
    const created = await admin.invitations.create({ email }, { signal });
    output.printSecret({
      value: created,
      secret: created.link,
      message: `Invited ${created.invitation.email}. The link is shown this one time.`,
    });
  },
};
