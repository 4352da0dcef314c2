import type { Command } from "../../../command.ts";
import { MODEL_ARGUMENT } from "./model.ts";

/** Deletes a model from the catalogue, after confirmation. */
export const adminModelsDelete: Command<{ readonly id: string }> = {
  name: "admin models delete",
  summary: "Take a model out of the catalogue",
  arguments: [MODEL_ARGUMENT],
  confirms: true,
  needs: "admin",
  examples: ["feather admin models delete acme/writer", "feather admin models delete acme/writer --yes"],
  options: ([id = ""]) => ({ id }),
  async run({ client, confirm, output, signal }, { id }) {
    await confirm(`Delete ${id} with its reviews? What was used of it stays in the reports.`);
    await (await client()).admin.models.delete(id, { signal });
    output.info(`Deleted ${id}.`);
  },
};
