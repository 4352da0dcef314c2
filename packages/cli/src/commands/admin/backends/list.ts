import type { Command } from "../../../command.ts";
import { BACKEND_COLUMNS } from "../../../views/backend.ts";
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
    const empty = "There are no backends yet. Add one: feather admin backends add <provider>, or <name> <url>";
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
