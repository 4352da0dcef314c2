import type { AdminModelUpdate } from "@feather/sdk";
import type { Command } from "../../../command.ts";
import { UsageError } from "../../../errors.ts";
import { ADMIN_MODEL_FIELDS, MODEL_ARGUMENT, MODEL_FLAGS, parseModelChanges, resolveAdminModelId } from "./model.ts";

/** The model and its changes. */
export type AdminModelsUpdateOptions = { readonly id: string; readonly changes: AdminModelUpdate };

/** Updates a model; flags that are omitted change nothing. */
export const adminModelsUpdate: Command<AdminModelsUpdateOptions> = {
  name: "admin models update",
  summary: "Change a model of the catalogue",
  arguments: [MODEL_ARGUMENT],
  flags: MODEL_FLAGS,
  prints: "one",
  fields: ADMIN_MODEL_FIELDS,
  needs: "admin",
  examples: ["feather admin models update acme/writer --enable --plans pro,max"],
  options: ([id = ""], flags) => {
    if (flags.disable === true && flags.enable === true)
      throw new UsageError("--disable and --enable exclude each other");
    const changes = parseModelChanges(flags);
    if (Object.keys(changes).length === 0)
      throw new UsageError("nothing to change", "feather admin models update --help");
    return { id, changes };
  },
  async run(context, { id: given, changes }) {
    const { client, output, signal } = context;
    const feather = await client();
    const id = await resolveAdminModelId(context, feather, given);
    const model = await feather.admin.models.update(id, changes, { signal });
    output.printChange({ value: model, id: model.id, message: `Changed ${model.id}.` });
  },
};
