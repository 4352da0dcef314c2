import type { Schemas } from "@feather/sdk";
import type { Command } from "../../../command.ts";
import { given } from "../../../flags.ts";
import { ADMIN_MODEL_FIELDS, changesOf, MODEL_FLAGS } from "./model.ts";

/** Adds a model to the catalogue. */
export const adminModelsCreate: Command<Schemas["AdminModelCreate"]> = {
  name: "admin models create",
  summary: "Add a model to the catalogue",
  about: "With a class it is as given; without one it is read from the model hub.",
  arguments: [{ name: "<id>", summary: "model, as owner/name" }],
  flags: [...MODEL_FLAGS, { name: "--access-token <token>", summary: "token of the hub, for gated models" }],
  prints: "one",
  fields: ADMIN_MODEL_FIELDS,
  needs: "admin",
  examples: [
    "feather admin models create Qwen/Qwen3-32B",
    "feather admin models create acme/writer --class qwen3-32b --context 32768 --hide",
  ],
  options: ([id = ""], flags) => {
    const { accessToken: access_token } = given("accessToken", flags.accessToken);
    return { id, ...changesOf(flags), ...(access_token !== undefined && { access_token }) };
  },
  async run({ client, output, signal }, body) {
    const model = await (await client()).admin.models.create(body, { signal });
    output.changed({ value: model, id: model.id, said: `Added ${model.id}, of class ${model.model_class}.` });
  },
};
