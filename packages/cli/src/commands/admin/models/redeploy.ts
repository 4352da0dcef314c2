import type { Command } from "../../../command.ts";
import { MODEL_ARGUMENT } from "./model.ts";

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
  async run({ client, confirm, output, signal }, { id }) {
    await confirm(`Unload ${id} and load it again? It does not answer meanwhile.`);
    const response = await (await client()).admin.models.redeploy(id, { signal });
    output.printChange({ value: response, id: response.id, message: `${response.id} is loaded again.` });
  },
};
