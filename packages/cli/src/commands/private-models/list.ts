import type { PrivateModel } from "@feather/sdk";
import type { Command } from "../../command.ts";
import type { Column } from "../../output/table.ts";
import { formatAgo } from "../../output/time.ts";
import { formatState, PRIVATE_MODEL_FIELDS, paintState } from "./private-model.ts";

/** Lists the private models of the organization. */
export const privateModelsList: Command<undefined> = {
  name: "private-models list",
  summary: "List private models",
  prints: "list",
  fields: PRIVATE_MODEL_FIELDS,
  needs: "sign-in",
  examples: ["feather private-models list", "feather private-models list --json id,state"],
  options: () => undefined,
  async run({ client, now, output, signal }) {
    const response = await (await client()).privateModels.list({ signal });
    const empty = "There are no private models yet. Add one: feather private-models add <id>";
    output.printList(
      { columns: columns(now()), id: ({ id }) => id, noun: "private models", empty },
      response.items,
      response,
    );
  },
};

function columns(now: Date): readonly Column<PrivateModel>[] {
  return [
    { header: "MODEL", cell: ({ id }) => id, paint: (text, style) => style.bold(text) },
    { header: "STATE", cell: formatState, plain: ({ state }) => state, paint: paintState },
    { header: "REVISION", cell: ({ revision }) => revision, dropOrder: 2 },
    { header: "CLASS", cell: (model) => model.model_class ?? "", dropOrder: 1 },
    {
      header: "ADDED",
      cell: ({ created_at }) => formatAgo(new Date(created_at), now),
      plain: ({ created_at }) => new Date(created_at).toISOString(),
      dropOrder: 3,
    },
  ];
}
