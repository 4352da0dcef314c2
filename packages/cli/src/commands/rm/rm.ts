import type { Command } from "../../command.ts";
import { resolveStoredModelId, STORED_MODEL_ARGUMENT } from "../models/resolve-stored-model.ts";

/** Deletes the file of a downloaded model from the server, after confirmation. */
export const rm: Command<{ readonly id: string }> = {
  name: "rm",
  summary: "Delete a downloaded model from the server",
  description: "The model stays in the catalogue. feather run downloads it again.",
  arguments: [STORED_MODEL_ARGUMENT],
  confirms: true,
  needs: "admin",
  examples: ["feather rm Qwen/Qwen3-0.6B", "feather rm Qwen/Qwen3-0.6B --yes"],
  options: ([id = ""]) => ({ id }),
  async run(context, { id: given }) {
    const { client, confirm, output, signal } = context;
    const feather = await client();
    const id = await resolveStoredModelId(context, feather, given);
    await confirm(`Delete ${id} from the server's disk? Requests that it is answering fail.`);
    await feather.admin.store.models.delete(id, { signal });
    output.info(`Deleted ${id}. Again: feather run ${id}`);
  },
};
