import type { Command } from "../../../command.ts";
import { MODEL_ARGUMENT, resolveAdminModelId } from "./model.ts";

/** Deletes a model from the catalogue, after confirmation. */
export const adminModelsDelete: Command<{ readonly id: string }> = {
  name: "admin models delete",
  summary: "Take a model out of the catalogue",
  arguments: [MODEL_ARGUMENT],
  confirms: true,
  needs: "admin",
  examples: ["feather admin models delete acme/writer", "feather admin models delete acme/writer --yes"],
  options: ([id = ""]) => ({ id }),
  async run(context, { id: given }) {
    const { client, confirm, output, signal } = context;
    const feather = await client();
    const id = await resolveAdminModelId(context, feather, given);
    await confirm(`Delete ${id} with its reviews? What was used of it stays in the reports.`);
    await feather.admin.models.delete(id, { signal });
    output.info(`Deleted ${id}.`);
  },
};
