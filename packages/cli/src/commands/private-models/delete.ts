import type { Command } from "../../command.ts";
import { PRIVATE_MODEL_ARGUMENT } from "./private-model.ts";

/** Deletes a private model and its file on the server, after confirmation. */
export const privateModelsDelete: Command<{ readonly id: string }> = {
  name: "private-models delete",
  summary: "Delete a private model",
  arguments: [PRIVATE_MODEL_ARGUMENT],
  confirms: true,
  needs: "sign-in",
  examples: ["feather private-models delete acme/support-8b", "feather private-models delete acme/support-8b --yes"],
  options: ([id = ""]) => ({ id }),
  async run({ client, confirm, output, signal }, { id }) {
    const { privateModels } = await client();
    await confirm(`Delete ${id}? Its file here is deleted; the one on the hub stays.`);
    await privateModels.delete(id, { signal });
    output.info(`Deleted ${id}.`);
  },
};
