import type { Command } from "../../command.ts";
import type { Sheet } from "../../output/index.ts";
import { ago } from "../../output/time.ts";
import {
  PRIVATE_MODEL_ARGUMENT,
  PRIVATE_MODEL_FIELDS,
  type PrivateModel,
  paintState,
  stateText,
} from "./private-model.ts";

/** Shows one private model. */
export const privateModelsShow: Command<{ readonly id: string }> = {
  name: "private-models show",
  summary: "Show a private model",
  arguments: [PRIVATE_MODEL_ARGUMENT],
  prints: "one",
  fields: PRIVATE_MODEL_FIELDS,
  needs: "sign-in",
  examples: ["feather private-models show acme/support-8b"],
  options: ([id = ""]) => ({ id }),
  async run({ client, now, output, signal }, { id }) {
    const model = await (await client()).privateModels.get(id, { signal });
    output.one(sheet(now()), model);
    if (model.state === "ready") output.hint(`\nfeather chat -m ${model.id}`);
  },
};

const sheet = (now: Date): Sheet<PrivateModel> => ({
  id: ({ id }) => id,
  lines: (model) => [
    ["model", model.id, (text, style) => style.bold(text)],
    ["name", model.name],
    ["state", stateText(model), (text, style) => paintState(text, style, model)],
    ["revision", model.revision],
    ["class", model.model_class ?? "not known yet"],
    ["added", ago(new Date(model.created_at), now)],
    ["changed", ago(new Date(model.updated_at), now)],
  ],
});
