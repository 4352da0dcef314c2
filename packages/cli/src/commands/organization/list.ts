import type { Organization } from "@feather/sdk";
import type { Command } from "../../command.ts";
import { formatDay } from "../../output/time.ts";
import { ORGANIZATION_FIELDS } from "./organization.ts";

/** An organization, and whether the credential acts for it. */
type ListedOrganization = Organization & { readonly current: boolean };

/** Lists the organizations of the caller, and marks the one that the credential acts for. */
export const organizationList: Command<Record<never, never>> = {
  name: "organization list",
  summary: "List your organizations, with your role in each",
  description: "The one that this sign-in or key acts for has a star, and current is true in JSON.",
  prints: "list",
  fields: [...ORGANIZATION_FIELDS, "current"],
  needs: "sign-in",
  examples: ["feather organization list", "feather organization list --json id,name,current"],
  options: () => ({}),
  async run({ output, client, signal }) {
    const { organization } = await client();
    const [{ items }, { id: current }] = await Promise.all([
      organization.list({ signal }),
      organization.get({ signal }),
    ]);
    const rows: ListedOrganization[] = items.map((item) => ({ ...item, current: item.id === current }));
    const columns = [
      { header: "", cell: (row: ListedOrganization) => (row.current ? "*" : "") },
      { header: "NAME", cell: ({ name }: ListedOrganization) => name },
      { header: "ROLE", cell: ({ role }: ListedOrganization) => role },
      { header: "SINCE", cell: (row: ListedOrganization) => formatDay(row.created_at), dropOrder: 2 },
      { header: "ID", cell: ({ id }: ListedOrganization) => id, dropOrder: 1 },
    ];
    const empty = "You are in no organization.";
    output.printList({ columns, id: ({ id }) => id, noun: "organizations", empty }, rows, { items: rows });
  },
};
