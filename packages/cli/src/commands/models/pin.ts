import type { Command } from "../../command.ts";
import { resolveStoredModelId, STORED_MODEL_ARGUMENT } from "./resolve-stored-model.ts";

type Options = { readonly id: string };

/** Keeps a downloaded model on the disk and in memory. */
export const modelsPin: Command<Options> = {
  name: "models pin",
  summary: "Keep a downloaded model on the disk and in memory",
  description:
    "It is loaded from the start of the server on, and neither unloaded nor deleted to make room for another.",
  arguments: [STORED_MODEL_ARGUMENT],
  needs: "admin",
  examples: ["feather models pin Qwen/Qwen3-0.6B"],
  options: ([id = ""]) => ({ id }),
  async run(context, { id: given }) {
    const { client, output, signal } = context;
    const feather = await client();
    const id = await resolveStoredModelId(context, feather, given);
    const { model_id } = await feather.admin.store.models.update(id, { pinned: true }, { signal });
    output.info(`${model_id} stays on the disk and in memory. No longer: feather models unpin ${model_id}`);
  },
};

/** Lets a pinned model be unloaded and deleted again. */
export const modelsUnpin: Command<Options> = {
  name: "models unpin",
  summary: "Let a pinned model be unloaded and deleted again",
  arguments: [STORED_MODEL_ARGUMENT],
  needs: "admin",
  examples: ["feather models unpin Qwen/Qwen3-0.6B"],
  options: ([id = ""]) => ({ id }),
  async run(context, { id: given }) {
    const { client, output, signal } = context;
    const feather = await client();
    const id = await resolveStoredModelId(context, feather, given);
    const { model_id } = await feather.admin.store.models.update(id, { pinned: false }, { signal });
    output.info(`${model_id} is unloaded when nobody calls it, and deleted when another model needs its room.`);
  },
};
