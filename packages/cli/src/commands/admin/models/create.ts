import type { AdminModelCreate } from "@feather/sdk";
import type { Command } from "../../../command.ts";
import { readToken } from "../../../input.ts";
import { ADMIN_MODEL_FIELDS, MODEL_FLAGS, parseModelChanges } from "./model.ts";

type Options = { readonly body: AdminModelCreate; readonly withToken: boolean };

/** Adds a model to the catalogue. */
export const adminModelsCreate: Command<Options> = {
  name: "admin models create",
  summary: "Add a model to the catalogue",
  description: "With a class it is as given; without one it is read from the model hub.",
  arguments: [{ name: "<id>", summary: "model, as owner/name" }],
  flags: [...MODEL_FLAGS, { name: "--with-token", summary: "read a token of the hub from stdin, for gated models" }],
  prints: "one",
  fields: ADMIN_MODEL_FIELDS,
  needs: "admin",
  examples: [
    "feather admin models create Qwen/Qwen3-32B",
    "feather admin models create meta-llama/Llama-3.3-70B-Instruct --with-token < token.txt",
    "feather admin models create acme/writer --class qwen3-32b --context 32768 --disable",
  ],
  options: ([id = ""], flags) => ({ body: { id, ...parseModelChanges(flags) }, withToken: flags.withToken === true }),
  async run({ client, io, output, signal }, { body, withToken }) {
    const token = withToken ? { access_token: await readToken(io.stdin) } : {};
    const model = await (await client()).admin.models.create({ ...body, ...token }, { signal });
    output.printChange({ value: model, id: model.id, message: `Added ${model.id}, of class ${model.model_class}.` });
  },
};
