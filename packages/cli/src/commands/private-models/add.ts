import type { PrivateModelCreate } from "@feather/sdk";
import type { Command } from "../../command.ts";
import { optionalText } from "../../flags.ts";
import { parseWaitOptions, type WaitOptions, waitFor } from "../../wait.ts";
import { PRIVATE_MODEL_FIELDS, readHubToken, TOKEN_FLAG, toWorkStatus } from "./private-model.ts";

type Options = {
  readonly id: string;
  readonly body: PrivateModelCreate;
  readonly withToken: boolean;
  readonly waitOptions: WaitOptions;
};
/** Large files take hours. */
const DEFAULT_TIMEOUT_MS = 6 * 60 * 60_000;

/** Adds a model of the hub for the organization only. */
export const privateModelsAdd: Command<Options> = {
  name: "private-models add",
  summary: "Add a model of the hub for your organization alone",
  description: "See first whether it can run: `feather private-models compatibility`.",
  arguments: [{ name: "<id>", summary: "model of the hub, as owner/name" }],
  flags: [
    { name: "--revision <name>", summary: "branch, tag or commit, main if left out" },
    { name: "--name <name>", summary: "what it is called here" },
    TOKEN_FLAG,
  ],
  prints: "one",
  fields: PRIVATE_MODEL_FIELDS,
  waits: true,
  needs: "sign-in",
  examples: [
    "feather private-models add acme/support-8b --wait",
    "feather private-models add acme/support-8b --revision v2 --with-token < token.txt",
  ],
  options: ([id = ""], flags) => ({
    id,
    body: { ...optionalText("revision", flags.revision), ...optionalText("name", flags.name) },
    withToken: flags.withToken === true,
    waitOptions: parseWaitOptions(flags, DEFAULT_TIMEOUT_MS),
  }),
  async run(context, { id, body, withToken, waitOptions }) {
    const { client, output, signal } = context;
    const request = withToken ? { ...body, hf_token: await readHubToken(context) } : body;
    const { privateModels } = await client();
    const created = await privateModels.create(id, request, { signal });
    if (!waitOptions.wait) {
      output.printChange({ value: created, id: created.id, message: `Adding ${created.id}. It is ${created.state}.` });
      output.hint(`How far it is: feather private-models show ${created.id}`);
      return;
    }
    const value = await waitFor(context, {
      name: created.id,
      timeout: waitOptions.timeout,
      resume: `feather private-models show ${created.id}`,
      poll: () => privateModels.get(created.id, { signal }),
      status: toWorkStatus,
    });
    output.printChange({ value, id: value.id, message: `${value.id} is ${value.state}; the next call is answered.` });
  },
};
