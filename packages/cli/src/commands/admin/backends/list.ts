import type { Backend } from "@feather/sdk";
import type { Command } from "../../../command.ts";
import type { Column } from "../../../output/table.ts";
import { BACKEND_FIELDS } from "./backend.ts";

/** Lists the backends with their health. */
export const backendsList: Command<undefined> = {
  name: "admin backends list",
  summary: "List backends with their health",
  prints: "list",
  fields: BACKEND_FIELDS,
  needs: "admin",
  examples: ["feather admin backends list", "feather admin backends list --json id,state,last_error"],
  options: () => undefined,
  async run({ client, output, signal }) {
    const response = await (await client()).admin.backends.list({ signal });
    const empty = "There are no backends yet. Add one: feather admin backends add <name> <url>";
    output.printList(
      { columns: BACKEND_COLUMNS, id: ({ id }) => id, noun: "backends", empty },
      response.items,
      response,
    );
    const [unsized] = response.items.flatMap(({ unsized_models }) => unsized_models);
    if (unsized !== undefined)
      output.hint(
        `A model of unknown size takes the units of the largest. Set it: feather admin models update ${unsized} --parameters <number>`,
      );
  },
};

const PAINT = { healthy: "green", cooling_down: "amber", unreachable: "red", disabled: "dim" } as const;

/** The columns of backends. */
export const BACKEND_COLUMNS: readonly Column<Backend>[] = [
  { header: "NAME", cell: ({ name }) => name, paint: (text, style) => style.bold(text) },
  {
    header: "STATE",
    cell: ({ state }) => state.replace("_", " "),
    plain: ({ state }) => state,
    paint: (text, style, { state }) => style[PAINT[state]](text),
  },
  {
    header: "MODELS",
    cell: ({ models }) => String(models.length),
    plain: ({ models }) => models.join(","),
    align: "right",
    dropOrder: 1,
  },
  {
    header: "SIZE UNKNOWN",
    cell: ({ unsized_models }) => (unsized_models.length > 0 ? String(unsized_models.length) : ""),
    plain: ({ unsized_models }) => unsized_models.join(","),
    align: "right",
    dropOrder: 4,
  },
  { header: "RUNNING", cell: ({ in_flight }) => String(in_flight), align: "right", dropOrder: 3 },
  { header: "FROM", cell: ({ source }) => source, dropOrder: 5 },
  { header: "ADDRESS", cell: ({ base_url }) => base_url, dropOrder: 2 },
  { header: "LAST ERROR", cell: ({ last_error }) => last_error ?? "", dropOrder: 6 },
  { header: "ID", cell: ({ id }) => id, paint: (text, style) => style.dim(text) },
];
