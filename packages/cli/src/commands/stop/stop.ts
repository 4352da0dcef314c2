import type { Feather } from "@feather/sdk";
import { formatBytes } from "@feather/sdk/format";
import type { Command } from "../../command.ts";
import type { Context } from "../../context.ts";
import { pickItem } from "../../pick-item.ts";

/** Frees the memory that a model takes on the server, after confirmation. */
export const stop: Command<{ readonly id: string }> = {
  name: "stop",
  summary: "Unload a model, to free its memory",
  description: "Its file stays on the server, and the next call loads it again. feather rm deletes the file.",
  arguments: [{ name: "[id]", summary: "model as owner/name; you are asked at a terminal", values: "models" }],
  confirms: true,
  prints: "one",
  fields: ["id", "status"],
  needs: "admin",
  examples: ["feather stop Qwen/Qwen3-0.6B", "feather stop Qwen/Qwen3-0.6B --yes"],
  options: ([id = ""]) => ({ id }),
  async run(context, { id: given }) {
    const { client, confirm, output, signal } = context;
    const feather = await client();
    const id = given === "" ? await pickLoadedModel(context, feather) : given;
    await confirm(`Unload ${id}? Requests that it is answering fail. The next call loads it again.`);
    const response = await feather.admin.models.unload(id, { signal });
    output.printChange({ value: response, id: response.id, message: `${response.id} is unloaded.` });
  },
};

/** Lets the person choose one of the models in the server's memory, and returns its id. */
function pickLoadedModel(context: Context, feather: Feather): Promise<string> {
  const { signal } = context;
  return pickItem(context, {
    label: "Model",
    alternative: "the model's id: feather ps",
    empty: ["no model is loaded", "feather ps"],
    list: async () => (await feather.admin.modelHost.get({ signal })).models,
    toChoice: ({ model_id, memory_bytes }) => ({
      label: model_id,
      note: formatBytes(memory_bytes),
      value: model_id,
    }),
  });
}
