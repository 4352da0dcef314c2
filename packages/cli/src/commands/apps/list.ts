import type { Application } from "@feather/sdk";
import type { Command } from "../../command.ts";
import type { Column } from "../../output/table.ts";
import { formatAgo, formatRfc3339 } from "../../output/time.ts";
import { APP_FIELDS, paintStatus } from "./app.ts";

/** Lists the organization's applications. */
export const appsList: Command<undefined> = {
  name: "apps list",
  summary: "List OAuth applications",
  prints: "list",
  fields: APP_FIELDS,
  needs: "sign-in",
  examples: ["feather apps list", "feather apps list --json id,name,status"],
  options: () => undefined,
  async run({ client, now, output, signal }) {
    const response = await (await client()).applications.list({ signal });
    const empty = "There are no applications yet. Register one: feather apps create <name>";
    output.printList(
      { columns: columns(now()), id: ({ id }) => id, noun: "applications", empty },
      response.items,
      response,
    );
  },
};

function columns(now: Date): Column<Application>[] {
  return [
    { header: "NAME", cell: ({ name }) => name, paint: (text, style) => style.bold(text) },
    { header: "STATE", cell: ({ status }) => status, paint: paintStatus },
    { header: "KIND", cell: ({ client_type }) => client_type, dropOrder: 2 },
    { header: "MAY", cell: ({ scopes }) => scopes.join(", "), dropOrder: 3 },
    {
      header: "CREATED",
      cell: ({ created_at }) => formatAgo(created_at, now),
      plain: ({ created_at }) => formatRfc3339(created_at),
      dropOrder: 1,
    },
    { header: "ID", cell: ({ id }) => id, paint: (text, style) => style.dim(text) },
  ];
}
