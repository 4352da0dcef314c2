import type { Invitation } from "@feather/sdk";
import type { Context } from "../../context.ts";
import { findByName } from "../../find-by-name.ts";
import type { Output } from "../../output/index.ts";
import { pickItem } from "../../pick-item.ts";

/** Fields that `--json` accepts. */
export const INVITATION_FIELDS = [
  "id",
  "email",
  "role",
  "invited_by",
  "sent_at",
  "expires_at",
  "link",
  "created_at",
] as const satisfies readonly (keyof Invitation)[];

/** The argument that names an open invitation. */
export const INVITATION_ARGUMENT = {
  name: "[invitation]",
  summary: "e-mail address or id; you are asked at a terminal",
} as const;

/** Returns the id of an invitation given by address or id, or lets the person pick one. Throws `UsageError` and `ResourceNotFoundError`. */
export async function resolveInvitationId(context: Context, addressOrId: string): Promise<string> {
  if (addressOrId.startsWith("invite_")) return addressOrId;
  const { client, signal } = context;
  const list = async () => (await (await client()).organization.invitations.list({ signal })).items;
  if (addressOrId === "")
    return pickItem(context, {
      label: "Invitation",
      alternative: "its e-mail address or id: feather invitations list",
      empty: ["nobody is invited", "feather invitations create <email>"],
      list,
      toChoice: ({ id, email, role }) => ({ label: email, note: role, value: id }),
    });
  const named = (await list()).map(({ id, email }) => ({ id, name: email }));
  return findByName(addressOrId, named, { noun: "invitation", list: "feather invitations list" }).id;
}

/** Prints an invitation that was sent; its link where the server sends no mail. */
export function printSent(output: Output, invitation: Invitation): void {
  const { id, email, link } = invitation;
  const message =
    link === null || link === undefined
      ? `Invited ${email} by mail.`
      : `Invited ${email}. This server sends no mail: pass the link on. It works once, for seven days: ${link}`;
  output.printChange({ value: invitation, id, message });
}
