import type { PlatformInvitation } from "@feather/sdk";
import type { Command } from "../../../command.ts";
import type { Column } from "../../../output/table.ts";
import { formatAgo, formatRfc3339 } from "../../../output/time.ts";
import { type Paging, parsePaging, readPages } from "../../../paging.ts";

const FIELDS = [
  "id",
  "email",
  "invited_by",
  "expires_at",
  "created_at",
] as const satisfies readonly (keyof PlatformInvitation)[];

/** Lists the open invitations to the platform. */
export const invitationsList: Command<{ readonly paging: Paging }> = {
  name: "admin invitations list",
  summary: "List invitations to the platform that were not used yet",
  prints: "list",
  fields: FIELDS,
  paged: true,
  needs: "admin",
  examples: ["feather admin invitations list"],
  options: (_, flags) => ({ paging: parsePaging(flags) }),
  async run({ client, now, output, signal }, { paging }) {
    const { admin } = await client();
    const response = await readPages(paging, (page) => admin.invitations.list(page, { signal }));
    const tableView = {
      columns: columns(now()),
      id: ({ id }: PlatformInvitation) => id,
      noun: "invitations",
      empty: "Nobody is invited.",
    };
    output.printList(tableView, response.items, response);
  },
};

function columns(now: Date): Column<PlatformInvitation>[] {
  return [
    { header: "E-MAIL", cell: ({ email }) => email, paint: (text, style) => style.bold(text) },
    {
      header: "SENT",
      cell: ({ created_at }) => formatAgo(created_at, now),
      plain: ({ created_at }) => formatRfc3339(created_at),
    },
    { header: "ENDS", cell: ({ expires_at }) => formatRfc3339(expires_at) },
    { header: "BY", cell: ({ invited_by }) => invited_by.name, dropOrder: 1 },
    { header: "ID", cell: ({ id }) => id, paint: (text, style) => style.dim(text), dropOrder: 2 },
  ];
}
