import type { Command } from "../../../command.ts";
import { MODEL_ARGUMENT, resolveAdminModelId } from "./model.ts";

/** Unloads a local model and loads it again. */
export const adminModelsRedeploy: Command<{ readonly id: string }> = {
  name: "admin models redeploy",
  summary: "Unload a model and load it again",
  arguments: [MODEL_ARGUMENT],
  confirms: true,
  prints: "one",
  fields: ["id", "status"],
  needs: "admin",
  examples: ["feather admin models redeploy Qwen/Qwen3-32B --yes"],
  options: ([id = ""]) => ({ id }),
  async run(context, { id: given }) {
    const { client, confirm, output, signal } = context;
    const feather = await client();
    const id = await resolveAdminModelId(context, feather, given);
    await confirm(`Unload ${id} and load it again? It does not answer meanwhile.`);
    const response = await feather.admin.models.redeploy(id, { signal });
    output.printChange({ value: response, id: response.id, message: `${response.id} is loaded again.` });
  },
};
