import type { RoutingAlias } from "@feather/sdk";
import type { Command } from "../../../command.ts";
import type { Column } from "../../../output/table.ts";
import { ALIAS_FIELDS, describeProblem } from "./route.ts";

/** Lists the aliases of models. */
export const routesList: Command<undefined> = {
  name: "admin routes list",
  summary: "List aliases of models, and what each stands for",
  prints: "list",
  fields: ALIAS_FIELDS,
  needs: "admin",
  examples: ["feather admin routes list", "feather admin routes list --json name,models"],
  options: () => undefined,
  async run({ client, output, signal }) {
    const response = await (await client()).admin.routing.aliases.list({ signal });
    const empty = "There are no aliases yet. Set one: feather admin routes set <name> <model>";
    output.printList({ columns: COLUMNS, id: ({ name }) => name, noun: "aliases", empty }, response.items, response);
  },
};

const COLUMNS: readonly Column<RoutingAlias>[] = [
  { header: "ALIAS", cell: ({ name }) => name, paint: (text, style) => style.bold(text) },
  { header: "MODELS", cell: ({ models }) => models.join(", "), plain: ({ models }) => models.join(",") },
  {
    header: "PROBLEM",
    cell: describeProblem,
    paint: (text, style) => style.amber(text),
  },
];
