import type { Command } from "../../command.ts";
import { PRIVATE_MODEL_ARGUMENT, resolvePrivateModelId } from "./private-model.ts";

/** Deletes a private model and its file on the server, after confirmation. */
export const privateModelsDelete: Command<{ readonly id: string }> = {
  name: "private-models delete",
  summary: "Delete a private model",
  arguments: [PRIVATE_MODEL_ARGUMENT],
  confirms: true,
  needs: "sign-in",
  examples: ["feather private-models delete acme/support-8b", "feather private-models delete acme/support-8b --yes"],
  options: ([id = ""]) => ({ id }),
  async run(context, { id: given }) {
    const { client, confirm, output, signal } = context;
    const feather = await client();
    const id = await resolvePrivateModelId(context, feather, given);
    await confirm(`Delete ${id}? Its file here is deleted; the one on the hub stays.`);
    await feather.privateModels.delete(id, { signal });
    output.info(`Deleted ${id}.`);
  },
};
