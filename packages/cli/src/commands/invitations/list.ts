import type { Invitation } from "@feather/sdk";
import type { Command } from "../../command.ts";
import type { Column } from "../../output/table.ts";
import { formatAgo, formatDay, formatRfc3339 } from "../../output/time.ts";
import { INVITATION_FIELDS } from "./invitation.ts";

/** Lists the open invitations to the organization. */
export const invitationsList: Command<Record<never, never>> = {
  name: "invitations list",
  summary: "List invitations to your organization that were not accepted yet",
  prints: "list",
  fields: INVITATION_FIELDS,
  needs: "sign-in",
  examples: ["feather invitations list", "feather invitations list -q"],
  options: () => ({}),
  async run({ output, client, now, signal }) {
    const response = await (await client()).organization.invitations.list({ signal });
    const view = { columns: columns(now()), id: ({ id }: Invitation) => id, noun: "invitations", empty: EMPTY };
    output.printList(view, response.items, response);
  },
};

const EMPTY = "Nobody is invited. Invite somebody: feather invitations create <email>";

const columns = (now: Date): readonly Column<Invitation>[] => [
  { header: "E-MAIL", cell: ({ email }) => email, paint: (text, style) => style.bold(text) },
  { header: "ROLE", cell: ({ role }) => role },
  { header: "SENT", cell: (row) => formatAgo(row.sent_at, now), plain: (row) => formatRfc3339(row.sent_at) },
  { header: "ENDS", cell: (row) => formatDay(row.expires_at), plain: (row) => formatRfc3339(row.expires_at) },
  { header: "ID", cell: ({ id }) => id, paint: (text, style) => style.dim(text), dropOrder: 1 },
];
