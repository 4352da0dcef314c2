import type { InvitationCreate } from "@feather/sdk";
import type { Command } from "../../command.ts";
import { ROLES, toRole } from "../members/member.ts";
import { INVITATION_FIELDS, printSent } from "./invitation.ts";

/** Invites a person to the organization. */
export const invitationsCreate: Command<InvitationCreate> = {
  name: "invitations create",
  summary: "Invite a person to your organization",
  description:
    "The link goes out by mail; where the server sends none, it is printed. It works once, for seven days, for the account with this address only.",
  arguments: [{ name: "<email>", summary: "who is invited" }],
  flags: [{ name: "--role <role>", summary: "role of the new member, developer if left out", choices: ROLES }],
  prints: "one",
  fields: INVITATION_FIELDS,
  needs: "sign-in",
  examples: ["feather invitations create joe@example.com", "feather invitations create ada@example.com --role admin"],
  options: ([email = ""], flags) => ({ email, role: toRole(flags.role ?? "developer") }),
  async run({ client, output, signal }, body) {
    printSent(output, await (await client()).organization.invitations.create(body, { signal }));
  },
};
