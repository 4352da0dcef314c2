import type { OrganizationMember } from "@feather/sdk";
import type { Command } from "../../command.ts";
import type { Column } from "../../output/table.ts";
import { formatDay, formatRfc3339 } from "../../output/time.ts";
import { MEMBER_FIELDS } from "./member.ts";

/** Lists the members of the organization. */
export const membersList: Command<Record<never, never>> = {
  name: "members list",
  summary: "List the members of your organization",
  prints: "list",
  fields: MEMBER_FIELDS,
  needs: "sign-in",
  examples: ["feather members list", "feather members list --json email,role"],
  options: () => ({}),
  async run({ output, client, signal }) {
    const response = await (await client()).organization.members.list({ signal });
    const empty = "There are no members.";
    output.printList({ columns: COLUMNS, id: (row) => row.user_id, noun: "members", empty }, response.items, response);
  },
};

const COLUMNS: readonly Column<OrganizationMember>[] = [
  { header: "NAME", cell: ({ name }) => name, paint: (text, style) => style.bold(text) },
  { header: "E-MAIL", cell: ({ email }) => email },
  { header: "ROLE", cell: ({ role }) => role },
  {
    header: "SINCE",
    cell: (row) => formatDay(row.joined_at),
    plain: (row) => formatRfc3339(row.joined_at),
    dropOrder: 1,
  },
  { header: "ID", cell: (row) => row.user_id, paint: (text, style) => style.dim(text), dropOrder: 2 },
];
