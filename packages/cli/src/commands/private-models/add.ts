import type { Body } from "@feather/sdk";
import type { Command } from "../../command.ts";
import { given } from "../../flags.ts";
import { type Waiting, waitFor, waitingOf } from "../../wait.ts";
import { hubToken, PRIVATE_MODEL_FIELDS, standingOf, WITH_TOKEN } from "./private-model.ts";

type Options = {
  readonly id: string;
  readonly body: Body<"privateModels.create">;
  readonly withToken: boolean;
  readonly waiting: Waiting;
};
/** Large files take hours. */
const PATIENCE = 6 * 60 * 60_000;

/** Adds a model of the hub for the organization only. */
export const privateModelsAdd: Command<Options> = {
  name: "private-models add",
  summary: "Add a model of the hub for your organization alone",
  about: "See first whether it can run: `feather private-models compatibility`.",
  arguments: [{ name: "<id>", summary: "model of the hub, as owner/name" }],
  flags: [
    { name: "--revision <name>", summary: "branch, tag or commit, main if left out" },
    { name: "--name <name>", summary: "what it is called here" },
    WITH_TOKEN,
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
    body: { ...given("revision", flags.revision), ...given("name", flags.name) },
    withToken: flags.withToken === true,
    waiting: waitingOf(flags, PATIENCE),
  }),
  async run(context, { id, body, withToken, waiting }) {
    const { client, output, signal } = context;
    const whole = withToken ? { ...body, hf_token: await hubToken(context) } : body;
    const { privateModels } = await client();
    const begun = await privateModels.create(id, whole, { signal });
    if (!waiting.wait) {
      output.changed({ value: begun, id: begun.id, said: `Adding ${begun.id}. It is ${begun.state}.` });
      output.hint(`How far it is: feather private-models show ${begun.id}`);
      return;
    }
    const value = await waitFor(context, {
      name: begun.id,
      timeout: waiting.timeout,
      resume: `feather private-models show ${begun.id}`,
      look: () => privateModels.get(begun.id, { signal }),
      standing: standingOf,
    });
    output.changed({ value, id: value.id, said: `${value.id} is ${value.state}; the next call is answered.` });
  },
};
