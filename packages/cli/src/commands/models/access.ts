import type { ModelRequestCreate, ModelUnlockRequest } from "@feather/sdk";
import type { Command } from "../../command.ts";
import type { Flag } from "../../command-line.ts";
import { readToken } from "../../input.ts";
import { MODEL_ARGUMENT, resolveModelId } from "./resolve-model.ts";
import { withSuggestions } from "./suggestions.ts";

type Options = { readonly id: string; readonly withToken: boolean };
const TOKEN_FLAG: Flag = { name: "--with-token", summary: "read a token of the hub from stdin" };

/** Unlocks a gated model for the caller. */
export const modelsUnlock: Command<Options> = {
  name: "models unlock",
  summary: "Get access to a gated model",
  arguments: [MODEL_ARGUMENT],
  flags: [TOKEN_FLAG],
  prints: "json",
  needs: "sign-in",
  examples: ["feather models unlock meta-llama/Llama-3.3-70B-Instruct --with-token < token.txt"],
  options: ([id = ""], flags) => ({ id, withToken: flags.withToken === true }),
  async run(context, { id: given, withToken }) {
    const { client, output, signal } = context;
    const body: ModelUnlockRequest = withToken ? { access_token: await readToken(context.io.stdin) } : {};
    const feather = await client();
    const id = await resolveModelId(context, feather, given);
    const response = await withSuggestions(feather, id, signal, () => feather.models.unlock(id, body, { signal }));
    if (output.json) output.printJson(response);
    else output.info(`${response.model_id} is open to you.`);
  },
};

/** Requests a model that is not in the catalogue. */
export const modelsRequest: Command<Options> = {
  name: "models request",
  summary: "Ask for a model of the hub to be added",
  arguments: [{ name: "<id>", summary: "model of the hub, as owner/name" }],
  flags: [TOKEN_FLAG],
  prints: "json",
  needs: "sign-in",
  examples: ["feather models request Qwen/Qwen3-32B"],
  options: ([id = ""], flags) => ({ id, withToken: flags.withToken === true }),
  async run(context, { id, withToken }) {
    const { client, output, signal } = context;
    const body: ModelRequestCreate = withToken ? { access_token: await readToken(context.io.stdin) } : {};
    const response = await (await client()).models.request(id, body, { signal });
    if (output.json) output.printJson(response);
    else
      output.info(
        `Requested ${response.id}. An admin of the server decides, unless it downloads requested models by itself.`,
      );
  },
};
