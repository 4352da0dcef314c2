import type { Command } from "../../command.ts";
import { PRIVATE_MODEL_ARGUMENT, PRIVATE_MODEL_FIELDS, resolvePrivateModelId } from "./private-model.ts";

/** Unloads a private model from memory; the next call loads it again. */
export const privateModelsUnload: Command<{ readonly id: string }> = {
  name: "private-models unload",
  summary: "Take a private model out of memory",
  arguments: [PRIVATE_MODEL_ARGUMENT],
  prints: "one",
  fields: PRIVATE_MODEL_FIELDS,
  needs: "sign-in",
  examples: ["feather private-models unload acme/support-8b"],
  options: ([id = ""]) => ({ id }),
  async run(context, { id: given }) {
    const { client, output, signal } = context;
    const feather = await client();
    const id = await resolvePrivateModelId(context, feather, given);
    const value = await feather.privateModels.unload(id, { signal });
    output.printChange({ value, id: value.id, message: `${value.id} is ${value.state}.` });
  },
};
