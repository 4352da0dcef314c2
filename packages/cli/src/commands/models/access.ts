import type { Body } from "@feather/sdk";
import type { Command, Flag } from "../../command.ts";
import { readToken } from "../../input.ts";
import { withClosest } from "./close.ts";

type Options = { readonly id: string; readonly withToken: boolean };
const WITH_TOKEN: Flag = { name: "--with-token", summary: "read a token of the hub from stdin" };

/** Unlocks a gated model for the caller. */
export const modelsUnlock: Command<Options> = {
  name: "models unlock",
  summary: "Get access to a gated model",
  arguments: [{ name: "<id>", summary: "model, as owner/name", values: "models" }],
  flags: [WITH_TOKEN],
  prints: "json",
  needs: "sign-in",
  examples: ["feather models unlock meta-llama/Llama-3.3-70B-Instruct --with-token < token.txt"],
  options: ([id = ""], flags) => ({ id, withToken: flags.withToken === true }),
  async run(context, { id, withToken }) {
    const { client, output, signal } = context;
    const body: Body<"models.unlock"> = withToken ? { access_token: await readToken(context.io.stdin) } : {};
    const feather = await client();
    const answer = await withClosest(feather, id, signal, () => feather.models.unlock(id, body, { signal }));
    if (output.json) output.printJson(answer);
    else output.say(`${answer.model_id} is open to you.`);
  },
};

/** Requests a model that is not in the catalogue. */
export const modelsRequest: Command<Options> = {
  name: "models request",
  summary: "Ask for a model of the hub to be added",
  arguments: [{ name: "<id>", summary: "model of the hub, as owner/name" }],
  flags: [WITH_TOKEN],
  prints: "json",
  needs: "sign-in",
  examples: ["feather models request Qwen/Qwen3-32B"],
  options: ([id = ""], flags) => ({ id, withToken: flags.withToken === true }),
  async run(context, { id, withToken }) {
    const { client, output, signal } = context;
    const body: Body<"models.request"> = withToken ? { access_token: await readToken(context.io.stdin) } : {};
    const answer = await (await client()).models.request(id, body, { signal });
    if (output.json) output.printJson(answer);
    else output.say(`Requested ${answer.id}. An admin of the server decides; nothing starts by itself.`);
  },
};
