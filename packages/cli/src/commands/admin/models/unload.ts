import type { Command } from "../../../command.ts";
import { MODEL_ARGUMENT } from "./model.ts";

/** Frees the memory of a local model. */
export const adminModelsUnload: Command<{ readonly id: string }> = {
  name: "admin models unload",
  summary: "Unload a model, to free its memory",
  arguments: [MODEL_ARGUMENT],
  confirms: true,
  prints: "one",
  fields: ["id", "status"],
  needs: "admin",
  examples: ["feather admin models unload Qwen/Qwen3-32B --yes"],
  options: ([id = ""]) => ({ id }),
  async run({ client, confirm, output, signal }, { id }) {
    await confirm(`Unload ${id}? Requests that it is answering fail. The next call loads it again.`);
    const response = await (await client()).admin.models.unload(id, { signal });
    output.printChange({ value: response, id: response.id, message: `${response.id} is unloaded.` });
  },
};
