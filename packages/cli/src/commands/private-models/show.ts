import type { PrivateModel } from "@feather/sdk";
import type { Command } from "../../command.ts";
import type { DetailView } from "../../output/index.ts";
import { formatAgo } from "../../output/time.ts";
import {
  formatState,
  PRIVATE_MODEL_ARGUMENT,
  PRIVATE_MODEL_FIELDS,
  paintState,
  resolvePrivateModelId,
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
  async run(context, { id: given }) {
    const { client, now, output, signal } = context;
    const feather = await client();
    const id = await resolvePrivateModelId(context, feather, given);
    const model = await feather.privateModels.get(id, { signal });
    output.printDetails(createDetailView(now()), model);
    if (model.state === "ready") output.hint(`\nfeather chat -m ${model.id}`);
  },
};

const RUNTIME_NAMES = {
  "llama.cpp": "llama.cpp",
  "llama-server": "llama-server",
  vllm: "vLLM",
  sglang: "SGLang",
} as const;

const createDetailView = (now: Date): DetailView<PrivateModel> => ({
  id: ({ id }) => id,
  lines: (model) => [
    ["model", model.id, (text, style) => style.bold(text)],
    ["name", model.name],
    ["state", formatState(model), (text, style) => paintState(text, style, model)],
    ["revision", model.revision],
    ["runs with", model.runtime === null ? "nothing yet" : RUNTIME_NAMES[model.runtime]],
    ["class", model.model_class ?? "not known yet"],
    ["added", formatAgo(new Date(model.created_at), now)],
    ["changed", formatAgo(new Date(model.updated_at), now)],
  ],
});
